"""Free spots for boxes: the nearest on the grid, in the flow's direction first."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from stepflow_gui.flow.layout.grid import Grid
from stepflow_gui.flow.layout.shapes import Box

APART = 24.0  # from every other box
GRID = 8
_NEAR = 480  # how far every spot of the grid is tried
_FAR = 4_000  # … and then only some
_COARSE = 64
_ASIDE, _UP = 1.25, 1.6  # how much farther it is aside and up than down


class Spots:
    """The room that boxes leave."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._taken: Grid[None] = Grid()
        self._bottom = 0.0
        for box in boxes:
            self.take(box)

    def take(self, box: Box) -> None:
        """A box stands there now."""
        self._taken.add(box, None)
        self._bottom = max(self._bottom, box.bottom)

    def covers(self, boxes: Iterable[Box]) -> bool:
        """Whether boxes would lie on others."""
        return any(self._taken.any_near(box) for box in boxes)

    def shift(self, boxes: Sequence[Box]) -> tuple[float, float]:
        """How far to move boxes, all alike, so that they are on the grid and far enough from all others."""
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
