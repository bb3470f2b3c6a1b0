"""The output of a model while it answers, which model that is, and what the answers of a run have cost."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFont, QTextCursor
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from stepflow_gui.gui.document.inbox import Inbox
from stepflow_gui.gui.widgets.fields import ElidedLabel, polish
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.responders.anthropic_costs import Spent
from stepflow_gui.run.responders.anthropic_progress import AttemptStarted, Delta, Exchanged, Progress, Waiting

_PORTION = 50  # milliseconds between two looks at what has come
_MOST_BLOCKS = 2000  # lines that are kept


class Hearing:
    """Passes progress from the thread that hears it to the window's."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def receive(self, progress: Progress) -> None:
        """Take progress, on any thread."""
        self._inbox.post(progress)


class ModelAnswer(QWidget):
    """Shows progress. `hearing.hear` may be called on any thread."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.hearing = Hearing(Inbox(self, self._progressed))
        self._spent = Spent()
        self._waiting: list[str] = []  # text that has come and isn't shown yet
        self._title = ElidedLabel("", mono_font(12, QFont.Weight.DemiBold))
        self._state = _line()
        self._text = QPlainTextEdit()
        self._text.setObjectName("answerText")
        self._text.setReadOnly(True)
        self._text.setFrameShape(QFrame.Shape.NoFrame)
        self._text.setMaximumBlockCount(_MOST_BLOCKS)
        self._costs = _line()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PORTION)
        self._timer.timeout.connect(self._flush)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(6)
        column.addWidget(self._title)
        column.addWidget(self._state)
        column.addWidget(self._text, 1)
        column.addWidget(self._costs)
        self.set_theme(theme)
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self._text.setAccessibleName(_("What the model answers"))
        self._text.setFont(mono_font(12))
        self._state.setFont(ui_font(12))
        self._costs.setFont(ui_font(12))
        if not self._title.whole:
            self._title.show_whole(_("No model has answered yet"))
        self._show_costs()

    def set_theme(self, theme: Theme) -> None:
        """The style sheet has all colours that are needed here."""

    def start_over(self) -> None:
        """Begin another run: no output yet and nothing spent."""
        self._spent = Spent()
        self._waiting.clear()
        self._text.clear()
        self._title.show_whole(_("No model has answered yet"))
        self._show_status("", "muted")
        self._show_costs()

    def _progressed(self, progress: Progress) -> None:
        match progress:
            case AttemptStarted():
                self._waiting.clear()
                self._text.clear()
                self._title.show_whole(f"{progress.step} – {progress.model}")
                if progress.attempt > 1:
                    text = _("Attempt {attempt} of {of}").format(attempt=progress.attempt, of=progress.of)
                else:
                    text = _("Waiting for the model …")
                self._show_status(text, "muted")
            case Delta(kind="thinking"):
                self._show_status(_("The model is thinking…"), "muted")
            case Delta():
                self._waiting.append(progress.text)
                if not self._timer.isActive():
                    self._timer.start()
            case Waiting():
                self._flush()
                self._show_status(progress.message, "warning")
            case Exchanged():
                self._flush()
                self._spent = self._spent.plus(progress.usage, progress.cost)
                broken = [f"{breach.pointer or '/'}: {breach.message}" for breach in progress.breaches]
                self._show_status("\n".join(broken), "warning")
                self._show_costs()

    def _flush(self) -> None:
        """Show what has come, at the end; who has scrolled up stays there."""
        if not self._waiting:
            return
        bar = self._text.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - 4
        cursor = QTextCursor(self._text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText("".join(self._waiting))
        self._waiting.clear()
        self._show_status("", "muted")
        if follows:
            bar.setValue(bar.maximum())

    def _show_costs(self) -> None:
        spent = self._spent
        text = ngettext(
            "{count} answer: {sent} tokens sent, {received} received, {cost}",
            "{count} answers: {sent} tokens sent, {received} received, {cost}",
            spent.answers,
        )
        cost = _("cost unknown") if spent.cost is None else f"${spent.cost:.4f}"
        sent, received = f"{spent.usage.prompt:,}", f"{spent.usage.output:,}"
        self._costs.setText(text.format(count=spent.answers, sent=sent, received=received, cost=cost))
        self._costs.setVisible(spent.answers > 0)

    def _show_status(self, text: str, token: str) -> None:
        self._state.setText(text)
        self._state.setVisible(bool(text))
        if self._state.property("token") != token:
            self._state.setProperty("token", token)
            polish(self._state)


def _line() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
