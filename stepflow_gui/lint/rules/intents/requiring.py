"""The fix for what an output schema has and doesn't require: the keys put into `required`, over several schemas."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.formats.schema_keywords import property_at, required
from stepflow_gui.lint.rule import DocumentEdits, Later
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join


class _Wanted(NamedTuple):
    """The keys that the object at a pointer has to require."""

    document: ParsedFile
    pointer: str
    keys: list[str]


def requiring(fields: Iterable[tuple[StepSchema, str]]) -> Later | None:
    """The edits after which each schema requires its path, key by key; None where one can't be made to."""
    wanted = _wanted(fields)
    if not wanted or not all(map(_can_require, wanted)):
        return None
    words = [key for each in wanted for key in each.keys]
    return Later(lambda: [edit for each in wanted for edit in _required(each)], words)


def _can_require(wanted: _Wanted) -> bool:
    holder = wanted.document.tree.at(wanted.pointer)
    if holder is None or holder.kind != "object" or "$ref" in holder.value or not wanted.document.tree.valid:
        return False
    return isinstance(holder.value.get("required", []), list)


def _required(wanted: _Wanted) -> DocumentEdits:
    from stepflow_gui.text.json.edit import insert_member, set_value

    document, pointer, keys = wanted
    holder = document.tree.at(pointer)
    made = (
        set_value(document.tree, join(pointer, "required"), [*holder.value["required"], *keys])
        if holder and "required" in holder.value
        else insert_member(document.tree, pointer, "required", keys)
    )
    return [(document, edit) for edit in made]


def _wanted(fields: Iterable[tuple[StepSchema, str]]) -> list[_Wanted]:
    """What has to require something; a schema that steps share is changed once."""
    wanted: dict[tuple[int, str], _Wanted] = {}
    for schema, path in fields:
        for prefix, key in _missing(schema, path):
            place = schema.place
            if prefix:
                found = schema.at_field(prefix)
                place = None if found is None or isinstance(found, SchemaProblem) else found.place
            if place is None:
                continue
            new = _Wanted(place.document, place.pointer, [])
            keys = wanted.setdefault((id(place.document), place.pointer), new).keys
            if key not in keys:
                keys.append(key)
    return list(wanted.values())


def _missing(schema: StepSchema, path: str) -> Iterator[tuple[str, str]]:
    keys = path.split(".")
    for index, key in enumerate(keys):
        prefix = ".".join(keys[:index])
        if not _requires(schema, prefix, key):
            yield prefix, key


def _requires(schema: StepSchema, prefix: str, key: str) -> bool:
    """Whether the object at a path, by itself, requires a key."""
    at = property_at(schema.value, prefix.split(".") if prefix else ())
    return key in required(at)
