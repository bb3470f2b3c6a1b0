"""A run in words: where it is, what can be answered, the lines of its trace."""

from collections.abc import Iterable, Iterator, Sequence

from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.canvas.marks import RunMarks, TransitionRef
from stepflow_gui.gui.runs.panel.now import AnswerOffer, Status
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.branches import Branch, Paused, R
from stepflow_gui.run.explanation import attempts_left
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.machine.choices import Choice
from stepflow_gui.run.machine.loop_checks import has_check, limits_of
from stepflow_gui.run.machine.picks import NG, OK, RAN, answer_for
from stepflow_gui.run.machine.route import EndRun, Routed
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import (
    Answered,
    NotAsked,
    ProgramEnded,
    RunValidator,
    Start,
    State,
    TraceEntry,
    Validated,
)
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from stepflow_gui.run.shadow import Divergence
from stepflow_gui.text.json.tree import JsonValue

PROGRAM_ENDED = ("program", 0), ("program", 1)
SHOW_PROBLEM = "problem"
START = "start"
SET_UP = "set_up"
TRUST = "trust"
UNKNOWN = "unknown_word"  # an answer with a word that the runner doesn't know
_CLOSING = ("closing", "complete")  # intents before whose end validators may run, at whatever step
_BETWEEN = " · "
_CUT = '{"next_action": {"action": "ne'


def status_of(run: Run, paused: Paused | None, looks: bool) -> Status:
    """Where a run stands."""
    parting = run.parting
    note = parting.message if parting is not None else ""
    place = (run.position, run.length) if looks else None
    return noted(_status(run), note, paused, place)


def ends_left(flow: Flow, runs: Iterable[RunMarks]) -> int:
    """How many ends of a flow none of these runs has come to: those of a step that are one to the flow are one."""
    seen = {ref for marks in runs for ref in marks.move_visits}
    ends: dict[tuple[str, str], bool] = {}
    for move in flow.moves():
        if move.target is None:
            end = move.step, move.end
            ends[end] = ends.get(end, False) or TransitionRef(move.step, move.intent, move.case) in seen
    return sum(not is_seen for is_seen in ends.values())


def noted(status: Status, note: str, paused: Paused | None, looked_at: tuple[int, int] | None) -> Status:
    """A status with why the run has paused there, or which entry of how many is only viewed."""
    if paused is not None and paused.why == "breakpoint":
        note = f"{paused.message}\n{note}".strip()
    token = "warning"
    if paused is not None and paused.why == "no_answer" and paused.message:
        note, token = paused.message, "error"
    if looked_at is not None:
        text = _("Viewing entry {number} of {count}. An answer here starts another run; this one is kept.")
        text = text.format(number=looked_at[0], count=looked_at[1])
        note = f"{note}\n{text}" if paused is not None and paused.why == "breakpoint" else text
    return status._replace(note=note, note_token=token)


def running(state: State, streamed: str) -> Status:
    """A run that goes on by itself. `streamed`: what is shown of an answer while it arrives."""
    detail = _("Iteration {number}").format(number=state.iteration)
    return Status(state.step or _("Running"), f"{detail} · {streamed}" if streamed else detail, "active", mono=True)


def _status(run: Run) -> Status:
    state = run.state
    if state.outcome is not None:
        good = state.outcome.success
        title = _("The run has reached its end") if good else _("The run has ended without success")
        return Status(title, state.outcome.message, "closure" if good else "error")
    if state.error is not None:
        return Status(_("The run can't go on from here"), state.error.message, "error")
    if state.waits in {"answer", "check"} and not run.machine.era.gates:
        return _check_status(run.machine.config, state)
    iteration = _("Iteration {number}").format(number=state.iteration)
    checking = run.validator
    if checking is not None:
        return _at_validator(iteration, checking)
    if state.waits == "program":
        detail = _("{iteration}: the step starts a program in place of the model. How does it end?")
        return Status(state.step or "", detail.format(iteration=iteration), "active", mono=True)
    detail = _("{iteration}: which intent does the model answer?").format(iteration=iteration)
    if state.retry is not None:
        text = _("The retry prompt for “{validator}” is sent, attempt {attempt}.")
        detail += " " + text.format(validator=state.retry.validator, attempt=state.retry.attempt)
    return Status(state.step or "", detail, "active", mono=True)


def _at_validator(iteration: str, checking: RunValidator) -> Status:
    detail = _("{iteration}: validator {number} of {count} before closing, “{command}”. Does it pass?").format(
        iteration=iteration, number=checking.number, count=checking.of, command=checking.command
    )
    left = attempts_left(checking.validation.action, checking.validation.max_attempts, checking.failures)
    return Status(checking.validator, f"{detail} {left}" if left else detail, "active", mono=True)


def offers_of(run: Run, choices: Sequence[Choice], by_hand: bool) -> list[AnswerOffer]:
    """What a person may answer now. Where somebody else answers none of it is the usual thing to do."""
    if run.validator is not None:
        return [AnswerOffer(True, _("Passes"), primary=by_hand), AnswerOffer(False, _("Fails"))]
    if run.state.waits == "program":
        texts = (_("Exit code {code}").format(code=key[1]) for key in PROGRAM_ENDED)
        return [
            AnswerOffer(key, text, primary=by_hand and key[1] == 0)
            for key, text in zip(PROGRAM_ENDED, texts, strict=True)
        ]
    if not run.machine.era.gates:
        return [*_check_offers(run.machine.flow, choices, by_hand), *_unusable(run)]
    offers: list[AnswerOffer] = []
    for choice in choices:
        label = choice.intent if choice.pick.case is None else f"{choice.intent} · {choice.pick.case}"
        tip = choice.refusal or (choice.transition.message if isinstance(choice.transition, RunError) else "")
        usual = by_hand and not offers
        offer = AnswerOffer(choice, f"{label}  →  {_goal(choice)}", tip, usual, enabled=choice.refusal is None)
        offers.append(offer._replace(part="choice", sign="  ".join(_signs(run, choice))))
    return [*offers, *_unusable(run)]


def _signs(run: Run, choice: Choice) -> Iterator[str]:
    """What is special about an answer: whether it is a default, goes back, or ends the run only after validators."""
    if choice.pick.case == "default":
        yield _("by default")
    step = run.machine.flow.steps.get(run.state.step or "")
    ends = isinstance(choice.transition, EndRun)
    if ends and step is not None and (step.kind == "closure" or choice.intent in _CLOSING):
        answer = answer_for(step, choice.pick, run.machine.era)
        _after, effects = run.machine.step(run.state, Answered(answer if isinstance(answer, dict) else None))
        if any(isinstance(effect, RunValidator) for effect in effects):
            yield _("validators first")
    if choice.next_step is not None and choice.next_step == run.state.step:
        yield "↻"


def _unusable(run: Run) -> list[AnswerOffer]:
    """Answers that no runner can read as one of its choices, as models give them now and then."""
    gates = run.machine.era.gates
    if run.state.waits != ("answer" if gates else "check"):
        return []
    tip = _("A word that is not an intent") if gates else _("A word that is not a result")
    cut = _("The model’s JSON is cut off: {text}").format(text=_CUT)
    found = (
        AnswerOffer(Answered(None, ()), _("Nothing"), _("The model writes nothing")),
        AnswerOffer(Answered(None, (_CUT,)), _("Broken JSON"), cut),
        AnswerOffer(UNKNOWN, _("Unknown Intent") if gates else _("Unknown Result"), tip),
    )
    return [offer._replace(part="unusable") for offer in found]


def condition_label(verdict: Verdict) -> str | None:
    """The label of a verdict's external condition; None where the answers decide."""
    if not verdict.is_external:
        return None
    return _("Simulate: issue is closed") if verdict.type == "poll:state" else _("External state: done")


def short_name(branch: Branch[R]) -> str:
    """A kept run's name."""
    return _("Run {number}").format(number=branch.number)


def branch_name(branch: Branch[R]) -> str:
    """The same with where it is from."""
    name = short_name(branch)
    return (
        name
        if branch.of is None
        else _("{run}, from entry {at} of run {of}").format(run=name, at=branch.at, of=branch.of)
    )


def trace_row(number: int, entry: TraceEntry, parting: Divergence | None) -> TableRow:
    """A line of the trace. `parting`: the shadow's, where it parts with this entry."""
    entry_text, (result, token) = text_of_entry(entry), result_of(entry)
    tip = entry.error.message if entry.error is not None else ""
    if parting is not None:
        result, token, tip = f"{result}  ◇ {parting.era}", "warning", parting.message
    cells = (
        Cell(str(number), token="muted"),
        Cell(entry.step or entry.to or "", mono=True),
        Cell(f"{entry_text}  →  {result}", token=token),
    )
    return TableRow(cells, entry.step or entry.to, tip)


def short_line(entry: TraceEntry | None) -> Cell:
    """An entry in one cell, for comparing."""
    if entry is None:
        return Cell("–", token="muted")
    result, token = result_of(entry)
    return Cell(f"{entry.step or entry.to or ''}: {text_of_entry(entry)}  →  {result}", token=token)


def text_of_entry(entry: TraceEntry) -> str:
    """The answer at an entry of the trace."""
    event = entry.event
    match event:
        case Start():
            return _("start")
        case Validated(passed=passed, fault=fault):
            word = _("passed") if passed else _("undetermined") if fault else _("failed")
            return f"{entry.validator}: {word}"
        case ProgramEnded(exit_code=code):
            return _("exit code {code}").format(code=code)
        case NotAsked():
            return _("not asked")
    checked = _check_entry(entry)
    if checked is not None:
        return checked
    read = entry.interpretation
    if read is not None:
        case = entry.transition.case if isinstance(entry.transition, Routed | EndRun) else None
        return read.intent if case is None else f"{read.intent} · {case}"
    return _("no answer") if isinstance(event, Answered) and event.answer is None else _("an answer")


def result_of(entry: TraceEntry) -> tuple[str, str]:
    """Where an entry of the trace led, with the colour of it."""
    if entry.error is not None:
        return _("stopped: {reason}").format(reason=entry.error.message), "error"
    if entry.outcome is not None:
        return _("end"), "closure" if entry.outcome.success else "error"
    checked = _check_result(entry)
    if checked is not None:
        return checked, "text"
    return (entry.to, "text") if entry.to is not None else (_("validators run"), "text")


def in_short(value: JsonValue) -> str:
    """A value in one line."""
    import json

    if value is ABSENT:
        return _("nothing there")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _goal(choice: Choice) -> str:
    match choice.transition:
        case Routed(step=step):
            return step
        case EndRun():
            return _("end")
        case RunError():
            return _("error")
        case _:
            return _("not possible")


# Steps with checks in words


def _check_status(config: RunConfig, state: State) -> Status:
    """Where a run stands that waits for a step, or for the answer to its check."""
    step = config.flow.steps[state.step or ""]
    iteration = _("Iteration {number} of {most}").format(number=state.iteration, most=config.limit)
    detail = _BETWEEN.join((iteration, _counts_in_words(config, state)))
    if state.waits == "check":
        return Status(_("{step}: does its check pass?").format(step=step.title), detail, token="active")
    if not has_check(step):
        detail += "\n" + _("It has no check, so nothing follows it.")
    return Status(step.title, detail, token="active")


def _counts_in_words(config: RunConfig, state: State) -> str:
    """How often the active step has run and was tried again; "" where nothing is counted."""
    step, rules = config.flow.steps.get(state.step or ""), config.era.checks
    if step is None or rules is None:
        return ""
    limits, (runs, retries) = limits_of(step, rules), state.counts
    if limits.runs is None:
        parts = [_("run {number}").format(number=runs)]
    else:
        parts = [_("run {number} of {most}").format(number=runs, most=limits.runs)]
    if limits.retries:
        parts.append(_("retry {number} of {most}").format(number=retries, most=limits.retries))
    elif limits.retries is None and retries:
        parts.append(_("retry {number}").format(number=retries))
    return _BETWEEN.join(parts)


def badge(config: RunConfig, state: State) -> str:
    """The same for the step on the canvas, with what is asked; "" where the run waits for no step."""
    counted = _counts_in_words(config, state)
    if not counted or state.waits not in {"answer", "check"}:
        return ""
    return f"{_('check')}{_BETWEEN}{counted}" if state.waits == "check" else counted


def _check_offers(flow: Flow, choices: Sequence[Choice], by_hand: bool) -> list[AnswerOffer]:
    """The answers possible now."""
    labels = {RAN: _("Has Run"), OK: _("OK"), NG: _("NG")}
    found: list[AnswerOffer] = []
    for choice in choices:
        tip = choice.transition.message if isinstance(choice.transition, RunError) else ""
        label = f"{labels[choice.pick]}  →  {_check_goal(flow, choice)}"
        found.append(AnswerOffer(choice, label, tip, primary=by_hand and not found))
    return found


def with_message(answer: JsonValue, message: str) -> JsonValue:
    """The answer to a check with the person's own message, if there is one."""
    return {**answer, "message": message} if message and isinstance(answer, dict) and answer else answer


def _check_entry(entry: TraceEntry) -> str | None:
    """The answer at an entry of the trace; None where it has nothing to do with checks."""
    if entry.judged is not None:
        return _("check passed") if entry.judged.answer.passed else _("check failed")
    return _("has run") if _has_run(entry) else None


def _check_result(entry: TraceEntry) -> str | None:
    """Where it led; None where others have the words for it."""
    taken, judged = entry.transition, entry.judged
    if entry.outcome is not None or entry.error is not None:
        return None
    if judged is not None:
        return f"{entry.to} ({judged.transition})" if judged.transition in {"retry", "fallback"} else entry.to
    if _has_run(entry) and isinstance(taken, Routed):
        return _("its check") if taken.how == "check" else _("once more")
    return None


def _has_run(entry: TraceEntry) -> bool:
    taken = entry.transition
    if isinstance(taken, EndRun):
        return taken.signal == "unchecked"
    return isinstance(taken, Routed) and taken.how in {"check", "again"}


def _check_goal(flow: Flow, choice: Choice) -> str:
    match choice.transition:
        case Routed(how="check"):
            return _("its check")
        case Routed(how="again"):
            return _("once more")
        case Routed(step=step):
            return flow.steps[step].title
        case RunError():
            return _("error")
    return _("end")
