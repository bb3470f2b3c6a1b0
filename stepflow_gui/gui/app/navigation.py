"""Getting about in a window: jumps back and forth, what entries show, the minimap, the history."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtGui import QAction, QActionGroup, QUndoStack
from PySide6.QtWidgets import QMenu, QUndoView

from stepflow_gui.flow.entry_regions import successors
from stepflow_gui.flow.reach import reached
from stepflow_gui.gui.app.back_forward import BackForward
from stepflow_gui.gui.desk import Desk, Fact, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.step_terms import has_movements
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace, MenuSpec
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.flow.model import Flow

_JUMP = "jump"


class Navigation(Feature):
    """Jumps back and forth, which entry's steps are shown, the minimap, the list of the history."""

    facts: ClassVar[frozenset[Fact]] = frozenset({"flow", "selection"})

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._document: Document | None = None
        self._jumps = BackForward()
        self._entry: str | None = None  # the verdict type whose steps are shown; "" is that of `entryStep`
        self.entries = QMenu(desk.window)
        self.entries.aboutToShow.connect(self._fill_entries)
        self.history = QUndoView()
        self._nothing = QUndoStack(desk.window)  # the history while no agent is open
        self.history.setObjectName("history")
        self.history.setFrameShape(QUndoView.Shape.NoFrame)
        desk.canvas.minimap.wanted = desk.settings.minimap
        desk.canvas.set_loops_as_edges(desk.settings.loop_edges)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Jumps, the minimap, self-loops."""
        row = ActionSpec
        return (
            row(
                *("jump-back", lambda: _("Go &Back"), partial(self._jump, forward=False), MenuPlace("edit", 410)),
                keys=("Alt+Left",),
                needs_agent=True,
            ),
            row(
                *("jump-forth", lambda: _("Go For&ward"), partial(self._jump, forward=True), MenuPlace("edit", 420)),
                keys=("Alt+Right",),
                needs_agent=True,
            ),
            row(
                *("minimap", lambda: _("&Minimap"), self._toggle_minimap, MenuPlace("view", 310)),
                checked=lambda: self._desk.settings.minimap,
            ),
            row(
                *("loop-edges", lambda: _("Self-loops as Ed&ges"), self._toggle_loops, MenuPlace("view", 315)),
                checked=lambda: self._desk.settings.loop_edges,
            ),
        )

    def menu_rows(self) -> tuple[MenuSpec, ...]:
        """Which entry's steps are shown."""
        return (MenuSpec(self.entries, MenuPlace("view", 330)),)

    def retranslate(self) -> None:
        """Show the texts in the language in use."""
        self.entries.setTitle(_("Show O&nly"))
        self.history.setEmptyLabel(_("As it was opened"))
        self.history.setAccessibleName(_("History"))

    def set_document(self, document: Document | None) -> None:
        """Another agent is open, or none."""
        self._document = document
        self._jumps = BackForward()
        self._entry = None
        self._desk.canvas.graph.filter.show_only(None)
        self.history.setStack(document.stack if document is not None else self._nothing)

    def refresh(self, changed: frozenset[Fact]) -> None:
        """Follow what changed."""
        if self._document is None:
            return
        if "flow" in changed and self._entry is not None:
            self._desk.canvas.show_only(self._reached())
        selection = self._document.selection
        if "selection" in changed and selection.step is not None and selection.origin != _JUMP:
            self._jumps.visit(selection.step)

    def show_entry(self, entry: str | None) -> None:
        """Show only the steps that an entry reaches, by its verdict type ("" for `entryStep`); None shows all."""
        self._entry = entry
        self._desk.canvas.show_only(self._reached())
        self._desk.canvas.fit()

    def _reached(self) -> frozenset[str] | None:
        document = self._document
        if document is None or self._entry is None:
            return None
        return steps_of_entry(document.last_valid.flow, self._entry)

    def _fill_entries(self) -> None:
        self.entries.clear()
        flow = self._document.last_valid.flow if self._document is not None else None
        if flow is None:
            return
        group = QActionGroup(self.entries)
        keys = dict.fromkeys(entry.key or "" for entry in flow.entries if not entry.continuation)
        for key in (None, *keys):
            every = _("All Movements") if has_movements(flow) else _("All Steps")
            title = every if key is None else key.replace("&", "&&") or "entryStep"
            action = QAction(title, group)
            action.setCheckable(True)
            action.setChecked(key == self._entry)
            action.triggered.connect(partial(self._show_picked, key))
            self.entries.addAction(action)

    def _show_picked(self, key: str | None, _on: bool = False) -> None:
        self.show_entry(key)

    def _jump(self, *, forward: bool) -> None:
        document = self._document
        if document is None:
            return
        there = set(document.last_valid.flow.steps)
        step = self._jumps.forth(there) if forward else self._jumps.back(there)
        if step is not None:
            document.select(step, _JUMP)

    def _toggle_minimap(self) -> None:
        self._desk.settings.minimap = self._desk.actions["minimap"].isChecked()
        self._desk.canvas.minimap.wanted = self._desk.settings.minimap

    def _toggle_loops(self) -> None:
        self._desk.settings.loop_edges = self._desk.actions["loop-edges"].isChecked()
        self._desk.canvas.set_loops_as_edges(self._desk.settings.loop_edges)


def steps_of_entry(flow: "Flow", key: str) -> frozenset[str]:
    """The steps that the entries of a verdict type reach; "" is `entryStep`."""
    starts = [entry.target.value for entry in flow.entries if (entry.key or "") == key and entry.target is not None]
    return frozenset(step for step in reached(starts, successors(flow)) if step in flow.steps)
