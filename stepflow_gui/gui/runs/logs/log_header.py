"""The row over the entries of a log: what it is compared with, and a search in all that the log has."""

import json
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from stepflow_gui.gui.widgets.controls import Chooser, name_it
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _
from stepflow_gui.run.logs.comparing import LogView
from stepflow_gui.run.logs.earlier_flow import THEN
from stepflow_gui.run.logs.log_runs import LogMoment
from stepflow_gui.text.json.tree import JsonValue


class SearchLine(QLineEdit):
    """`wanted(by)`: Enter asks for the next match, with Shift for the previous one. `left()`: Escape was pressed."""

    wanted = Signal(int)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.wanted.emit(-1 if back else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class LogHeader(QWidget):
    """`view_picked(view)`: the log is to be compared otherwise."""

    view_picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.runtimes, self.flows = Chooser(), Chooser()
        for chooser in (self.runtimes, self.flows):
            chooser.activated.connect(lambda _at: self.view_picked.emit(self._view()))
        self.words = SearchLine()
        self.words.setMaximumWidth(220)
        self.words.setMinimumWidth(90)
        self.words.setClearButtonEnabled(True)
        self.found = QLabel()
        self.found.setProperty("muted", True)
        self.words.textEdited.connect(lambda _text: self.found.setText(""))
        row = WrapLayout(self, gap=8)
        row.setContentsMargins(12, 4, 12, 4)
        for widget in (self.flows, self.runtimes, self.words, self.found):
            row.addWidget(widget)
        self._shown: tuple[object, ...] = ()
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self._shown = ()
        name_it(self.flows, _("The flow that the log is compared with"))
        name_it(self.runtimes, _("The runtime that the flow runs under"))
        name_it(self.words, _("Search in steps, answers, texts and messages of the log"))
        self.words.setPlaceholderText(_("Find"))
        for widget in (self.flows, self.runtimes, self.words, self.found):
            widget.setFont(ui_font(11))

    def show_view(self, view: LogView, runtimes: Sequence[tuple[str, str]], usual: str, *, detected: bool) -> None:
        """Show what the log is compared with. `usual`: the runtime if none is chosen, `detected` in the log or not."""
        wanted = (view, tuple(runtimes), usual, detected)
        if wanted == self._shown:
            return
        self._shown = wanted
        text = _("{runtime} (detected)") if detected else _("{runtime} (default)")
        _fill(self.runtimes, [(text.format(runtime=usual), None), *runtimes], view.runtime)
        flows = [(_("Compared with the current flow"), None), (_("Compared with the flow at that time"), THEN)]
        _fill(self.flows, flows, view.revision)

    def search(self) -> None:
        """Put the keyboard into the field."""
        self.words.setFocus()
        self.words.selectAll()

    def _view(self) -> LogView:
        return LogView(self.runtimes.currentData(), self.flows.currentData())


def _fill(chooser: Chooser, choices: Sequence[tuple[str, str | None]], chosen: str | None) -> None:
    with QSignalBlocker(chooser):
        chooser.clear()
        for title, value in choices:
            chooser.addItem(title, value)
            if value == chosen:
                chooser.setCurrentIndex(chooser.count() - 1)


def has_words(words: str, moment: LogMoment, shown: Sequence[str]) -> bool:
    """Whether an entry has words: in what its row shows, or in what the log has of it. Case doesn't matter."""
    wanted = words.casefold()
    return any(wanted in text.casefold() for text in (*shown, *_texts_of(moment)))


def _texts_of(moment: LogMoment) -> Sequence[str]:
    if moment.turn is None:
        return () if moment.end is None else (moment.end.text, moment.end.code or "")
    turn = moment.turn.turn
    answer: JsonValue = turn.answer if turn.has_answer else None
    notes = (note.text for note in turn.notes)
    written = json.dumps(answer, ensure_ascii=False) if answer is not None else ""
    phases = (phase.content for phase in turn.phases)
    return (written, *turn.texts, *notes, *phases, moment.turn.difference or "")
