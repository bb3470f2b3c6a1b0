"""Free spots for boxes: the nearest on the grid, in the flow's direction first; for new ones near what they hang on."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from stepflow_gui.flow.layout.arcs import MergedEdge
from stepflow_gui.flow.layout.dimensions import size_of
from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Box, Corners, NodeId, NodeSize

APART = 24.0  # from every other box
GRID = 8
_NEAR = 480  # how far every spot of the grid is tried
_FAR = 4_000  # … and then only some
_COARSE = 64
_BELOW = 84.0  # a new node from its source
_ASIDE, _UP = 1.25, 1.6  # how much farther it is aside and up than down


class Spots:
    """The room that boxes leave."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._taken: Grid[None] = Grid()
        self._bottom = 0.0
        for box in boxes:
            self.take(box)

    def take(self, box: Box) -> None:
        """A box is there now."""
        self._taken.add(box, None)
        self._bottom = max(self._bottom, box.bottom)

    def covers(self, boxes: Iterable[Box]) -> bool:
        """Whether boxes would lie on others."""
        return any(self._taken.any_near(box) for box in boxes)

    def shift(self, boxes: Sequence[Box]) -> tuple[float, float]:
        """How far to move boxes, all alike, so they are on the grid and far enough from all others."""
        first = boxes[0]
        to_grid_x, to_grid_y = round(first.x / GRID) * GRID - first.x, round(first.y / GRID) * GRID - first.y
        grown = [box.shifted(to_grid_x, to_grid_y).grown(APART - 0.01) for box in boxes]
        for dx, dy in (*_offsets(_NEAR, GRID), *_offsets(_FAR, _COARSE)):
            if not any(self._taken.any_near(box.shifted(dx, dy)) for box in grown):
                return to_grid_x + dx, to_grid_y + dy
        below = -(-(self._bottom + APART - min(box.y for box in boxes)) // GRID) * GRID
        return to_grid_x, to_grid_y + below


@lru_cache(maxsize=2)
def _offsets(reach: int, step: int) -> list[tuple[int, int]]:
    """Offsets within a reach, the nearest first; of those as near the one further down, then further right."""
    span = range(-reach, reach + 1, step)
    found = [(dx, dy) for dx in span for dy in span]
    return sorted(found, key=lambda offset: (_distance(*offset), -offset[1], -offset[0]))


def _distance(dx: int, dy: int) -> float:
    down = dy if dy >= 0 else -dy * _UP
    aside = abs(dx) * _ASIDE
    return aside * aside + down * down


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
