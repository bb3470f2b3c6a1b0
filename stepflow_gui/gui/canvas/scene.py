"""The scene: one item a node, edge, label and sign, kept in step with a flow and its layout."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene

from stepflow_gui.flow.layout.shapes import Box, EntryMark, Layout, NodeId, Route
from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem, LoopItem, loop_routes
from stepflow_gui.gui.canvas.items.label_item import LabelItem
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.items.outcome_looks import outcome_of
from stepflow_gui.gui.canvas.items.sign_items import ActiveRing, CaptionItem, EndItem, EntryItem, GhostItem
from stepflow_gui.gui.canvas.items.transition_badges import edge_of_each, refs_of
from stepflow_gui.gui.canvas.layers.entry_regions import EntryRegions
from stepflow_gui.gui.canvas.layers.filtering import Filter
from stepflow_gui.gui.canvas.layers.group_layer import GroupLayer
from stepflow_gui.gui.canvas.layers.run_layer import RunLayer
from stepflow_gui.gui.canvas.layers.trunks import Trunks
from stepflow_gui.gui.canvas.marks import NO_RUN, RunMarks, SeverityCounts, TransitionRef, changed_keys
from stepflow_gui.gui.canvas.metrics import NodeShape
from stepflow_gui.gui.canvas.scene_items import CanvasNode, EdgeKey, SceneItems
from stepflow_gui.messages import _

CHUNK = 200  # items made before others get their turn
_SHOWN = 0.2  # of one that is made, for one that is there and is shown again
_CAPTION_ABOVE = _OFFERED = 28.0  # the latter is the size of an end that isn't laid out


class GraphScene(SceneItems):
    """The items of one flow. The view queries and updates it; nothing in here emits signals of its own."""

    def __init__(self, pens: CanvasPens) -> None:
        super().__init__(pens)
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.BspTreeIndex)
        pens.own_icons(self)
        self._shapes: Mapping[str, NodeShape] = {}
        self._loops: dict[EdgeKey, Route] = {}  # those that are signs on pills
        self._rings: dict[str, ActiveRing] = {}
        self._dragged: set[NodeId] = set()  # nodes whose items stand elsewhere than in the layout
        self.run_layer = RunLayer(self)
        self.groups = GroupLayer(self)
        self.regions = EntryRegions(self, self.groups)
        self.filter = Filter(self, self.regions)
        self._trunks = Trunks(self)

    def show_layout(
        self, flow: Flow, layout: Layout, shapes: Mapping[str, NodeShape], verdict: str | None
    ) -> Iterator[None]:
        """Show that flow, laid out like that: what already exists is kept and moved, the rest made in chunks.

        Yields after each chunk; the caller goes on when it likes, or leaves it for another `show_layout`.
        """
        self.flow, self.layout, self._shapes = flow, layout, shapes
        self._dragged.clear()
        self._loops = dict(loop_routes(flow, layout, shapes))
        routes = {(route.source, route.target): route for route in layout.routes} | self._loops
        self._edge_of = edge_of_each(routes)
        self._remove_all_but(layout.boxes.keys(), routes.keys(), {mark.target for mark in layout.entries})
        self._show_caption()
        made = 0.0
        for node, box in layout.boxes.items():
            made += self._show_node(node, box) or _SHOWN
            if made >= CHUNK:
                made = 0.0
                yield
        self._edges_at = {}
        for key, route in routes.items():
            made += self._show_edge(key, route) or _SHOWN
            if made >= CHUNK:
                made = 0.0
                yield
        for mark in layout.entries:
            self._show_entry(mark, verdict)
        self.regions.show_flow()
        if self.groups.cards:
            self.groups.place()
        self._show_trunks()
        self._select_again()
        self._show_rings()
        self.run_layer.place()
        yield

    def refresh(self, flow: Flow, verdict: str | None) -> None:
        """Take a new reading of the flow that is drawn just as the one before."""
        self.flow = flow
        regated: set[str] = set()
        for node in self.steps():
            before, node.step = node.step, flow.steps[node.step.id]
            if _allowed(before) != _allowed(node.step):
                regated.add(node.step.id)
        self._mark_dead(regated)
        for entry in self.entries.values():
            self._mark_used(entry, verdict)
        self.regions.show_flow()

    @property
    def current(self) -> str | None:
        return self.selected or self.groups.selected

    def stops(self) -> dict[str, QRectF]:
        return self.step_frames() | self.groups.stops()

    def accessible_name(self, step: str) -> str:
        return self.groups.accessible_name(step) if step in self.groups.cards else super().accessible_name(step)

    def content_rect(self) -> QRectF:
        """Around all that is drawn, steps moved manually included."""
        rect = QRectF()
        for node in self.nodes.values():
            rect = rect.united(node.frame)
        for edge in self.edges.values():
            rect = rect.united(edge.boundingRect())
            if edge.label is not None:
                rect = rect.united(edge.label.sceneBoundingRect())
        for entry in self.entries.values():
            rect = rect.united(entry.boundingRect())
        if self.caption is not None:
            rect = rect.united(QRectF(self.caption.pos(), self.caption.pos() + QPointF(200, 20)))
        for area in (*(area for _name, area in self.regions.bands.areas), *self.groups.fields.values()):
            rect = rect.united(area)
        return rect

    def select(
        self,
        step: str | None,
        transition: TransitionRef | None = None,
        also: frozenset[str] = frozenset(),
        part: str = "",
    ) -> None:
        """Mark a step, a transition or neither as the selected one, and other steps as selected with it."""
        self._mark_selected(chosen=False)
        self.selected, self.selected_transition = step, transition
        self.also, self.part = also - {step}, part
        self._mark_selected(chosen=True)
        if self.groups.cards:
            self.groups.mark()

    def set_diagnostics(self, counts: Mapping[str, SeverityCounts], broken: Collection[tuple[str, str]]) -> bool:
        """Badges by step, and the intents (step, intent) that break the contract. Whether the badges are others now."""
        recounted = {*changed_keys(self.counts, counts)}
        remarked = {step for step, _intent in {*self.broken} ^ {*broken}}
        self.counts, self.broken = counts, broken
        for step in recounted | remarked:
            node = self.step_item(step)
            if node is not None:
                self._mark_diagnostics(node)
        self._mark_dead(remarked)
        if recounted and self.groups.cards:
            self.groups.mark()
        return bool(recounted)

    def set_run(self, run: RunMarks) -> None:
        """Show where a run is and where it has been."""
        before, self.run = self.run, run
        for step in (*changed_keys(before.step_visits, run.step_visits), *changed_keys(before.heat, run.heat)):
            node = self.step_item(step)
            if node is not None:
                self._mark_run(node)
        for ref in {*changed_keys(before.move_visits, run.move_visits), before.taken, run.taken}:
            edge = self.edge_item(ref)
            if edge is not None:
                self._mark_edge_run(edge)
                self._mark_run(self.nodes[edge.route.target])
        self._show_rings()

    def set_pens(self, pens: CanvasPens) -> None:
        """Paint everything again in another theme."""
        self.pens = pens
        pens.own_icons(self)
        for item in self._painted():
            item.pens = pens
            item.update()
        self.run_layer.set_pens(pens)
        self.regions.set_pens(pens)
        self.groups.set_pens(pens)
        self._trunks.set_pens(pens)

    def move_nodes(self, keys: Iterable[str], by: QPointF) -> set[NodeId]:
        """Shift steps and cards of groups; their edges follow without being laid again."""
        moved = {node for key in keys for node in (NodeId("step", key), NodeId("group", key)) if node in self.nodes}
        for node in moved:
            item = self.nodes[node]
            item.setPos(item.pos() + by)
            self._dragged.add(node)
            entry = self.entries.get(node)
            if entry is not None:
                entry.place(entry.mark.shifted(by.x(), by.y()))
        steps = [node.name for node in moved if node.kind == "step"]
        self.regions.place(steps)
        if self.groups.cards:
            self.groups.place(steps)
        self._show_trunks(without=self._dragged)
        for edge in {id(edge): edge for node in moved for edge in self.edges_at(node)}.values():
            edge.stretch(by, source=edge.route.source in moved, target=edge.route.target in moved)
        self._place_rings()
        self.run_layer.place()
        return moved

    def _show_trunks(self, without: Collection[NodeId] = ()) -> None:
        if self._trunks.item is not None or any(route.bundle for route in self.layout.routes):
            self._trunks.show_routes(self.layout.routes, without)

    def update_layout(self, layout: Layout) -> None:
        """Take a layout of the same flow in which some nodes are elsewhere; only what hangs on them is touched."""
        before, self.layout = self.layout.boxes, layout
        moved = [node for node, box in layout.boxes.items() if before[node] != box or node in self._dragged]
        self._dragged.clear()
        for node in moved:
            self.nodes[node].setPos(layout.boxes[node].x, layout.boxes[node].y)
        self.regions.place([node.name for node in moved])
        if self.groups.cards:
            self.groups.place()
        assert self.flow is not None
        steps = [node.name for node in moved if node.kind == "step"]
        loops = dict(loop_routes(self.flow, layout, self._shapes, steps))
        self._loops |= loops
        for key, route in chain((((route.source, route.target), route) for route in layout.routes), loops.items()):
            edge = self.edges.get(key)
            if edge is not None and edge.route is not route and edge.route != route:
                edge.show_route(route)
                self._show_label(edge)
        for mark in layout.entries:
            if mark.target in self.entries and self.entries[mark.target].mark != mark:
                self.entries[mark.target].place(mark)
        self._show_trunks()
        self._place_rings()
        self.run_layer.place()

    def retranslate(self) -> None:
        """Show own texts in the language in use."""
        if self.caption is not None:
            self.caption.set_text(_("Prompt sections"))

    def _painted(
        self,
    ) -> Iterator[CanvasNode | EdgeItem | LabelItem | EntryItem | ActiveRing | CaptionItem]:
        yield from self.nodes.values()
        yield from self.edges.values()
        yield from (edge.label for edge in self.edges.values() if edge.label is not None)
        yield from self.entries.values()
        yield from self._rings.values()
        if self.caption is not None:
            yield self.caption

    def _remove_all_but(
        self, nodes: Collection[NodeId], edges: Collection[EdgeKey], entries: Collection[NodeId]
    ) -> None:
        for key in [key for key in self.edges if key not in edges]:
            edge = self.edges.pop(key)
            self._remove_label(edge)
            self.removeItem(edge)
        for node in [node for node in self.nodes if node not in nodes]:
            self.removeItem(self.nodes.pop(node))
        for node in [node for node in self.entries if node not in entries]:
            self.removeItem(self.entries.pop(node))

    def _show_node(self, node: NodeId, box: Box) -> int:
        """Make or update a node's item; 1 where one was made."""
        item = self.nodes.get(node)
        made = item is None
        if item is None or (isinstance(item, EndItem | GhostItem) and item.frame.width() != box.width):
            if item is not None:
                self.removeItem(item)
            item = self._make_node(node, box)
            self.nodes[node] = item
            self.addItem(item)
        elif isinstance(item, NodeItem) and self.flow is not None:
            item.show_step(self.flow.steps[node.name], self._shapes[node.name])
        item.setPos(box.x, box.y)
        if isinstance(item, NodeItem):
            self._mark_diagnostics(item)
        self._mark_run(item)
        return int(made)

    def _make_node(self, node: NodeId, box: Box) -> CanvasNode:
        if node.kind == "step" and self.flow is not None:
            return NodeItem(self.flow.steps[node.name], self._shapes[node.name], self.pens)
        if node.kind == "group":
            return self.groups.make(node, box)
        return EndItem(node, box, self.pens) if node.kind == "end" else GhostItem(node, box, self.pens)

    def _show_edge(self, key: EdgeKey, route: Route) -> int:
        edge = self.edges.get(key)
        made = edge is None
        if edge is None:
            edge = LoopItem(route, self.pens) if key in self._loops else EdgeItem(route, self.pens)
            self.edges[key] = edge
            self.addItem(edge)
        else:
            edge.show_route(route)
        self._show_label(edge)
        for node in dict.fromkeys((route.source, route.target)):
            self._edges_at.setdefault(node, []).append(edge)
        edge.show_outcome(outcome_of(self.flow, route))
        edge.set_state("dead", self.is_dead(route))
        edge.set_state("nominal", route.nominal)
        self._mark_edge_run(edge)
        return int(made)

    def _show_label(self, edge: EdgeItem) -> None:
        """Make, update or remove the label of an edge; one without a place has none."""
        route = edge.route
        if route.label_box is None or not route.lines:
            self._remove_label(edge)
        elif edge.label is None:
            edge.label = LabelItem(route.lines, route.label_box, self.pens, edge, beside=route.kind == "loop")
            edge.label.sign(edge.outcome)
            edge.label.follow(edge.look, edge.visits)
            edge.label.setVisible(edge.isVisible())
            self.addItem(edge.label)
        else:
            edge.label.show_lines(route.lines, route.label_box)
        if edge.label is not None:
            edge.label.repeats = route.kind != "loop" and not route.bundle and self._can_be_read(route)

    def _can_be_read(self, route: Route) -> bool:
        """Whether the pill that an edge begins at says all that its label does."""
        shape = self._shapes.get(route.source.name)
        shown = {pill.text for pill in shape.pills if pill.intent is not None} if shape is not None else set()
        return len(route.lines) == 1 and route.label in shown

    def _remove_label(self, edge: EdgeItem) -> None:
        if edge.label is not None:
            self.removeItem(edge.label)
            edge.label = None

    def offer_end(self, node: NodeId, near: QRectF) -> None:
        """Stand an end beside a step for as long as one is wanted that isn't in sight: below its right corner."""
        item = EndItem(node, Box(0, 0, _OFFERED, _OFFERED), self.pens)
        item.setPos(near.bottomRight() + QPointF(48, 40))
        while any(other.frame.intersects(item.frame) for other in self.nodes.values()):
            item.moveBy(0, _OFFERED * 2)
        self.nodes[node] = item
        self.addItem(item)

    def withdraw_end(self, node: NodeId) -> None:
        """Take an offered end away."""
        self.removeItem(self.nodes.pop(node))

    def _show_entry(self, mark: EntryMark, verdict: str | None) -> None:
        entry = self.entries.get(mark.target)
        if entry is None:
            entry = EntryItem(mark, self.pens)
            self.entries[mark.target] = entry
            self.addItem(entry)
        else:
            entry.place(mark)
        self._mark_used(entry, verdict)

    def _mark_used(self, entry: EntryItem, verdict: str | None) -> None:
        target = entry.mark.target
        used = self.flow.entry_target(verdict) if self.flow is not None and verdict is not None else None
        entry.set_used(used in {None, target.name} or self.groups.key_of.get(used or "") == target.name)

    def _show_caption(self) -> None:
        boxes = {} if self.groups.cards else self.layout.steps
        sections = [box for step, box in boxes.items() if step.startswith("section.")]
        if self.caption is not None and not sections:
            self.removeItem(self.caption)
            self.caption = None
        if sections:
            if self.caption is None:
                self.caption = CaptionItem(_("Prompt sections"), self.pens)
                self.addItem(self.caption)
            self.caption.setPos(min(box.x for box in sections), min(box.y for box in sections) - _CAPTION_ABOVE)

    def _mark_dead(self, steps: Collection[str]) -> None:
        for step in steps:
            node = NodeId("step", step)
            for edge in self.edges_at(node):
                if edge.route.source == node:
                    edge.set_state("dead", self.is_dead(edge.route))

    def _mark_diagnostics(self, node: NodeItem) -> None:
        node.set_state("counts", self.counts.get(node.step.id, SeverityCounts()))
        shape = node.measured
        broken: set[str | None] = {intent for intent in shape.ports if (node.step.id, intent) in self.broken}
        if broken - {pill.intent for pill in shape.pills}:
            broken.add(None)  # one of those behind the `+n`
        node.set_state("broken", frozenset(broken))

    def _mark_run(self, node: CanvasNode) -> None:
        if isinstance(node, NodeItem):
            node.set_state("visits", self.run.step_visits.get(node.step.id, 0))
            node.set_state("heat", self.run.heat.get(node.step.id))
        elif isinstance(node, EndItem):
            node.set_state("reached", self.run.ended and self._ends_at(self.run.taken, node.node))

    def _ends_at(self, ref: TransitionRef | None, node: NodeId) -> bool:
        key = self._edge_of.get(ref) if ref is not None else None
        return key is not None and key[1] == node

    def _mark_edge_run(self, edge: EdgeItem) -> None:
        refs = refs_of(edge.route.gone) if self.run is not NO_RUN else []
        edge.set_state("visits", sum(self.run.move_visits.get(ref, 0) for ref in refs))
        edge.set_state("taken", self.run.taken in refs)

    def _show_rings(self) -> None:
        active = {step for step in self.run.active if self.step_item(step) is not None}
        if self.groups.cards:
            self.groups.mark()
        for step in [step for step in self._rings if step not in active]:
            self.removeItem(self._rings.pop(step))
        for step in active - self._rings.keys():
            ring = ActiveRing(QRectF(), self.pens)
            self._rings[step] = ring
            self.addItem(ring)
        self._place_rings()

    def _place_rings(self) -> None:
        for step, ring in self._rings.items():
            item = self.step_item(step)
            if item is not None:
                ring.surround(item.frame)

    def _mark_selected(self, *, chosen: bool) -> None:
        for step in (self.selected, *self.also):
            node = self.step_item(step)
            if node is not None:
                node.set_state("chosen", chosen)
                node.set_state("part", self.part if chosen and step == self.selected else "")
        ref = self.selected_transition
        for edge in self.edges_at(NodeId("step", ref.step)) if ref is not None else ():
            if ref in refs_of(edge.route.moves):
                edge.set_state("chosen", chosen)

    def _select_again(self) -> None:
        for edge in self.edges.values():
            edge.set_state("chosen", False)
        gone = self.selected_transition
        if gone is not None and gone not in self._edge_of:  # its kin, as after it was made conditional, else its step
            self.selected_transition = next((ref for ref in self._edge_of if ref[:2] == gone[:2]), None)
            if self.selected_transition is None and self.step_item(gone.step) is not None:
                self.selected = gone.step
        self._mark_selected(chosen=True)


def _allowed(step: Step) -> list[str] | None:
    return [text.value for text in step.gate.intents] if step.gate is not None else None


def edge_of(item: QGraphicsItem | None) -> EdgeItem | None:
    """The edge that an item is or belongs to."""
    if isinstance(item, EdgeItem):
        return item
    return item.edge if isinstance(item, LabelItem) and isinstance(item.edge, EdgeItem) else None
