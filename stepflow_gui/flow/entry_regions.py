"""Which steps entries reach, and which of them only one does."""

from collections.abc import Collection

from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.flow.model import Flow
from stepflow_gui.flow.reach import reached


def successors(flow: Flow) -> dict[str, list[str]]:
    """The steps that each step goes to, once per transition."""
    targets: dict[str, list[str]] = {}
    for move in flow.moves():
        if move.target is not None and move.target in flow.steps:
            targets.setdefault(move.step, []).append(move.target)
    return targets


def regions(flow: Flow, entries: Collection[NodeId]) -> dict[str, int]:
    """The number of the entry, in the order given, by the steps that it alone reaches; nothing for a single entry."""
    starts = [node.name for node in entries if node.kind == "step"]
    if len(starts) < 2:
        return {}
    targets = successors(flow)
    reaching: dict[str, list[int]] = {}
    for number, start in enumerate(starts):
        for step in reached([start], targets):
            reaching.setdefault(step, []).append(number)
    return {step: numbers[0] for step, numbers in reaching.items() if len(numbers) == 1}
