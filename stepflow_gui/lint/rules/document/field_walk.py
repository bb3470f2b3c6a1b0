"""Walks a file beside its field table, over plain values: places take time to find, and findings are rare."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.fields import Field, Shape
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

Path = tuple[str | int, ...]


class WalkedObject(NamedTuple):
    """An object whose fields a table knows: where it is, its value and its fields, those of all formats.

    `unknown` are its keys that aren't among them, nor belong there under any name; where an object may have keys of
    one's own, those that only a slip parts from a field that it hasn't. `renamed` are the fields that have a newer name
    beside them, whether they are there or not.
    """

    path: Path
    value: dict[str, JsonValue]
    fields: tuple[Field, ...]
    unknown: list[str]
    renamed: dict[str, Field]

    @property
    def pointer(self) -> str:
        """The place as a JSON Pointer."""
        return join("", *self.path)


class _Known(NamedTuple):
    """What there is to know of a shape; the shape is kept, so nothing else can take its id."""

    shape: Shape
    fields: tuple[Field, ...]
    below: dict[str, Shape]
    renamed: dict[str, Field]
    is_open: bool


def objects(shape: Shape, value: JsonValue, format_id: str) -> Iterator[WalkedObject]:
    """Every object that the table describes, in file order, the outermost first."""
    seen: dict[int, _Known] = {}
    stack: list[tuple[Shape, JsonValue, Path]] = [(shape, value, ())] if isinstance(value, dict | list) else []
    while stack:
        at, here, path = stack.pop()
        if isinstance(here, list):
            below = (
                [(at.of, item, (*path, index)) for index, item in enumerate(here)]
                if at.kind == "list" and at.of
                else []
            )
        elif at.kind == "map":
            below = [(at.of, inner, (*path, key)) for key, inner in here.items()] if at.of else []
        else:
            known = seen.get(id(at)) or seen.setdefault(id(at), _known(at, format_id))
            if not known.fields:
                continue
            unknown = [key for key in here if key not in known.below]
            if unknown and known.is_open:
                missing = [name for name in known.below if name not in here]
                unknown = [key for key in unknown if any(is_slip(key, name) for name in missing)]
            yield WalkedObject(path, here, known.fields, unknown, known.renamed)
            below = [
                (inner_shape, inner, (*path, key))
                for key, inner in here.items()
                if isinstance(inner, dict | list) and (inner_shape := known.below.get(key) or at.of)
            ]
        stack.extend(each for each in reversed(below) if isinstance(each[1], dict | list))


def _known(shape: Shape, format_id: str) -> _Known:
    fields = shape.fields or tuple(field for each in shape.either for field in each.fields)
    below = {field.name: field.shape for field in fields}
    below |= {field.name: field.shape for field in fields if field.known_in(format_id)}
    renamed = {field.name: field for field in fields if field.newer and not field.newer.startswith("/")}
    takes_any = any(each.kind in {"any", "map"} for each in shape.either)
    return _Known(shape, fields, below, renamed, is_open=shape.of is not None or takes_any)
