"""A grid of rectangles: which of them are near another, without looking at all."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from stepflow_gui.flow.layout.shapes import Box

_SIDE = 256.0

T = TypeVar("T")


class Grid(Generic[T]):
    """Things with a box each; a thing may be added several times with different boxes."""

    __slots__ = ("_cells",)

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[Box, T]]] = {}

    def add(self, box: Box, thing: T) -> None:
        """Put a thing in."""
        for key in _keys(box):
            self._cells.setdefault(key, []).append((box, thing))

    def near(self, box: Box) -> Iterator[tuple[Box, T]]:
        """All whose box overlaps; one that is large may come more than once."""
        for key in _keys(box):
            for other, thing in self._cells.get(key, ()):
                if box.overlaps(other):
                    yield other, thing


def _keys(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(int(box.x // _SIDE), int(box.right // _SIDE) + 1):
        for row in range(int(box.y // _SIDE), int(box.bottom // _SIDE) + 1):
            yield column, row
