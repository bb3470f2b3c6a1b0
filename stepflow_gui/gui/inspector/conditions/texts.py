"""The texts of a condition: one, or a row for each that all() or any() asks for."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.takt.condition_parts import OF_SUBS, Form, results_of, results_of_all
from stepflow_gui.formats.takt.conditions_model import Notation
from stepflow_gui.gui.inspector.forms.choice_field import ChoiceField
from stepflow_gui.gui.widgets.editors import TextBox
from stepflow_gui.gui.widgets.fields import ElidedLabel, polish
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.messages import _

_NAME = 96  # pixels, of a sub-step
_TOOL = 18


class ConditionText(TextBox):
    """A text of its own; Enter is for the whole builder, Shift+Enter begins a line."""

    accepted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not shift:
            self.accepted.emit()
        else:
            super().keyPressEvent(event)

    @property
    def words(self) -> str:
        """What is typed."""
        return self.toPlainText()


class ResultField(ChoiceField):
    """A result of a sub-step, typed or chosen."""

    accepted = Signal()

    def __init__(self, choices: Callable[[], Sequence[str]]) -> None:
        super().__init__(choices)
        self.setFont(mono_font(12))
        self.returnPressed.connect(self._returned)

    @property
    def words(self) -> str:
        """What is typed."""
        return self.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()  # it closes the builder
        else:
            super().keyPressEvent(event)

    def _returned(self) -> None:
        completer = self.completer()
        listed = completer.popup() if completer is not None else None
        if listed is None or not listed.isVisible():  # there Enter chooses
            self.accepted.emit()


class _Row(QWidget):
    """A field, before it the sub-step that it is about, behind it what takes it away, below it what is wrong."""

    def __init__(self, field: ConditionText | ResultField, remove: Callable[[], object] | None) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.field = field
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        line = QHBoxLayout()
        line.setSpacing(4)
        self.about = ElidedLabel("", ui_font(12))
        self.about.setProperty("muted", True)
        self.about.setFixedWidth(_NAME)
        line.addWidget(self.about)
        line.addWidget(field, 1)
        self.removes: QToolButton | None = None
        if remove is not None:
            self.removes = QToolButton()
            self.removes.setObjectName("formTool")
            self.removes.setFixedWidth(_TOOL)
            self.removes.setText("−")
            self.removes.clicked.connect(lambda _on=False: remove())
            line.addWidget(self.removes)
        column.addLayout(line)
        self.fault = wrapped_label(ui_font(11))
        self.fault.setProperty("token", "error")
        column.addWidget(self.fault)
        self.show_text("")

    def call(self, name: str, number: int) -> None:
        """Show what the text is about."""
        self.about.setVisible(bool(name))
        self.about.show_whole(name)
        called = name or _("Text {number}").format(number=number)
        self.field.setAccessibleName(called)
        if self.removes is not None:
            self.removes.setAccessibleName(_("Remove “{field}”").format(field=called))
            self.removes.setToolTip(_("Remove “{field}”").format(field=called))

    def show_text(self, fault: str) -> None:
        """What is wrong with the text."""
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        self.field.setProperty("wrong", bool(fault))
        self.field.setAccessibleDescription(fault)
        polish(self.field)


class ConditionTexts(QWidget):
    """Shows the texts of one form. `changed` is emitted when one is, `accepted` on Enter."""

    changed = Signal()
    accepted = Signal()

    def __init__(self, subs: Sequence[Step], notation: Notation) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._subs = subs
        self._notation = notation
        self._form: Form = "label"
        self.rows: list[_Row] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.each = QCheckBox(_("Separate text per sub-step"))
        self.each.setFont(ui_font(12))
        self.each.clicked.connect(self._for_each)
        self._column.addWidget(self.each)
        self.more = QPushButton(_("Another Text"))
        self.more.setObjectName("quietLink")
        self.more.clicked.connect(lambda _on=False: self._add())
        self._column.addWidget(self.more)
        self.hint = wrapped_label(ui_font(11), QLabel())
        self.hint.setProperty("token", "warning")
        self._column.addWidget(self.hint)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is typed, in order."""
        return tuple(row.field.words for row in self.rows)

    def show_texts(self, form: Form, texts: Sequence[str]) -> None:
        """Show the texts of a condition of that form."""
        self._form = form
        self._rebuild([] if form == "when" else list(texts) or [""])

    def show_text(self, number: int | None, fault: str) -> None:
        """What is wrong, and with which of the texts."""
        for at, row in enumerate(self.rows):
            row.show_text(fault if at == number else "")

    def take_focus(self) -> None:
        """Put the cursor in the first text, ready to be typed over."""
        if self.rows:
            self.rows[0].field.setFocus(Qt.FocusReason.PopupFocusReason)
            self.rows[0].field.selectAll()

    def _rebuild(self, texts: Sequence[str]) -> None:
        for row in self.rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [self._made(number, text, removable=len(texts) > 1) for number, text in enumerate(texts)]
        for number, row in enumerate(self.rows):
            self._column.insertWidget(number, row)
        self._settle()

    def _made(self, number: int, text: str, *, removable: bool) -> _Row:
        field: ConditionText | ResultField
        if self._form in OF_SUBS:
            field = ResultField(lambda: self._results(number))
            field.show_text(text)
            field.textChanged.connect(lambda _text: self.changed.emit())
        else:
            field = ConditionText()
            field.show_text(text)
            field.typed.connect(lambda _text: self.changed.emit())
        field.accepted.connect(self.accepted)
        return _Row(field, (lambda: self._remove(number)) if removable and self._form in OF_SUBS else None)

    def _settle(self) -> None:
        """Name the rows, and show what fits their number."""
        several, count = self._form in OF_SUBS, len(self.rows)
        positional = self._form == "all" and count > 1
        for number, row in enumerate(self.rows):
            known = self._subs[number].id if positional and number < len(self._subs) else ""
            row.call(known or ("–" if positional else ""), number + 1)
        self.each.setVisible(self._form == "all" and len(self._subs) > 1)
        self.each.setChecked(positional and count == len(self._subs))
        self.more.setVisible(several and (self._form == "any" or positional))
        wrong = positional and bool(self._subs) and count != len(self._subs)
        text = _("There are {count} texts for {subs} sub-steps: this never holds")
        self.hint.setText(text.format(count=count, subs=len(self._subs)) if wrong else "")
        self.hint.setVisible(wrong)

    def _results(self, number: int) -> list[str]:
        positional = self._form == "all" and len(self.rows) > 1
        if positional and number < len(self._subs):
            return results_of(self._subs[number], self._notation)
        return results_of_all(self._subs, self._notation)

    def _for_each(self, on: bool) -> None:
        texts = list(self.texts)
        if on:
            texts = [texts[at] if at < len(texts) else texts[-1] for at in range(len(self._subs))]
        self._rebuild(texts if on else texts[:1])
        self.changed.emit()

    def _add(self) -> None:
        self._rebuild([*self.texts, ""])
        self.rows[-1].field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    def _remove(self, number: int) -> None:
        texts = self.texts
        self._rebuild([*texts[:number], *texts[number + 1 :]])
        self.rows[min(number, len(self.rows) - 1)].field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()
