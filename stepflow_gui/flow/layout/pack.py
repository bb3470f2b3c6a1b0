"""The places of the sub-flows beside each other: a skyline packing that keeps their order and pleasant proportions."""

from collections.abc import Sequence
from itertools import accumulate

from stepflow_gui.flow.layout.shapes import Box

Size = tuple[float, float]
Point = tuple[float, float]

_APART = 56.0
_PROPORTION = 1.6  # width to height that is aimed at
_MANY = 300  # from this number of rectangles on only one width is tried


def packed(areas: Sequence[Box], proportion: float = _PROPORTION) -> list[tuple[int, int]]:
    """How far to shift each area so that they are beside and below each other, near a proportion of width to height."""
    places = pack([(area.width, area.height) for area in areas], proportion)
    return [(round(x - area.x), round(y - area.y)) for area, (x, y) in zip(areas, places, strict=True)]


def beside(areas: Sequence[Box], shelves: Sequence[int]) -> list[tuple[int, int]]:
    """How far to shift the first areas so that those of each shelf are in a row, as high as they are.

    The others go below.
    """
    shifts = []
    ends: dict[int, float] = {}
    for area, shelf in zip(areas, shelves, strict=False):
        x = ends.get(shelf, 0.0)
        shifts.append((round(x - area.x), 0))
        ends[shelf] = x + area.width + _APART
    count = len(shelves)
    below = max((area.bottom for area in areas[:count]), default=0.0) + _APART
    return shifts + [(round(-area.x), round(below - area.y)) for area in areas[count:]]


def shelved(widths: Sequence[float], count: int) -> list[int]:
    """On which of so many shelves each goes so that they are about as wide; the widest is on the first."""
    filled = [0.0] * count
    shelves = [0] * len(widths)
    for number in sorted(range(len(widths)), key=lambda number: -widths[number]):
        shelves[number] = shelf = filled.index(min(filled))
        filled[shelf] += widths[number] + _APART
    return shelves


def pack(sizes: Sequence[Size], proportion: float = _PROPORTION) -> list[Point]:
    """The top left corner of each rectangle, in a shape near the proportion of a window."""
    if not sizes:
        return []
    widest = max(width for width, _ in sizes) + _APART
    area = sum((width + _APART) * (height + _APART) for width, height in sizes)
    ideal = max((area * proportion) ** 0.5, widest)
    if len(sizes) > _MANY:
        return _skyline(sizes, ideal)
    sums = accumulate(width + _APART for width, _ in sizes)
    widths = {widest, *(total for total in sums if widest <= total <= 2.2 * ideal)}
    return min(
        (_skyline(sizes, width) for width in sorted(widths)), key=lambda places: _cost(sizes, places, proportion)
    )


def _cost(sizes: Sequence[Size], places: Sequence[Point], proportion: float) -> float:
    width = max(x + size[0] for size, (x, _) in zip(sizes, places, strict=True))
    height = max(y + size[1] for size, (_, y) in zip(sizes, places, strict=True))
    return max(width / proportion, height)


def _skyline(sizes: Sequence[Size], limit: float) -> list[Point]:
    """Each rectangle as high as it can stand, then as far left."""
    line: list[tuple[float, float, float]] = [(0.0, limit, 0.0)]  # left, right, height already taken
    places = []
    for width, height in sizes:
        broad = width + _APART
        best: tuple[float, float] | None = None
        for index, (left, _, _) in enumerate(line):
            if left + broad > limit + 0.01 and index:
                break
            top = 0.0
            for _, right, taken in line[index:]:
                top = max(top, taken)
                if right >= left + broad:
                    break
            if best is None or top < best[0] - 0.01:
                best = (top, left)
        top, left = best or (0.0, 0.0)
        places.append((left, top))
        line = _raised(line, left, left + broad, top + height + _APART)
    return places


def _raised(
    line: list[tuple[float, float, float]], left: float, right: float, height: float
) -> list[tuple[float, float, float]]:
    raised = []
    for start, end, taken in line:
        if start < left:
            raised.append((start, min(end, left), taken))
    raised.append((left, right, height))
    for start, end, taken in line:
        if end > right:
            raised.append((max(start, right), end, taken))
    return raised
