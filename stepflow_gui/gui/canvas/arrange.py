"""From a flow to a layout for this canvas: nodes measured with its fonts, and no layout made where nothing changed."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from stepflow_gui.flow.layout import Corners, Layout, NodeSize, draw, lay_out
from stepflow_gui.flow.layout.dimensions import TextWidth
from stepflow_gui.flow.layout.router import Router
from stepflow_gui.flow.layout.shapes import Box, Direction, NodeId
from stepflow_gui.flow.model import Flow, Move
from stepflow_gui.formats.step_card import has_signs
from stepflow_gui.gui.canvas.items.outcome_looks import signed_width
from stepflow_gui.gui.canvas.metrics import NodeShape, label_width, measure

if TYPE_CHECKING:
    from stepflow_gui.flow.groups.folding import Folded
    from stepflow_gui.flow.groups.grouping import StepGroup

Position = tuple[float, float]  # top left corner in the scene

_Entries = list[tuple[str | None, str | None]]


class Arrangement:
    """The measured nodes of the flow that is shown, and its layout.

    `boxes` are those of the unfolded graph, which are kept; `layout` is what is shown, in which groups may be folded.
    """

    def __init__(self) -> None:
        self.shapes: dict[str, NodeShape] = {}
        self.boxes: dict[NodeId, Box] = {}
        self.layout = Layout({}, [], [])
        self.groups: Sequence[StepGroup] = ()
        self.folds: Collection[str] = frozenset()
        self.folded: Folded | None = None  # while there are groups
        self._sizes: dict[str, NodeSize] = {}
        self.loops_as_edges = False  # a step's transitions to itself, else signs on its pills
        self.direction: Direction = "auto"  # of the next layout
        self._start: Corners | None = None
        self._flow: Flow | None = None
        self._moves: list[Move] = []
        self._entries: _Entries = []
        self._grouped: tuple[Sequence[StepGroup], Collection[str]] = ((), frozenset())  # as it is drawn
        self._width: TextWidth = label_width  # of an edge’s label
        self._router = Router()

    @property
    def corners(self) -> dict[NodeId, Position]:
        """Where each box of the unfolded graph stands."""
        return {node: (box.x, box.y) for node, box in self.boxes.items()}

    def shift_of(self, node: NodeId) -> Position:
        """How far from its own place a box is shown."""
        own, shown = self.boxes.get(node), self.layout.boxes.get(node)
        return (shown.x - own.x, shown.y - own.y) if own is not None and shown is not None else (0.0, 0.0)

    def update(self, flow: Flow, *, keep: bool, given: Corners) -> bool:
        """Lay out a flow; False where it is drawn just as the one before.

        `keep` moves nothing that was there, `given` are positions that come first.
        """
        shapes = {step.id: measure(step) for step in flow.steps.values()}
        moves = list(flow.moves())
        entries = [(entry.key, entry.target.value if entry.target else None) for entry in flow.entries]
        here, self._start = self._start or self.corners, None
        keep = keep and bool(here)
        same = (shapes, moves, entries, (self.groups, self.folds)) == (
            *(self.shapes, self._moves, self._entries, self._grouped),
        )
        self._flow = flow
        if keep and same and {**here, **given} == self.corners:
            return False
        self.shapes, self._moves, self._entries = shapes, moves, entries
        self._width = signed_width if has_signs(flow) else label_width
        self._sizes = {
            name: NodeSize(shape.width, shape.height, tuple(shape.ports.items())) for name, shape in shapes.items()
        }
        if not keep:
            laid_out = lay_out(
                *(flow, self._sizes, self._width),
                loops=self.loops_as_edges,
                direction=self.direction,
                router=None if self.groups else self._router,
            )
            self._show(laid_out)
            here = self.corners
        if keep or given or self.groups:
            self._draw(flow, {**here, **given})
        return True

    def start_from(self, corners: Corners) -> None:
        """The boxes that the next `update` keeps stand there, not where they are shown."""
        self._start = corners

    def tidied(self, flow: Flow, steps: Collection[str]) -> dict[str, Position]:
        """Where some steps stand once they are laid out again in their place; changes nothing."""
        from stepflow_gui.flow.layout.partial import tidied

        return tidied(
            *(flow, self._sizes, Layout(self.boxes, [], []), steps, self._width),
            loops=self.loops_as_edges,
            direction=self.direction,
        )

    def forget_texts(self) -> None:
        """Texts may read differently now: the next `update` lays out in any case, without moving anything."""
        self._moves = []
        self._entries = [("", "")]
        self._router = Router()

    def put(self, corners: Corners) -> None:
        """Put the boxes elsewhere, all of them, and draw the edges anew."""
        if self._flow is not None:
            self._draw(self._flow, corners)

    def _draw(self, flow: Flow, corners: Corners) -> None:
        if not self.groups:
            self._show(draw(flow, self._sizes, corners, self._width, loops=self.loops_as_edges, router=self._router))
            return
        from stepflow_gui.flow.groups.drawing import draw_grouped
        from stepflow_gui.flow.groups.grouping import Grouping

        self._grouped = (self.groups, self.folds)
        self.boxes, self.folded, self.layout = draw_grouped(
            flow=flow,
            sizes=self._sizes,
            corners=corners,
            width=self._width,
            loops=self.loops_as_edges,
            router=self._router,
            grouping=Grouping(self.groups, self.folds),
        )

    def _show(self, layout: Layout) -> None:
        """Show boxes where they stand."""
        self.layout, self.boxes, self.folded = layout, layout.boxes, None
        self._grouped = ((), frozenset())
