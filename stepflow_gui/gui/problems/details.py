"""The pane beside the problems: what a fix changes, what the rule is about, why a finding is left out."""

from typing import Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.problems.fix_preview import FixPreview
from stepflow_gui.gui.problems.rule_page import RulePage
from stepflow_gui.gui.problems.suppress_form import SuppressForm
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

Page = Literal["fix", "rule", "suppress"]
PAGES: tuple[Page, ...] = ("fix", "rule", "suppress")


class ProblemDetails(QWidget):
    """Three pages for the finding that is chosen. `page_wanted(page)` is emitted by its buttons, `closed` by Escape."""

    page_wanted = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.preview = FixPreview(theme)
        self.rule = RulePage(theme)
        self.form = SuppressForm()
        self._stack = QStackedWidget()
        self.buttons: dict[Page, QPushButton] = {}
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        column.addLayout(row)
        column.addWidget(self._stack, 1)
        row.setContentsMargins(16, 6, 8, 4)
        row.setSpacing(4)
        for page, widget in zip(PAGES, (self.preview, self.rule, self.form), strict=True):
            button = QPushButton()
            button.setCheckable(True)
            button.setProperty("segment", True)
            button.clicked.connect(lambda _on=False, page=page: self.page_wanted.emit(page))
            self._group.addButton(button)
            self.buttons[page] = button
            row.addWidget(button)
            self._stack.addWidget(_scrolled(widget) if page == "suppress" else widget)
        row.addStretch(1)
        self._close = QToolButton()
        self._close.setProperty("flat", True)
        self._close.setIconSize(QSize(14, 14))
        self._close.clicked.connect(self.closed)
        row.addWidget(self._close)
        self.set_theme(theme)
        self.retranslate()

    @property
    def page(self) -> Page:
        """The page in front."""
        return PAGES[self._stack.currentIndex()]

    def retranslate(self) -> None:
        """Show the pane in the language in use."""
        for page, word in zip(PAGES, (_("Fix"), _("Rule"), _("Suppress")), strict=True):
            self.buttons[page].setText(word)
            self.buttons[page].setFont(ui_font(11))
        self._close.setAccessibleName(_("Close"))
        self._close.setToolTip(_("Close (Esc)"))
        for part in (self.preview, self.rule, self.form):
            part.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._close.setIcon(theme.icon("close", "muted"))
        self.preview.set_theme(theme)
        self.rule.set_theme(theme)

    def show_page(self, page: Page) -> None:
        """Bring a page to the front."""
        self._stack.setCurrentIndex(PAGES.index(page))
        self.buttons[page].setChecked(True)

    def focus_page(self) -> None:
        """Give the keyboard to what the page in front is for."""
        if self.page == "fix":
            wanted: QWidget = self.preview.text if self.preview.button.isHidden() else self.preview.button
        else:
            wanted = self.rule.text if self.page == "rule" else self.form.reason
        wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.preview.button.hasFocus():
            self.preview.button.click()
        else:
            super().keyPressEvent(event)


def _scrolled(form: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(form)
    return area
