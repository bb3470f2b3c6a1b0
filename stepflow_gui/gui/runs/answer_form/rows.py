"""The fields of an answer, one below the other; a row whose field stays the same stays, with its cursor."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepflow_gui.gui.widgets.editors import (
    NumberLine,
    Segments,
    TextBox,
    label_of,
    small_button,
)
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _
from stepflow_gui.run.answer_form.fields import AnswerField, same
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import split

_INDENT = 14  # pixels a level
_BOOLEANS = (True, False)
_SHOWN = 80  # characters of a value that no field shows


class RowSpec(NamedTuple):
    """A row that is to be seen. `absent`: instead of a field, buttons that begin those that an object lacks."""

    key: tuple[object, ...]
    depth: int
    field: AnswerField
    absent: tuple[AnswerField, ...] = ()
    apart: bool = False  # it is before all others, so its whole path is shown


def with_first(rows: Iterable[RowSpec], pointer: str | None) -> list[RowSpec]:
    """The rows with that of one place before all others."""
    listed = list(rows)
    found = next((row for row in listed if row.field.pointer == pointer and not row.absent), None)
    if found is None:
        return listed
    first = found._replace(key=("first", *found.key), depth=0, apart=True)
    return [first, *(row for row in listed if row is not found)]


def rows_of(field: AnswerField, depth: int = 0) -> Iterator[RowSpec]:
    """The rows of a field's children, and of theirs."""
    for child in field.children:
        if child.present or child.required:
            choices = json.dumps(child.choices)
            state = (child.present, child.editable, child.settled, child.removable, child.may_grow)
            yield RowSpec((child.pointer, child.kind, choices, child.forms, *state), depth, child)
            if child.present and child.fits:
                yield from rows_of(child, depth + 1)
    absent = tuple(child for child in field.children if not child.present and not child.required)
    if absent:
        yield RowSpec((field.pointer, *(child.key for child in absent)), depth, field, absent)


class FieldRow(QWidget):
    """One field: its name, what edits it, what is wrong with it."""

    valued = Signal(str, object)
    formed = Signal(object, int)
    begun = Signal(object)
    removed = Signal(str)

    def __init__(self, wanted: RowSpec) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._field = wanted.field
        self._stops: list[QWidget] = []
        self._editor: Segments | TextBox | NumberLine | None = None
        self._forms: Segments | None = None
        self._other = QLabel()
        self._problem = _note("error")
        column = QVBoxLayout(self)
        column.setContentsMargins(wanted.depth * _INDENT, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(self._head(wanted.apart))
        self._fill(column)
        column.addWidget(self._problem)
        self._problem.hide()

    @property
    def stops(self) -> list[QWidget]:
        """Where the Tab key stops, in order."""
        return self._stops

    @property
    def pointer(self) -> str:
        """The place of the field."""
        return self._field.pointer

    def show_field(self, field: AnswerField, problems: list[str]) -> None:
        """Show a value of the same kind, and what is wrong with it."""
        self._field = field
        self._problem.setText("\n".join(problems))
        self._problem.setVisible(bool(problems))
        name = path_in_words(field.pointer)
        description = "\n".join([*problems, field.description]) if problems else field.description
        if self._forms is not None:
            self._forms.show_chosen(field.form)
            self._forms.name(_("Form of {key}").format(key=name), "")
        match self._editor:
            case Segments() as segments:
                segments.show_chosen(_index(self._choices(), field.value) if field.present else None)
                segments.name(name, description)
                self._show_other(field)
            case TextBox() as box:
                box.show_text(str(field.value))
                _name(box, name, description)
            case NumberLine() as line:
                line.show_value(field.value)
                _name(line, name, description)
            case None:
                self._show_other(field)

    def _head(self, apart: bool) -> QHBoxLayout:
        field = self._field
        row = QHBoxLayout()
        row.setSpacing(6)
        name = path_in_words(field.pointer) if apart else field.key
        label = QLabel(f"{int(field.key) + 1}." if field.item and not apart else name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(mono_font(12, QFont.Weight.DemiBold))
        row.addWidget(label)
        marks = [_("required")] if field.required and not field.present else []
        marks += [] if field.declared else [_("not in the schema")]
        for mark in marks:
            mark_label = QLabel(mark)
            mark_label.setFont(ui_font(11))
            mark_label.setProperty("muted", True)
            row.addWidget(mark_label)
        description = ElidedLabel(field.description, ui_font(11), Qt.TextElideMode.ElideRight)
        description.setProperty("muted", True)
        row.addWidget(description, 1)
        if field.kind == "list" and field.present and field.fits and field.may_grow:
            self._add_button(row, _("Add item"), _("Add an item to {key}"), lambda: self.begun.emit(self._field))
        if not field.present or not field.editable:
            text = _("Add") if not field.present else _("Start over")
            self._add_button(row, text, _("Begin {key}"), self._begin)
        if field.removable:
            self._add_button(row, "×", _("Remove {key}"), lambda: self.removed.emit(self._field.pointer))
        return row

    def _add_button(self, row: QHBoxLayout, text: str, name: str, act: Callable[[], object]) -> None:
        button = small_button(text, name.format(key=path_in_words(self._field.pointer)))
        button.clicked.connect(lambda _checked=False: act())
        row.addWidget(button)
        self._stops.append(button)

    def _begin(self) -> None:
        """Begin the value; one of another kind is replaced by one that fits."""
        self.begun.emit(self._field)

    def _fill(self, column: QVBoxLayout) -> None:
        field = self._field
        if field.forms:
            self._forms = Segments(field.forms)
            self._forms.chosen.connect(lambda form: self.formed.emit(self._field, form))
            column.addWidget(self._forms)
            self._stops[:0] = self._forms.stops()
        if field.present and field.editable:
            self._editor = self._made()
        if self._editor is not None:
            column.addWidget(self._editor)
            at = len(self._forms.stops()) if self._forms else 0
            self._stops[at:at] = self._editor.stops() if isinstance(self._editor, Segments) else [self._editor]
        self._other.setTextFormat(Qt.TextFormat.PlainText)
        self._other.setFont(mono_font(12))
        self._other.setWordWrap(True)
        self._other.hide()
        column.addWidget(self._other)

    def _made(self) -> Segments | TextBox | NumberLine | None:
        """What edits a field of this kind; None for objects and lists, whose rows come below."""
        match self._field.kind:
            case "constant" if self._field.settled:
                return None
            case "constant" | "choice" | "boolean":
                segments = Segments([label_of(value) for value in self._choices()])
                segments.chosen.connect(self._chosen)
                return segments
            case "text":
                box = TextBox()
                box.typed.connect(lambda text: self.valued.emit(self._field.pointer, text))
                return box
            case "number" | "integer":
                line = NumberLine()
                line.valued.connect(lambda value: self.valued.emit(self._field.pointer, value))
                return line
        return None

    def _chosen(self, number: int) -> None:
        self.valued.emit(self._field.pointer, self._choices()[number])

    def _choices(self) -> tuple[JsonValue, ...]:
        return _BOOLEANS if self._field.kind == "boolean" else self._field.choices

    def _show_other(self, field: AnswerField) -> None:
        """The value itself, where what edits the field can't show it."""
        known = self._editor is not None and _index(self._choices(), field.value) is not None
        shown = field.kind in {"list", "object"} and field.fits
        hidden = not field.present or known or shown
        text = "" if hidden else label_of(field.value)
        self._other.setText(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")
        self._other.setVisible(not hidden)


class AbsentRow(QWidget):
    """Buttons that begin what an object may have and lacks."""

    begun = Signal(object)

    def __init__(self, wanted: RowSpec) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setContentsMargins(wanted.depth * _INDENT, 0, 0, 0)
        self._fields = {field.key: field for field in wanted.absent}
        self.stops: list[QWidget] = []
        row = WrapLayout(self, 4)
        row.setContentsMargins(wanted.depth * _INDENT, 0, 0, 0)
        for field in wanted.absent:
            button = small_button(f"+ {field.key}".replace("&", "&&"), _("Add {key}").format(key=field.key))
            button.setToolTip(field.description or _("Add {key}").format(key=field.key))
            button.clicked.connect(lambda _checked=False, key=field.key: self.begun.emit(self._fields[key]))
            row.addWidget(button)
            self.stops.append(button)

    def show_absent(self, fields: tuple[AnswerField, ...]) -> None:
        """The same fields, as they are now."""
        self._fields = {field.key: field for field in fields}


def path_in_words(pointer: str) -> str:
    """A place in readable form: the keys on the path to it."""
    return " › ".join(split(pointer))


def _index(choices: tuple[JsonValue, ...], value: JsonValue) -> int | None:
    """Where a value stands among others."""
    return next((at for at, each in enumerate(choices) if same(each, value)), None)


def _name(widget: QWidget, name: str, description: str) -> None:
    widget.setAccessibleName(name)
    widget.setAccessibleDescription(description)


def _note(token: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(ui_font(11))
    label.setWordWrap(True)
    label.setProperty("token", token)
    return label
