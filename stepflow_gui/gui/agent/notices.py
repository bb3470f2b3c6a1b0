"""Messages above the form of an agent: an invalid text, another registry, what a change left alone."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.fields import polish
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import ui_font


class AgentNotices(QWidget):
    """Two lines: one for how the file stands, with what can be done about it, and one for the last change."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._act: Callable[[], object] | None = None
        self._status = wrapped_label(ui_font(12))
        self.button = QPushButton()
        self.button.setObjectName("quietLink")
        self.button.setFont(ui_font(12))
        self.button.clicked.connect(self._done)
        self._remark = wrapped_label(ui_font(12))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._status, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._remark)
        for label in (self._status, self._remark, self.button):
            label.hide()
        self.hide()  # until it is part of a page, whatever is shown of it would be a window of its own

    @property
    def texts(self) -> list[str]:
        """What can be read."""
        return [label.text() for label in (self._status, self._remark) if not label.isHidden()]

    def show_status(self, text: str, token: str, link: str, act: Callable[[], object] | None) -> None:
        """Show the file's status in a colour token, with a link that acts on it; nothing where all is well."""
        self._act = act
        _show_label(self._status, text, token)
        self.button.setText(link)
        self.button.setVisible(bool(text and link))
        self._fit()

    def refuse(self, text: str) -> None:
        """Show why a change wasn't made."""
        _show_label(self._remark, text, "error")
        self._fit()

    def mention(self, text: str) -> None:
        """Show what a change left alone."""
        _show_label(self._remark, text, "warning")
        self._fit()

    def _fit(self) -> None:
        self.setVisible(bool(self.texts))

    def _done(self) -> None:
        if self._act is not None:
            self._act()


def _show_label(label: QLabel, text: str, token: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))
    if label.property("token") != token:
        label.setProperty("token", token)
        polish(label)
