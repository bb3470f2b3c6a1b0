"""The trunks of bundled edges: the stretches that several edges with one target and intent have in common."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from stepflow_gui.flow.layout.shapes import Bend, NodeId, Route

_ARROW = 9.0  # of the target's end that is left to the arrow
Line = tuple[float, float, float, float]
"""A straight piece: where it begins and where it ends, as x and y."""


class Trunk(NamedTuple):
    """What the edges of a bundle share, and the nodes on which it hangs."""

    lines: tuple[Line, ...]
    nodes: frozenset[NodeId]


def trunks_of(routes: Sequence[Route]) -> list[Trunk]:
    """The trunks of all bundles; those whose edges never meet have none. Linear in routes."""
    bundles: dict[tuple[NodeId, str], list[Route]] = {}
    for route in routes:
        if route.bundle:
            bundles.setdefault((route.target, route.moves[0].intent), []).append(route)
    found = []
    for (target, _intent), edges in bundles.items():
        lines = _shared([_pieces(edge.bends) for edge in edges])
        if lines:
            found.append(Trunk(tuple(lines), frozenset({target, *(edge.source for edge in edges)})))
    return found


def _pieces(bends: Sequence[Bend]) -> list[Line]:
    """The straight pieces, from the middle of one corner to the middle of the next, without the arrow."""
    corners = [(bends[0].x, bends[0].y)]
    for a, b in pairwise(bends):
        if a.x != b.x and a.y != b.y:  # around a corner: both of its arms go to where they would meet
            corners.append((b.x, a.y) if a.dy == 0 else (a.x, b.y))
    last = bends[-1]
    corners.append((last.x - last.dx * _ARROW, last.y - last.dy * _ARROW))
    return [(ax, ay, bx, by) for (ax, ay), (bx, by) in pairwise(corners) if (ax, ay) != (bx, by)]


def _shared(edges: Sequence[Sequence[Line]]) -> list[Line]:
    """The pieces on which two or more of the edges lie."""
    on: dict[tuple[bool, float], list[tuple[float, int]]] = {}
    for pieces in edges:
        for ax, ay, bx, by in pieces:
            upright = ax == bx
            begin, end = sorted((ay, by) if upright else (ax, bx))
            ends = on.setdefault((upright, ax if upright else ay), [])
            ends += ((begin, 1), (end, -1))
    found: list[Line] = []
    for (upright, at), ends in on.items():
        lying, since = 0, 0.0
        for place, change in sorted(ends, key=lambda end: (end[0], -end[1])):
            lying += change
            if change > 0 and lying == 2:
                since = place
            elif change < 0 and lying == 1 and place > since:
                found.append((at, since, at, place) if upright else (since, at, place, at))
    return found
