"""A line to type in that shows by an arrow that there is a list to choose from."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton

from stepflow_gui.gui.inspector.form_line_edit import Choices, FormLineEdit
from stepflow_gui.messages import _

_ARROW = 18  # pixels


class ChoiceField(FormLineEdit):
    """The arrow opens the list, as the Down key does."""

    def __init__(self, choices: Choices) -> None:
        super().__init__(choices)
        self._arrow = QToolButton(self)
        self._arrow.setObjectName("formTool")
        self._arrow.setText("▾")
        self._arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._arrow.setCursor(Qt.CursorShape.ArrowCursor)
        self._arrow.clicked.connect(self._open)
        self.setTextMargins(0, 0, _ARROW - 6, 0)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self._arrow.setAccessibleName(_("Choices of {field}").format(field=name))

    def setReadOnly(self, on: bool) -> None:
        super().setReadOnly(on)
        self._arrow.setVisible(not on)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrow.setGeometry(self.width() - _ARROW - 2, 2, _ARROW, self.height() - 4)

    def _open(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.drop()
