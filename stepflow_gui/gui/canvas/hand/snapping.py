"""Where a dragged box snaps to: sides and middles of other boxes, equal gaps, a port straight above its target."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from stepflow_gui.flow.layout.shapes import Box
from stepflow_gui.messages import _, ngettext

WITHIN = 6.0  # pixels of the screen
_LOOKED_AT = 48  # lines near a place, of which one may be in sight
_FARTHEST = 600.0  # between boxes whose gap is meant

Axis = Literal[0, 1]
_WORDS: tuple[tuple[Callable[[], str], ...], ...] = (
    (lambda: _("left of {step}"), lambda: _("centre of {step}"), lambda: _("right of {step}")),
    (lambda: _("top of {step}"), lambda: _("middle of {step}"), lambda: _("bottom of {step}")),
)


class PortLink(NamedTuple):
    """An edge between the dragged step and another: how far the port is from the left of the one that has it."""

    port: float
    other: str
    is_leaving: bool  # the port is the dragged step's


class Guide(NamedTuple):
    """What is drawn for a snap: a line from one point to another, and in its middle the gap where it is one."""

    begin: tuple[float, float]
    end: tuple[float, float]
    gap: int | None = None


class Snap(NamedTuple):
    """How far a box is moved by snapping, what is drawn for it, and what it has snapped to, in words."""

    dx: float = 0.0
    dy: float = 0.0
    guides: tuple[Guide, ...] = ()
    words: tuple[str, ...] = ()


class _Candidate(NamedTuple):
    delta: float
    order: int  # of candidates as near the first
    guides: Callable[[Box], tuple[Guide, ...]]
    words: str


class Snapping:
    """The places that one drag can snap to. What is asked at each move takes no longer than a look at all boxes."""

    def __init__(self, others: Mapping[str, Box], links: Sequence[PortLink] = ()) -> None:
        """`others` are the boxes that stay, by their steps; `links` the edges between them and the dragged step."""
        self._others = others
        self._links = [link for link in links if link.other in others]
        self._lines: tuple[list[tuple[float, int, str]], ...] = tuple(
            sorted(
                (value, which, step) for step, box in others.items() for which, value in enumerate(_values(box, axis))
            )
            for axis in (0, 1)
        )

    def snap(self, box: Box, within: float, seen: Box) -> Snap:
        """Where a box that is dragged to there snaps to: what is in sight and no farther than `within`."""
        found = [
            min(self._candidates(box, axis, within, seen), key=lambda each: (abs(each.delta), each.order), default=None)
            for axis in (0, 1)
        ]
        dx, dy = (each.delta if each is not None else 0.0 for each in found)
        there = box.shifted(dx, dy)
        return Snap(
            *(dx, dy),
            tuple(guide for each in found if each is not None for guide in each.guides(there)),
            tuple(each.words for each in found if each is not None),
        )

    def _candidates(self, box: Box, axis: int, within: float, seen: Box) -> Iterator[_Candidate]:
        yield from self._aligned(box, axis, within, seen)
        yield from self._spaced(box, axis, within, seen)
        if axis == 0:
            yield from self._straight(box, within, seen)

    def _aligned(self, box: Box, axis: int, within: float, seen: Box) -> Iterator[_Candidate]:
        lines = self._lines[axis]
        for mine, value in enumerate(_values(box, axis)):
            begin = bisect_left(lines, (value - within,))
            best: tuple[float, float, int, str] | None = None
            for at, which, step in islice(lines, begin, begin + _LOOKED_AT):
                if at > value + within:
                    break
                other = self._others[step]
                if (mine == 1) == (which == 1) and other.overlaps(seen):
                    best = min(best or (within + 1, 0.0, 0, ""), (abs(at - value), _far(box, other), which, step))
            if best is not None and best[0] <= within:
                other, which = self._others[best[3]], best[2]
                at = _values(other, axis)[which]

                def guides(there: Box, at: float = at, other: Box = other) -> tuple[Guide, ...]:
                    around = there.around(other)
                    if axis == 0:
                        return (Guide((at, around.y), (at, around.bottom)),)
                    return (Guide((around.x, at), (around.right, at)),)

                yield _Candidate(at - value, mine != which, guides, _WORDS[axis][which]().format(step=best[3]))

    def _spaced(self, box: Box, axis: int, within: float, seen: Box) -> Iterator[_Candidate]:
        """The same gap to a neighbour as this has to the next one, or as the neighbour on the other side."""
        near = [other for other in self._others.values() if _beside(box, other, axis) and other.overlaps(seen)]
        here, size = box[axis], box[2 + axis]
        middle = here + size / 2
        ordered = sorted(near, key=lambda other: other[axis])
        before = [other for other in ordered if other[axis] + other[2 + axis] / 2 < middle]
        after = [other for other in ordered if other[axis] + other[2 + axis] / 2 >= middle]
        wanted: list[tuple[float, float, tuple[Box, ...]]] = []
        if before and after:
            gap = (after[0][axis] - _end(before[-1], axis) - size) / 2
            wanted.append((_end(before[-1], axis) + gap, gap, (before[-1], after[0])))
        if len(before) > 1:
            gap = before[-1][axis] - _end(before[-2], axis)
            wanted.append((_end(before[-1], axis) + gap, gap, (before[-2], before[-1])))
        if len(after) > 1:
            gap = after[1][axis] - _end(after[0], axis)
            wanted.append((after[0][axis] - gap - size, gap, (after[0], after[1])))
        for place, gap, others in wanted:
            if abs(place - here) <= within and 0 < gap <= _FARTHEST:

                def guides(there: Box, others: tuple[Box, ...] = others) -> tuple[Guide, ...]:
                    row = sorted((there, *others), key=lambda each: each[axis])
                    return tuple(_gap(one, other, axis) for one, other in pairwise(row))

                words = ngettext("{count} px apart", "{count} px apart", round(gap)).format(count=round(gap))
                yield _Candidate(place - here, 2, guides, words)

    def _straight(self, box: Box, within: float, seen: Box) -> Iterator[_Candidate]:
        for link in self._links:
            other = self._others[link.other]
            upper, lower = (box, other) if link.is_leaving else (other, box)
            if upper.bottom > lower.y or not other.overlaps(seen):
                continue
            delta = lower.middle - (upper.x + link.port)
            delta = delta if link.is_leaving else -delta
            if abs(delta) <= within:

                def guides(there: Box, other: Box = other, link: PortLink = link) -> tuple[Guide, ...]:
                    upper, lower = (there, other) if link.is_leaving else (other, there)
                    return (Guide((lower.middle, upper.bottom), (lower.middle, lower.y)),)

                words = _("straight above {step}") if link.is_leaving else _("straight below {step}")
                yield _Candidate(delta, 1, guides, words.format(step=link.other))


def _values(box: Box, axis: int) -> tuple[float, float, float]:
    begin, size = box[axis], box[2 + axis]
    return begin, begin + size / 2, begin + size


def _end(box: Box, axis: int) -> float:
    return box[axis] + box[2 + axis]


def _beside(box: Box, other: Box, axis: int) -> bool:
    """Whether they share a row (or a column)."""
    across = 1 - axis
    return box[across] < _end(other, across) and other[across] < _end(box, across)


def _far(box: Box, other: Box) -> float:
    return abs(box.x - other.x) + abs(box.y - other.y)


def _gap(one: Box, other: Box, axis: int) -> Guide:
    across = 1 - axis
    at = (max(one[across], other[across]) + min(_end(one, across), _end(other, across))) / 2
    begin, end = _end(one, axis), other[axis]
    points = ((begin, at), (end, at)) if axis == 0 else ((at, begin), (at, end))
    return Guide(*points, round(end - begin))
