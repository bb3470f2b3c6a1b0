"""The shapes that a layout consists of: boxes, routes, marks. Lengths are in pixels at 100 %, y grows downwards."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Move


class NodeId(NamedTuple):
    """What a box represents.

    `name` is the step's id, the missing id of a ghost, for an end the id of the first step of its sub-flow, for a group
    of steps folded to a card its key; `word` which end it is, where a format has several.
    """

    kind: Literal["step", "ghost", "end", "group"]
    name: str
    word: str = ""


class NodeSize(NamedTuple):
    """How large a step is drawn, and how far from its left the edges of each intent leave at its bottom."""

    width: float
    height: float
    ports: tuple[tuple[str, float], ...] = ()

    def port(self, intent: str) -> float | None:
        """Where an intent has its port; None where it has none."""
        return next((x for name, x in self.ports if name == intent), None)


class Box(NamedTuple):
    """A rectangle by its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the bottom side."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """The x of the centre."""
        return self.x + self.width / 2

    def shifted(self, dx: float, dy: float) -> "Box":
        """The same box elsewhere."""
        return Box(self.x + dx, self.y + dy, self.width, self.height)

    def grown(self, by: float) -> "Box":
        """The box with a margin on all sides."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def around(self, other: "Box") -> "Box":
        """The smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def overlaps(self, other: "Box") -> bool:
        """Whether the two share more than a side."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )  # fmt: skip


Direction = Literal["auto", "down", "right"]
"""Where a flow goes; "auto" is the one that reads best."""
DIRECTIONS: tuple[Direction, ...] = ("auto", "down", "right")

Corners = Mapping[NodeId, tuple[float, float]]
"""The top left corners of boxes."""


class Bend(NamedTuple):
    """A point that a route passes, and the direction in which it does (a unit vector along an axis)."""

    x: float
    y: float
    dx: float
    dy: float

    def shifted(self, dx: float, dy: float) -> "Bend":
        """The same bend elsewhere."""
        return Bend(self.x + dx, self.y + dy, self.dx, self.dy)


class Route(NamedTuple):
    """One drawn edge: all moves from `source` to `target`, merged, with the path that it takes.

    `kind`: "step" goes to another step, "loop" back to its own, "ghost" to a missing step, "end" to the end, "group"
    into a folded group.
    `back`: it goes against the flow. `bends` runs from the source's border to the target's; `curves` in
    `splines` makes a line of it. `label` has a line for each move, `lines` are those that its chip shows;
    `label_box` is where that stands, None where there is no room for it. `bundle`: how many edges with the same
    intent and target it shares its last stretches with, itself counted; the first of them has their label.
    """

    source: NodeId
    target: NodeId
    moves: tuple[Move, ...]
    kind: Literal["step", "loop", "ghost", "end", "group"]
    back: bool
    bends: tuple[Bend, ...]
    label: str
    lines: tuple[str, ...]
    label_box: Box | None
    bundle: int = 0

    @property
    def nominal(self) -> bool:
        """Whether it is declared but never followed: the user is asked, and the step itself runs again."""
        return self.kind != "loop" and all(move.asks for move in self.moves)

    @property
    def gone(self) -> tuple[Move, ...]:
        """The moves that a run makes along it."""
        return self.moves if self.kind == "loop" else tuple(move for move in self.moves if not move.asks)

    @property
    def area(self) -> Box:
        """The rectangle around the line and the label."""
        xs, ys = [bend.x for bend in self.bends], [bend.y for bend in self.bends]
        line = Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        return line if self.label_box is None else line.around(self.label_box)

    def shifted(self, dx: float, dy: float) -> "Route":
        """The same route elsewhere."""
        bends = tuple(bend.shifted(dx, dy) for bend in self.bends)
        return self._replace(bends=bends, label_box=self.label_box and self.label_box.shifted(dx, dy))


class EntryMark(NamedTuple):
    """The sign at an entry step: a label (`box`), a dot and an arrow to the step's left side (`bends`).

    `keys` are the verdict types that enter here, or go on here and are marked so; None for `entryStep`.
    """

    keys: tuple[str | None, ...]
    target: NodeId
    label: str
    box: Box
    dot: tuple[float, float]
    bends: tuple[Bend, Bend]

    def shifted(self, dx: float, dy: float) -> "EntryMark":
        """The same mark elsewhere."""
        first, last = self.bends
        return self._replace(
            box=self.box.shifted(dx, dy),
            dot=(self.dot[0] + dx, self.dot[1] + dy),
            bends=(first.shifted(dx, dy), last.shifted(dx, dy)),
        )


class Layout:
    """Where everything of a flow is drawn. Read-only by convention; a change gives a new one."""

    __slots__ = ("boxes", "entries", "routes")

    def __init__(self, boxes: dict[NodeId, Box], routes: list[Route], entries: list[EntryMark]) -> None:
        self.boxes = boxes  # in file order: steps (sections too), ghosts, ends
        self.routes = routes
        self.entries = entries

    @property
    def steps(self) -> dict[str, Box]:
        """The boxes of the steps by step id."""
        return {node.name: box for node, box in self.boxes.items() if node.kind == "step"}

    @property
    def corners(self) -> dict[NodeId, tuple[float, float]]:
        """Where each box stands."""
        return {node: (box.x, box.y) for node, box in self.boxes.items()}

    @property
    def bounds(self) -> Box:
        """The smallest box around all that is drawn; empty at the origin where nothing is."""
        areas = [*self.boxes.values(), *(mark.box for mark in self.entries)]
        areas += [route.label_box for route in self.routes if route.label_box is not None]
        if not areas:
            return Box(0, 0, 0, 0)
        bends = [bend for route in self.routes for bend in route.bends]
        left = min([area[0] for area in areas] + [bend[0] for bend in bends])
        top = min([area[1] for area in areas] + [bend[1] for bend in bends])
        right = max([area[0] + area[2] for area in areas] + [bend[0] for bend in bends])
        bottom = max([area[1] + area[3] for area in areas] + [bend[1] for bend in bends])
        return Box(left, top, right - left, bottom - top)
