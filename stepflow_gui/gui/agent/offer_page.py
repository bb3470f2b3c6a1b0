"""The page shown instead of the form: a file to create, or the preview of a conversion."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from stepflow_gui.gui.problems.fix_preview import ChangeOffer, FixPreview
from stepflow_gui.gui.widgets.controls import push_button, quiet_label
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _


class OfferPage(QWidget):
    """`closed` is emitted when the person wants the form back."""

    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._act: Callable[[], object] | None = None
        self.preview = FixPreview(theme)
        self.text = quiet_label()
        self.text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = push_button(primary=True)
        self.button.clicked.connect(self._done)
        self.back_button = QPushButton()
        self.back_button.setFont(ui_font(12))
        self.back_button.setAutoDefault(True)
        self.back_button.clicked.connect(self.closed)
        middle = QWidget()
        middle.setObjectName("panel")
        column = QVBoxLayout(middle)
        column.setContentsMargins(24, 24, 24, 24)
        column.addStretch(1)
        column.addWidget(self.text)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        compared = QWidget()
        compared.setObjectName("panel")
        rows = QVBoxLayout(compared)
        rows.setContentsMargins(8, 8, 8, 12)
        rows.addWidget(self.preview, 1)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 12, 0)
        row.addWidget(self.back_button)
        row.addStretch(1)
        rows.addLayout(row)
        self._pages = QStackedWidget()
        self._pages.addWidget(middle)
        self._pages.addWidget(compared)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.retranslate()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.text.setFont(ui_font(13))
        self.back_button.setText(_("Back to the Form"))
        self.preview.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self.preview.set_theme(theme)

    def show_text(self, text: str, button: str, act: Callable[[], object] | None) -> None:
        """Show why there is no form, with a button that does something about it."""
        self._act = act
        self.text.setText(text)
        self.button.setText(button)
        self.button.setAccessibleDescription(text)
        self.button.setVisible(bool(button))
        self._pages.setCurrentIndex(0)

    def compare(self, offer: ChangeOffer) -> None:
        """Show what a change would do to the text."""
        self.preview.show_offers([offer])
        self._pages.setCurrentIndex(1)
        self.preview.button.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def comparing(self) -> bool:
        """Whether a change is shown."""
        return self._pages.currentIndex() == 1

    def _done(self) -> None:
        if self._act is not None:
            self._act()
