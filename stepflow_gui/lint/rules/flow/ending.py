"""From where a run can still end, for the rules about flows that don't."""

from typing import NamedTuple

from stepflow_gui.flow.reach import reached, turned
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.text.json.tree import Node

WITHOUT_GATES = ("checks", "takt")  # in other formats the verdict ends a run without gates


class Endless(NamedTuple):
    """Where a run that gets there can't end: `entries` are first steps from which no success is reached.

    From those in `aborted` a run can end anyway: it is aborted.
    """

    entries: list[str]
    steps: dict[str, None]
    aborted: frozenset[str] = frozenset()


def is_infinite(root: Node | None) -> bool:
    """Whether a TAKT file means its run to go on without end."""
    limit = root.get("max_steps") if root is not None else None
    return limit is not None and limit.value == "infinite"


def endless(context: RuleContext) -> Endless:
    """What a run can reach, and what reaches no end. A step with unknown paths counts as one that does."""
    paths = context.run_paths
    if not context.has_gates and context.format not in WITHOUT_GATES:
        return Endless([], {})
    if context.format == "takt" and is_infinite(context.registry.root):
        return Endless([], {})
    back = turned(paths.successors)
    succeeding = reached([*paths.ends, *paths.vague], back)
    ending = reached(paths.aborts, back)
    entries = [step for step in paths.starts if step not in succeeding]
    return Endless(
        entries,
        {
            step: None
            for step in reached(paths.starts, paths.open_successors)
            if step not in succeeding and step not in ending
        },
        frozenset(step for step in entries if step in ending),
    )
