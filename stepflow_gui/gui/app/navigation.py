"""Getting about in a window: flow or agent, the palette, jumps back and forth, what entries show, the minimap."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QUndoStack
from PySide6.QtWidgets import QMenu, QUndoView

from stepflow_gui.flow.entry_regions import successors
from stepflow_gui.flow.reach import reached
from stepflow_gui.gui.agent.view import AgentView
from stepflow_gui.gui.app.back_forward import BackForward
from stepflow_gui.gui.app.palette_entries import entries_of
from stepflow_gui.gui.document.document import Document, Selection
from stepflow_gui.gui.editing.canvas_commands import fill_steps_menu
from stepflow_gui.gui.editing.step_files import StepFilesJump
from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.flow.model import Flow
    from stepflow_gui.gui.app.window import MainWindow

_JUMP = "jump"


class Navigation:
    """What of it belongs to one window. `set_document` tells which agent is open."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._document: Document | None = None
        self._jumps = BackForward()
        self._entry: str | None = None  # the verdict type whose steps are shown; "" is that of `entryStep`
        self.entries = QMenu()
        self.entries.aboutToShow.connect(self._fill_entries)
        self.steps = QMenu()
        self.steps.aboutToShow.connect(self._fill_steps)
        self.history = QUndoView()
        self._nothing = QUndoStack(window)  # the history while no agent is open
        self.history.setObjectName("history")
        self.history.setFrameShape(QUndoView.Shape.NoFrame)
        self.agent = AgentView(window)
        self.files = StepFilesJump(window)
        bind = window.actions_.bind
        bind("palette", self.open_palette)
        bind("jump-back", partial(self._jump, forth=False))
        bind("jump-forth", partial(self._jump, forth=True))
        bind("minimap", self._toggle_minimap)
        window.actions_["minimap"].setChecked(window.settings.minimap)
        window.canvas.minimap.wanted = window.settings.minimap

    def retranslate(self) -> None:
        """Show the texts in the language in use."""
        self.entries.setTitle(_("S&how Only"))
        self.steps.setTitle(_("&Steps"))
        self.history.setEmptyLabel(_("As it was opened"))
        self.history.setAccessibleName(_("History"))
        self.agent.retranslate()

    def set_document(self, document: Document | None) -> None:
        """Another agent is open, or none."""
        if self._document is not None:
            self._document.selection_changed.disconnect(self._selected)
            self._document.flow_changed.disconnect(self._flow_changed)
        self._document = document
        self.agent.set_document(document)
        self._jumps = BackForward()
        self._entry = None
        self._window.canvas.graph.filter.show_only(None)
        self.history.setStack(document.stack if document is not None else self._nothing)
        if document is not None:
            document.selection_changed.connect(self._selected)
            document.flow_changed.connect(self._flow_changed)

    def open_palette(self) -> None:
        """Open the command palette."""
        PalettePopup(self._window, self._window.theme, entries_of(self._window)).open_over(self._window)

    def show_entry(self, entry: str | None) -> None:
        """Show only the steps that an entry reaches, by its verdict type ("" for `entryStep`); None shows all."""
        self._entry = entry
        self._window.canvas.sight.show_only(self._reached())

    def _reached(self) -> frozenset[str] | None:
        document = self._document
        if document is None or self._entry is None:
            return None
        return steps_of_entry(document.good.flow, self._entry)

    def _flow_changed(self) -> None:
        if self._entry is not None:
            self._window.canvas.graph.filter.show_only(self._reached())
            self._window.canvas.refilter()

    def _fill_entries(self) -> None:
        self.entries.clear()
        flow = self._document.good.flow if self._document is not None else None
        if flow is None:
            return
        group = QActionGroup(self.entries)
        keys = dict.fromkeys(entry.key or "" for entry in flow.entries if not entry.continuation)
        for key in (None, *keys):
            title = _("All Steps") if key is None else key.replace("&", "&&") or "entryStep"
            action = QAction(title, group)
            action.setCheckable(True)
            action.setChecked(key == self._entry)
            action.triggered.connect(partial(self._show_picked, key))
            self.entries.addAction(action)

    def _fill_steps(self) -> None:
        shown = self._window.shown
        self.steps.clear()
        if shown is not None:
            fill_steps_menu(self.steps, self._window.canvas.graph, shown.editing.command)

    def _show_picked(self, key: str | None, _on: bool = False) -> None:
        self.show_entry(key)

    def _selected(self, selection: Selection) -> None:
        if selection.step is not None and selection.origin != _JUMP:
            self._jumps.visit(selection.step)

    def _jump(self, *, forth: bool) -> None:
        document = self._document
        if document is None:
            return
        there = set(document.good.flow.steps)
        step = self._jumps.forth(there) if forth else self._jumps.back(there)
        if step is not None:
            document.select(step, _JUMP)

    def _toggle_minimap(self) -> None:
        self._window.settings.minimap = self._window.actions_["minimap"].isChecked()
        self._window.canvas.minimap.wanted = self._window.settings.minimap


def steps_of_entry(flow: "Flow", key: str) -> frozenset[str]:
    """The steps that the entries of a verdict type reach; "" is `entryStep`."""
    starts = [entry.target.value for entry in flow.entries if (entry.key or "") == key and entry.target is not None]
    return frozenset(step for step in reached(starts, successors(flow)) if step in flow.steps)
