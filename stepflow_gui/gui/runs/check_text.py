"""A run of steps with checks in words: where it is, the possible answers, how often a step has run."""

from collections.abc import Sequence

from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.runs.panel.now import AnswerOffer, Status
from stepflow_gui.messages import _
from stepflow_gui.run.machine.choices import Choice
from stepflow_gui.run.machine.loop_checks import has_check, limits_of
from stepflow_gui.run.machine.picks import NG, OK, RAN
from stepflow_gui.run.machine.route import EndRun, Routed
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import State, TraceEntry
from stepflow_gui.text.json.tree import JsonValue

BETWEEN = " · "


def check_status(config: RunConfig, state: State) -> Status:
    """Where a run stands that waits for a step, or for the answer to its check."""
    step = config.flow.steps[state.step or ""]
    iteration = _("Iteration {number} of {most}").format(number=state.iteration, most=config.limit)
    detail = BETWEEN.join((iteration, counts_in_words(config, state)))
    if state.waits == "check":
        return Status(_("{step}: does its check pass?").format(step=step.title), detail, token="active")
    if not has_check(step):
        detail += "\n" + _("It has no check, so nothing follows it.")
    return Status(step.title, detail, token="active")


def counts_in_words(config: RunConfig, state: State) -> str:
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
    return BETWEEN.join(parts)


def badge(config: RunConfig, state: State) -> str:
    """The same for the step on the canvas, with what is asked; "" where the run waits for no step."""
    counted = counts_in_words(config, state)
    if not counted or state.waits not in {"answer", "check"}:
        return ""
    return f"{_('check')}{BETWEEN}{counted}" if state.waits == "check" else counted


def offers(flow: Flow, choices: Sequence[Choice], by_hand: bool) -> list[AnswerOffer]:
    """The answers possible now."""
    labels = {RAN: _("Has Run"), OK: _("OK"), NG: _("NG")}
    found: list[AnswerOffer] = []
    for choice in choices:
        tip = choice.transition.message if isinstance(choice.transition, RunError) else ""
        label = f"{labels[choice.pick]}  →  {_goal(flow, choice)}"
        found.append(AnswerOffer(choice, label, tip, primary=by_hand and not found))
    return found


def with_message(answer: JsonValue, message: str) -> JsonValue:
    """The answer to a check with the person's own message, if there is one."""
    return {**answer, "message": message} if message and isinstance(answer, dict) and answer else answer


def text_of_entry(entry: TraceEntry) -> str | None:
    """The answer at an entry of the trace; None where it has nothing to do with checks."""
    if entry.judged is not None:
        return _("check passed") if entry.judged.answer.passed else _("check failed")
    return _("has run") if _has_run(entry) else None


def result_of(entry: TraceEntry) -> str | None:
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


def _goal(flow: Flow, choice: Choice) -> str:
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
