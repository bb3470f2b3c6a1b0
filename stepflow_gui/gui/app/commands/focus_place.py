"""Where in a window the keyboard was last: on a panel, or in another field for text."""

from collections.abc import Mapping

from PySide6.QtCore import QObject
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from stepflow_gui.gui.widgets.actions import Place

TextWidget = QLineEdit | QPlainTextEdit | QTextEdit
_TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit)


class FocusPlace(QObject):
    """Follows the keyboard in a window. Menus and what pops up leave it as it was: they act on where it was before."""

    def __init__(self, window: QWidget, panels: Mapping[Place, QWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._panels = panels
        self.place: Place = ""
        self.text: TextWidget | None = None  # the field that has it, if it is in one
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._moved)

    def _moved(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is None or isinstance(now, QMenu | QMenuBar) or now.window() is not self._window.window():
            return
        if not self._window.isAncestorOf(now):
            return
        field = now.findChild(QLineEdit) if isinstance(now, QAbstractSpinBox) else now
        self.text = field if isinstance(field, _TEXTS) else None
        within = (place for place, panel in self._panels.items() if panel is now or panel.isAncestorOf(now))
        place: Place = next(within, "")
        # A field on the canvas is a text; in the source all is of the text.
        self.place = "text" if self.text is not None and place != "source" else place
