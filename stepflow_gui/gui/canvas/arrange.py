"""From a flow to a layout for this canvas: nodes measured with its fonts, and no layout made where nothing changed."""

from collections.abc import Collection

from stepflow_gui.flow.layout import Corners, Layout, NodeSize, draw, lay_out
from stepflow_gui.flow.layout.dimensions import TextWidth
from stepflow_gui.flow.layout.router import Router
from stepflow_gui.flow.layout.shapes import Direction
from stepflow_gui.flow.model import Flow, Move
from stepflow_gui.formats.step_card import has_signs
from stepflow_gui.gui.canvas.items.outcome_looks import signed_width
from stepflow_gui.gui.canvas.metrics import NodeShape, label_width, measure

Position = tuple[float, float]  # top left corner in the scene

_Entries = list[tuple[str | None, str | None]]


class Arrangement:
    """The measured nodes of the flow that is shown, and its layout."""

    def __init__(self) -> None:
        self.shapes: dict[str, NodeShape] = {}
        self.layout = Layout({}, [], [])
        self._sizes: dict[str, NodeSize] = {}
        self.loops_as_edges = False  # a step's transitions to itself, else signs on its pills
        self.direction: Direction = "auto"  # of the next layout
        self._start: Corners | None = None
        self._flow: Flow | None = None
        self._moves: list[Move] = []
        self._entries: _Entries = []
        self._width: TextWidth = label_width  # of an edge’s label
        self._router = Router()

    def update(self, flow: Flow, *, keep: bool, given: Corners) -> bool:
        """Lay out a flow; False where it is drawn just as the one before.

        `keep` moves nothing that was there, `given` are positions that come first.
        """
        shapes = {step.id: measure(step) for step in flow.steps.values()}
        moves = list(flow.moves())
        entries = [(entry.key, entry.target.value if entry.target else None) for entry in flow.entries]
        here, self._start = self._start or self.layout.corners, None
        keep = keep and bool(here)
        same = (shapes, moves, entries) == (self.shapes, self._moves, self._entries)
        self._flow = flow
        if keep and same and {**here, **given} == self.layout.corners:
            return False
        self.shapes, self._moves, self._entries = shapes, moves, entries
        self._width = signed_width if has_signs(flow) else label_width
        self._sizes = {
            name: NodeSize(shape.width, shape.height, tuple(shape.ports.items())) for name, shape in shapes.items()
        }
        if not keep:
            self.layout = lay_out(
                *(flow, self._sizes, self._width),
                loops=self.loops_as_edges,
                direction=self.direction,
                router=self._router,
            )
            here = self.layout.corners
        if keep or given:
            self._draw(flow, {**here, **given})
        return True

    def start_from(self, corners: Corners) -> None:
        """The boxes that the next `update` keeps stand there, not where they are shown."""
        self._start = corners

    def tidied(self, flow: Flow, steps: Collection[str]) -> dict[str, Position]:
        """Where some steps stand once they are laid out again in their place; changes nothing."""
        from stepflow_gui.flow.layout.partial import tidied

        return tidied(
            *(flow, self._sizes, self.layout, steps, self._width),
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
        self.layout = draw(flow, self._sizes, corners, self._width, loops=self.loops_as_edges, router=self._router)
