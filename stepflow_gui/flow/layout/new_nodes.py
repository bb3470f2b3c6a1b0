"""Places for boxes that have none yet, near what they hang on, while all others stay."""

from collections import deque
from collections.abc import Mapping, Sequence

from stepflow_gui.flow.layout.arcs import MergedEdge
from stepflow_gui.flow.layout.dimensions import LOOP_REACH, size_of
from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Box, Corners, NodeId, NodeSize

_BELOW = 84.0
_BESIDE = 48.0
_APART = 24.0
_LOOP_ROOM = LOOP_REACH + 60  # with a label

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
    taken: Grid[None] = Grid()
    for box in boxes.values():
        taken.add(box, None)
    near: dict[NodeId, list[tuple[NodeId, bool]]] = {}
    loops: set[NodeId] = set()
    for arc in arcs:
        if arc.source == arc.target:
            loops.add(arc.source)
        else:
            near.setdefault(arc.target, []).append((arc.source, True))
            near.setdefault(arc.source, []).append((arc.target, False))
    for node in _outwards(missing, near, boxes):
        size = size_of(node, sizes)
        wish = _wish(size, boxes, near.get(node, ())) or _below_all(size, boxes)
        boxes[node] = _nearest_free(wish, taken, _LOOP_ROOM if node in loops else 0.0)
        taken.add(boxes[node], None)
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


def _wish(size: NodeSize, boxes: Mapping[NodeId, Box], near: Neighbours) -> Box | None:
    """Below its sources, else above its targets."""
    for other, is_source in sorted(near, key=lambda one: not one[1]):
        box = boxes.get(other)
        if box:
            y = box.bottom + _BELOW if is_source else box.y - _BELOW - size.height
            return Box(box.middle - size.width / 2, y, size.width, size.height)
    return None


def _below_all(size: NodeSize, boxes: Mapping[NodeId, Box]) -> Box:
    if not boxes:
        return Box(0, 0, size.width, size.height)
    left = min(box.x for box in boxes.values())
    return Box(left, max(box.bottom for box in boxes.values()) + _BELOW, size.width, size.height)


def _nearest_free(wish: Box, taken: Grid[None], beside: float) -> Box:
    """The wish, or the free place nearest to it, beside or further down."""
    across, down = wish.width / 2 + _BESIDE, (wish.height + _BELOW) / 2
    shifts = [(column * across, row * down) for row in range(30) for column in range(-12, 13)]
    for dx, dy in sorted(shifts, key=lambda shift: (abs(shift[0]) + shift[1] * 1.5, -shift[0])):
        box = wish.shifted(dx, dy)
        if not taken.any_near(box._replace(width=box.width + beside).grown(_APART)):
            return box
    return wish
