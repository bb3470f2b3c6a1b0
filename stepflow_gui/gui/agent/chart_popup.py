"""The assistant: question by question to a verdict type, then the settings that it needs."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.formats.climpt.agent.fields import SAFETY_LIMIT, VERDICTS
from stepflow_gui.formats.fields import Field
from stepflow_gui.gui.agent.chart import FIRST, QUESTIONS, first_conditions, needed, settings_of, unread
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.widgets.controls import Chooser, quiet_label
from stepflow_gui.gui.widgets.editors import number_of
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.popup import Popup
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue

_WIDTH = 400


class ChartPopup(Popup):
    """`wanted(type, config, without)` is emitted in the end. Left or Backspace goes back, Escape closes it.

    `config` is what the file has now, `steps` can be named as the entry step.
    """

    wanted = Signal(str, object, object)

    def __init__(self, parent: QWidget, config: Mapping[str, JsonValue], steps: Sequence[str]) -> None:
        super().__init__(parent)
        self._config = dict(config)
        self._steps = steps
        self._asked = [FIRST]
        self.answers: list[QPushButton] = []
        self.fields: dict[str, QLineEdit | Chooser] = {}
        self.conditions: dict[str, QCheckBox] = {}
        self.clean: QCheckBox | None = None
        self.apply_button: QPushButton | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 12)
        self._page = QWidget()
        self._column.addWidget(self._page)
        self.setFixedWidth(_WIDTH)
        self.setAccessibleName(_("Which verdict type do I need?"))
        self._show()

    @property
    def at(self) -> str:
        """The question that is asked, or the verdict type that was found."""
        return self._asked[-1]

    def answer(self, number: int) -> None:
        """Give an answer of the question that is asked."""
        self._asked.append(QUESTIONS[self.at].answers[number].goal)
        self._show()

    def back(self) -> None:
        """One question back."""
        if len(self._asked) > 1:
            self._asked.pop()
            self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_1
        if self.at in QUESTIONS and 0 <= number < len(self.answers):
            self.answer(number)
        elif event.key() in {Qt.Key.Key_Backspace, Qt.Key.Key_Left}:
            self.back()
        elif event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Up} and self.answers:
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        self.answers, self.fields, self.conditions = [], {}, {}
        self.clean = self.apply_button = None
        old, self._page = self._page, QWidget()
        self._column.replaceWidget(old, self._page)
        old.hide()
        old.deleteLater()
        column = QVBoxLayout(self._page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        if self.at in QUESTIONS:
            self._ask(column)
        else:
            self._show_result(column)
        self._page.show()
        self.adjustSize()
        first: QWidget | None = self.answers[0] if self.answers else next(iter(self.fields.values()), self.apply_button)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _ask(self, column: QVBoxLayout) -> None:
        question = QUESTIONS[self.at]
        column.addWidget(_title(question.text()))
        for number, answer in enumerate(question.answers):
            button = QPushButton(f"{number + 1}   {answer.label()}")
            button.setAccessibleName(answer.label())
            button.setAccessibleDescription(question.text())
            button.setProperty("segment", True)
            button.setProperty("value", True)
            button.setFont(ui_font(12))
            button.setAutoDefault(True)
            button.clicked.connect(lambda _on=False, number=number: self.answer(number))
            column.addWidget(button)
            self.answers.append(button)
        self._foot(column)

    def _show_result(self, column: QVBoxLayout) -> None:
        verdict = self.at
        name = QLabel(verdict)
        name.setFont(mono_font(14, QFont.Weight.Bold))
        column.addWidget(name)
        column.addWidget(quiet_label(VERDICTS[verdict].meaning()))
        for field in settings_of(verdict):
            column.addLayout(self._setting(verdict, field))
        if verdict == "meta:composite":
            column.addWidget(quiet_label(_("Conditions, whose settings are filled in afterwards:")))
            for other in VERDICTS:
                if other != verdict:
                    box = QCheckBox(other)
                    box.setFont(mono_font(12))
                    box.setToolTip(VERDICTS[other].meaning())
                    box.setAccessibleDescription(VERDICTS[other].meaning())
                    box.toggled.connect(self._check)
                    column.addWidget(box)
                    self.conditions[other] = box
        left = unread(verdict, self._config)
        if left:
            self.clean = QCheckBox(_("Remove settings unused by {verdict}").format(verdict=verdict))
            self.clean.setFont(ui_font(12))
            self.clean.setChecked(True)
            self.clean.setAccessibleDescription(", ".join(left))
            column.addWidget(self.clean)
            column.addWidget(quiet_label(", ".join(left)))
        self.apply_button = QPushButton(_("Use {verdict}").format(verdict=verdict))
        self.apply_button.setProperty("primary", True)
        self.apply_button.setFont(ui_font(12, QFont.Weight.DemiBold))
        self.apply_button.setAutoDefault(True)
        self.apply_button.clicked.connect(self._apply)
        self._foot(column, self.apply_button)
        self._check()

    def _setting(self, verdict: str, field: Field) -> QVBoxLayout:
        own = self._config.get(field.name)
        editor: QLineEdit | Chooser
        if field.shape.choices:
            editor = Chooser()
            editor.setFont(mono_font(12))
            editor.addItems([*([] if needed(verdict, field.name) else ["–"]), *field.shape.choices])
            editor.setCurrentText(own if isinstance(own, str) else "")
        else:
            editor = FormLineEdit((lambda: self._steps) if field.name == "entryStep" else None)
            editor.setFont(mono_font(12))
            editor.setText("" if isinstance(own, dict | list) or own is None else str(own))
            if field.shape.kind == "number" and own is None and needed(verdict, field.name):
                editor.setText("10")
            editor.setPlaceholderText(_placeholder(verdict, field.name))
            editor.textChanged.connect(self._check)
            editor.returnPressed.connect(self._apply)
        editor.setAccessibleName(field.name)
        editor.setAccessibleDescription(field.meaning())
        self.fields[field.name] = editor
        label = QLabel(field.name)
        label.setFont(mono_font(12))
        label.setFixedWidth(120)
        row = QHBoxLayout()
        row.addWidget(label)
        row.addWidget(editor, 1)
        box = QVBoxLayout()
        box.setSpacing(2)
        box.addLayout(row)
        box.addWidget(quiet_label(field.meaning()))
        return box

    def _foot(self, column: QVBoxLayout, button: QPushButton | None = None) -> None:
        row = QHBoxLayout()
        if len(self._asked) > 1:
            back = QPushButton(_("Back"))
            back.setFont(ui_font(12))
            back.setAutoDefault(True)
            back.clicked.connect(self.back)
            row.addWidget(back)
        row.addStretch(1)
        if button is not None:
            row.addWidget(button)
        column.addLayout(row)

    def _values(self) -> dict[str, JsonValue] | None:
        """What is filled in; None while something that is needed isn't."""
        verdict = self.at
        found: dict[str, JsonValue] = {}
        for field in settings_of(verdict):
            editor = self.fields[field.name]
            text = editor.text().strip() if isinstance(editor, QLineEdit) else editor.currentText().strip("–")
            if not text:
                if needed(verdict, field.name):
                    return None
                continue
            value: JsonValue = number_of(text) if field.shape.kind == "number" else text
            least = field.shape.least
            if least is not None and (isinstance(value, str) or value < least):
                return None
            kept = self._config.get(field.name)
            if value != kept and str(value) != str(kept):
                found[field.name] = value
        if verdict == "meta:composite":
            wanted = [name for name, box in self.conditions.items() if box.isChecked()]
            there = self._config.get("conditions")
            kept = there if isinstance(there, list) else []
            if not wanted and not kept:
                return None
            if wanted:
                found["conditions"] = [*kept, *first_conditions(wanted)]
        return found

    def _check(self) -> None:
        if self.apply_button is not None:
            self.apply_button.setEnabled(self._values() is not None)

    def _apply(self) -> None:
        values = self._values()
        if values is None:
            return
        verdict = self.at
        gone = unread(verdict, self._config) if self.clean is not None and self.clean.isChecked() else []
        self.close()
        self.wanted.emit(verdict, values, gone)


def _title(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(ui_font(13, QFont.Weight.DemiBold))
    return label


def _placeholder(verdict: str, name: str) -> str:
    if needed(verdict, name):
        return _("needed")
    return _("default: {value}").format(value=SAFETY_LIMIT) if name == "maxIterations" else ""
