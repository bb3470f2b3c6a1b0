"""The log panel: what the program noted of its own work."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.gui.document.log import Log, LogEntry
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.messages import _


class LogPanel(QWidget):
    """Follows a log. `closed()`: the person has seen enough."""

    closed = Signal()

    def __init__(self, log: Log) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._log = log
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setObjectName("explanation")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setMaximumBlockCount(2000)
        self.copy = QPushButton()
        self.close_button = QPushButton()
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        self.close_button.clicked.connect(self.closed)
        line = QHBoxLayout()
        line.setContentsMargins(12, 6, 12, 6)
        line.setSpacing(8)
        line.addStretch(1)
        line.addWidget(self.copy)
        line.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.text, 1)
        column.addLayout(line)
        for entry in log.entries:
            self._add(entry)
        log.added.connect(self._add)
        self.retranslate()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.text.setFont(mono_font(11))
        self.text.setAccessibleName(_("Log"))
        self.text.setPlaceholderText(_("No log entries yet."))
        for button, name in ((self.copy, _("Copy All")), (self.close_button, _("Close"))):
            button.setObjectName("quiet")
            button.setFont(ui_font(12))
            button.setText(name)

    def _add(self, entry: LogEntry) -> None:
        self.text.appendPlainText(entry.line)
