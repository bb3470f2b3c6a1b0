"""What of the window is shown: its panels one by one, flow and source, the canvas alone, the whole screen."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QDockWidget, QWidget

from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.dock import PanelDock
from stepflow_gui.gui.widgets.frame.middle import VIEWS, View
from stepflow_gui.messages import _


class RoomActions(Feature):
    """`docks` are the side panel, the inspector and the bottom panel; `frame` are the bars around all.

    `changed` is called when the bars hide or come back.
    """

    def __init__(
        self,
        desk: Desk,
        docks: Sequence[PanelDock],
        source: QWidget,
        frame: Callable[[], Sequence[QWidget]],
        changed: Callable[[], object],
    ) -> None:
        self._desk = desk
        self._side, self._inspector, self._bottom = docks
        self._text = source
        self._frame = frame
        self._changed = changed
        self._before: tuple[QByteArray, View] | None = None  # how the panels stood before the canvas was alone
        self._hidden: list[QWidget] = []  # bars that come back

    @property
    def canvas_only(self) -> bool:
        """Whether everything but the canvas is hidden."""
        return self._before is not None

    @property
    def view(self) -> View:
        """What is in the middle of the window."""
        return self._desk.middle.view

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Canvas only, full screen, each panel, flow and source."""
        at = partial(MenuPlace, "view")
        rows = (
            ActionSpec(
                *("canvas-only", lambda: _("C&anvas Only"), self.toggle_canvas_only, at(10)),
                keys=("F11",),
                checked=lambda: self.canvas_only,
            ),
            ActionSpec(
                *("inspector", lambda: _("&Inspector"), partial(self._toggle, self._inspector), at(120)),
                keys=("Ctrl+Alt+B",),
                checked=lambda: not self._inspector.isHidden(),
            ),
            ActionSpec(
                *("bottom-panel", lambda: _("&Bottom Panel"), partial(self._toggle, self._bottom), at(130)),
                keys=("Ctrl+J",),
                checked=lambda: not self._bottom.isHidden(),
            ),
            ActionSpec("next-view", lambda: _("F&low / Split / Source"), self.turn, at(140), keys=("F7",)),
        )
        always = (
            ActionSpec(
                *("side-panel", lambda: _("Side &Panel"), self._toggle_side, at(110)),
                keys=("Ctrl+B",),
                checked=lambda: not self._side.isHidden(),
            ),
            ActionSpec(
                *("full-screen", lambda: _("F&ull Screen"), self._toggle_full_screen, at(20)),
                keys=("Shift+F11",),
                checked=lambda: self._desk.window.window().isFullScreen(),
            ),
        )
        return (*(row._replace(needs_agent=True) for row in rows), *always)

    def set_document(self, document: Document | None) -> None:
        """Another agent is open, or none: then nothing is alone."""
        if document is None:
            self.leave()

    def leave(self) -> None:
        """Show all again that is only hidden for a while."""
        if self._before is not None:
            self.toggle_canvas_only()

    def toggle_canvas_only(self) -> None:
        """Hide everything but the canvas, or bring the same panels back."""
        window = self._desk.window
        if self._before is not None:
            (state, view), self._before = self._before, None
            for bar in self._hidden:
                bar.show()
            self._hidden = []
            window.restoreState(state)
            self._desk.middle.show_view(view)
        else:
            self._before = window.saveState(), self.view
            self._desk.show_page(self._desk.canvas)
            self._desk.middle.show_view("flow")
            for dock in window.findChildren(QDockWidget):
                dock.hide()
            self._hidden = [bar for bar in self._frame() if not bar.isHidden()]
            for bar in self._hidden:
                bar.hide()
            self._desk.canvas.setFocus()
        self._changed()

    def turn(self) -> None:
        """From the flow alone to flow and source, to the source alone, and round."""
        self.show_view(VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)])

    def show_source(self) -> None:
        """Have the source in view: beside the flow, where it isn't alone."""
        if self.view == "flow":
            self._desk.middle.show_view("split")

    def show_view(self, wanted: View) -> None:
        """Show the flow, the source, or both; what takes the whole room takes the keyboard."""
        self._desk.middle.show_view(wanted)
        if wanted != "split":
            self._focus_middle()

    def _toggle_side(self) -> None:
        side = self._desk.side
        if self._side.isHidden():
            side.turn_to(side.current)
            side.show_page(side.current)
        else:
            self._set_shown(self._side, on=False)

    def _toggle(self, dock: QDockWidget) -> None:
        self._set_shown(dock, on=dock.isHidden())

    def _set_shown(self, dock: QDockWidget, *, on: bool) -> None:
        had_keyboard = dock.isAncestorOf(self._desk.window.focusWidget() or self._desk.window)
        dock.setVisible(on)
        if had_keyboard and not on:  # not to whatever comes next
            self._focus_middle()

    def _focus_middle(self) -> None:
        page = self._text if self.view == "source" else self._desk.pages.currentWidget()
        (page or self._desk.canvas).setFocus()

    def _toggle_full_screen(self) -> None:
        top = self._desk.window.window()
        if top.isFullScreen():
            top.showNormal()
        else:
            top.showFullScreen()
