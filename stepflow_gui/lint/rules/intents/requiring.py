"""The fix for what an output schema has and doesn't require: the keys put into `required`, over several schemas."""

from collections.abc import Iterable, Iterator

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.lint.rules.remarks import DocumentEdits
from stepflow_gui.text.document import Document
from stepflow_gui.text.pointer import join

_Wanted = dict[tuple[int, str], tuple[Document, list[str]]]


def requiring(fields: Iterable[tuple[StepSchema, str]]) -> DocumentEdits:
    """The edits after which each schema requires its path, key by key; [] where one can't be made to."""
    from stepflow_gui.text.json_edit import insert_member, set_value

    edits: DocumentEdits = []
    for (_id, pointer), (document, keys) in _wanted(fields).items():
        holder = document.tree.at(pointer)
        if holder is None or holder.kind != "object" or "$ref" in holder.value:
            return []
        listed = holder.value.get("required")
        if isinstance(listed, list):
            made = set_value(document.tree, join(pointer, "required"), [*listed, *keys])
        elif "required" not in holder.value:
            made = insert_member(document.tree, pointer, "required", keys)
        else:
            return []
        edits += [(document, edit) for edit in made]
    return edits


def _wanted(fields: Iterable[tuple[StepSchema, str]]) -> _Wanted:
    """The keys by the object that has to require them; a schema that steps share is changed once."""
    wanted: _Wanted = {}
    for schema, path in fields:
        for prefix, key in _missing(schema, path):
            place = schema.place
            if prefix:
                found = schema.at_field(prefix)
                place = None if found is None or isinstance(found, SchemaProblem) else found.place
            if place is None:
                continue
            _document, keys = wanted.setdefault((id(place.document), place.pointer), (place.document, []))
            if key not in keys:
                keys.append(key)
    return wanted


def _missing(schema: StepSchema, path: str) -> Iterator[tuple[str, str]]:
    keys = path.split(".")
    for index, key in enumerate(keys):
        prefix = ".".join(keys[:index])
        if not _requires(schema, prefix, key):
            yield prefix, key


def _requires(schema: StepSchema, prefix: str, key: str) -> bool:
    """Whether the object at a path, by itself, requires a key."""
    at = schema.value
    for step in prefix.split(".") if prefix else ():
        at = at.get("properties", {}).get(step, {})
    required = at.get("required")
    return isinstance(required, list) and key in required
