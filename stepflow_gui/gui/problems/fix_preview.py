"""Shows what a fix would change, file by file, and applies it when asked."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.widgets.controls import Chooser
from stepflow_gui.gui.widgets.diff_lines import SIGNS, DiffLine, Kind, dedented, diff_lines
from stepflow_gui.gui.widgets.file_names import names_of
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _


class FilePreview(NamedTuple):
    """A file's text before and after."""

    path: Path
    before: str
    after: str


class ChangeOffer(NamedTuple):
    """A change that a person may make: its title, what is to be known of it, its files and what makes it.

    `apply` gives what went wrong, or an empty text.
    """

    title: str
    note: str
    changes: Sequence[FilePreview]
    apply: Callable[[], str]


class DiffText(QPlainTextEdit):
    """The lines of files before and after a change, with a few lines around them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("explanation")
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)

    def show_changes(self, changes: Sequence[FilePreview], theme: Theme) -> None:
        """Show files, each below its name; in view is the first line that differs."""
        self.clear()
        writer = _Writer(self, theme)
        names = names_of(change.path for change in changes)
        for change in changes:
            writer.file(names[change.path])
            for kind, lines in groupby(dedented(diff_lines(change.before, change.after)), key=_kind):
                writer.lines(kind, lines)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        QTimer.singleShot(0, self, self._show_first_change)

    def _show_first_change(self) -> None:
        """In a low panel the lines around the change would be all that is seen."""
        room = self.viewport().height() // self.fontMetrics().lineSpacing()
        lines = self.toPlainText().split("\n")
        signs = (SIGNS["added"], SIGNS["removed"])
        first = next((number for number, line in enumerate(lines) if line.startswith(signs)), 0)
        if first + 2 > room:
            self.verticalScrollBar().setValue(max(0, first - 1))


class FixPreview(QWidget):
    """One offer at a time, in words and lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._offer: ChangeOffer | None = None
        self._offers: Sequence[ChangeOffer] = ()
        self.title = QLabel()
        self.choice = Chooser()
        self.choice.currentIndexChanged.connect(self._choose)
        self.note = QLabel()
        for label in (self.title, self.note):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setProperty("muted", True)
        self.text = DiffText()
        self.button = QPushButton()
        self.button.setProperty("primary", True)
        self.button.setAutoDefault(True)
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self._apply)
        head = QHBoxLayout()
        head.setSpacing(12)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.choice)
        words.addWidget(self.note)
        head.addLayout(words, 1)
        head.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 4, 12, 8)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.text, 1)
        column.addStretch(0)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the page in the language in use."""
        self.title.setFont(ui_font(12, QFont.Weight.DemiBold))
        self.note.setFont(ui_font(11))
        self.choice.setFont(ui_font(12))
        self.choice.setAccessibleName(_("Fix"))
        self.text.setFont(mono_font(12))
        self.text.setAccessibleName(_("What would change"))
        self.button.setText(_("Apply"))
        self.button.setFont(ui_font(12, QFont.Weight.DemiBold))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        if self._offer is not None:
            self._show(self._offer)

    def show_text(self, text: str) -> None:
        """Show why there is nothing to show yet, or at all."""
        self._offer = None
        self.choice.hide()
        self.title.show()
        self.title.setText(text)
        self.note.hide()
        self.text.clear()
        self.text.hide()
        self.button.hide()

    def show_offers(self, offers: Sequence[ChangeOffer], first: int = 0) -> None:
        """Show what one of several offers would change; the person may choose another."""
        self._offers = offers
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems([offer.title for offer in offers])
        self.choice.setCurrentIndex(first)
        self.choice.blockSignals(False)
        self.choice.setVisible(len(offers) > 1)
        self.title.setVisible(len(offers) == 1)
        self._choose(first)

    def _choose(self, number: int) -> None:
        if 0 <= number < len(self._offers):
            self._show(self._offers[number])

    def _show(self, offer: ChangeOffer) -> None:
        self._offer = offer
        self.choice.setToolTip(offer.title)  # it may be wider than the pane
        self.title.setText(offer.title)
        self.note.setText(offer.note)
        self.note.setVisible(bool(offer.note))
        self.text.show()
        self.button.setVisible(bool(offer.changes))
        self.text.show_changes(offer.changes, self._theme)

    def _apply(self) -> None:
        if self._offer is not None:
            trouble = self._offer.apply()
            if trouble:
                self.note.setText(trouble)
                self.note.show()


def _kind(line: DiffLine) -> Kind:
    return line.kind


_TOKENS: dict[Kind, str] = {"added": "closure", "removed": "error"}


class _Writer:
    def __init__(self, text: QPlainTextEdit, theme: Theme) -> None:
        self._theme = theme
        self._cursor = QTextCursor(text.document())
        self._started = False

    def file(self, name: str) -> None:
        form = QTextCharFormat()
        form.setFontWeight(QFont.Weight.Bold)
        form.setForeground(self._theme.color("muted"))
        if self._started:
            self._put("", QTextCharFormat(), None)
        self._put(name, form, None)

    def lines(self, kind: Kind, lines: Iterable[DiffLine]) -> None:
        """Lines of one kind, which are written at one go."""
        form = QTextCharFormat()
        token = _TOKENS.get(kind)
        form.setForeground(self._theme.color("text" if token else "muted"))
        ground = self._theme.mix(token, "canvas", 0.18) if token else None
        self._put("\n".join(SIGNS[kind] + line.text for line in lines), form, ground)

    def _put(self, text: str, form: QTextCharFormat, ground: QColor | None) -> None:
        block = QTextBlockFormat()
        if ground is not None:
            block.setBackground(ground)
        if self._started:
            self._cursor.insertBlock(block, form)
        else:
            self._cursor.setBlockFormat(block)
            self._started = True
        self._cursor.insertText(text, form)
