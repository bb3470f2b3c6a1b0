"""What the window shows while no agent is open: what it is for, and two ways to begin."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from stepflow_gui.gui.fonts import ui_font
from stepflow_gui.gui.theme import Theme
from stepflow_gui.messages import _


class Welcome(QWidget):
    """The empty state."""

    open_wanted = Signal()
    example_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._icon = QLabel()
        self._title = QLabel()
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        self._text.setProperty("muted", True)
        self._open = QPushButton()
        self._open.setAutoDefault(True)  # Enter presses it, as Space does
        self._open.setProperty("primary", True)
        self._example = QPushButton()
        self._example.setAutoDefault(True)
        self._open.clicked.connect(self.open_wanted)
        self._example.clicked.connect(self.example_wanted)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self._open)
        buttons.addWidget(self._example)
        buttons.addStretch(1)
        self._title.setWordWrap(True)
        page = QWidget()
        page.setMaximumWidth(480)
        middle = QHBoxLayout(self)
        middle.addStretch(1)
        middle.addWidget(page, 100)
        middle.addStretch(1)
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addStretch(1)
        for label in (self._icon, self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        column.addSpacing(8)
        column.addLayout(buttons)
        column.addStretch(2)
        self.setFocusProxy(self._open)
        self.retranslate()
        self.set_theme(theme)

    def retranslate(self) -> None:
        """Show the page in the language in use."""
        self._title.setFont(ui_font(18, QFont.Weight.DemiBold))
        self._title.setText(_("Open an agent to see its flow"))
        self._text.setFont(ui_font(13))
        self._text.setText(
            _(
                "Open the folder of an agent, a steps_registry.json, or drop either on this window."
                " Stepflow draws the steps, checks them while you edit, and lets you step through a run."
            )
        )
        self._open.setText(_("Open Folder…"))
        self._example.setText(_("Open the Example"))

    def set_theme(self, theme: Theme) -> None:
        """Tint the picture."""
        self._icon.setPixmap(theme.pixmap("stepflow", "accent", 48, ratio=self.devicePixelRatioF()))
