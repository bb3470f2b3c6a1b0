"""Showing only a part of the graph: the steps that are asked for, and what lies between them."""

from PySide6.QtCore import QRectF

from stepflow_gui.gui.canvas.items.group_item import GroupItem
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.layers.entry_regions import EntryRegions
from stepflow_gui.gui.canvas.scene_items import CanvasNode, SceneItems


class Filter:
    """Hides the items of one scene that aren't asked for. What is shown stays in its place."""

    def __init__(self, scene: SceneItems, regions: EntryRegions) -> None:
        self._scene = scene
        self._regions = regions
        self.steps: frozenset[str] | None = None  # None: all
        self._hides = False

    def show_only(self, steps: frozenset[str] | None) -> None:
        """Show these steps, None all, with the ends and missing steps that they go to."""
        self.steps = steps
        self.apply()

    def apply(self) -> None:
        """Hide and show what has to be, also of what is new on the scene."""
        if self.steps is None and not self._hides:
            return
        self._hides = self.steps is not None
        scene = self._scene
        shown = {node for node, item in scene.nodes.items() if self._shows(item)}
        targets = {target for source, target in scene.edges if source in shown and target.kind != "step"}
        for node, item in scene.nodes.items():
            item.setVisible(self.steps is None or node in shown or node in targets)
        for edge in scene.edges.values():
            on = scene.nodes[edge.route.source].isVisible() and scene.nodes[edge.route.target].isVisible()
            edge.setVisible(on)
            if edge.label is not None:
                edge.label.setVisible(on)
        if scene.caption is not None:
            scene.caption.setVisible(any(item.step.is_section for item in scene.steps() if item.isVisible()))
        self._regions.show_flow()
        for node, entry in scene.entries.items():
            entry.setVisible(node in scene.nodes and scene.nodes[node].isVisible())

    def bounds(self) -> QRectF | None:
        """Around what is shown; None while all is."""
        if self.steps is None:
            return None
        around = QRectF()
        for item in self._scene.nodes.values():
            if item.isVisible():
                around = around.united(item.frame)
        for edge in self._scene.edges.values():
            if edge.isVisible():
                around = around.united(edge.boundingRect())
        return around

    def _shows(self, item: CanvasNode) -> bool:
        """Whether it is one of the steps, or holds one."""
        if isinstance(item, GroupItem):
            return self.steps is None or not self.steps.isdisjoint(item.card.group.steps)
        return isinstance(item, NodeItem) and (self.steps is None or item.step.id in self.steps)
