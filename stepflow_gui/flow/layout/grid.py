"""A grid of rectangles: which of them are near another, without looking at all."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from stepflow_gui.flow.layout.shapes import Box

T = TypeVar("T")


class Grid(Generic[T]):
    """Things with a box each; a thing may be added several times with different boxes."""

    __slots__ = ("_cells", "_high", "_wide")

    def __init__(self, wide: float = 256.0, high: float = 256.0) -> None:
        self._wide, self._high = wide, high  # of a cell
        self._cells: dict[tuple[int, int], list[tuple[float, float, float, float, Box, T]]] = {}

    def add(self, box: Box, item: T) -> None:
        """Put a thing in."""
        x, y, width, height = box
        right, bottom, wide, high, cells = x + width, y + height, self._wide, self._high, self._cells
        entry = (x, y, right, bottom, box, item)
        rows = range(int(y // high), int(bottom // high) + 1)
        for column in range(int(x // wide), int(right // wide) + 1):
            for row in rows:
                found = cells.get((column, row))
                if found is None:
                    cells[column, row] = [entry]
                else:
                    found.append(entry)

    def remove(self, box: Box, item: T) -> None:
        """Take out a thing that was put in with that box."""
        x, y, width, height = box
        wide, high, cells = self._wide, self._high, self._cells
        rows = range(int(y // high), int((y + height) // high) + 1)
        for column in range(int(x // wide), int((x + width) // wide) + 1):
            for row in rows:
                found = cells[column, row]
                at = next(at for at, entry in enumerate(found) if entry[5] is item and entry[4] == box)
                del found[at]

    def near(self, box: Box) -> Iterator[tuple[Box, T]]:
        """All whose box overlaps; one that is large may come more than once."""
        left, top, width, height = box
        right, bottom, wide, high, cells = left + width, top + height, self._wide, self._high, self._cells
        rows = range(int(top // high), int(bottom // high) + 1)
        for column in range(int(left // wide), int(right // wide) + 1):
            for row in rows:
                for x, y, there, under, other, item in cells.get((column, row), ()):
                    if left < there and x < right and top < under and y < bottom:
                        yield other, item

    def any_near(self, box: Box) -> bool:
        """Whether anything overlaps."""
        return next(self.near(box), None) is not None


class Areas:
    """Areas of the canvas in which something changed, or on which a result depends."""

    __slots__ = ("bottom", "boxes", "left", "right", "top")

    def __init__(self) -> None:
        self.boxes: list[tuple[float, float, float, float]] = []
        self.left = self.top = float("inf")
        self.right = self.bottom = float("-inf")

    def add(self, box: Box) -> None:
        """One more."""
        x, y, width, height = box
        right, bottom = x + width, y + height
        self.boxes.append((x, y, right, bottom))
        self.left, self.top = min(self.left, x), min(self.top, y)
        self.right, self.bottom = max(self.right, right), max(self.bottom, bottom)

    def meet(self, other: "Areas") -> bool:
        """Whether any of them overlaps or touches any of the others."""
        if other.left > self.right or other.right < self.left or other.top > self.bottom or other.bottom < self.top:
            return False
        return any(self._meets(*box) for box in other.boxes)

    def meets(self, box: Box) -> bool:
        """Whether any of them overlaps or touches a box."""
        return self._meets(box.x, box.y, box.x + box.width, box.y + box.height)

    def _meets(self, x: float, y: float, right: float, bottom: float) -> bool:
        if x > self.right or right < self.left or y > self.bottom or bottom < self.top:
            return False
        return any(
            x <= other_right and right >= other_x and y <= other_bottom and bottom >= other_y
            for other_x, other_y, other_right, other_bottom in self.boxes
        )
