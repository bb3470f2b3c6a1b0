"""How a run goes into a called workflow and comes back: a state of its own that knows where its caller stands.

Iterations, the limit, reports, sessions and the person's answers are those of the whole run; counts of runs, what
monitors have seen and what conditions ask for are the called workflow's own.
"""

from collections.abc import Mapping

from stepflow_gui.formats.takt.conditions_model import Label
from stepflow_gui.formats.takt.files import MOST_OPEN
from stepflow_gui.run.takt.machine.piece import Movement, Piece
from stepflow_gui.run.takt.machine.state import EndKind, PieceEnd, PieceState

COMPLETE, ABORT = "COMPLETE", "ABORT"
# What ends the whole run, wherever it is: the person didn't answer, or granted no more iterations.
_OF_THE_RUN: frozenset[EndKind] = frozenset({"blocked", "input_cancelled", "max_iterations", "no_input_handler"})


def may_open(state: PieceState, movement: Movement, workflows: Mapping[str, Piece]) -> bool:
    """Whether the workflow that a movement calls can be opened here: none is open twice, nor too many."""
    if movement.opens is None or len(state.open_workflows) + 1 >= MOST_OPEN:
        return False
    return not is_open(state, movement.opens, workflows)


def is_open(state: PieceState, workflow: str, workflows: Mapping[str, Piece]) -> bool:
    """Whether the file of a called workflow is running already, with these arguments or others."""
    file = workflows[workflow].file
    return any(workflows[each].file == file for each in state.open_workflows)


def inside(state: PieceState, task: str, workflow: str, called: Piece) -> PieceState:
    """The state at the first step of a workflow that a task calls."""
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
        called_by=task,
        runs=state.runs,
    )


def returns_to_caller(state: PieceState) -> bool:
    """Whether a called workflow has ended, and its caller goes on."""
    return state.end is not None and state.caller is not None and state.end.kind not in _OF_THE_RUN


def returned(state: PieceState, *, beside_others: bool) -> PieceState:
    """The caller's state after the called workflow has ended, with all that is of the whole run.

    Sub-steps all begin at the iteration and in the sessions of their parallel step (`beside_others`), which goes on
    with the most iterations and with the sessions of all of them.
    """
    caller = state.caller
    assert caller is not None
    caller = caller._replace(
        limit=state.limit, inputs=state.inputs, reports=state.reports, starts=state.starts, runs=state.runs
    )
    if not beside_others:
        return caller._replace(iteration=state.iteration, sessions=state.sessions)
    before = caller.sessions
    changed = {key: value for key, value in state.sessions.items() if before.get(key) != value}
    return caller._replace(
        iteration_after=max(caller.iteration_after, state.iteration),
        sessions_after={**caller.sessions_after, **changed},
    )


def joined(state: PieceState) -> PieceState:
    """The state of a parallel step once all its sub-steps are done."""
    return state._replace(
        iteration=max(state.iteration, state.iteration_after),
        sessions={**state.sessions, **state.sessions_after},
        iteration_after=0,
        sessions_after={},
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


def begins(state: PieceState, name: str) -> bool:
    """Whether a movement or sub-step is at work that has asked nothing yet, and isn't a monitor's judge."""
    at_work = state.parent is None and state.judging is None
    return at_work and any(task.name == name and task.phase == "execute" for task in state.tasks)
