"""From a flow to a layout for this canvas: nodes measured with its fonts, and no layout made where nothing changed."""

from collections.abc import Collection, Mapping

from stepflow_gui.flow.layout import Layout, NodeId, NodeSize, lay_out, moved, place_new, settled
from stepflow_gui.flow.layout.dimensions import TextWidth
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.step_card import has_signs
from stepflow_gui.gui.canvas.items.outcome_looks import signed_width
from stepflow_gui.gui.canvas.metrics import NodeShape, label_width, measure

Position = tuple[float, float]  # top left corner in the scene

_EARLIER = 6  # layouts that are kept

_Transitions = list[tuple[str, str, str | None, str | None, int | None]]
_Entries = list[tuple[str | None, str | None]]


class Arrangement:
    """The measured nodes of the flow that is shown, and its layout."""

    def __init__(self) -> None:
        self.shapes: dict[str, NodeShape] = {}
        self.layout = Layout({}, [], [])
        self._sizes: dict[str, NodeSize] = {}
        self._transitions: _Transitions = []
        self._entries: _Entries = []
        self._width: TextWidth = label_width  # of an edge’s label
        self._earlier: list[Layout] = []  # of the same flow, before steps were moved: an undo returns to them

    def update(self, flow: Flow, *, keep: bool, given: Mapping[str, Position]) -> bool:
        """Lay out a flow; False where it is drawn just as the one before.

        `keep` moves nothing that was there, `given` are positions that come first.
        """
        shapes = {step.id: measure(step) for step in flow.steps.values()}
        transitions = [(move.step, move.intent, move.case, move.target, move.limit) for move in flow.moves()]
        entries = [(entry.key, entry.target.value if entry.target else None) for entry in flow.entries]
        keep = keep and bool(self.layout.boxes)
        if keep and not given and (shapes, transitions, entries) == (self.shapes, self._transitions, self._entries):
            return False
        self.shapes, self._transitions, self._entries = shapes, transitions, entries
        self._earlier = []
        self._width = signed_width if has_signs(flow) else label_width
        self._sizes = {name: NodeSize(shape.width, shape.height) for name, shape in shapes.items()}
        if not keep:
            self.layout = lay_out(flow, self._sizes, self._width)
        if keep or given:
            self.layout = place_new(flow, self._sizes, self.layout, given, self._width)
        return True

    def tidied(self, flow: Flow, steps: Collection[str]) -> dict[str, Position]:
        """Where some steps stand once they are laid out again in their place; changes nothing."""
        from stepflow_gui.flow.layout.partial import tidied

        return tidied(flow, self._sizes, self.layout, steps, self._width)

    def forget_texts(self) -> None:
        """Texts may read differently now: the next `update` lays out in any case, without moving anything."""
        self._transitions = []
        self._entries = [("", "")]

    def move(self, places: Mapping[NodeId, Position]) -> None:
        """Put steps elsewhere, route their edges again and those around them that they would now cover.

        Where all of them stand as they did some moves ago, edges and all are as they were then.
        """
        wanted = self._places(self.layout) | {node.name: place for node, place in places.items()}
        known = next((layout for layout in reversed(self._earlier) if self._places(layout) == wanted), None)
        self._earlier = [*self._earlier[1 - _EARLIER :], self.layout]
        if known is not None:
            self.layout = known
            return
        self.layout = settled(moved(self.layout, places, self._width), list(places), self._width)

    @staticmethod
    def _places(layout: Layout) -> dict[str, Position]:
        return {name: (box.x, box.y) for name, box in layout.steps.items()}
