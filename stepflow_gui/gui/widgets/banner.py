"""A line above the canvas with a message and what can be done about it, instead of a dialog."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QPushButton, QSizePolicy, QWidget
from shiboken6 import isValid

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _

_GAP = 8
_ROOM = 320  # pixels that the text has beside the buttons at least

Offers = Sequence[tuple[str, Callable[[], object]]]


class _Message(NamedTuple):
    token: str
    text: str
    offers: Offers
    about: str = ""


class Banner(QWidget):
    """Hidden until there is a message; each button hides it and calls its handler, Escape hides it.

    A notice, which explains why something isn't done, goes with the next change; the message below it comes back.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._message: _Message | None = None
        self._notice: _Message | None = None
        self._came_from: QWidget | None = None  # had the keyboard before a button here did
        self._icon = QLabel()
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._answers = QWidget(self)
        self._row = WrapLayout(self._answers, _GAP)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(16, 8, 12, 8)
        self._grid.setSpacing(_GAP)
        self._grid.setColumnStretch(1, 1)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._note)
        self._grid.addWidget(self._icon, 0, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(self._text, 0, 1)
        self.hide()

    @property
    def text(self) -> str:
        """What the banner shows."""
        return self._text.text()

    def show_message(self, token: str, text: str, offers: Offers = (), *, about: str = "") -> None:
        """Show a text with an icon (`error`, `warning`, `info`) and buttons, until a button is pressed.

        What it is `about` may be over before: see `settle`.
        """
        self._message, self._notice = _Message(token, text, tuple(offers), about), None
        self._show()

    def is_about(self, about: str) -> bool:
        """Whether the message about this still stands."""
        return self._message is not None and self._message.about == about

    def settle(self, about: str) -> None:
        """Hide the message about this, if it stands."""
        if self.is_about(about):
            self._message = None
            self._show()

    def notice(self, text: str, offers: Offers = ()) -> None:
        """Show why something isn't done; it goes with the next change."""
        self._notice = _Message("warning", text, tuple(offers))
        self._show()

    def ask(self, text: str, offers: Offers) -> None:
        """As `notice`, with the keyboard on the first button; afterwards it goes back to where it was."""
        self.notice(text, offers)
        self.take_focus()

    def take_focus(self) -> None:
        """Have the keyboard on the first button; afterwards it goes back to where it was."""
        if self._buttons:
            self._came_from = QApplication.focusWidget() or self.window().focusWidget()
            self._buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def dismiss(self) -> bool:
        """Hide the notice; False where there was none."""
        if self._notice is None:
            return False
        self._notice = None
        self._show()
        return True

    def clear(self) -> None:
        """Hide message and notice."""
        self._message = self._notice = None
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Tint the icon."""
        self._theme = theme
        shown = self._notice or self._message
        if shown is not None:
            self._icon.setPixmap(theme.pixmap(shown.token, shown.token, 16, ratio=self.devicePixelRatioF()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        shown = self._notice or self._message
        if shown is None:
            self._give_back()
            self.hide()
            return
        self._text.setFont(ui_font(12))
        self._text.setText(shown.text)
        held = any(button.hasFocus() for button in self._buttons)
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [self._button(label, handler) for label, handler in shown.offers] or [self._closing()]
        if held:
            self._give_back()
        self._arrange()
        self.set_theme(self._theme)
        self.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """The buttons beside the text, or below it where it would have too little room."""
        widths = [button.sizeHint().width() for button in self._buttons]
        beside = sum(widths) + _GAP * max(0, len(widths) - 1)
        below = len(widths) > 1 and self.width() - beside < _ROOM
        self._answers.setMinimumWidth(max(widths, default=0) if below else beside)
        place = (1, 1, 1, 1) if below else (0, 2, 1, 1)
        at = self._grid.indexOf(self._answers)
        if at < 0 or self._grid.getItemPosition(at) != place:
            self._grid.addWidget(self._answers, *place)
            self._answers.show()
        self.setMinimumHeight(self._grid.heightForWidth(self.width()))  # the docks leave it that much

    def _button(self, label: str, handler: Callable[[], object]) -> QPushButton:
        button = QPushButton(label)
        button.setAutoDefault(True)  # Enter presses it, as Space does
        button.setFont(ui_font(12))
        button.clicked.connect(lambda _checked=False: self._act(handler))
        self._row.addWidget(button)
        button.show()  # at once, so it can have the keyboard
        return button

    def _closing(self) -> QPushButton:
        button = self._button("×", lambda: None)
        button.setObjectName("bannerClose")
        button.setToolTip(_("Close"))
        button.setAccessibleName(_("Close"))
        return button

    def _act(self, handler: Callable[[], object]) -> None:
        self._close()
        handler()

    def _close(self) -> None:
        if not self.dismiss():
            self.clear()

    def _note(self, before: QWidget | None, after: QWidget | None) -> None:
        """By click or Tab, too: otherwise Qt would choose who has the keyboard when the buttons go."""
        if before is None or after is None or not self.isAncestorOf(after):
            return
        if before.window() is self.window() and not self.isAncestorOf(before):
            self._came_from = before

    def _give_back(self) -> None:
        """The keyboard, to where it was before a button here had it."""
        before, self._came_from = self._came_from, None
        focused = QApplication.focusWidget()
        if before is None or not isValid(before):
            return
        if focused is None or focused is self or self.isAncestorOf(focused):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
