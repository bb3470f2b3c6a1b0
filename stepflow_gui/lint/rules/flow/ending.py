"""From where a run can still end, for the rules about flows that don't."""

from typing import NamedTuple

from stepflow_gui.flow.reach import reached, turned
from stepflow_gui.lint.scope import Scope

WITHOUT_GATES = ("checks", "takt")  # in other formats the verdict ends a run without gates


class Endless(NamedTuple):
    """Where a run that gets there can't end: `entries` are first steps from which no success is reached."""

    entries: list[str]
    steps: dict[str, None]


def endless(scope: Scope) -> Endless:
    """What a run can reach and what leads to no end. A step whose ways can't be told is taken for one that does."""
    ways = scope.ways
    if not scope.has_gates and scope.format not in WITHOUT_GATES:
        return Endless([], {})
    back = turned(ways.leads)
    succeeding = reached([*ways.ends, *ways.vague], back)
    ending = reached(ways.aborts, back)
    return Endless(
        [step for step in ways.starts if step not in succeeding],
        {step: None for step in reached(ways.starts, ways.taken) if step not in succeeding and step not in ending},
    )
