"""How a step of the first releases comes to its transition: by the status that its agent's text has."""

import re
from collections.abc import Mapping

from stepflow_gui.formats.takt.releases.as_read import NO_STATUS, OTHER_STATUS
from stepflow_gui.run.takt.machine.choosing import Chosen
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state import Call, EndKind, MovementTask, PieceState

STATUSES: Mapping[str, str] = {
    "approved": "APPROVE",
    "rejected": "REJECT",
    "improve": "IMPROVE",
    "done": "DONE",
    "blocked": "BLOCKED",
    "answer": "ANSWER",
}
"""By status, in the order in which they are looked for: the word of its mark in a text, as in `[NAME:WORD]`."""
_ALSO = {"done": "FIXED"}
_MARK = re.compile(r"\[\w+:(\w+)\]")
_ANY = "always"


class ByStatus:
    """The judgement of the first releases."""

    __slots__ = ()

    def advance(self, _state: PieceState, movement: Movement, task: MovementTask) -> MovementTask | EndKind:
        """The task with its transition as soon as its work is done."""
        if task.phase != "report":
            return task
        if not movement.rules:
            return task._replace(phase="done")
        return task._replace(phase="done", chosen=Chosen(_transition(movement, status_in(task.text)), "status"))

    def replied(self, _movement: Movement, task: MovementTask, _text: str) -> MovementTask:
        """No question is asked."""
        return task

    def judged(self, _movement: Movement, task: MovementTask, _holds: int | None) -> MovementTask:
        """No question is asked."""
        return task

    def call(self, _state: PieceState, _movement: Movement, task: MovementTask) -> Call:
        """The agent's work is all that is asked for."""
        return Call(task.name, "agent")


def status_in(text: str) -> str | None:
    """The status that a text has; None where it has no mark of one."""
    found = {mark[1].upper() for mark in _MARK.finditer(text)}
    return next((status for status, word in STATUSES.items() if found & {word, _ALSO.get(status)}), None)


def with_status(text: str, movement: Movement, rule: int) -> str:
    """A text by which a step comes to a transition, as far as a status can bring it there."""
    condition = movement.rules[rule].text if rule < len(movement.rules) else NO_STATUS
    if condition in {NO_STATUS, _ANY}:
        return text
    there = {each.text for each in movement.rules}
    wanted = next((each for each in STATUSES if each not in there), "") if condition == OTHER_STATUS else condition
    return (
        f"{text}\n[{re.sub(r'[^A-Z0-9_]', '_', movement.name.upper())}:{STATUSES[wanted]}]"
        if wanted in STATUSES
        else text
    )


def _transition(movement: Movement, status: str | None) -> int:
    conditions = [rule.text for rule in movement.rules]
    found = next((index for index, each in enumerate(conditions) if each in {status, _ANY}), None)
    return conditions.index(NO_STATUS if status is None else OTHER_STATUS) if found is None else found
