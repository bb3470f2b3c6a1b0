"""The shapes that a layout consists of: boxes, routes, marks. Lengths are in pixels at 100 %, y grows downwards."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Move


class NodeId(NamedTuple):
    """What a box represents.

    `name` is the step's id, the missing id of a ghost, or for an end the id of the first step of its sub-flow; `word`
    which end it is, where a format has several.
    """

    kind: Literal["step", "ghost", "end"]
    name: str
    word: str = ""


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

    def around(self, other: "Box") -> "Box":
        """The smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

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
    """One drawn edge: all moves from `source` to `target`, merged, with the path that it takes.

    `kind`: "step" goes to another step, "loop" back to its own, "ghost" to a missing step, "end" to the end.
    `back`: it goes against the flow. `bends` runs from the source's border to the target's; `curves` in
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
        chip = self.label_box
        left, top, right, bottom = chip.x, chip.y, chip.right, chip.bottom
        for x, y, _, _ in self.bends:
            left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
        return Box(left, top, right - left, bottom - top)

    def shifted(self, dx: float, dy: float) -> "Route":
        """The same route elsewhere."""
        bends = tuple(bend.shifted(dx, dy) for bend in self.bends)
        return self._replace(bends=bends, label_box=self.label_box.shifted(dx, dy))


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

    __slots__ = ("_areas", "boxes", "entries", "routes")

    def __init__(self, boxes: dict[NodeId, Box], routes: list[Route], entries: list[EntryMark]) -> None:
        self._areas: list[Box] | None = None
        self.boxes = boxes  # in file order: steps (sections too), ghosts, ends
        self.routes = routes
        self.entries = entries

    @property
    def steps(self) -> dict[str, Box]:
        """The boxes of the steps by step id."""
        return {node.name: box for node, box in self.boxes.items() if node.kind == "step"}

    @property
    def areas(self) -> list[Box]:
        """The rectangles around the routes, in their order."""
        if self._areas is None:
            self._areas = [route.area for route in self.routes]
        return self._areas

    def rerouted(
        self, boxes: dict[NodeId, Box], changed_routes: Mapping[int, Route], entries: list[EntryMark]
    ) -> "Layout":
        """The layout with other boxes and some other routes, by their number."""
        changed = Layout(
            boxes, [changed_routes.get(number, route) for number, route in enumerate(self.routes)], entries
        )
        areas = list(self.areas)
        for number, route in changed_routes.items():
            areas[number] = route.area
        changed._areas = areas
        return changed

    @property
    def bounds(self) -> Box:
        """The smallest box around all that is drawn; empty at the origin where nothing is."""
        areas = [*self.boxes.values(), *self.areas, *(mark.box for mark in self.entries)]
        if not areas:
            return Box(0, 0, 0, 0)
        left, top = min(area.x for area in areas), min(area.y for area in areas)
        right, bottom = max(area.right for area in areas), max(area.bottom for area in areas)
        return Box(left, top, right - left, bottom - top)
