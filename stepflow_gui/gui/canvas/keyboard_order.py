"""Where keys go on the canvas: the next node in a direction, and the order of all."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QRectF


class Direction(NamedTuple):
    """A unit vector along an axis; y grows downwards."""

    x: int
    y: int


LEFT, RIGHT, UP, DOWN = Direction(-1, 0), Direction(1, 0), Direction(0, -1), Direction(0, 1)
_ASIDE = 2.5  # how much more a distance to the side weighs than one ahead
_CONE_ACROSS, _CONE_DOWN = 0.5, 2.5  # how far aside may be, by what lies ahead: nodes are wide, layers near each other


def nearest(frames: Mapping[str, QRectF], start: str, direction: Direction) -> str | None:
    """The node that appears nearest in that direction; None where there is none."""
    here = frames[start]
    best: tuple[float, str] | None = None
    for name, frame in frames.items():
        if name == start:
            continue
        ahead, aside = _distance(here, frame, direction)
        if ahead <= 0 or aside > ahead * (_CONE_ACROSS if direction.x else _CONE_DOWN):
            continue
        cost = ahead + aside * _ASIDE
        if best is None or (cost, name) < best:
            best = (cost, name)
    return best[1] if best else None


def reading_order(frames: Mapping[str, QRectF]) -> list[str]:
    """Top to bottom, and from left to right what stands side by side."""
    return sorted(frames, key=lambda name: (round(frames[name].center().y() / 40), frames[name].left(), name))


def _distance(here: QRectF, there: QRectF, direction: Direction) -> tuple[float, float]:
    dx = there.center().x() - here.center().x()
    dy = there.center().y() - here.center().y()
    if direction.x:
        gap = max(there.top() - here.bottom(), here.top() - there.bottom(), 0.0)
        return dx * direction.x, gap
    gap = max(there.left() - here.right(), here.left() - there.right(), 0.0)
    # Of two nodes below, the one straight below is meant.
    return dy * direction.y, gap + abs(dx) * 0.1
