"""What a format's fields are described with, and which field a place in a file is.

A table is data: readers, rules, forms, completion and hover help look at the same lines.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import split

Kind = Literal["string", "boolean", "integer", "number", "any", "list", "map", "object", "either"]
Need = Literal["no", "load", "run", "validate"]
"""Not needed; needed by the loader, by a run that gets there, or only by the fuller check that runs on request."""
Names = Literal["", "intent", "step", "verdict", "validator", "failure pattern", "schema file", "schema", "variable"]
"""What a string, or the keys of a map, refer to."""


class Shape(NamedTuple):
    """What a value may be."""

    kind: Kind
    choices: tuple[str, ...] = ()  # of a string
    pattern: str = ""  # of a string, to be matched in full
    least: int | None = None  # of an integer or number; of a list how many it holds at least
    nullable: bool = False
    names: Names = ""  # what the string, or the keys of the map, refer to
    of: "Shape | None" = None  # the elements of a list, the values of a map, an object's keys besides its fields
    fields: "tuple[Field, ...]" = ()  # of an object
    either: "tuple[Shape, ...]" = ()  # alternatives; objects among them are distinguished by their first field
    closed: bool = False  # the runner's own schema check refuses keys besides the fields
    narrow: "Callable[[Shape, JsonValue], Shape] | None" = None  # its shape by what it holds

    def of_value(self, value: JsonValue) -> "Shape":
        """The shape that an object has by what it holds, as a verdict by its type; usually the same."""
        return self if self.narrow is None or not isinstance(value, dict) else self.narrow(self, value)


class Field(NamedTuple):
    """A field of an object. `meaning` gives its help in the language in use."""

    name: str
    shape: Shape
    meaning: Callable[[], str]
    need: Need = "no"
    default: JsonValue = None
    formats: tuple[str, ...] = ()  # those that know the field; () is all
    newer: str = ""  # the name that took this one's place; its JSON Pointer where it is elsewhere now

    def known_in(self, format_id: str) -> bool:
        """Whether a format knows the field."""
        return not self.formats or format_id in self.formats

    def worded_for(self, format_id: str) -> "Field":
        """The field with its help in the words of a format: those of TAKT's workflows aren't those of its pieces."""
        return self._replace(meaning=_SaidOfSteps(self.meaning)) if format_id == "workflow" else self


class _SaidOfSteps:
    """The help of a field, in the words of a workflow; the same if the help is."""

    __slots__ = ("meaning",)

    def __init__(self, meaning: Callable[[], str]) -> None:
        self.meaning = meaning

    def __call__(self) -> str:
        from stepflow_gui.formats.takt.renames import as_workflow  # other formats have no such words

        return as_workflow(self.meaning())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SaidOfSteps) and other.meaning == self.meaning

    def __hash__(self) -> int:
        return hash(self.meaning)


def string(*, pattern: str = "", names: Names = "", nullable: bool = False) -> Shape:
    """Any string, or those that match."""
    return Shape("string", pattern=pattern, names=names, nullable=nullable)


def choice(*choices: str, names: Names = "") -> Shape:
    """One of some strings."""
    return Shape("string", choices=choices, names=names)


def list_of(shape: Shape) -> Shape:
    """A list of like values."""
    return Shape("list", of=shape)


def map_of(shape: Shape, names: Names = "") -> Shape:
    """An object with free keys."""
    return Shape("map", of=shape, names=names)


def object_of(
    *fields: Field,
    closed: bool = False,
    others: Shape | None = None,
    narrow: Callable[[Shape, JsonValue], Shape] | None = None,
) -> Shape:
    """An object with these fields, and keys of any other name where `others` gives their shape."""
    return Shape("object", fields=fields, closed=closed, of=others, narrow=narrow)


STRING = string()
BOOLEAN = Shape("boolean")
ANY = Shape("any")


def shape_at(shape: Shape, pointer: str, format_id: str) -> Shape | None:
    """What the value at a pointer below `shape` may be; None where the format knows nothing of it."""
    found = field_at(shape, pointer, format_id)
    return found.shape if isinstance(found, Field) else found


def field_at(shape: Shape, pointer: str, format_id: str) -> Field | Shape | None:
    """The field at a pointer below `shape`; the shape alone where it is an element or a free key."""
    at: Field | Shape | None = shape
    for key in split(pointer):
        inner = at.shape if isinstance(at, Field) else at
        at = _below(inner, key, format_id) if inner else None
    return at


def _below(shape: Shape, key: str, format_id: str) -> Field | Shape | None:
    if shape.kind == "any":
        return shape
    if shape.kind == "list" and not key.isdecimal():
        shape = shape.of_value({key: None})
    holders = (shape, *shape.either)
    for holder in holders:
        for field in holder.fields:
            if field.name == key and field.known_in(format_id):
                return field
    return next((holder.of for holder in holders if holder.of), None)
