"""What movements and sub-steps come to in one event of a run: a result each, as soon as it is there."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.run.takt.machine.choosing import Chosen
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Completed, Moment, MovementTask, PieceState, Status


class Result(NamedTuple):
    """What one came to. `rule`: the condition of the rule that was chosen; None where none was, or none is needed."""

    name: str
    rule: str | None
    status: Status


def results_of(machine: PieceMachine, before: PieceState, moment: Moment) -> Iterator[Result]:
    """The results that an event brought, sub-steps before their movement; `before`: the state that it met."""
    open_before = {task.name for task in before.tasks if task.phase != "done"} if before.parent is None else set()
    completed = [each for each in moment.happened if isinstance(each, Completed)]
    done = completed[0] if completed else None
    tasks = done.subs if done is not None else moment.state.tasks
    for task in tasks:
        if task.phase == "done" and task.name in open_before:
            yield result_of(machine, before, task)
    if done is not None:
        movement = machine.running(before)
        rule = movement.rules[done.chosen.rule].text if movement is not None and done.chosen else None
        yield Result(machine.named(before, done.movement), rule, done.status)
    caller = before.caller
    for each in completed[1:]:  # steps whose called workflow ended with it
        assert caller is not None
        calling = machine.running(caller)
        rule = calling.rules[each.chosen.rule].text if calling is not None and each.chosen else None
        yield Result(machine.named(caller, each.movement), rule, each.status)
        caller = caller.caller


def result_of(machine: PieceMachine, state: PieceState, task: MovementTask) -> Result:
    """What a task that is done came to."""
    chosen: Chosen | None = task.chosen
    rule = machine.movement_of(state, task.name).rules[chosen.rule].text if chosen is not None else None
    return Result(machine.named(state, task.name), rule, task.status)
