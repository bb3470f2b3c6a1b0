"""How a run goes into a called workflow and comes back: a state of its own that knows where its caller stands.

Iterations, the limit, reports, sessions and the person's answers are those of the whole run; counts of runs, what
monitors have seen and what conditions ask for are the called workflow's own.
"""

from stepflow_gui.formats.takt.conditions_model import Label
from stepflow_gui.run.takt.machine.piece import Movement, Piece
from stepflow_gui.run.takt.machine.state import EndKind, MovementTask, PieceEnd, PieceState

MOST_DEEP = 5  # called workflows that are open at once (takt.md 13.2)
COMPLETE, ABORT = "COMPLETE", "ABORT"
# What ends the whole run, wherever it is: the person didn't answer, or granted no more iterations.
_OF_THE_RUN: frozenset[EndKind] = frozenset({"blocked", "input_cancelled", "max_iterations", "no_input_handler"})


def may_open(state: PieceState, movement: Movement) -> bool:
    """Whether the workflow that a movement calls can be opened here: none is open twice, nor too many."""
    opened = state.open_workflows
    return movement.opens is not None and movement.opens not in opened and len(opened) < MOST_DEEP


def inside(state: PieceState, workflow: str, called: Piece) -> PieceState:
    """The state at the first step of a called workflow."""
    return PieceState(
        movement=called.initial,
        iteration=state.iteration,
        limit=state.limit,
        task=state.task,
        previous=state.previous,
        inputs=state.inputs,
        reports=state.reports,
        facts=state.given,
        given=state.given,
        sessions=state.sessions,
        starts=state.starts,
        workflow=workflow,
        caller=state,
        runs=state.runs,
    )


def returns_to_caller(state: PieceState) -> bool:
    """Whether a called workflow has ended, and its caller goes on."""
    return state.end is not None and state.caller is not None and state.end.kind not in _OF_THE_RUN


def returned(state: PieceState) -> PieceState:
    """The caller's state after the called workflow has ended, with all that is of the whole run."""
    assert state.caller is not None
    return state.caller._replace(
        iteration=state.iteration,
        limit=state.limit,
        inputs=state.inputs,
        reports=state.reports,
        sessions=state.sessions,
        starts=state.starts,
        runs=state.runs,
    )


def result_of_call(end: PieceEnd) -> str:
    """What the end of a called workflow is for the rules of its caller."""
    if end.kind == "returned":
        return end.detail
    return COMPLETE if end.kind == "complete" else ABORT


def rule_for(movement: Movement, result: str, *, interactive: bool) -> int | None:
    """The rule that a result takes; None where there is none."""
    for place, rule in enumerate(movement.rules):
        text = rule.condition.text if isinstance(rule.condition, Label) else rule.text
        if text == result and (interactive or not rule.interactive_only):
            return place
    return None


def only_task(state: PieceState, name: str) -> MovementTask | None:
    """The task of a movement that works alone and has asked nothing yet; None for others."""
    tasks = state.tasks
    alone = len(tasks) == 1 and state.parent is None and state.judging is None and tasks[0].name == state.movement
    return tasks[0] if alone and tasks[0].name == name and tasks[0].phase == "execute" else None
