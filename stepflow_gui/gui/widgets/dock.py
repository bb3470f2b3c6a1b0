"""A dock of the window: a panel under a quiet title, and the room that docks get at first."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import language


def title_text(text: str) -> str:
    """A panel's title: capitals where the script has them."""
    return text if language() == "ja" else text.upper()


def title_font() -> QFont:
    """10 px bold; 11 px in Japanese, whose signs are denser (visual.md)."""
    return ui_font(11 if language() == "ja" else 10, QFont.Weight.Bold)


class PanelTitle(QLabel):
    """The title of a panel or of a part of it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panelTitle")
        self.set_title(text)

    def set_title(self, text: str) -> None:
        """Show another title, in the form that the language wants."""
        self.setFont(title_font())
        self.setText(title_text(text))


class PanelDock(QDockWidget):
    """Holds one panel; can be hidden, moved and floated. `name` is its stable id for saved window states."""

    def __init__(self, name: str, body: QWidget, window: QMainWindow, titled: bool = True) -> None:
        super().__init__(window)
        self.setObjectName(name)
        self._title = PanelTitle()
        bar = QWidget()
        bar.setObjectName("panel")
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 12 if titled else 0, 16, 4 if titled else 0)
        row.addWidget(self._title)
        row.addStretch(1)
        self._title.setVisible(titled)
        self.setTitleBarWidget(bar)
        holder = QWidget()
        holder.setObjectName("dockBody")
        self._column = QVBoxLayout(holder)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setWidget(holder)
        self._column.addWidget(body)  # last: under a style sheet whatever moves is dressed again, with all in it

    def take_back(self, body: QWidget) -> None:
        """Hold the panel again, which was elsewhere for a while."""
        self._column.addWidget(body)
        body.show()

    def set_title(self, text: str) -> None:
        """The title on the dock and in the View menu."""
        self.setWindowTitle(text)
        self._title.set_title(text)


def share_room(window: QMainWindow, docks: Sequence[QDockWidget]) -> None:
    """Give left, right upper, right lower and bottom dock their first sizes; most of a small window is the canvas."""
    left, upper, lower, bottom = docks
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    wide, high = window.width(), window.height()
    sides = [min(200, max(140, wide * 5 // 32)), min(400, max(270, wide * 5 // 16))]
    window.resizeDocks([left, upper], sides, across)
    window.resizeDocks([upper, lower], [420, 330], down)
    window.resizeDocks([bottom], [260 if high >= 760 else max(150, high * 7 // 25)], down)
