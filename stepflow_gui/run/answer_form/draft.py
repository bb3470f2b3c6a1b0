"""An answer being made manually: its value, its JSON text and its fields are one thing, changed through any of them."""

import copy
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.answer_form.fields import AnswerField, fields_of
from stepflow_gui.run.answer_form.gate_schema import schema_of_gate
from stepflow_gui.run.answer_form.invalid_samples import Breakage, breakages, intent_path
from stepflow_gui.run.answer_form.shapes import Schema, alternatives, only, settled
from stepflow_gui.run.answer_form.starting import item_schema, start_of
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.schema_errors import Breach, breaches
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import element_index, join, split

Listener = Callable[[], None]


class TextProblem(NamedTuple):
    """Why the text is not JSON. `offset` in characters from its start."""

    message: str
    offset: int


class AnswerDraft:
    """The answer to a step. `schema` None: the step has none, and the form is made from what its gate reads.

    `draft` is the `$schema` of the file that the schema is from. While the text is not JSON, value and fields are those
    of the last text that was.
    """

    def __init__(
        self, flow: Flow, step: Step, schema: Mapping[str, Any] | None, era: Era, draft: str | None = None
    ) -> None:
        self.flow = flow
        self.step = step
        self.era = era
        self.from_gate = schema is None
        self.schema: Schema = schema_of_gate(step, era) if schema is None else schema
        self._dialect = draft
        self._instead: Breakage | None = None
        self._beside = ""
        self._listeners: list[Listener] = []
        self._value: JsonValue = None
        self._text = ""
        self._problem: TextProblem | None = None
        self._fields: AnswerField | None = None
        self._breaches: tuple[Breach, ...] | None = None
        self._put(start_of(self.schema, self.schema))

    @property
    def value(self) -> JsonValue:
        """The answer. Not to be changed in place."""
        return self._value

    @property
    def text(self) -> str:
        """The answer as JSON, as it was written or as the fields make it."""
        return self._text

    @property
    def problem(self) -> TextProblem | None:
        """Why the text is not JSON; None where it is."""
        return self._problem

    @property
    def beside(self) -> str:
        """What the model writes beside the structured answer."""
        return self._beside

    @beside.setter
    def beside(self, text: str) -> None:
        self._beside = text
        self._notify()

    @property
    def instead(self) -> Breakage | None:
        """What is given in place of an answer: no output, or a query that fails. None: the answer itself."""
        return self._instead

    @property
    def fields(self) -> AnswerField:
        """The answer's fields, the root first."""
        if self._fields is None:
            self._fields = fields_of(self.schema, self._value)
        return self._fields

    @property
    def intent_pointer(self) -> str | None:
        """Where the intent stands; None where nothing of the answer is one."""
        path = intent_path(self.step, self.era)
        return join("", *path.split(".")) if path else None

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """Where the answer breaks its schema; it may be given anyway."""
        if self._breaches is None:
            self._breaches = breaches(self.schema, self._value, self._dialect)
        return self._breaches

    @property
    def breakages(self) -> tuple[Breakage, ...]:
        """Possible corruptions of the current answer."""
        return breakages(self.flow, self.step, self._value, self.era)

    def answered(self) -> Answered | None:
        """The answer as the run takes it; None while the text is not JSON."""
        if self._instead is not None:
            return self._instead.answered
        if self._problem is not None:
            return None
        return Answered(copy.deepcopy(self._value), (self._beside,) if self._beside else None)

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after every change, until the returned function is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def set(self, pointer: str, value: JsonValue) -> None:
        """Set the value at a path, making missing objects. A path that can't exist changes nothing."""
        changed = copy.deepcopy(self._value)
        if not pointer:
            changed = value
        elif not _set(changed, split(pointer), value):
            return
        self._put(changed)

    def remove(self, pointer: str) -> None:
        """Take out what is at a place."""
        changed = copy.deepcopy(self._value)
        *keys, last = split(pointer)
        holder = _at(changed, keys)
        if isinstance(holder, dict):
            holder.pop(last, None)
        elif isinstance(holder, list) and (index := element_index(last, len(holder))) is not None:
            del holder[index]
        self._put(changed)

    def add(self, field: AnswerField) -> None:
        """Begin a value that is absent or of another kind, or one more item of a list, as the schema allows."""
        if field.kind == "list" and isinstance(field.value, list):
            index = len(field.value)
            self.set(join(field.pointer, index), start_of(item_schema(field.schema, index), self.schema))
        elif not field.present or not field.fits:
            self.set(field.pointer, start_of(field.schema, self.schema))

    def take_form(self, field: AnswerField, form: int) -> None:
        """Begin another of the forms that a value may have; entries that both forms have are kept."""
        forms = self._forms_at(field.pointer)
        if not 0 <= form < len(forms):
            return
        start = start_of(forms[form], self.schema)
        if isinstance(start, dict) and isinstance(field.value, dict):
            known = forms[form].get("properties")
            names = known if isinstance(known, Mapping) else {}
            kept = {key: value for key, value in field.value.items() if key in names and "const" not in names[key]}
            start |= {key: value for key, value in kept.items() if not breaches(self._whole(names[key]), value)}
        self.set(field.pointer, start)

    def write(self, text: str) -> None:
        """Take what was written in the JSON view."""
        if text == self._text:
            return
        self._text, self._instead = text, None
        try:
            value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
        except json.JSONDecodeError as problem:
            message = _("Line {line}, column {column}: this is not JSON.").format(
                line=problem.lineno, column=problem.colno
            )
            self._problem = TextProblem(message, problem.pos)
        except (ValueError, RecursionError):
            self._problem = TextProblem(_("This is not JSON."), 0)
        else:
            self._problem = None
            self._value = value
            self._fields = self._breaches = None
        self._notify()

    def break_it(self, breakage: Breakage) -> None:
        """Take a broken answer in place of this one."""
        if breakage.answered is None:
            return
        if breakage.answered.answer is None:
            self._instead = breakage
            self._notify()
        else:
            self._put(breakage.answered.answer)

    def mend(self) -> None:
        """Give the answer itself again."""
        self._instead = None
        self._notify()

    def start_over(self) -> None:
        """Begin again with a valid answer."""
        self._put(start_of(self.schema, self.schema))

    def _put(self, value: JsonValue) -> None:
        self._value = value
        self._text = json.dumps(value, ensure_ascii=False, indent=2)
        self._problem = self._instead = self._fields = self._breaches = None
        self._notify()

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _forms_at(self, pointer: str) -> tuple[Schema, ...]:
        """The forms that a place may have, found along the forms that the answer has."""
        at: Schema = self.schema
        value = self._value
        for key in split(pointer):
            at = self._meant(at, value)
            properties = at.get("properties")
            if isinstance(value, list):
                index = element_index(key, len(value) + 1) or 0
                inner: object = item_schema(at, index)
                value = value[index] if index < len(value) else None
            else:
                known = properties if isinstance(properties, Mapping) else {}
                inner = known.get(key, at.get("additionalProperties"))
                value = value.get(key) if isinstance(value, dict) else None
            at = inner if isinstance(inner, Mapping) else {}
        return alternatives(only(settled(at, self.schema), self.schema), self.schema)

    def _meant(self, schema: Schema, value: JsonValue) -> Schema:
        return fields_of(schema, value, self.schema).schema

    def _whole(self, schema: Schema) -> Schema:
        """A part of the schema with its references resolved."""
        names = ("definitions", "$defs")
        return {**{name: self.schema[name] for name in names if name in self.schema}, **schema}


def _refuse(constant: str) -> None:
    raise ValueError(constant)  # NaN and the infinities, which Python takes


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):  # JSON text can't express it
        raise ValueError(text)
    return number


def _at(value: JsonValue, keys: list[str]) -> JsonValue:
    for key in keys:
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and (index := element_index(key, len(value))) is not None:
            value = value[index]
        else:
            return None
    return value


def _set(value: JsonValue, keys: list[str], new: JsonValue) -> bool:
    """Set a value at a path, making missing objects. False where another kind of value is in the way."""
    *parents, last = keys
    holder = value
    for key in parents:
        if isinstance(holder, dict):
            holder = holder.setdefault(key, {})
        elif isinstance(holder, list) and (index := element_index(key, len(holder))) is not None:
            holder = holder[index]
        else:
            return False
    if isinstance(holder, dict):
        holder[last] = new
        return True
    if isinstance(holder, list) and (index := element_index(last, len(holder) + 1)) is not None:
        holder[index : index + 1] = [new]
        return True
    return False
