"""Where the boxes of a document stand: between its history, which holds them, and the canvas, which shows them."""

from collections.abc import Callable

from stepflow_gui.flow.layout import NodeId
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.history import REDO, UNDO, BoxCommand, Edits
from stepflow_gui.gui.document.step_places import StepPlaces

ORIGIN = "canvas"


class BoxPlaces:
    """Gives the canvas the boxes of each revision, and the history those that the canvas placed."""

    def __init__(self, canvas: GraphView, document: Document, places: StepPlaces) -> None:
        self._canvas = canvas
        self._document = document
        self._places = places
        self._recording = False
        self.file_changed: Callable[[], object] = lambda: None  # called when the layout file has
        self.wanted: dict[str, tuple[float, float]] = {}  # where steps go that are shown for the first time

    def expect(self) -> None:
        """Say where boxes stand that the canvas doesn't show yet. Called before each showing of a flow."""
        here = self._document.geometry.corners
        known = self.wanted | self._places.known()
        self.wanted = {}
        new = [step for step in self._document.last_valid.flow.steps if NodeId("step", step) not in here]
        self._canvas.arrangement.start_from(here)
        self._canvas.expect_positions({step: known[step] for step in new if step in known})

    def store(self) -> None:
        """Keep where the boxes stand with the entry that was just done."""
        self.storing()()

    def storing(self) -> Callable[[], None]:
        """A function to keep them once they are there: with the entry that was done last before this call.

        Asked for before each showing of a flow.
        """
        geometry, arrangement = self._document.geometry, self._canvas.arrangement
        entry = geometry.entry
        return lambda: geometry.set(arrangement.corners, entry)

    @property
    def know_all(self) -> bool:
        """Whether all steps have had their places already, so nothing is to be laid out."""
        corners = self._document.geometry.corners
        return all(NodeId("step", step) in corners for step in self._document.last_valid.flow.steps)

    def record(self, edits: Edits, label: str, repeats: object) -> bool:
        """Make an entry of the boxes moved on the canvas, with the edits that keep them; False without one."""
        document = self._document
        self._recording = True
        if edits:
            made = document.apply(edits, label, ORIGIN, repeats=repeats) is None
        else:
            made = document.geometry.corners != self._canvas.arrangement.corners
            if made:
                document.stack.push(BoxCommand(document.geometry, label))
        self._recording = False
        if made:
            self.store()
        return made

    def follow(self) -> None:
        """The history moved: show the boxes where they stand now."""
        corners = self._document.geometry.corners
        if self._document.parsed and not self._recording and corners != self._canvas.arrangement.corners:
            self._canvas.put_boxes(corners)

    def text_changed(self, path: object, _edits: object, origin: str) -> None:
        """A file's text changed: follow the layout file where it isn’t the history that moved."""
        if path != self._places.path:
            return
        self.file_changed()
        if origin in {ORIGIN, UNDO, REDO} or not self._document.parsed:
            return
        known = {NodeId("step", step): place for step, place in self._places.known().items()}
        corners = self._document.geometry.corners
        self._canvas.put_boxes({node: known.get(node, corner) for node, corner in corners.items()})
        self.store()
