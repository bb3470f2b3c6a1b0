"""Side panel and inspector of a narrow window: drawers over the canvas, which Escape closes."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, QEvent, QMargins, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolButton, QWidget

from stepflow_gui.gui.widgets.controls import name_it
from stepflow_gui.gui.widgets.dock import PanelDock
from stepflow_gui.messages import _

STATE = 3  # the version of how Qt writes down where the docks are: of another one nothing is restored
_AREAS = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
_WIDTHS = (280, 360)  # pixels, as far as there is room
_BESIDE = 60  # pixels of the canvas that stay in view
_EDGE = 14  # pixels of the handle at the right edge, which opens the inspector


class Drawers(QObject):
    """`docks` are the side panel and the inspector, over `middle` while they are `folded`; `kept` is where all were.

    `leave` gives the keyboard to what is below; `open_right` opens the inspector.
    """

    covers = Signal(QMargins)  # pixels of the middle that open drawers lie over

    def __init__(
        self,
        window: QMainWindow,
        middle: QWidget,
        docks: Sequence[PanelDock],
        leave: Callable[[], object],
        open_right: Callable[[], object],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._middle = middle
        self._docks = docks
        self._leave = leave
        self.folded = False
        self.kept = b""
        self._around = middle.parentWidget()  # a splitter would give them a part of its room
        self.edge = QToolButton(self._around)
        self.edge.setObjectName("drawerEdge")
        self.edge.setArrowType(Qt.ArrowType.LeftArrow)
        self.edge.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.edge.clicked.connect(open_right)
        self.edge.hide()
        self.has_agent = False

    def retranslate(self) -> None:
        """Name the handle in the language in use."""
        name_it(self.edge, _("Inspector"), "Ctrl+2")

    def fold(self, on: bool) -> None:
        """Have the docks as drawers, all closed, or beside the canvas again, as they were there."""
        if on == self.folded:
            return
        if on:
            self.kept = bytes(self._window.saveState(STATE).data())
        self.folded = on
        for watched in (self._middle, *self._docks):
            if on:
                watched.installEventFilter(self)
            else:
                watched.removeEventFilter(self)
        for dock, area in zip(self._docks, _AREAS, strict=True):
            if on:
                self._window.removeDockWidget(dock)
                dock.setParent(self._around)
                dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
                dock.hide()
            else:
                dock.setParent(self._window)
                feature = QDockWidget.DockWidgetFeature
                dock.setFeatures(feature.DockWidgetClosable | feature.DockWidgetMovable | feature.DockWidgetFloatable)
                self._window.addDockWidget(area, dock)
        if not on:
            self._window.restoreState(QByteArray(self.kept), STATE)
        self.place()

    def close(self) -> None:
        """Close both."""
        for dock in self._docks:
            dock.hide()

    def place(self) -> None:
        """Lay the open drawers along their edges, and the handle where none is."""
        left, right = self._docks
        self.edge.setVisible(self.folded and self.has_agent and right.isHidden())
        if not self.folded:
            self.covers.emit(QMargins())
            return
        room = self._middle.geometry()
        for dock, wanted in zip(self._docks, _WIDTHS, strict=True):
            wide = max(0, min(wanted, room.width() - _BESIDE))
            dock.setGeometry(room.x() + (0 if dock is left else room.width() - wide), room.y(), wide, room.height())
            if not dock.isHidden():
                dock.raise_()
        self.edge.setGeometry(room.right() - _EDGE + 1, room.center().y() - 24, _EDGE, 48)
        self.edge.raise_()
        open_left, open_right = (0 if dock.isHidden() else dock.width() for dock in self._docks)
        self.covers.emit(QMargins(open_left, 0, open_right, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        of_middle, kind = watched is self._middle, event.type()
        if kind in ({QEvent.Type.Resize, QEvent.Type.Move} if of_middle else {QEvent.Type.Show, QEvent.Type.Hide}):
            self.place()
        elif self.folded and isinstance(watched, PanelDock) and _is_escape(event):
            watched.hide()
            self._leave()
            return True
        return super().eventFilter(watched, event)


def _is_escape(event: QEvent) -> bool:
    pressed = event.type() == QEvent.Type.KeyPress
    return pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
