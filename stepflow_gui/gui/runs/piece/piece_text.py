"""The run panel's texts for a piece's run: where it is, what can be picked, a row for each event."""

from typing import NamedTuple

from stepflow_gui.gui.runs.panel.now import AnswerOffer, Status
from stepflow_gui.gui.runs.run_text import in_short
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.takt.machine.assuming import facts_in_words
from stepflow_gui.run.takt.machine.choosing import settled_aggregate
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.results import Result, results_of
from stepflow_gui.run.takt.machine.state import (
    Begin,
    Call,
    Completed,
    Entered,
    JudgeReply,
    Moment,
    MovementTask,
    PieceState,
    Replied,
    UserInput,
)
from stepflow_gui.run.takt.machine.workflow_choosing import ERROR, label_of
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.shadow import Parting
from stepflow_gui.run.takt.words import end_words, in_its_words, in_workflow, lines_of

_LONG = 60  # characters of a rule that a button shows


class RuleOf(NamedTuple):
    """The rule that a movement or sub-step comes to; None: unknown. `fails`: its agent fails."""

    task: str
    rule: int | None
    fails: bool = False


class More(NamedTuple):
    """So many further iterations."""

    iterations: int


class Cancelled(NamedTuple):
    """The person gives no answer."""


class OpenCalled(NamedTuple):
    """The workflow that a movement calls is run, too."""

    task: str


class ChangeAnswer(NamedTuple):
    """A sub-step that has come to a rule is asked again."""

    task: str


class UserAnswer(NamedTuple):
    """What the person wrote is the answer."""


def status_of(run: PieceRun) -> Status:
    """Where a run stands."""
    state = run.state
    if state.end is not None:
        words = end_words(state.end, run.machine.piece_at(state))
        return Status(words, _facts(run), token="closure" if state.end.success else "error")
    if state.waits == "input":
        return Status(_("{movement} asks the user").format(movement=state.movement), state.asked, token="active")
    if state.waits == "limit":
        return Status(_("The iterations are used up: {count}").format(count=state.iteration), token="warning")
    running = run.machine.running(state)
    assert running is not None
    count = state.counts.get(running.name, 0)
    place = _("Iteration {count} of {limit}, run {run} of {movement}")
    place = place.format(count=state.iteration, limit=state.limit or "∞", run=count, movement=running.name)
    if state.judging is not None:
        cycle = run.machine.piece_at(state).monitors[state.judging.monitor].cycle
        text = _("The judge of {cycle}, after {count} rounds")
        return Status(text.format(cycle=" → ".join(cycle), count=state.judging.rounds), place, token="active")
    name = in_workflow(run.machine, state.workflow, running.name)
    return Status(name, "\n".join(filter(None, (place, _settled(running, state)))), token="active", mono=True)


def _settled(movement: Movement, state: PieceState) -> str:
    """Which rule of a parallel movement holds already, whatever the sub-steps come to that are still at work."""
    if not movement.subs or state.parent is not None:
        return ""
    pairs = list(zip(movement.subs, state.tasks, strict=False))
    at_work = frozenset(place for place, task in enumerate(state.tasks) if task.phase != "done")
    rule = settled_aggregate(movement, [_taken(sub, task) for sub, task in pairs], at_work)
    if rule is None:
        return ""
    return _("Holds already: {rule}").format(rule=_label(movement.rules[rule].text, movement.rules[rule].target)[0])


def _taken(sub: Movement, task: MovementTask) -> str | None:
    """What a sub-step has come to, as aggregates of its parent name it."""
    if task.status == "error":
        return ERROR
    if task.chosen is None:
        return None
    rule = sub.rules[task.chosen.rule]
    return label_of(rule.condition) or rule.text


def _facts(run: PieceRun) -> str:
    """How much happened in a run that is over, and how much of the piece it came through."""
    piece, state = run.machine.piece, run.state
    events = ((run.moment_at(number).state, moment.event) for number, moment in enumerate(run.moments))
    answers = sum(isinstance(event, Replied) and _is_work(before, event) for before, event in events)
    ran = sum(name in state.outermost.counts for name in piece.movements)
    rules = sum(len(movement.rules) for movement in piece.movements.values())
    parts = [
        ngettext("{count} answer", "{count} answers", answers).format(count=answers),
        ngettext("{count} iteration", "{count} iterations", state.iteration).format(count=state.iteration),
        in_its_words(piece, _("movements {covered}/{total}")).format(covered=ran, total=len(piece.movements)),
        _("rules {covered}/{total}").format(covered=len(run.taken), total=rules),
    ]
    if state.reports:
        count = len(state.reports)
        parts.append(ngettext("{count} report", "{count} reports", count).format(count=count))
    return " · ".join(parts)


def _is_work(before: PieceState, event: Replied) -> bool:
    """Whether a reply is that of a movement or sub-step to its own work."""
    return any(task.name == event.task and task.phase == "execute" for task in before.tasks)


def offers_of(run: PieceRun, *, by_hand: bool) -> list[AnswerOffer]:
    """What can be picked: of each sub-step that is still at work its rules; the person's answer; iterations.

    Where somebody else answers, picking a rule is not the usual thing to do.
    """
    state = run.state
    if state.waits == "input":
        return [AnswerOffer(UserAnswer(), _("Answer"), primary=True), AnswerOffer(Cancelled(), _("No answer"))]
    if state.waits == "limit":
        return [
            AnswerOffer(More(10), _("10 further iterations"), primary=True),
            AnswerOffer(More(0), _("End here")),
        ]
    offers: list[AnswerOffer] = []
    calls = {call.task: call for call in run.calls}
    answered = [task for task in state.tasks if task.name not in calls and task.phase == "done"]
    order = [task.name for task in state.tasks] if state.parent is None else []
    for name in sorted({*calls, *(task.name for task in answered if order)}, key=[*order, *calls].index):
        if name in calls:
            offers += _offers_of_call(run, calls[name], usual=by_hand and not any(offer.primary for offer in offers))
        else:
            offers.append(_answered(run, next(task for task in answered if task.name == name)))
    return offers


def _offers_of_call(run: PieceRun, call: Call, *, usual: bool) -> list[AnswerOffer]:
    """The rules of a movement or sub-step; `usual`: the first of them is what is usually picked."""
    state, machine = run.state, run.machine
    movement = machine.asked_of(state, call)
    named = len(run.calls) > 1 or (state.parent is None and machine.running(state) is not movement)
    block = call.task if named else ""
    offers: list[AnswerOffer] = []
    if machine.callee(state, call.task) is not None:
        text = _("Open “{workflow}” and run its steps").format(workflow=movement.called)
        offers.append(AnswerOffer(OpenCalled(call.task), text, part="choice"))
    for place, rule in enumerate(movement.rules):
        hidden = rule.interactive_only and not machine.interactive
        label, whole = _label(rule.text, None if named else rule.target)
        tip = _("Counts only where a person is there") if hidden else whole
        sign = "↻" if rule.target is not None and rule.target == state.movement else ""
        offers.append(AnswerOffer(RuleOf(call.task, place), label, tip, enabled=not hidden, part="choice", sign=sign))
    if not movement.rules:
        text = _("done") if named else _("{name}: done").format(name=call.task)
        offers.append(AnswerOffer(RuleOf(call.task, None), text, part="choice"))
    else:
        text = _("{name}: undecided").format(name=call.task) if named else _("Undecided")
        offers.append(AnswerOffer(RuleOf(call.task, None), text, _("The judge gives no tag"), part="unusable"))
    if named and call.kind == "agent" and machine.runner.notation == "workflow":
        fails, tip = _("{name}: fails").format(name=call.task), _("Its result is “error” then")
        offers.append(AnswerOffer(RuleOf(call.task, None, fails=True), fails, tip, part="unusable"))
    first = next((at for at, offer in enumerate(offers) if offer.enabled), None)
    return [
        offer._replace(block=block if offer.part == "choice" else "", primary=usual and at == first)
        for at, offer in enumerate(offers)
    ]


def _answered(run: PieceRun, task: MovementTask) -> AnswerOffer:
    """The line of a sub-step that has come to a rule."""
    sub = run.machine.movement_of(run.state, task.name)
    label = _taken(sub, task)
    text = _("failed") if task.status == "error" else label if label is not None else _("done")
    tip = _("Asks it again; the answers of the others are kept")
    return AnswerOffer(ChangeAnswer(task.name), text, tip, part="answered", block=task.name)


def row_of(
    machine: PieceMachine, number: int, before: PieceState, moment: Moment, parting: Parting | None = None
) -> TableRow:
    """A row of the trace for an event, which met the state `before`: who, and what came of it.

    `parting`: where the shadow's run differs; its row says so.
    """
    lines = _came(machine, before, moment)
    who = in_workflow(machine, before.workflow, _who(moment))
    token = "text" if lines else "muted"
    what, tip = "; ".join(lines) or _answer_text(moment), ""
    if parting is not None and parting.position == number:
        what, token, tip = f"{what}  ◇ {parting.runtime}", "warning", parting.message
    return TableRow(
        (Cell(str(number)), Cell(who, mono=True), Cell(what, token=token)), moment.state.outermost.movement, tip
    )


def explained(machine: PieceMachine, before: PieceState, moment: Moment, parting: str = "") -> list[str]:
    """What an event was, and what came of it, a line each; then where the shadow's run differs, if it is there."""
    facts = moment.event.facts if isinstance(moment.event, Replied) else {}
    taken_so = [
        _("Taken to be so: {name} = {value}").format(name=name, value=in_short(value))
        for name, value in facts_in_words(facts)
    ]
    return [line for line in (_answer_text(moment), *taken_so, *_came(machine, before, moment), parting) if line]


def _came(machine: PieceMachine, before: PieceState, moment: Moment) -> list[str]:
    """What came of an event: a result as soon as it is there, what else happened, the end."""
    lines = [line for each in moment.happened for line in lines_of(machine, moment.state, each)]
    if not any(isinstance(each, Completed) for each in moment.happened):
        results = results_of(machine, before, moment)
        lines += [f"{each.name}: {_result(each)}" for each in results]
    if moment.state.end is not None:
        lines.append(end_words(moment.state.end, machine.piece_at(moment.state)))
    return lines


def _label(rule: str, target: str | None) -> tuple[str, str]:
    """A rule as a button says it, with where it goes; and all of it where that is cut."""
    short = rule if len(rule) <= _LONG else rule[: _LONG - 1].rstrip() + "…"
    goal = f"  →  {target}" if target is not None else ""
    return short + goal, "" if short == rule else rule + goal


def _result(result: Result) -> str:
    if result.status == "error":
        return _("failed")
    return result.rule if result.rule is not None else _("done")


def _who(moment: Moment) -> str:
    event = moment.event
    if isinstance(event, Replied | JudgeReply | Entered):
        return event.task
    return _("the user") if isinstance(event, UserInput) else _("start") if isinstance(event, Begin) else ""


def _answer_text(moment: Moment) -> str:
    event = moment.event
    if isinstance(event, Replied):
        return event.text
    if isinstance(event, UserInput):
        return event.text or _("no answer")
    return ""
