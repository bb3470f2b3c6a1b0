"""The box in the row of the menus: a click opens what goes to anything, below it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy

from stepflow_gui.gui.widgets.controls import quiet_label
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_MOST, _LEAST = 400, 150  # pixels
_AROUND, _ICON = 18, 14  # pixels beside the words, with those between them and the icon


class SearchBox(QPushButton):
    """Looks like a field, with its words at the left and its keys at the right where there is room for them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("searchBox")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where it is
        self.setAutoDefault(True)  # Enter presses it, as Space does
        self.setIconSize(QSize(_ICON, _ICON))
        self.setMaximumWidth(_MOST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._hint = ""
        self._keys = quiet_label(wrap=False)
        self._keys.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.addStretch(1)
        row.addWidget(self._keys)

    def show_texts(self, keys: str, *, movements: bool) -> None:
        """Show the hint and the keys, in the language in use; `movements`: what is open has those."""
        self._hint = (
            _("Go to a movement, file, rule or action") if movements else _("Go to a step, file, rule or action")
        )
        for part in (self, self._keys):
            part.setFont(ui_font(12))
        self._keys.setText(keys)
        self.setAccessibleName(self._hint)
        self.setToolTip(f"{self._hint} ({keys})" if keys else self._hint)
        self._show_words()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.setIcon(theme.icon("search", "muted"))

    def sizeHint(self) -> QSize:
        """As wide as it may be, and as high as a field."""
        return QSize(_MOST, self.fontMetrics().height() + 10)

    def minimumSizeHint(self) -> QSize:
        """Room for some of the words."""
        return QSize(_LEAST, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_words()

    def _show_words(self) -> None:
        room, metrics = self.width() - _ICON - _AROUND, self.fontMetrics()
        with_keys = metrics.horizontalAdvance(self._hint) + self._keys.sizeHint().width() + _AROUND
        self._keys.setVisible(with_keys <= room)
        self.setText(metrics.elidedText(self._hint, Qt.TextElideMode.ElideRight, max(0, room)))
