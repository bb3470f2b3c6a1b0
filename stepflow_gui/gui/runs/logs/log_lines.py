"""The lines of a log around an entry, as they stand in the file, to be read."""

from collections.abc import Collection

from PySide6.QtGui import QColor, QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.run.logs.excerpt import lines_of
from stepflow_gui.run.logs.lines import LONGEST
from stepflow_gui.run.logs.log_runs import LogHistory, LogMoment
from stepflow_gui.run.logs.logged_run import LogProblem
from stepflow_gui.text.files.regular_file import read_bytes
from stepflow_gui.text.files.store import reason_of

_BEFORE, _LEAST, _MOST = 2, 20, 300  # lines


class LogLinesView(QWidget):
    """Shows lines with their numbers; the one that an entry begins with is marked, and those that tell of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.title = ElidedLabel("", ui_font(11))
        self.text = QPlainTextEdit()
        self.text.setObjectName("answerText")
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setTabChangesFocus(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 10)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addWidget(self.text, 1)
        self._theme = theme
        self._shown: tuple[object, ...] = ()
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self._shown = ()
        self.title.setFont(ui_font(11))
        self.text.setFont(mono_font(11))
        self.text.setAccessibleName(_("Lines of the log"))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self._theme, self._shown = theme, ()

    @property
    def line(self) -> int | None:
        """The number of the line at which the cursor is."""
        number = self.text.textCursor().block().text().split("  ")[0].strip()
        return int(number) if number.isdecimal() else None

    def show_entry(self, history: LogHistory) -> None:
        """Show the lines of the entry where a run stands, if others are shown."""
        run, moment = history.compared.run, history.moment
        following = history.position + 1
        end = history.moment_at(following).line - 1 if following <= history.length else run.lines
        first = max(1, moment.line - _BEFORE)
        last = min(max(end, moment.line + _LEAST), first + _MOST)
        wanted = (run.file, run.offsets, first, last, moment.line)
        if wanted == self._shown:
            return
        self._shown = wanted
        self.title.show_whole(_("{file}, line {line}").format(file=run.file.name, line=moment.line))
        found = lines_of(run.file, run.offsets, first, last)
        if isinstance(found, LogProblem):
            self.text.setPlainText(found.message)
            return
        width = len(str(found[-1].number)) if found else 1
        self.text.setPlainText("\n".join(f"{each.number:>{width}}  {each.text}" for each in found))
        self._mark(moment.line - first, [number - first for number in _lines_about(moment)])

    def _mark(self, at: int, others: Collection[int]) -> None:
        document, shown = self.text.document(), []
        strong, weak = (self._theme.mix("active", "surface", share) for share in (0.22, 0.08))
        for number, colour in ((at, strong), *((each, weak) for each in others if each != at)):
            block = document.findBlockByNumber(number)
            if block.isValid():
                shown.append(_selection(QTextCursor(block), colour))
        self.text.setExtraSelections(shown)
        self.text.moveCursor(QTextCursor.MoveOperation.End)  # from below, so that the line stands at the top
        self.text.setTextCursor(QTextCursor(document.findBlockByNumber(max(0, at))))


def prompt_of(moment: LogMoment) -> tuple[str, str]:
    """Where the whole prompt of an entry is from, and the prompt; else why it can't be shown, and no text."""
    path = moment.turn.turn.prompt if moment.turn is not None else None
    if path is None:
        return _("The verbose folder has no prompt for this entry."), ""
    try:
        return str(path), read_bytes(path, LONGEST).decode("utf-8", "replace").replace("\0", "\ufffd")
    except (OSError, ValueError) as error:
        return _("{path}: can't be read ({reason})").format(path=path, reason=reason_of(error)), ""


def _selection(cursor: QTextCursor, colour: QColor) -> QTextEdit.ExtraSelection:
    mark = QTextEdit.ExtraSelection()
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    mark.cursor = cursor
    mark.format.setBackground(colour)
    mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
    return mark


def _lines_about(moment: LogMoment) -> list[int]:
    """The lines that tell what a turn was answered and where it led."""
    if moment.turn is None:
        return []
    turn = moment.turn.turn
    places = (turn.answer_line, turn.intent_line, turn.to_line, *(check.line for check in turn.checks))
    return [line for line in (*places, *(note.line for note in turn.notes)) if line is not None]
