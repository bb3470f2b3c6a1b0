"""What of the window is shown: its panels one by one, flow and source, the canvas alone, the whole screen."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QDockWidget, QWidget

from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.dock import PanelDock
from stepflow_gui.messages import _

View = Literal["flow", "split", "source"]
_NEXT: dict[View, View] = {"flow": "split", "split": "source", "source": "flow"}


class RoomActions(Feature):
    """`side` gives the docks of the side panel, `frame` are the bars around all, `changed` is called when they hide."""

    def __init__(
        self,
        desk: Desk,
        docks: Sequence[PanelDock],
        source: QWidget,
        side: Callable[[], Sequence[QDockWidget]],
        frame: Callable[[], Sequence[QWidget]],
        changed: Callable[[], object],
    ) -> None:
        self._desk = desk
        self._inspector, self._source, self._bottom = docks
        self._text = source
        self._side = side
        self._frame = frame
        self._changed = changed
        self._before: QByteArray | None = None  # how the panels stood before the canvas was alone
        self._beside = True  # whether the source stood beside the flow before it took its place
        self._hidden: list[QWidget] = []  # bars that come back
        desk.pages.currentChanged.connect(self._page_changed)

    @property
    def canvas_only(self) -> bool:
        """Whether everything but the canvas is hidden."""
        return self._before is not None

    @property
    def view(self) -> View:
        """What is in the middle of the window."""
        if self._desk.pages.currentWidget() is self._text:
            return "source"
        return "flow" if self._source.isHidden() else "split"

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
                *("side-panel", lambda: _("Side &Panel"), self._toggle_side, at(110)),
                keys=("Ctrl+B",),
                checked=lambda: _some_shown(self._side()),
            ),
            ActionSpec(
                *("inspector", lambda: _("&Inspector"), partial(self._toggle, self._inspector), at(120)),
                keys=("Ctrl+Alt+B",),
                checked=lambda: _some_shown((self._inspector,)),
            ),
            ActionSpec(
                *("bottom-panel", lambda: _("&Bottom Panel"), partial(self._toggle, self._bottom), at(130)),
                keys=("Ctrl+J",),
                checked=lambda: _some_shown((self._bottom,)),
            ),
            ActionSpec("next-view", lambda: _("F&low / Split / Source"), self.turn, at(140), keys=("F7",)),
        )
        screen = ActionSpec(
            *("full-screen", lambda: _("F&ull Screen"), self._toggle_full_screen, at(20)),
            keys=("Shift+F11",),
            checked=lambda: self._desk.window.window().isFullScreen(),
        )
        return (*(row._replace(needs_agent=True) for row in rows), screen)

    def set_document(self, document: Document | None) -> None:
        """Another agent is open, or none: then nothing is alone."""
        if document is None:
            self.leave()

    def leave(self) -> None:
        """Show all again that is only hidden for a while."""
        if self._before is not None:
            self.toggle_canvas_only()
        if self.view == "source":
            self._desk.show_page(self._desk.canvas)

    def toggle_canvas_only(self) -> None:
        """Hide everything but the canvas, or bring the same panels back."""
        window = self._desk.window
        if self._before is not None:
            state, self._before = self._before, None
            for bar in self._hidden:
                bar.show()
            self._hidden = []
            window.restoreState(state)
        else:
            self._desk.show_page(self._desk.canvas)
            state = window.saveState()
            self._before = state
            for dock in window.findChildren(QDockWidget):
                dock.hide()
            self._hidden = [bar for bar in self._frame() if not bar.isHidden()]
            for bar in self._hidden:
                bar.hide()
            self._desk.canvas.setFocus()
        self._changed()

    def turn(self) -> None:
        """From the flow alone to flow and source, to the source alone, and round."""
        self._show_view(_NEXT[self.view])

    def show_source(self) -> None:
        """Have the source in view, wherever it is."""
        if self.view != "source":
            self._source.show()
            self._source.raise_()

    def _show_view(self, wanted: View) -> None:
        if wanted == "source":
            self._beside = not self._source.isHidden()
            self._source.hide()
            self._desk.show_page(self._text)
            self._text.show()
            self._text.setFocus()
            return
        if self.view == "source":
            self._desk.show_page(self._desk.canvas)
        self._source.setVisible(wanted == "split")
        if wanted == "flow":
            self._desk.canvas.setFocus()

    def _page_changed(self, _at: int) -> None:
        """The source goes back to its dock when something takes its place in the middle."""
        pages = self._desk.pages
        if pages.indexOf(self._text) >= 0 and pages.currentWidget() is not self._text:
            pages.removeWidget(self._text)
            self._source.take_back(self._text)
            self._source.setVisible(self._beside)

    def _toggle_side(self) -> None:
        side = self._side()
        show = not _some_shown(side)
        for dock in side:
            self._set_shown(dock, on=show)

    def _toggle(self, dock: QDockWidget) -> None:
        self._set_shown(dock, on=dock.isHidden())

    def _set_shown(self, dock: QDockWidget, *, on: bool) -> None:
        had_keyboard = dock.isAncestorOf(self._desk.window.focusWidget() or self._desk.window)
        dock.setVisible(on)
        if had_keyboard and not on:  # not to whatever comes next
            (self._desk.canvas if self.view != "source" else self._text).setFocus()

    def _toggle_full_screen(self) -> None:
        top = self._desk.window.window()
        if top.isFullScreen():
            top.showNormal()
        else:
            top.showFullScreen()


def _some_shown(docks: Sequence[QDockWidget]) -> bool:
    return any(not dock.isHidden() for dock in docks)
