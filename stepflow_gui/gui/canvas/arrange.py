"""From a flow to a layout for this canvas: nodes measured with its fonts, and no layout made where nothing changed."""

from collections.abc import Collection, Sequence
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout import Corners, Layout, NodeId, NodeSize, draw, lay_out
from stepflow_gui.flow.layout.dimensions import TextWidth
from stepflow_gui.flow.layout.router import Router
from stepflow_gui.flow.layout.shapes import Box, Direction
from stepflow_gui.flow.model import Flow, Move
from stepflow_gui.formats.step_card import has_signs
from stepflow_gui.gui.canvas.items.outcome_looks import signed_width
from stepflow_gui.gui.canvas.metrics import NodeShape, label_width, measure

if TYPE_CHECKING:
    from stepflow_gui.flow.groups.folding import Folded
    from stepflow_gui.flow.groups.grouping import StepGroup

LONG_LAYOUT = 200  # steps above which laying everything out takes longer than a window may stand still
LONG_DRAWING = 1000  # … and drawing all edges again
_MANY_MOVED = 200  # boxes that stand elsewhere, whose edges take as long
_GAP = 40.0  # between boxes that are laid out provisionally

Position = tuple[float, float]  # top left corner in the scene

_Entries = list[tuple[str | None, str | None]]


class MeasuredFlow(NamedTuple):
    """A flow with what its picture depends on besides places. `width` is of an edge's label."""

    flow: Flow
    shapes: dict[str, NodeShape]
    moves: Sequence[Move]
    entries: _Entries
    width: TextWidth
    sizes: dict[str, NodeSize]

    @property
    def drawn(self) -> tuple[object, ...]:
        """What is drawn of it."""
        return self.shapes, self.moves, self.entries


class Arranged(NamedTuple):
    """What came of a task: `router` drew the layout, and knows it. `boxes` are those of the unfolded graph."""

    measured: MeasuredFlow
    layout: Layout
    router: Router
    boxes: dict[NodeId, Box]
    folded: "Folded | None"
    grouping: "_Grouping"


_Grouping = tuple["Sequence[StepGroup]", Collection[str]]
"""The groups, and the keys of those that are folded."""
_NO_GROUPS: _Grouping = ((), frozenset())


class LayoutTask(NamedTuple):
    """A flow to lay out, with all that is needed for it, so it can be done in any thread.

    `corners` are kept, all others are laid out; None: everything is. `given` are places that come first.
    """

    flow: Flow
    corners: Corners | None
    given: Corners
    loops: bool
    direction: Direction
    router: Router
    known: MeasuredFlow | None = None  # the flow measured already
    grouping: _Grouping = _NO_GROUPS

    def measured(self) -> MeasuredFlow:
        """The flow, measured."""
        return measured(self.flow) if self.known is None else self.known

    def done(self) -> Arranged:
        """The flow laid out and drawn."""
        found = self.measured()
        corners = self.corners
        grouped = bool(self.grouping[0])
        if corners is None:
            layout = lay_out(
                *(self.flow, found.sizes, found.width),
                loops=self.loops,
                direction=self.direction,
                router=None if grouped else self.router,
            )
            corners = layout.corners
        if grouped:
            return self._grouped(found, {**corners, **self.given})
        if self.corners is not None or self.given:
            corners = {**corners, **self.given}
            layout = draw(self.flow, found.sizes, corners, found.width, loops=self.loops, router=self.router)
        return Arranged(found, layout, self.router, layout.boxes, None, _NO_GROUPS)

    def _grouped(self, found: MeasuredFlow, corners: Corners) -> Arranged:
        from stepflow_gui.flow.groups.drawing import draw_grouped
        from stepflow_gui.flow.groups.grouping import Grouping

        boxes, folded, layout = draw_grouped(
            flow=self.flow,
            sizes=found.sizes,
            corners=corners,
            width=found.width,
            loops=self.loops,
            router=self.router,
            grouping=Grouping(*self.grouping),
        )
        return Arranged(found, layout, self.router, boxes, folded, self.grouping)


class Arrangement:
    """The measured nodes of the flow that is shown, and its layout.

    `boxes` are those of the unfolded graph, which are kept; `layout` is what is shown, in which groups may be folded.
    """

    def __init__(self) -> None:
        self.boxes: dict[NodeId, Box] = {}
        self.layout = Layout({}, [], [])
        self.groups: Sequence[StepGroup] = ()
        self.folds: Collection[str] = frozenset()
        self.folded: Folded | None = None  # while there are groups
        self.loops_as_edges = False  # a step's transitions to itself, else signs on its pills
        self.direction: Direction = "auto"  # of the next layout
        self._measured: MeasuredFlow | None = None
        self._grouping = _NO_GROUPS  # as it is drawn
        self._outdated = False  # texts may read differently now
        self._start: Corners | None = None
        self._router: Router | None = None  # which knows the layout; None where none does

    @property
    def shapes(self) -> dict[str, NodeShape]:
        """The measured nodes by step."""
        return self._measured.shapes if self._measured is not None else {}

    @property
    def corners(self) -> dict[NodeId, Position]:
        """Where each box of the unfolded graph stands."""
        return {node: (box.x, box.y) for node, box in self.boxes.items()}

    @property
    def steps(self) -> Collection[str]:
        """The steps that have boxes, shown or folded."""
        return {node.name for node in self.boxes if node.kind == "step"}

    def shift_of(self, node: NodeId) -> Position:
        """How far from its own place a box is shown."""
        own, shown = self.boxes.get(node), self.layout.boxes.get(node)
        return (shown.x - own.x, shown.y - own.y) if own is not None and shown is not None else (0.0, 0.0)

    def task(self, flow: Flow, *, keep: bool, given: Corners) -> LayoutTask:
        """What shows a flow. `keep` moves nothing that was there, `given` are positions that come first."""
        here, self._start = self._start or self.corners, None
        return self._task(flow, here if keep and here else None, given)

    def moving(self, flow: Flow, corners: Corners) -> LayoutTask:
        """What is to be done to put the boxes of the flow that is shown elsewhere, all of them."""
        return self._task(flow, corners, {})

    def _task(self, flow: Flow, corners: Corners | None, given: Corners) -> LayoutTask:
        router = self._router if self._router is not None else Router()
        known = self._measured
        same = known is not None and known.flow is flow and not self._outdated
        grouping = (self.groups, self.folds) if self.groups else _NO_GROUPS
        return LayoutTask(
            *(flow, corners, given, self.loops_as_edges, self.direction, router),
            known=known if same else None,
            grouping=grouping,
        )

    def is_long(self, task: LayoutTask) -> bool:
        """Whether a task takes so long that it is better done in another thread."""
        if task.corners is None:
            return len(task.flow.steps) > LONG_LAYOUT
        if len(task.flow.steps) <= LONG_DRAWING:
            return False
        if self._router is None or self._measured is None:
            return True
        here = self.corners
        if task.flow.steps.keys() != self.steps:  # which may stir all that lies around
            return True
        wanted = {**task.corners, **task.given}
        return sum(wanted.get(node, corner) != corner for node, corner in here.items()) > _MANY_MOVED

    def changes(self, task: LayoutTask) -> LayoutTask | None:
        """The task with its flow measured; None where the flow is drawn just as it is."""
        found = task.measured()
        before = self._measured
        same = before is not None and not self._outdated and found.drawn == before.drawn
        same = same and task.grouping == self._grouping
        if same and task.corners is not None and {**task.corners, **task.given} == self.corners:
            self._measured = found
            return None
        return task._replace(known=found)

    def take(self, arranged: Arranged) -> None:
        """Have that layout from now on."""
        self._measured, self.layout, self._router, self.boxes, self.folded, self._grouping = arranged
        self._outdated = False

    def take_provisional(self, measured: MeasuredFlow) -> None:
        """Have the boxes in rows until they are laid out, in the order of the file and without edges."""
        self._show_unfolded(in_rows(measured))
        self._measured = measured

    def take_moved(self, corners: Corners) -> None:
        """Have the boxes there until their edges are drawn, with those that are drawn between others."""
        boxes = {
            node: box._replace(x=at[0], y=at[1]) for node, box in self.boxes.items() for at in (corners.get(node, box),)
        }
        shown = self.layout
        kept = {node for node, box in boxes.items() if shown.boxes.get(node) == box}
        routes = [route for route in shown.routes if route.source in kept and route.target in kept]
        entries = [mark for mark in shown.entries if mark.target in boxes]
        self._show_unfolded(Layout(boxes, routes, entries))

    def take_kept(self, found: MeasuredFlow, corners: Corners) -> None:
        """Have the steps of an edited flow there until its edges are drawn, those without a place at the bottom."""
        self.take_moved(corners)
        before = self.layout
        free = before.bounds.y + before.bounds.height + _GAP
        steps: dict[NodeId, Box] = {}
        for step, size in found.sizes.items():
            node = NodeId("step", step)
            x, y = corners.get(node, (before.bounds.x, free))
            steps[node] = Box(x, y, size.width, size.height)
        boxes = steps | {node: box for node, box in before.boxes.items() if node.kind != "step"}
        routes = [route for route in before.routes if route.source in boxes and route.target in boxes]
        entries = [mark for mark in before.entries if mark.target in boxes]
        self._show_unfolded(Layout(boxes, routes, entries))
        self._measured = found

    def _show_unfolded(self, layout: Layout) -> None:
        self.layout, self.boxes, self.folded = layout, layout.boxes, None
        self._grouping, self._router = _NO_GROUPS, None

    def start_from(self, corners: Corners) -> None:
        """The boxes that the next `task` keeps are there, not where they are shown."""
        self._start = corners

    def tidied(self, flow: Flow, steps: Collection[str]) -> dict[str, Position]:
        """Where some steps stand once they are laid out again in their place; changes nothing."""
        from stepflow_gui.flow.layout.partial import tidied

        found = self._measured or measured(flow)
        return tidied(
            *(flow, found.sizes, Layout(self.boxes, [], []), steps, found.width),
            loops=self.loops_as_edges,
            direction=self.direction,
        )

    def forget_texts(self) -> None:
        """Texts may read differently now: the next flow is drawn again in any case, without moving anything."""
        self._outdated = True
        self._router = None


def measured(flow: Flow) -> MeasuredFlow:
    """A flow measured with the fonts of the canvas. May be called in any thread, once the fonts are there."""
    shapes: dict[str, NodeShape] = {}
    for step in flow.steps.values():
        checkpoint()
        shapes[step.id] = measure(step)
    entries = [(entry.key, entry.target.value if entry.target else None) for entry in flow.entries]
    width = signed_width if has_signs(flow) else label_width
    sizes = {name: NodeSize(shape.width, shape.height, tuple(shape.ports.items())) for name, shape in shapes.items()}
    return MeasuredFlow(flow, shapes, flow.moves(), entries, width, sizes)


def in_rows(found: MeasuredFlow) -> Layout:
    """The steps in rows of about a square, in the order of the file."""
    across = ceil(sqrt(len(found.sizes) / 2))  # cards are about twice as wide as high
    wide = max((size.width for size in found.sizes.values()), default=0.0) + _GAP
    boxes: dict[NodeId, Box] = {}
    top = high = 0.0
    for at, (step, size) in enumerate(found.sizes.items()):
        if at % across == 0:
            top, high = top + high + _GAP * bool(at), 0.0
        high = max(high, size.height)
        boxes[NodeId("step", step)] = Box(wide * (at % across), top, size.width, size.height)
    return Layout(boxes, [], [])
