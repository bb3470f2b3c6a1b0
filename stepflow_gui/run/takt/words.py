"""What happens in a run of a piece, and how it ends, in words."""

from stepflow_gui.formats.takt.files import MOST_OPEN
from stepflow_gui.formats.takt.renames import as_workflow
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.takt.machine.calling import is_open, may_open
from stepflow_gui.run.takt.machine.choosing import Chosen, Method
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement, Piece
from stepflow_gui.run.takt.machine.state import (
    Blocked,
    Completed,
    CycleFound,
    Happening,
    InputGiven,
    LimitReached,
    MovementTask,
    PieceEnd,
    PieceState,
    ReportWritten,
    RunsInARow,
    Started,
    WorkflowEntered,
    WorkflowLeft,
)


def method_words(method: Method) -> str:
    """What decided over a rule."""
    return {
        "aggregate": _("by its sub-steps"),
        "phase3_tag": _("by a tag of the judge"),
        "phase1_tag": _("by a tag in the response"),
        "ai_judge": _("by the AI judge"),
        "ai_judge_fallback": _("by the AI judge, among all rules"),
        "state": _("by the state"),
        "status": _("by the status in the response"),
        "called": _("by the called workflow"),
    }[method]


def lines_of(machine: PieceMachine, state: PieceState, happening: Happening) -> list[str]:
    """What happened, a line each; `state` is the one after it. A movement's start heads what follows."""
    if isinstance(happening, Completed):
        return _completed(machine, happening)
    if not isinstance(happening, Started):
        return [_line(machine, state, happening)]
    movement = _named(machine, happening)
    text = _("{number}. {movement}, in a new session") if _starts_over(movement, state) else _("{number}. {movement}")
    shown = in_workflow(machine, happening.workflow, happening.movement)
    started = text.format(number=happening.iteration, movement=shown)
    if movement.unrun == "call" and not machine.runner.calls_count:
        started = shown  # it is none of the iterations
    unrun = [_unrun(machine, each, movement, state) for each in (movement, *movement.subs) if each.unrun]
    return [started, *unrun]


def in_workflow(machine: PieceMachine, workflow: str | None, name: str) -> str:
    """A movement with the called workflow that it is of, by that one's name."""
    return f"{machine.piece.workflows[workflow].name} / {name}" if workflow else name


def _why_closed(machine: PieceMachine, movement: Movement, state: PieceState) -> str:
    """Why the workflow that a movement calls can't be opened; "" where it can be."""
    workflows = machine.piece.workflows
    if movement.opens is None or may_open(state, movement, workflows):
        return movement.closed
    if is_open(state, movement.opens, workflows):
        return _("it would call itself")
    return _("{count} workflows are open already").format(count=MOST_OPEN)


def _unrun(machine: PieceMachine, step: Movement, movement: Movement, state: PieceState) -> str:
    """What of a step, or of a sub-step, isn't done in a run."""
    if step.unrun == "call":
        why = _why_closed(machine, step, state)
        text = _("“{name}” isn't run ({why}): what it returns is chosen")
        text = text if why else _("“{name}” can be opened, or its result chosen")
        text = text.format(name=step.called, why=why)
        return text if step is movement else f"{step.name}: {text}"
    text = {
        "system": _("nothing is done in a system step: its result is chosen"),
        "team": _("the parts of the team aren't run: the result is chosen"),
        "batches": _("the batches aren't run: the result is chosen"),
        "chosen": _("all sub-steps are run: none is left out"),
    }[step.unrun]
    return text if step is movement else f"{step.name}: {text}"


def _line(machine: PieceMachine, state: PieceState, happening: Happening) -> str:
    match happening:
        case CycleFound():
            text = ngettext(
                "{cycle}: {count} round, the judge is asked",
                "{cycle}: {count} rounds, the judge is asked",
                happening.rounds,
            )
            return text.format(cycle=" → ".join(happening.cycle), count=happening.rounds)
        case LimitReached():
            return _("the limit of {limit} iterations is reached").format(limit=happening.limit)
        case Blocked():
            return _("{movement} is blocked: {question}").format(
                movement=happening.movement, question=happening.question
            )
        case InputGiven():
            answer = state.inputs[-1] if state.inputs else ""
            return _("the user answers: {text}").format(text=answer)
        case RunsInARow():
            return _("{movement} runs {count} times in a row").format(
                movement=happening.movement, count=happening.times
            )
        case WorkflowEntered():
            text = _("{movement} opens “{workflow}” ({file})")
            called = machine.piece.workflows[happening.workflow]
            return text.format(movement=happening.movement, workflow=called.name, file=called.file)
        case WorkflowLeft():
            text = _("“{workflow}” has ended with “{result}”: {end}")
            name = machine.piece.workflows[happening.workflow].name
            return text.format(
                workflow=name,
                result=happening.result,
                end=end_words(happening.end, machine.piece.workflows[happening.workflow]),
            )
        case ReportWritten():
            return _("{movement} reports {name}").format(movement=happening.movement, name=happening.name)
        case _:
            raise AssertionError(happening)


def end_words(end: PieceEnd, piece: Piece) -> str:
    """How a run of a piece ended."""
    texts = {
        "complete": _("The piece is complete."),
        "abort_transition": _("Aborted: a rule of {movement} goes to ABORT."),
        "input_cancelled": _("Aborted: the user gave {movement} no answer."),
        "judgment_failed": _("Aborted: no tag was given for {movement}, so no rule can be chosen."),
        "max_iterations": _("Aborted: the iterations are used up; {movement} was due next."),
        "movement_failed": _("Aborted: {detail} failed."),
        "movement_unknown": _("Aborted: there is no movement “{detail}”."),
        "no_input_handler": _("Aborted: {movement} asks the user, and no user is there."),
        "blocked": _("Aborted: {movement} is blocked, and no user is there to ask."),
        "no_next": _("Aborted: the result of {detail} has no target."),
        "no_rule_matched": _("Aborted: no rule of {movement} holds."),
        "returned": _("The workflow returns “{detail}” to the one that called it."),
        "report_empty": _("Aborted: the report {detail} of {movement} is empty."),
        "report_missing": _("Aborted: the instruction of {movement} needs the report {detail}, which isn't written."),
        "report_path_escape": _("Aborted: the report {detail} of {movement} lies outside the reports' folder."),
        "state_unreadable": _("Aborted: a rule of {movement} asks for a state that is missing."),
    }
    judge = end.detail if end.kind == "abort_transition" else ""
    text = in_its_words(piece, texts[end.kind])
    return text.format(movement=judge or end.movement, detail=end.detail)


def in_its_words(piece: Piece, text: str) -> str:
    """A text about a piece in its own words: a workflow has steps. Placeholders stay."""
    return as_workflow(text) if piece.is_workflow else text


def rule_words(movement: Movement, chosen: Chosen | None) -> str:
    """The rule that was taken, and what decided."""
    if chosen is None:
        return _("no rule")
    rule = movement.rules[chosen.rule]
    # No judge is asked about a call: a result that was chosen stands for what the workflow returned.
    method = "called" if movement.unrun == "call" and chosen.method != "state" else chosen.method
    return _("{number} {condition} ({method})").format(
        number=chosen.rule + 1, condition=rule.text, method=method_words(method)
    )


def _completed(machine: PieceMachine, done: Completed) -> list[str]:
    movement = _named(machine, done)
    lines = [_sub_line(movement, sub) for sub in done.subs]
    rule = movement.rules[done.chosen.rule] if done.chosen else None
    if done.status == "blocked" or movement.asks_always or (rule is not None and rule.requires_user_input):
        target: str | None = _("the user, then {movement} again").format(movement=movement.name)  # whatever `next` is
    else:
        target = rule.target if rule is not None else None
    lines.append(f"{rule_words(movement, done.chosen)} → {target or '–'}")
    return lines


def _starts_over(movement: Movement, state: PieceState) -> bool:
    """Whether it works in a session of its own, though there is one that it could go on with."""
    return movement.session == "refresh" and state.sessions.get(movement.session_key, 1) > 1


def _sub_line(movement: Movement, task: MovementTask) -> str:
    sub = next((each for each in movement.subs if each.name == task.name), movement)
    result = _("failed") if task.status == "error" else rule_words(sub, task.chosen)
    return f"{task.name}: {result}"


def _named(machine: PieceMachine, happening: Started | Completed) -> Movement:
    piece = machine.piece.workflows[happening.workflow] if happening.workflow else machine.piece
    judges = (monitor.judge for monitor in piece.monitors)
    name = happening.movement
    return piece.movements.get(name) or next(judge for judge in judges if judge.name == name)
