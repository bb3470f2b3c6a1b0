"""Which part of the graph is in sight: the first look at a flow, revealing, zooming to what is selected."""

from typing import NamedTuple

from PySide6.QtCore import QMargins, QPointF, QRectF

from stepflow_gui.flow.entry_regions import successors
from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.flow.reach import reached
from stepflow_gui.gui.canvas.items.sign_items import EndItem
from stepflow_gui.gui.canvas.pan_zoom import PanZoomView
from stepflow_gui.gui.canvas.scene import GraphScene

_READABLE = 0.3  # the least zoom at which the first look shows all
_START_ZOOM = 0.9
_LEAST_START = 0.65  # of the zoom there
_AROUND_START = 10.0  # pixels beside what begins there


class ShownPart(NamedTuple):
    """What a view shows: `middle` of the scene at a zoom; `first` until the person or a reveal has moved it."""

    zoom: float
    middle: QPointF
    first: bool


class Camera:
    """Moves one view over its graph."""

    def __init__(self, view: PanZoomView, graph: GraphScene) -> None:
        self._view = view
        self._graph = graph
        self._first_look_due = False  # until the person or a reveal has moved the view, a new size is looked at again

    def reset(self) -> None:
        """Another flow is there: look at it, as soon as the view is on the screen."""
        self._first_look_due = True
        self.show_initial()

    def show_initial(self) -> None:
        """The first look that is due: at all where it can be read so, else at the entry."""
        view = self._view
        if not self._first_look_due or not view.isVisible():
            return
        if view.fitting_zoom(view.content) >= _READABLE:
            view.fit()
            return
        first = self._graph.step_item(self._graph.first_step())
        if first is None:
            view.zoom_to(_START_ZOOM)
            return
        begun = self._begun(first.step.id, (view.viewport().width() - 2 * _AROUND_START) / _LEAST_START)
        across = (view.viewport().width() - 2 * _AROUND_START) / begun.width()
        view.zoom_to(max(_LEAST_START, min(_START_ZOOM, across)))
        middle = begun.center().x() if across >= _LEAST_START else first.frame.center().x()
        view.centerOn(QPointF(middle, first.frame.center().y() + view.viewport().height() / view.zoom / 4))

    def take_size(self, *, follow: bool) -> None:
        """The view has another size. `follow`: the step where a run is stays in sight."""
        self.show_initial()
        if follow:
            self.reveal_active()

    def take_cover(self, margins: QMargins, *, follow: bool) -> None:
        """Drawers lie over the edges, as many pixels wide. What the view is about stays in sight beside them."""
        if margins == self._view.covered:
            return
        self._view.covered = margins
        if follow and self._graph.run.active:
            self.reveal_active()
        elif not margins.isNull():
            self.reveal_selected()

    def _begun(self, first: str, enough: float) -> QRectF:
        """Around all that is reachable from the entry, with the words at it; a part that is that wide may do."""
        graph = self._graph
        transitions = successors(graph.flow) if graph.flow is not None else {}
        area = QRectF()
        for step in reached([first], transitions):
            if area.width() > enough:
                break
            node = NodeId("step", step)
            for edge in graph.edges_at(node):
                area = area.united(edge.boundingRect())
                if edge.label is not None:
                    area = area.united(edge.label.sceneBoundingRect())
            item, entry = graph.step_item(step), graph.entries.get(node)
            area = area.united(item.frame) if item is not None else area
            area = area.united(entry.boundingRect()) if entry is not None else area
        return area

    def look(self) -> ShownPart:
        """The part that is shown now."""
        return ShownPart(self._view.zoom, self._view.seen_area().center(), self._first_look_due)

    def look_again(self, look: ShownPart) -> None:
        """Show the part that was shown before."""
        self._view.zoom_to(look.zoom)
        self._view.centerOn(look.middle)
        if look.first:
            self.reset()
        else:
            self.settle()

    def settle(self) -> None:
        """The first look is over: from now on the view stays where it is put."""
        self._first_look_due = False

    def center_on(self, point: QPointF) -> None:
        """Look at a point of the scene."""
        self.settle()
        self._view.centerOn(point)

    def reveal_step(self, step: str) -> None:
        """Pan to a step that isn't in sight."""
        self.settle()
        item, groups = self._graph.step_item(step), self._graph.groups
        frame = item.frame if item is not None else groups.area(groups.key_of.get(step))
        if frame is not None:
            self._view.reveal_rect(frame)

    def reveal_active(self) -> None:
        """Pan to the step where a run is, if that isn't in sight."""
        if self._graph.run.active:
            self.reveal_step(min(self._graph.run.active))

    def reveal_selected(self) -> None:
        """Pan to what is selected."""
        graph = self._graph
        if graph.selected is not None:
            self.reveal_step(graph.selected)
        group = graph.groups.area(graph.groups.selected)
        if group is not None:
            self.settle()
            self._view.reveal_rect(group)
        edge = graph.edge_item(graph.selected_transition)
        if edge is not None:
            self._view.reveal_rect(edge.boundingRect())

    def zoom_to_selection(self) -> None:
        """Show what is selected with a bit around it; all where nothing is."""
        view = self._view
        node = self._graph.step_item(self._graph.selected)
        edge = self._graph.edge_item(self._graph.selected_transition)
        if node is not None:
            view.fit_rect(node.frame.adjusted(-160, -120, 160, 120))
        elif (group := self._graph.groups.area(self._graph.groups.selected)) is not None:
            view.fit_rect(group.adjusted(-40, -40, 40, 40))
        elif edge is not None:
            view.fit_rect(edge.boundingRect().adjusted(-60, -60, 60, 60))
        else:
            view.fit()

    def selected_frame(self) -> QRectF | None:
        """Where the selected step or transition is; None where nothing is selected."""
        graph = self._graph
        node, edge = graph.step_item(graph.selected), graph.edge_item(graph.selected_transition)
        if node is not None:
            return node.frame
        return edge.boundingRect() if edge is not None else graph.groups.area(graph.groups.selected)

    def selected_area(self) -> QRectF | None:
        """As `selected_frame`, with the card that a closure step has beside it."""
        frame, card = self.selected_frame(), self._graph.run_layer.card
        return frame if frame is None or card is None else frame.united(card.sceneBoundingRect())

    def shows_end(self) -> bool:
        """Whether an end is in sight."""
        seen = self._view.seen_area()
        return any(seen.contains(item.frame) for item in self._graph.nodes.values() if isinstance(item, EndItem))
