"""The lines of a form: what a field table and the values at a place of a file come to. Knows no Qt.

Every member of the file is on exactly one line, or inside one that shows it as JSON: what the table doesn't know, and
what has another type than the table specifies, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.formats.fields import Field, Names, Shape
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent

Control = Literal["text", "prose", "boolean", "number", "json", "deep", "list", "group"]
"""One line of text; several; a yes or no; a number; JSON; what is nested too deep for that, and shown without its
value; a list, a map or an object, whose inside follows.
"""
Role = Literal["field", "item", "entry"]
"""A field of an object; an element of a list; a member whose key is free."""

_LONG = 34  # letters that a field of the inspector holds on one line
_DEEPEST = 12  # levels; what lies deeper is shown as JSON
_DEEP = 100  # levels that Python's own recursions manage well


class FormField(NamedTuple):
    """One line. `absent` ones aren't in the file: what is needed there, or has a default that counts.

    `known` is whether the table has the field, element or key; `fits` whether the value has the type that it wants.
    `form` is which of the alternatives of a union the value is; `missing` are the fields that could be added.
    `variants`: of how many values it is in several steps; 0 where it is about one place only.
    """

    pointer: str
    key: str
    depth: int
    control: Control
    role: Role
    value: JsonValue
    shape: Shape | None
    field: Field | None = None
    absent: bool = False
    known: bool = True
    fits: bool = True
    form: int | None = None
    length: int = 0  # members or elements
    missing: tuple[Field, ...] = ()
    variants: int = 0

    @property
    def differs(self) -> bool:
        """Whether it stands for places whose values differ."""
        return self.variants > 1

    @property
    def meaning(self) -> str:
        """What the field is for, in the language in use; empty where the table has no text."""
        return self.field.meaning() if self.field else ""

    @property
    def names(self) -> Names:
        """What the value refers to."""
        return self.shape.names if self.shape and self.shape.kind == "string" else ""

    @property
    def heads(self) -> bool:
        """Whether lines below belong to it."""
        return self.control in {"group", "list"}

    @property
    def needed(self) -> bool:
        """Whether runners want the field."""
        return self.field is not None and self.field.need != "no"

    @property
    def grows(self) -> Shape | None:
        """Of what shape a further element or member with a free key is; None where there can be none."""
        if not self.heads or self.shape is None:
            return None
        inner = alternative(self.shape, self.form)
        return inner.of if inner.kind in {"list", "map", "object"} else None


class FormOptions(NamedTuple):
    """How a form is made: the format that fields are asked for by.

    `whole` also shows, with the defaults inside, the objects, lists and maps that don't exist but count anyway.
    """

    format_id: str
    whole: bool = False


class FormPart(NamedTuple):
    """A titled part of a form, with its fields. The one without fields takes all others."""

    title: str
    fields: tuple[str, ...] = ()


class FormSection(NamedTuple):
    """A part with its lines. `missing` are the fields of it that could be added to the object at `pointer`.

    `head` is the line of the one field that the whole part is about, such as the gate's; it isn't among `lines`.
    """

    title: str
    pointer: str
    lines: tuple[FormField, ...]
    missing: tuple[Field, ...]
    head: FormField | None = None


def sections(
    value: JsonValue,
    shape: Shape,
    pointer: str,
    format_id: str,
    parts: Sequence[FormPart],
    without: Sequence[str] = (),
    *,
    whole: bool = False,
) -> list[FormSection]:
    """The form of the object at a pointer, part by part; parts with nothing in them are left out."""
    if not isinstance(value, dict):
        only = FormField(pointer, "", 0, "deep" if _too_deep(value) else "json", "field", value, shape, fits=False)
        return [FormSection("", pointer, (only if only.control == "json" else only._replace(value=None),), ())]
    asked = FormOptions(format_id, whole)
    known = _fields(shape, format_id)
    placed = {name for part in parts for name in part.fields}
    rest = [name for name in (*known, *(key for key in value if key not in known)) if name not in placed]
    found = []
    for part in parts:
        names = [name for name in part.fields if name in known or name in value] if part.fields else rest
        names = [name for name in names if name not in without]
        lines = tuple(_members(value, {name: known.get(name) for name in names}, pointer, 0, asked, None))
        shown = {line.pointer for line in lines}
        missing = tuple(known[name] for name in names if name in known and join(pointer, name) not in shown)
        missing = tuple(field for field in missing if not field.newer)
        if not lines and not missing:
            continue
        if part.fields and lines and lines[0].heads and all(line.depth for line in lines[1:]):
            inside = tuple(line._replace(depth=line.depth - 1) for line in lines[1:])
            found.append(FormSection(part.title, pointer, inside, missing, lines[0]))
        else:
            found.append(FormSection(part.title, pointer, lines, missing))
    return found


def lines_of(
    value: JsonValue, shape: Shape | None, pointer: str, format_id: str, key: str = "", depth: int = 0
) -> Iterator[FormField]:
    """The line of a value, and those of what is in it."""
    yield from _lines(FormField(pointer, key, depth, "json", "field", value, shape), FormOptions(format_id))


def lines_of_field(
    holder: Mapping[str, JsonValue], field: Field, pointer: str, asked: FormOptions
) -> Iterator[FormField]:
    """The lines of one field of the object at a pointer; where it doesn't exist, those of its defaults."""
    if field.name in holder:
        yield from _members(holder, {field.name: field}, pointer, 0, asked, None)
    else:
        yield from _defaults(join(pointer, field.name), field, 0, asked)


def alternative(shape: Shape, form: int | None) -> Shape:
    """One of the shapes of a union; a plain shape itself."""
    return shape.either[form] if shape.kind == "either" and form is not None else shape


def form_of(value: JsonValue, shape: Shape, format_id: str) -> int | None:
    """Which alternative of a union a value is: determined by the first field of objects, else by what fits."""
    if shape.kind != "either":
        return None
    for number, each in enumerate(shape.either):
        if each.kind == "object" and isinstance(value, dict) and each.fields and each.fields[0].name in value:
            return number
    for number, each in enumerate(shape.either):
        if not isinstance(value, dict) and not any(misfits(value, each, format_id)):
            return number
    if isinstance(value, dict):
        return next((number for number, each in enumerate(shape.either) if each.kind == "object"), None)
    return None


def widest_keys(lines: Sequence[FormField]) -> dict[str, str]:
    """The longest free key of each map that has its values beside its keys."""
    found: dict[str, str] = {}
    for line in lines:
        if line.role == "entry" and not line.heads:
            holder = parent(line.pointer)
            found[holder] = max(found.get(holder, ""), line.key, key=len)
    return found


def _lines(line: FormField, asked: FormOptions) -> Iterator[FormField]:
    value, shape = line.value, line.shape
    if shape is None:
        yield line._replace(control="json", known=False)
        return
    form = form_of(value, shape, asked.format_id)
    inner = alternative(shape, form)
    if inner.narrow is not None:
        inner = inner.of_value(value)
        line = line._replace(shape=inner)
    fits = _is_of(value, inner) and not (shape.kind == "either" and form is None)
    deep = line.depth >= _DEEPEST
    if not fits or inner.kind == "any" or deep:
        yield line._replace(control="json", fits=fits, form=form)
    elif inner.kind == "list":
        yield line._replace(control="list", form=form, length=len(value))
        for index, item in enumerate(value):
            below = FormField(join(line.pointer, index), str(index + 1), line.depth + 1, "json", "item", item, inner.of)
            yield from _lines(below, asked)
    elif inner.kind in {"map", "object"}:
        known = _fields(inner, asked.format_id)
        wanted = {**known, **{key: None for key in value if key not in known}}
        inside = list(_members(value, wanted, line.pointer, line.depth + 1, asked, inner.of))
        shown = {each.pointer for each in inside}
        missing = tuple(
            field for name, field in known.items() if join(line.pointer, name) not in shown and not field.newer
        )
        yield line._replace(control="group", form=form, length=len(value), missing=missing)
        yield from inside
    else:
        yield line._replace(control=_plain(value, inner), form=form)


def _members(
    value: Mapping[str, JsonValue],
    wanted: Mapping[str, Field | None],
    pointer: str,
    depth: int,
    asked: FormOptions,
    others: Shape | None,
) -> Iterator[FormField]:
    """The lines of an object's members in the order wanted; a name without field is a free key, or unknown."""
    for name, field in wanted.items():
        where = join(pointer, name)
        shape = field.shape if field else others
        role: Role = "field" if field or others is None else "entry"
        if name in value and depth == 0 and _too_deep(value[name]):
            yield FormField(where, name, depth, "deep", role, None, None, field, known=field is not None)
        elif name in value:
            yield from _lines(FormField(where, name, depth, "json", role, value[name], shape, field), asked)
        elif field is not None and _shown_absent(field, asked):
            yield from _defaults(where, field, depth, asked)


def _defaults(where: str, field: Field, depth: int, asked: FormOptions) -> Iterator[FormField]:
    """The lines of a field that isn't in the file."""
    kind = alternative(field.shape, 0)
    absent = FormField(where, field.name, depth, _plain(None, kind), "field", None, field.shape, field, absent=True)
    if kind.kind == "list":
        yield absent._replace(control="list", value=[])
    elif kind.kind in {"map", "object"}:
        kind = kind.of_value({})
        counts = field.default if isinstance(field.default, dict) else {}
        known = _fields(kind, asked.format_id)
        known = {name: each._replace(default=counts.get(name, each.default)) for name, each in known.items()}
        if field.need == "no" and field.default is None:  # what is needed in it is so only once it is there
            known = {name: each._replace(need="no") for name, each in known.items()}
        inside = list(_members({}, known, where, depth + 1, asked, kind.of))
        shown = {each.pointer for each in inside}
        missing = tuple(each for name, each in known.items() if join(where, name) not in shown and not each.newer)
        yield absent._replace(control="group", value={}, shape=kind, missing=missing)
        yield from inside
    else:
        yield absent


def _too_deep(value: JsonValue) -> bool:
    level, depth = [value] if isinstance(value, dict | list) else [], 0
    while level and depth <= _DEEP:
        inside = (each.values() if isinstance(each, dict) else each for each in level)
        level = [inner for values in inside for inner in values if isinstance(inner, dict | list)]
        depth += 1
    return bool(level)


def _shown_absent(field: Field, asked: FormOptions) -> bool:
    plain = field.shape.kind in {"string", "boolean", "integer", "number"}
    shown = plain or (asked.whole and field.shape.kind in {"list", "map", "object"})
    return shown and not field.newer and (field.need != "no" or field.default is not None)


def _fields(shape: Shape, format_id: str) -> dict[str, Field]:
    return {field.name: field.worded_for(format_id) for field in shape.fields if field.known_in(format_id)}


def _is_of(value: JsonValue, shape: Shape) -> bool:
    """Whether a value has the type that its control needs; a wrong choice or a wrong form still has it."""
    if value is None:
        return shape.nullable
    match shape.kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer" | "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "list":
            return isinstance(value, list)
        case "map" | "object":
            return isinstance(value, dict)
    return shape.kind == "any"


def _plain(value: JsonValue, shape: Shape) -> Control:
    match shape.kind:
        case "boolean":
            return "boolean"
        case "integer" | "number":
            return "number"
        case "string":
            long = isinstance(value, str) and (len(value) > _LONG or not value.isprintable())
            return "prose" if long and not shape.choices and not shape.names else "text"
    return "json"
