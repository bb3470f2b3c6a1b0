"""A grid of rectangles: which of them are near another, without looking at all."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from stepflow_gui.flow.layout.shapes import Box

T = TypeVar("T")


class Grid(Generic[T]):
    """Things with a box each; a thing may be added several times with different boxes."""

    __slots__ = ("_cells", "_side")

    def __init__(self, side: float = 256.0) -> None:
        self._cells: dict[tuple[int, int], list[tuple[float, float, float, float, Box, T]]] = {}
        self._side = side

    def add(self, box: Box, item: T) -> None:
        """Put a thing in."""
        x, y, width, height = box
        right, bottom, side, cells = x + width, y + height, self._side, self._cells
        entry = (x, y, right, bottom, box, item)
        rows = range(int(y // side), int(bottom // side) + 1)
        for column in range(int(x // side), int(right // side) + 1):
            for row in rows:
                found = cells.get((column, row))
                if found is None:
                    cells[column, row] = [entry]
                else:
                    found.append(entry)

    def near(self, box: Box) -> Iterator[tuple[Box, T]]:
        """All whose box overlaps; one that is large may come more than once."""
        left, top, width, height = box
        right, bottom, side, cells = left + width, top + height, self._side, self._cells
        rows = range(int(top // side), int(bottom // side) + 1)
        for column in range(int(left // side), int(right // side) + 1):
            for row in rows:
                for x, y, there, under, other, item in cells.get((column, row), ()):
                    if left < there and x < right and top < under and y < bottom:
                        yield other, item

    def any_near(self, box: Box) -> bool:
        """Whether anything overlaps."""
        return next(self.near(box), None) is not None
