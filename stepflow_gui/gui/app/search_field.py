"""The field in the tool bar that finds steps by their id, name or intent and jumps to them."""

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QSizePolicy

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.gui.document.step_terms import has_movements
from stepflow_gui.gui.widgets.fields import one_line
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import _

_MOST = 400  # pixels
_ROUND = 28  # pixels that a field has round its words


class SearchField(QLineEdit):
    """Type a part of a step's id, name or intent; Enter or a click goes there."""

    step_picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("search")
        self._flow: Flow | None = None
        self._due = False  # the list is of an older flow
        self._last = ""  # what was looked for last
        self._at: str | None = None  # the step that it led to
        self._steps: dict[str, str] = {}  # what is listed → step id
        self._model = QStringListModel(self)
        self._completer = QCompleter(self._model, self)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(12)
        # Queued: the completer writes its choice into the field after the signal.
        self._completer.activated.connect(self._go, Qt.ConnectionType.QueuedConnection)
        self.setCompleter(self._completer)
        self.returnPressed.connect(self._entered)
        self.setClearButtonEnabled(True)
        self.setAcceptDrops(False)  # files are for the window
        self.setMaximumWidth(_MOST)
        self.setEnabled(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the hint in the language in use."""
        self.setFont(ui_font(12))
        text = _("Search movements and rules") if has_movements(self._flow) else _("Search steps and intents")
        self.setPlaceholderText(text)
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setMinimumWidth(min(_MOST, self.fontMetrics().horizontalAdvance(self.placeholderText()) + _ROUND))

    def show_flow(self, flow: Flow | None) -> None:
        """Offer the steps of a flow: they are listed once somebody searches. Without a flow nothing can be found."""
        self._flow, self._due = flow, True
        self.setEnabled(flow is not None)
        self.retranslate()
        if self.hasFocus():
            self._fill()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._fill()
        super().focusInEvent(event)

    def _fill(self) -> None:
        if self._due:
            self._due = False
            self._steps = {_listed(step): step.id for step in self._flow.steps.values()} if self._flow else {}
            self._model.setStringList([*self._steps])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.clearFocus()
            return
        super().keyPressEvent(event)

    def go_on(self, by: int) -> None:
        """Go to the next (1) or previous (-1) step that what was looked for last means, round the ends."""
        self._fill()
        steps = [step for listed, step in self._steps.items() if self._last and self._last in listed.casefold()]
        if not steps:
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        at = steps.index(self._at) + by if self._at in steps else 0
        self._at = steps[at % len(steps)]
        self.step_picked.emit(self._at)

    def _entered(self) -> None:
        wanted = self.text().strip().casefold()
        if not wanted:
            return
        self._last = wanted
        popup = self._completer.popup()
        if popup is not None:
            popup.hide()
        exact = next((listed for listed, step in self._steps.items() if step.casefold() == wanted), None)
        self._go(exact or next((listed for listed in self._steps if wanted in listed.casefold()), ""))

    def _go(self, listed: str) -> None:
        step = self._steps.get(listed)
        if step is not None:
            self._at = step
            self.clear()
            self.step_picked.emit(step)


def _listed(step: Step) -> str:
    rules = [rule.intent for rule in step.transitions]  # of movements, which have no gate
    intents = ", ".join(text.value for text in step.gate.intents) if step.gate else ", ".join(rules)
    parts = [step.id, step.title if step.title != step.id else "", intents]
    return one_line("  ·  ".join(part for part in parts if part))
