"""The shapes that a layout consists of: boxes, routes, marks. Lengths are in pixels at 100 %, y grows downwards."""

from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Move


class NodeId(NamedTuple):
    """What a box stands for.

    `name` is the step's id, the missing id of a ghost, or for an end the id of the first step of its sub-flow.
    """

    kind: Literal["step", "ghost", "end"]
    name: str


class NodeSize(NamedTuple):
    """How large a step is drawn."""

    width: float
    height: float


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

    def overlaps(self, other: "Box") -> bool:
        """Whether the two share more than a side."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )  # fmt: skip


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
    """One drawn edge: all moves from `source` to `target`, merged, with the way that it takes.

    `kind`: "step" leads to another step, "loop" back to its own, "ghost" to a step that isn't there, "end" to the end.
    `back` tells that it leads against the flow. `bends` runs from the source's border to the target's; `curves` in
    `splines` makes a line of it. `label` joins the intents; `label_box` is where its chip stands.
    """

    source: NodeId
    target: NodeId
    moves: tuple[Move, ...]
    kind: Literal["step", "loop", "ghost", "end"]
    back: bool
    bends: tuple[Bend, ...]
    label: str
    label_box: Box

    def shifted(self, dx: float, dy: float) -> "Route":
        """The same route elsewhere."""
        bends = tuple(bend.shifted(dx, dy) for bend in self.bends)
        return self._replace(bends=bends, label_box=self.label_box.shifted(dx, dy))


class EntryMark(NamedTuple):
    """The sign at an entry step: a label (`box`), a dot and an arrow to the step's left side (`bends`).

    `keys` are the verdict types that enter here, None for `entryStep`.
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
    def bounds(self) -> Box:
        """The smallest box around all that is drawn; empty at the origin where nothing is."""
        areas = [
            *self.boxes.values(),
            *(route.label_box for route in self.routes),
            *(mark.box for mark in self.entries),
        ]
        bends = [bend for route in self.routes for bend in route.bends]
        if not areas:
            return Box(0, 0, 0, 0)
        left = min(*(area.x for area in areas), *(bend.x for bend in bends), areas[0].x)
        top = min(*(area.y for area in areas), *(bend.y for bend in bends), areas[0].y)
        right = max(*(area.right for area in areas), *(bend.x for bend in bends), areas[0].right)
        bottom = max(*(area.bottom for area in areas), *(bend.y for bend in bends), areas[0].bottom)
        return Box(left, top, right - left, bottom - top)
