"""The curved line of a route: cubic Bézier segments through its bends, for Qt and SVG alike."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from stepflow_gui.flow.layout.shapes import Bend

Point = tuple[float, float]


class Curve(NamedTuple):
    """A cubic Bézier segment; a straight stretch has its control points on the line."""

    start: Point
    control1: Point
    control2: Point
    end: Point

    def at(self, t: float) -> Point:
        """The point at `t` (0 the start, 1 the end)."""
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        return (
            a * self.start[0] + b * self.control1[0] + c * self.control2[0] + d * self.end[0],
            a * self.start[1] + b * self.control1[1] + c * self.control2[1] + d * self.end[1],
        )


def curves(bends: Sequence[Bend]) -> list[Curve]:
    """The segments through the bends, smooth at each.

    Every segment stays inside the rectangle that its two bends span wherever their directions point towards each
    other, so what is clear of the rectangles is clear of the line.
    """
    return [_segment(a, b) for a, b in pairwise(bends)]


def polyline(bends: Sequence[Bend], pieces: int = 12) -> list[Point]:
    """Points along the line, for hit tests and measuring; straight stretches are not divided."""
    points: list[Point] = [(bends[0].x, bends[0].y)] if bends else []
    for curve in curves(bends):
        count = 1 if _is_straight(curve) else pieces
        points.extend(curve.at(step / count) for step in range(1, count + 1))
    return points


def _is_straight(curve: Curve) -> bool:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    return ax == bx == cx == dx or ay == by == cy == dy


def _segment(a: Bend, b: Bend) -> Curve:
    width, height = b.x - a.x, b.y - a.y
    turn = a.dx * b.dx + a.dy * b.dy == 0
    share = 0.5523 if turn else 0.5  # a quarter ellipse, or an S
    out = _reach(a.dx * width + a.dy * height, share, abs(width) + abs(height))
    into = _reach(b.dx * width + b.dy * height, share, abs(width) + abs(height))
    return Curve(
        (a.x, a.y), (a.x + a.dx * out, a.y + a.dy * out), (b.x - b.dx * into, b.y - b.dy * into), (b.x, b.y)
    )  # fmt: skip


def _reach(ahead: float, share: float, distance: float) -> float:
    # Where the other bend lies behind, a small hook keeps the line smooth.
    return ahead * share if ahead > 0 else min(distance * 0.3, 24)
