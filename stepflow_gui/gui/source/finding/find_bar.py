"""The find bar of the source panel: a field to find with, one to replace with, and how to take what is in them."""

from bisect import bisect_left
from itertools import pairwise

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from stepflow_gui.gui.source.finding.query_field import QueryField, sign_toggle
from stepflow_gui.gui.source.finding.replace import replacing
from stepflow_gui.gui.source.finding.search import Hit, Search, SearchQuery
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.edit import TextEdit, moved
from stepflow_gui.text.source import Source, Span

_SOON = 120  # milliseconds after a change of the text before it is searched again


class FindBar(QWidget):
    """Finds in one text, and asks for what is to be replaced.

    `found` is emitted with the Span to show, `replaced` with edits and a label for the history, `shown_hits` when other
    hits or another scope are to be marked, `closed` on Escape.
    """

    found = Signal(object)
    replaced = Signal(object, object)
    shown_hits = Signal()
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._source = Source("")
        self._search = Search(self._source, SearchQuery(""))
        self._from = 0  # where the next hit is looked for
        self._waiting = False  # the first hit is shown once there is one
        self._selected: Span | None = None  # what was selected when the bar was opened
        self.scope: Span | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._again)
        self._goes_on = QTimer(self)
        self._goes_on.timeout.connect(self._look_on)
        self.field = QueryField()
        self.by = QLineEdit()
        self.by.setMinimumWidth(60)
        self.field.asked.connect(self._typed)
        self._inside = sign_toggle("≡")
        self._count = QLabel()
        self._count.setProperty("muted", True)
        self._back = self._button(Qt.ArrowType.UpArrow)
        self._forth = self._button(Qt.ArrowType.DownArrow)
        self._close = self._button(Qt.ArrowType.NoArrow)
        self._one = QPushButton()
        self._all = QPushButton()
        self.note = wrapped_label(ui_font(11))
        self.note.hide()
        self._lay_out()
        self._back.clicked.connect(lambda: self.step(-1))
        self._forth.clicked.connect(lambda: self.step(1))
        self._close.clicked.connect(self.closed)
        self._one.clicked.connect(self.replace_one)
        self._all.clicked.connect(self.replace_all)
        self._inside.toggled.connect(self._scope_toggled)
        self.set_theme(theme)
        self.retranslate()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self._count)
        for button in (self._back, self._forth, self._close):
            row.addWidget(button)
        self._replacing = QWidget()
        second = QHBoxLayout(self._replacing)
        second.setContentsMargins(0, 0, 0, 0)
        second.setSpacing(4)
        second.addWidget(self.by, 1)
        second.addWidget(self._inside)
        second.addWidget(self._one)
        second.addWidget(self._all)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 2, 12, 6)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._replacing)
        column.addWidget(self.note)
        order = (self.field, *self.field.toggles, self._back, self._forth, self._close)
        for before, after in pairwise((*order, self.by, self._inside, self._one, self._all)):
            self.setTabOrder(before, after)

    def retranslate(self) -> None:
        """Show the bar in the language in use."""
        self.field.retranslate(_("Find in the source"))
        self.by.setPlaceholderText(_("Replace with"))
        self.by.setAccessibleName(_("Replace with"))
        self.by.setFont(mono_font(12))
        self._count.setFont(ui_font(11))
        self.note.setFont(ui_font(11))
        self._one.setText(_("Replace"))
        self._all.setText(_("All"))
        self._one.setToolTip(_("Replace this match and go to the next (Enter)"))
        self._all.setToolTip(_("Replace all matches"))
        self._all.setAccessibleName(_("Replace all matches"))
        for button in (self._one, self._all):
            button.setObjectName("formButton")
            button.setFont(ui_font(11))
        for toggle, name in (
            (self._back, _("Previous match") + " (Shift+F3)"),
            (self._forth, _("Next match") + " (F3)"),
            (self._close, _("Close the find bar") + " (Esc)"),
            (self._inside, _("Only in what was selected")),
        ):
            toggle.setToolTip(name)
            toggle.setAccessibleName(name)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._close.setIcon(theme.icon("close", "muted"))

    @property
    def hits(self) -> list[Hit]:
        """What was found so far, in order."""
        return self._search.hits

    def open(self, source: Source, caret: int, selected: Span, *, replacing: bool) -> None:
        """Search a text from the caret on: for what is selected, or in it where it spans lines."""
        self._source = source
        self._from = min(caret, selected.start) if selected.end > selected.start else caret
        text = source.text[selected.start : selected.end]
        lines = "\n" in text or "\r" in text
        self._selected = selected if selected.end > selected.start else None
        self._replacing.setVisible(replacing)
        self._inside.blockSignals(True)
        self._inside.setChecked(replacing and lines)
        self._inside.setEnabled(self._selected is not None)
        self._inside.blockSignals(False)
        self.scope = self._selected if self._inside.isChecked() else None
        if text and not lines and text != self.field.text() and not self.field.pattern.isChecked():
            self.field.setText(text)
        else:
            self._typed()
        self.field.setFocus()
        self.field.selectAll()

    def stop(self) -> None:
        """It is hidden: nothing is searched any more."""
        self._later.stop()
        self._goes_on.stop()
        self.scope = None
        self.shown_hits.emit()

    def set_source(self, source: Source, edits: list[TextEdit] | None = None) -> None:
        """The text changed while the bar is open, by these edits."""
        self._source = source
        if edits is None:
            self.scope = self._selected = None
        else:
            self.scope, self._selected = (
                span and Span(*(moved(at, edits) for at in span)) for span in (self.scope, self._selected)
            )
            self._from = moved(self._from, edits)
        self._later.start(_SOON)

    def step(self, by: int, caret: int | None = None) -> None:
        """Go to the next (1) or the previous (-1) hit, round the ends; from a caret that went elsewhere, from there."""
        if self._later.isActive():
            self._again()
        if not self.hits:
            return
        here = self._index()
        if caret is not None and (here is None or not self.hits[here].start <= caret <= self.hits[here].end):
            self._from = caret
            here = self._index()
        at = bisect_left(self.hits, self._from, key=lambda hit: hit.start)
        self._go((at + (by if here is not None or by < 0 else 0)) % len(self.hits))

    def replace_one(self) -> None:
        """Replace the hit that is shown, and show the next; where none is shown yet, show one."""
        self._up_to_date()
        at = self._index()
        if at is None:
            self.step(1)
            return
        hit = self.hits[at]
        edits = replacing(self._source.text, [hit], self.by.text(), pattern=self._search.is_pattern)
        after = hit.end + sum(len(edit.text) - (edit.end - edit.start) for edit in edits)
        if edits:
            self.replaced.emit(edits, _("Replace"))
        self._from = after + (hit.start == hit.end)
        self._waiting = True
        self._again()

    def replace_all(self) -> None:
        """Replace all hits, as one entry of the history."""
        self._up_to_date()
        self._search.finish()
        if not self.hits or self._search.trouble:
            self._show()
            return
        count = len(self.hits)
        edits = replacing(self._source.text, self.hits, self.by.text(), pattern=self._search.is_pattern)
        if edits:
            self.replaced.emit(edits, _("Replace all"))
        self._again()
        self._show_status(
            ngettext("{count} match replaced", "{count} matches replaced", count).format(count=count), "muted"
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self.by.hasFocus() and not back:
                self.replace_one()
            elif not isinstance(self.focusWidget(), QPushButton):
                self.step(-1 if back else 1)
        else:
            super().keyPressEvent(event)

    # Searching

    def _typed(self) -> None:
        self._waiting = True
        self._again()

    def _scope_toggled(self, on: bool) -> None:
        self.scope = self._selected if on else None
        if self.scope is not None:
            self._from = self.scope.start
        self._typed()

    def _up_to_date(self) -> None:
        if self._later.isActive():
            self._again()

    def _again(self) -> None:
        self._later.stop()
        self._search = Search(self._source, self.field.query, self.scope)
        if self._search.done:
            self._goes_on.stop()
        else:
            self._goes_on.start(0)
        self._progress()

    def _look_on(self) -> None:
        self._search.more()
        if self._search.done:
            self._goes_on.stop()
        self._progress()

    def _progress(self) -> None:
        hits = self.hits
        if self._waiting and hits and (self._search.done or hits[-1].start >= self._from):
            self._waiting = False
            self._go(bisect_left(hits, self._from, key=lambda hit: hit.start) % len(hits))
        else:
            self._show()
        self.shown_hits.emit()

    def _index(self) -> int | None:
        """The hit that is shown."""
        at = bisect_left(self.hits, self._from, key=lambda hit: hit.start)
        return at if at < len(self.hits) and self.hits[at].start == self._from else None

    def _go(self, index: int) -> None:
        self._from = self.hits[index].start
        self._show()
        self.found.emit(self.hits[index].span)

    # Messages

    def _show(self) -> None:
        search, count = self._search, len(self.hits)
        more = "+" if search.capped or search.trouble or not search.done else ""
        index = self._index()
        if not self.field.text() or search.trouble == "pattern":
            counted = ""
        elif not count:
            counted = _("no match") if search.done else "…"
        elif index is None:
            counted = f"{count}{more}"
        else:
            counted = _("{number} of {count}").format(number=index + 1, count=f"{count}{more}")
        self._count.setText(counted)
        for button in (self._back, self._forth, self._one, self._all):
            button.setEnabled(bool(count))
        self.field.show_wrong(bool(search.trouble))
        if search.trouble == "pattern":
            self._show_status(_("Not a regular expression: {reason}").format(reason=search.reason), "error")
        elif search.trouble:
            self._show_status(_("This pattern takes too long here; not everything was searched."), "error")
        else:
            self._show_status("", "muted")

    def _show_status(self, text: str, token: str) -> None:
        self.note.setVisible(bool(text))
        self.note.setText(text)
        if self.note.property("token") != token:
            self.note.setProperty("token", token)
            self.note.style().polish(self.note)

    # Parts

    def _button(self, arrow: Qt.ArrowType) -> QToolButton:
        button = QToolButton()
        button.setProperty("flat", True)
        button.setArrowType(arrow)
        button.setFixedSize(QSize(24, 24))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button
