"""A dock of the window: a panel under a quiet title."""

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
        self._row = QHBoxLayout(bar)
        self._row.addWidget(self._title)
        self._row.addStretch(1)
        self.show_title(titled)
        self.setTitleBarWidget(bar)
        holder = QWidget()
        holder.setObjectName("dockBody")
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        self.setWidget(holder)
        column.addWidget(body)  # last: under a style sheet whatever moves is dressed again, with all in it

    def show_title(self, on: bool) -> None:
        """Whether the title stands above the panel."""
        self._title.setVisible(on)
        self._row.setContentsMargins(16, 12 if on else 0, 16, 4 if on else 0)

    def set_title(self, text: str) -> None:
        """The title on the dock and in the View menu."""
        self.setWindowTitle(text)
        self._title.set_title(text)
