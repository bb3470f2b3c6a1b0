"""Layers by stage: what belongs to one stage stands in the same layers, in all sub-flows alike."""

from collections.abc import Mapping, Sequence

from stepflow_gui.flow.layout.graph import SubFlow
from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.flow.stages import AFTER, stage_of


def rank_by_stages(parts: Sequence[SubFlow], stages: Mapping[str, int]) -> list[int]:
    """Give the nodes of all sub-flows new layers. The result are the last layers of the stages."""
    within = [_within(part, stages) for part in parts]
    deepest = [-1] * (AFTER + 1)
    for part, local in zip(parts, within, strict=True):
        for node in part.nodes:
            stage = stage_of(node, stages)
            deepest[stage] = max(deepest[stage], local[node])
    first = [sum(depth + 1 for depth in deepest[:stage]) for stage in range(AFTER + 1)]
    for part, local in zip(parts, within, strict=True):
        part.rank = {node: first[stage_of(node, stages)] + local[node] for node in part.nodes}
    return [below - 1 for below in first[1:] if below]


def _within(part: SubFlow, stages: Mapping[str, int]) -> dict[NodeId, int]:
    """The layer of each node inside its stage; arcs to an earlier stage lead back from now on, all others don't."""
    arriving: dict[NodeId, list[NodeId]] = {}
    for number, arc in enumerate(part.arcs):
        source, target = stage_of(arc.source, stages), stage_of(arc.target, stages)
        if source != target:
            part.back[number] = source > target
        else:
            upper, lower = (arc.target, arc.source) if part.back[number] else (arc.source, arc.target)
            arriving.setdefault(lower, []).append(upper)
    local: dict[NodeId, int] = {}
    for node in sorted(part.nodes, key=part.rank.__getitem__):  # what leads down to a node comes before it
        local[node] = max((local[upper] + 1 for upper in arriving.get(node, ())), default=0)
    return local
