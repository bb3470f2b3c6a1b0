"""The objects of a piece whose keys have had other names, each with its level in the table of releases."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

Object = dict[str, JsonValue]
LISTS = ("movements", "steps")


class PieceObject(NamedTuple):
    """An object with its pointer and its level: `step`, `sub`, `team_leader`, `judge`."""

    level: str
    pointer: str
    value: Object


def places(root: Object) -> Iterator[PieceObject]:
    """Steps in both lists with their sub-steps and team leaders, then judges."""
    for key in LISTS:
        for index, step in enumerate(items(root.get(key))):
            yield from _of_step("step", join("", key, index), as_object(step))
    for index, monitor in enumerate(items(root.get("loop_monitors"))):
        yield PieceObject("judge", join("/loop_monitors", index, "judge"), as_object(as_object(monitor).get("judge")))


def _of_step(level: str, pointer: str, step: Object) -> Iterator[PieceObject]:
    yield PieceObject(level, pointer, step)
    if isinstance(step.get("team_leader"), dict):
        yield PieceObject("team_leader", join(pointer, "team_leader"), as_object(step["team_leader"]))
    if level == "sub":
        return
    parallel = step.get("parallel")
    below = {"": parallel} if isinstance(parallel, list) else as_object(parallel)
    for key, listed in below.items():
        holder = join(pointer, "parallel", *([key] if key else []))
        for index, sub in enumerate(items(listed)):
            yield from _of_step("sub", join(holder, index), as_object(sub))


def as_object(value: JsonValue) -> Object:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: JsonValue) -> list[JsonValue]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []
