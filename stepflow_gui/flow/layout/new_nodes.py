"""Places for boxes that have none yet, near what they hang on, while all others stay."""

from collections import deque
from collections.abc import Mapping, Sequence

from stepflow_gui.flow.layout.arcs import MergedEdge
from stepflow_gui.flow.layout.dimensions import size_of
from stepflow_gui.flow.layout.shapes import Box, Corners, NodeId, NodeSize
from stepflow_gui.flow.layout.spots import Spots

_BELOW = 84.0

Neighbours = Sequence[tuple[NodeId, bool]]  # and whether it is a source


def place_boxes(
    nodes: Sequence[NodeId],
    arcs: Sequence[MergedEdge],
    sizes: Mapping[str, NodeSize],
    corners: Corners,
) -> dict[NodeId, Box]:
    """The boxes of all nodes: where `corners` have them, else a free place."""
    boxes: dict[NodeId, Box] = {}
    for node in nodes:
        corner = corners.get(node)
        if corner is not None:
            boxes[node] = Box(*corner, *size_of(node, sizes)[:2])
    gone = sorted(node for node in corners if node.kind == "end" and node not in boxes)
    for node in [node for node in nodes if node.kind == "end" and node not in boxes]:
        same = next((other for other in gone if other.word == node.word), None)
        if same is not None:  # only the step that it is named after is another
            gone.remove(same)
            boxes[node] = Box(*corners[same], *size_of(node, sizes)[:2])
    missing = [node for node in nodes if node not in boxes]
    if not missing:
        return boxes
    spots = Spots(boxes.values())
    near: dict[NodeId, list[tuple[NodeId, bool]]] = {}
    ports: dict[NodeId, float | None] = {}
    for arc in arcs:
        if arc.source != arc.target:
            near.setdefault(arc.target, []).append((arc.source, True))
            near.setdefault(arc.source, []).append((arc.target, False))
            ports.setdefault(arc.target, size_of(arc.source, sizes).port(arc.moves[0].intent))
    for node in _outwards(missing, near, boxes):
        size = size_of(node, sizes)
        port = ports.get(node) if node.kind != "step" else None
        wish = _wish(size, boxes, near.get(node, ()), port) or _below_all(size, boxes)
        boxes[node] = wish.shifted(*spots.shift([wish]))
        spots.take(boxes[node])
    return {node: boxes[node] for node in nodes}


def _outwards(missing: list[NodeId], near: Mapping[NodeId, Neighbours], boxes: Mapping[NodeId, Box]) -> list[NodeId]:
    """The nodes without a place, each after one that it hangs on where there is one."""
    rest = dict.fromkeys(missing)
    order: list[NodeId] = []
    waiting = deque(node for node in missing if any(other in boxes for other, _ in near.get(node, ())))
    while rest:
        node = waiting.popleft() if waiting else next(iter(rest))
        if node in rest:
            del rest[node]
            order.append(node)
            waiting.extend(other for other, _ in near.get(node, ()) if other in rest)
    return order


def _wish(size: NodeSize, boxes: Mapping[NodeId, Box], near: Neighbours, port: float | None) -> Box | None:
    """Below its sources, straight below the port of the first if one is given; else above its targets."""
    for other, is_source in sorted(near, key=lambda one: not one[1]):
        box = boxes.get(other)
        if box:
            y = box.bottom + _BELOW if is_source else box.y - _BELOW - size.height
            middle = box.x + port if port is not None and is_source else box.middle
            return Box(middle - size.width / 2, y, size.width, size.height)
    return None


def _below_all(size: NodeSize, boxes: Mapping[NodeId, Box]) -> Box:
    if not boxes:
        return Box(0, 0, size.width, size.height)
    left = min(box.x for box in boxes.values())
    return Box(left, max(box.bottom for box in boxes.values()) + _BELOW, size.width, size.height)
