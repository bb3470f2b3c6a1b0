"""What is on the canvas, by what it represents: the items of one flow, and what is selected, run and found on it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainterPath
from PySide6.QtWidgets import QGraphicsScene

from stepflow_gui.flow.layout.shapes import Box, Layout, NodeId, Route
from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem
from stepflow_gui.gui.canvas.items.group_item import GroupItem
from stepflow_gui.gui.canvas.items.names import step_name
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.items.sign_items import CaptionItem, EndItem, EntryItem, GhostItem
from stepflow_gui.gui.canvas.keyboard_order import reading_order
from stepflow_gui.gui.canvas.marks import NO_RUN, RunMarks, SeverityCounts, TransitionRef
from stepflow_gui.gui.document.movements import path_of, sub_step_at
from stepflow_gui.messages import _

CanvasNode = NodeItem | EndItem | GhostItem | GroupItem
EdgeKey = tuple[NodeId, NodeId]


class SceneItems(QGraphicsScene):
    """The items of a scene and its state, to look up; `GraphScene` makes and changes them."""

    def __init__(self, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self.flow: Flow | None = None
        self.layout = Layout({}, [], [])
        self.nodes: dict[NodeId, CanvasNode] = {}
        self.edges: dict[EdgeKey, EdgeItem] = {}
        self.entries: dict[NodeId, EntryItem] = {}
        self.caption: CaptionItem | None = None
        self.selected: str | None = None
        self.part = ""  # the pointer of the sub-step of `selected` that is selected itself
        self.also: frozenset[str] = frozenset()  # steps selected besides `selected`, the one that the window shows
        self.selected_transition: TransitionRef | None = None
        self.run: RunMarks = NO_RUN
        self.overview_marks: Callable[[], Iterable[tuple[QPainterPath, QColor]]] = tuple  # differences between versions
        self.counts: Mapping[str, SeverityCounts] = {}
        self.broken: Collection[tuple[str, str]] = frozenset()
        # Diagnostics by step and intent, for screen readers.
        self.transition_counts: Mapping[tuple[str, str], SeverityCounts] = {}
        self._edges_at: dict[NodeId, list[EdgeItem]] = {}
        self._edge_of: dict[TransitionRef, EdgeKey] = {}

    def step_item(self, step: str | None) -> NodeItem | None:
        """The item of a step."""
        item = self.nodes.get(NodeId("step", step)) if step is not None else None
        return item if isinstance(item, NodeItem) else None

    def edge_item(self, ref: TransitionRef | None) -> EdgeItem | None:
        """The item of the edge that a transition is drawn by."""
        key = self._edge_of.get(ref) if ref is not None else None
        return self.edges.get(key) if key is not None else None

    def steps(self) -> Iterator[NodeItem]:
        """The items of all steps."""
        return (item for item in self.nodes.values() if isinstance(item, NodeItem))

    def edges_at(self, node: NodeId) -> list[EdgeItem]:
        """The edges that begin or end at a node."""
        return self._edges_at.get(node, [])

    def is_dead(self, route: Route) -> bool:
        """Whether no run ever follows an edge: its gate lets none of its intents through, or they are broken."""
        return all(self._is_dead_transition(move.step, move.intent) for move in route.moves)

    def _is_dead_transition(self, step_id: str, intent: str) -> bool:
        step = self.flow.steps.get(step_id) if self.flow is not None else None
        listed = step is None or step.gate is None or step.gate.allows(intent)
        return not listed or (step_id, intent) in self.broken

    @property
    def selected_steps(self) -> list[str]:
        """All selected steps in file order."""
        return [item.step.id for item in self.steps() if item.step.id == self.selected or item.step.id in self.also]

    @property
    def current(self) -> str | None:
        """The selected step, or the key of the selected group."""
        raise NotImplementedError

    def stops(self) -> dict[str, QRectF]:
        """Where the keyboard stops: the visible steps, and groups by their keys."""
        raise NotImplementedError

    def step_frames(self) -> dict[str, QRectF]:
        """Where the visible steps are."""
        return {item.step.id: item.frame for item in self.steps() if item.isVisible()}

    def card_areas(self) -> list[QRectF]:
        """Where the visible cards and the signs of entries are."""
        cards = [item.frame for item in self.nodes.values() if item.isVisible()]
        return cards + [entry.boundingRect() for entry in self.entries.values() if entry.isVisible()]

    def box_frames(self, without: Collection[str] = ()) -> list[Box]:
        """The boxes of all nodes where they are now, without those of some steps."""
        frames = [item.frame for node, item in self.nodes.items() if node.kind != "step" or node.name not in without]
        return [Box(frame.x(), frame.y(), frame.width(), frame.height()) for frame in frames]

    def reading_order(self) -> list[str]:
        """The visible steps, and the groups, as Tab goes through them."""
        return reading_order(self.stops())

    def first_step(self) -> str | None:
        """Where the keyboard begins: the entry in use, else the first in reading order."""
        for node, entry in self.entries.items():
            if entry.used and node.kind == "step":
                return node.name
        return next(iter(self.reading_order()), None)

    def accessible_name(self, step: str) -> str:
        """What a screen reader reads of a step."""
        item = self.step_item(step)
        if item is None:
            return ""
        sub = sub_step_at(item.step, self.part) if self.part and step == self.selected else None
        if sub is not None and self.flow is not None:
            return path_of(self.flow, item.step, sub)
        name = step_name(item.step, item.counts, item.visits, active=step in self.run.active, subs=item.sub_marks)
        return name if item.heat is None else _(", ").join((name, item.heat.text))
