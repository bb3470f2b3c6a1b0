"""An answer as a tree of fields: what its schema asks for at each place, and what the answer has there."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from stepflow_gui.run.answer_form.shapes import Schema, alternatives, kind_of_value, named, only, settled, type_of
from stepflow_gui.run.answer_form.starting import item_schema
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.schema_errors import breaches
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

Kind = Literal["constant", "choice", "text", "number", "integer", "boolean", "null", "list", "object", "any"]
_DEEPEST = 30  # fields inside one another; what is deeper is left to the JSON view
_KINDS: dict[str | None, Kind] = {
    "string": "text",
    "number": "number",
    "integer": "integer",
    "boolean": "boolean",
    "null": "null",
    "array": "list",
    "object": "object",
}


class AnswerField(NamedTuple):
    """One place of an answer. `value` is ABSENT where the answer has nothing there.

    `choices` are what an enum allows, `forms` the names of its alternatives, of which `form` is meant. `declared`: the
    schema knows the place. `fits`: the value is of the kind that the field edits; else the JSON view shows it.
    """

    pointer: str
    key: str  # of the object that it is in, or the index in a list; "" for the root
    kind: Kind
    schema: Schema
    value: JsonValue = ABSENT
    required: bool = False
    declared: bool = True
    choices: tuple[JsonValue, ...] = ()
    forms: tuple[str, ...] = ()
    form: int | None = None
    children: "tuple[AnswerField, ...]" = ()
    item: bool = False  # of a list

    @property
    def present(self) -> bool:
        """Whether the answer has a value there."""
        return self.value is not ABSENT

    @property
    def description(self) -> str:
        """Its description in the schema."""
        for key in ("description", "title") if not self.forms else ("description",):
            own_text = self.schema.get(key)
            if isinstance(own_text, str) and own_text:
                return own_text
        return ""

    @property
    def fits(self) -> bool:
        """Whether the value is one that a field of this kind shows."""
        return not self.present or _shows(self.kind, self.value)

    @property
    def editable(self) -> bool:
        """Whether a field of this kind can edit the value: a number that is being typed may be none yet."""
        return self.fits or (self.kind in {"number", "integer"} and isinstance(self.value, str))

    @property
    def settled(self) -> bool:
        """Whether it is a constant and has its value: there is nothing to choose."""
        return self.kind == "constant" and self.present and same(self.value, self.choices[0])

    @property
    def removable(self) -> bool:
        """Whether a person may take it out: what isn't required, and every item of a list."""
        return self.present and bool(self.pointer) and not self.required

    @property
    def may_grow(self) -> bool:
        """Whether a list may have one more item."""
        most = self.schema.get("maxItems")
        return self.kind == "list" and not (isinstance(most, int) and len(self.children) >= most)


def fields_of(schema: Schema, value: JsonValue, root: Schema | None = None) -> AnswerField:
    """The fields of a value, the root first."""
    return _Building(root if root is not None else schema).field(schema, value, "", "", required=True, declared=True)


class _Building:
    """The fields of one answer being made."""

    def __init__(self, root: Schema) -> None:
        self._root = root

    def field(
        self, schema: object, value: JsonValue, pointer: str, key: str, *, required: bool, declared: bool, deep: int = 0
    ) -> AnswerField:
        found = only(settled(schema, self._root), self._root)
        forms = alternatives(found, self._root)
        names = tuple(named(form, number) for number, form in enumerate(forms, 1))
        at = self._meant(forms, value) if forms else None
        if at is not None:
            inner = self.field(forms[at], value, pointer, key, required=required, declared=declared, deep=deep + 1)
            nested = inner.forms
            return inner if nested else inner._replace(forms=names, form=at)
        kind = _kind(found, value)
        field = AnswerField(pointer, key, kind, found, value, required, declared, _choices(found), names)
        if deep >= _DEEPEST:
            return field
        if kind == "object":
            return field._replace(children=self._members(found, value, pointer, deep))
        if kind == "list" and isinstance(value, list):
            return field._replace(
                children=tuple(
                    self.field(
                        item_schema(found, index),
                        item,
                        join(pointer, index),
                        str(index),
                        required=False,
                        declared=True,
                        deep=deep + 1,
                    )._replace(item=True)
                    for index, item in enumerate(value)
                )
            )
        return field

    def _members(self, schema: Schema, value: JsonValue, pointer: str, deep: int) -> tuple[AnswerField, ...]:
        given: dict[str, Any] = value if isinstance(value, dict) else {}
        properties, required = schema.get("properties"), schema.get("required")
        known = properties if isinstance(properties, Mapping) else {}
        wanted = required if isinstance(required, list) else []
        others = [key for key in (*wanted, *given) if isinstance(key, str) and key not in known]
        further = schema.get("additionalProperties")
        return tuple(
            self.field(
                known.get(key, further),
                given.get(key, ABSENT),
                join(pointer, key),
                key,
                required=key in wanted,
                declared=key in known or key in wanted,
                deep=deep + 1,
            )
            for key in dict.fromkeys([*known, *others])
        )

    def _meant(self, forms: tuple[Schema, ...], value: JsonValue) -> int:
        """The form that a value has, or comes nearest to."""
        if value is ABSENT:
            return 0
        broken = [len(breaches({**form, **self._definitions(form)}, value)) for form in forms]
        kinds = [_shows(_kind(form, value), value) for form in forms]
        return min(range(len(forms)), key=lambda at: (broken[at] > 0, not kinds[at], broken[at]))

    def _definitions(self, form: Schema) -> dict[str, Any]:
        """The definitions that references in a form target, so it can be checked alone."""
        names = ("definitions", "$defs")
        return {name: self._root[name] for name in names if name in self._root and name not in form}


def same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are the same JSON: `true` is not 1."""
    return type(one) is type(other) and one == other


def _kind(schema: Schema, value: JsonValue) -> Kind:
    if "const" in schema:
        return "constant"
    if isinstance(schema.get("enum"), list):
        return "choice"
    asked = type_of(schema)
    if asked is None and value is not ABSENT:
        asked = kind_of_value(value)
    return _KINDS.get(asked, "any")


def _choices(schema: Schema) -> tuple[JsonValue, ...]:
    if "const" in schema:
        return (schema["const"],)
    listed = schema.get("enum")
    return tuple(listed) if isinstance(listed, list) else ()


def _shows(kind: Kind, value: JsonValue) -> bool:
    match kind:
        case "constant" | "choice":
            return value is None or isinstance(value, str | int | float | bool)
        case "text":
            return isinstance(value, str)
        case "number" | "integer":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "list":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case "null":
            return value is None
    return False
