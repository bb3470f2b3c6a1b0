"""What the window shows while no agent is open: what it is for, and how to begin."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from stepflow_gui.gui.app.recent import recent_names
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_MOST = 5  # agents that were opened last


class Welcome(QWidget):
    """The empty state."""

    open_wanted = Signal()
    new_wanted = Signal()
    example_wanted = Signal()
    recent_wanted = Signal(object)
    tour_wanted = Signal()

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
        self._new = QPushButton()
        self._new.setAutoDefault(True)
        self._new.clicked.connect(self.new_wanted)
        self._example = QPushButton()
        self._example.setAutoDefault(True)
        self._open.clicked.connect(self.open_wanted)
        self._example.clicked.connect(self.example_wanted)
        self.tour = QPushButton()
        self.tour.setObjectName("quietLink")
        self.tour.setAutoDefault(True)
        self.tour.clicked.connect(self.tour_wanted)
        self.recent: list[QPushButton] = []
        self._recent_title = QLabel()
        self._recent_title.setProperty("muted", True)
        self._recent_title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        self._lay_out()
        self.setFocusProxy(self._open)
        self.retranslate()
        self.set_theme(theme)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self._open)
        buttons.addWidget(self._new)
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
        column.addWidget(self.tour, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(8)
        column.addWidget(self._recent_title)
        column.addLayout(self._recent)
        column.addStretch(2)

    def minimumSizeHint(self) -> QSize:
        """What the page needs; nothing behind the canvas, whose window may be smaller."""
        return QSize() if self.isHidden() else super().minimumSizeHint()

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        holder = self.parentWidget()
        while holder is not None:  # in a window that was never shown nothing else requests the space again
            holder.updateGeometry()
            holder = holder.parentWidget()

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
        self.tour.setFont(ui_font(12))
        self.tour.setText(_("New here? Take the one-minute tour"))
        self._recent_title.setFont(ui_font(11))
        self._recent_title.setText(_("Recent"))
        for button in self.recent:
            button.setFont(ui_font(12))
        self._open.setText(_("Open Folder…"))
        self._new.setText(_("New Agent…"))
        self._example.setText(_("Open Example"))

    def show_recent(self, paths: Sequence[Path]) -> None:
        """Offer what was opened last, as far as it is there."""
        for button in self.recent:
            button.hide()
            button.deleteLater()
        there = [each for each in paths if each.exists()][:_MOST]
        self.recent = [self._link(path, name) for path, name in zip(there, recent_names(there), strict=True)]
        for button in self.recent:
            self._recent.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        self._recent_title.setVisible(bool(self.recent))

    def _link(self, path: Path, name: str) -> QPushButton:
        button = QPushButton(name.replace("&", "&&"))
        button.setObjectName("quietLink")
        button.setAutoDefault(True)
        button.setFont(ui_font(12))
        button.setToolTip(str(path))
        button.clicked.connect(lambda _checked=False: self.recent_wanted.emit(path))
        return button

    def set_theme(self, theme: Theme) -> None:
        """Tint the picture."""
        self._icon.setPixmap(theme.pixmap("stepflow", "accent", 48, ratio=self.devicePixelRatioF()))


class ReadingPage(QLabel):
    """Instead of it while a large file is read."""

    def __init__(self) -> None:
        super().__init__()
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setProperty("muted", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_file(self, file: Path) -> None:
        """Say which file is read."""
        size = file.stat().st_size / 1_000_000
        self.setText(_("Reading {file} ({size:.1f} MB)…").format(file=file.name, size=size))
        self.setFont(ui_font(13))
