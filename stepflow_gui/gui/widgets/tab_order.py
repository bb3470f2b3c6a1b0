"""The order in which Tab goes through a panel that is built again, and how to leave a text in which Tab writes."""

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from stepflow_gui.messages import _

_ROW = 12  # pixels within which things are in one row
_TABS = frozenset({Qt.Key.Key_Tab, Qt.Key.Key_Backtab})
_MODIFIERS = frozenset({Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta})
_MOVED = frozenset({QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.Resize})


def takes_tab(widget: QWidget) -> bool:
    """Whether Tab can go to a widget as it is now."""
    wants = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
    return wants and widget.isVisible() and widget.isEnabled()


class ReadingOrder(QObject):
    """Keeps what Tab goes to in a scrolled panel together, right after the panel, in the order in which one reads it.

    What is made later than the window comes last of all else.
    """

    def __init__(self, panel: QScrollArea) -> None:
        super().__init__(panel)
        self._panel = panel
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._sort)
        for part in (panel.viewport(), panel.widget()):
            if part is not None:
                part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVED:
            self._later.start()
        return super().eventFilter(watched, event)

    def _sort(self) -> None:
        panel = self._panel

        def place(stop: QWidget) -> tuple[int, int]:
            at = stop.mapTo(panel, QPoint(0, stop.height() // 2))
            return at.y() // _ROW, at.x()

        stops = sorted((stop for stop in panel.findChildren(QWidget) if takes_tab(stop)), key=place)
        for before, after in pairwise([panel, *stops]):
            QWidget.setTabOrder(before, after)


class TabEscape(QObject):
    """Lets Tab leave a text in which it writes: after Escape."""

    def __init__(self, editor: QWidget) -> None:
        super().__init__(editor)
        self._editor = editor
        self._leaves = False
        editor.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self._leaves = False
            self._editor.setAccessibleDescription(_("Escape, then Tab leaves the text"))
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if self._leaves and event.key() in _TABS:
                parent = self._editor.parentWidget()
                return parent is not None and parent.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
            if event.key() not in _MODIFIERS:
                self._leaves = event.key() == Qt.Key.Key_Escape
        return super().eventFilter(watched, event)
