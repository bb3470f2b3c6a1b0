"""What movements and sub-steps come to in one event of a run: a result each, as soon as it is there."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.run.takt.machine.choosing import Chosen
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Completed, Moment, MovementTask, PieceState, Status, WorkflowLeft


class Result(NamedTuple):
    """What one came to. `rule`: the condition of the rule that was chosen; None where none was, or none is needed."""

    name: str
    rule: str | None
    status: Status
    place: int | None = None  # of that rule among those of the movement, from 0


def results_of(machine: PieceMachine, before: PieceState, moment: Moment) -> Iterator[Result]:
    """The results that an event brought, sub-steps before their movement; `before`: the state that it met."""
    level, open_before = before, _at_work(before)
    for each in moment.happened:
        if isinstance(each, WorkflowLeft):
            assert level.caller is not None
            open_before, level = {level.called_by}, level.caller
        elif isinstance(each, Completed):
            yield from (result_of(machine, level, task) for task in each.subs if task.name in open_before)
            movement = machine.running(level)
            rule = movement.rules[each.chosen.rule].text if movement is not None and each.chosen else None
            place = each.chosen.rule if each.chosen else None
            yield Result(machine.named(level, each.movement), rule, each.status, place)
            open_before = set()
    if moment.state.workflow == level.workflow and moment.state.starts == before.starts:
        for task in moment.state.tasks:
            if task.phase == "done" and task.name in open_before:
                yield result_of(machine, level, task)


def _at_work(state: PieceState) -> set[str]:
    return {task.name for task in state.tasks if task.phase != "done"} if state.parent is None else set()


def result_of(machine: PieceMachine, state: PieceState, task: MovementTask) -> Result:
    """What a task that is done came to."""
    chosen: Chosen | None = task.chosen
    rule = machine.movement_of(state, task.name).rules[chosen.rule].text if chosen is not None else None
    place = chosen.rule if chosen is not None else None
    return Result(machine.named(state, task.name), rule, task.status, place)
