"""Where a step's schema is named: in `outputSchemaRef`s, in `$ref`s of schema files, and in the schema itself."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.climpt.changes.draft import readable
from stepflow_gui.formats.climpt.changes.steps.references import VALIDATION_KEYS, StepReference
from stepflow_gui.formats.climpt.changes.steps.walks import Walks, bound_at
from stepflow_gui.formats.climpt.schema_merge import Fragment
from stepflow_gui.formats.climpt.schemas import find_schema
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join, parent, split

_HOLDERS = ("/definitions", "/$defs", "")


class NamedSchema(NamedTuple):
    """A schema that a file holds under a name: a member of `definitions`, of `$defs` or of the whole."""

    document: ParsedFile
    pointer: str
    name: str

    @property
    def node(self) -> Node:
        """The schema."""
        node = self.document.tree.at(self.pointer)
        assert node is not None
        return node


def schema_of(files: AgentFiles, step: Step) -> NamedSchema | None:
    """The schema that a step names; None where it can't be read or is the whole file."""
    place = files.schema(step).place
    keys = split(place.pointer) if place else []
    return NamedSchema(place.document, place.pointer, keys[-1]) if place and keys else None


def schemas_named(files: AgentFiles, step_id: str) -> list[NamedSchema]:
    """The schemas of that name in the files that steps use. Only an id with a dot is surely a step's."""
    if "." not in step_id:
        return []
    return [
        NamedSchema(document, join(holder, step_id), step_id)
        for document in files.schema_files()
        if isinstance(document, ParsedFile) and step_id in document.source.text
        for holder in _HOLDERS
        if (held := document.tree.at(holder)) and held.member(step_id)
    ]


def users(files: AgentFiles, schema: NamedSchema) -> list[str]:
    """The steps whose answers follow the schema as such."""
    same = (schema.document, schema.pointer)
    places = {step.id: files.schema(step).place for step in files.flow.steps.values() if step.schema_ref}
    return [step for step, place in places.items() if place and (place.document, place.pointer) == same]


def name_references(files: AgentFiles, schema: NamedSchema, walks: Walks | None = None) -> list[StepReference]:
    """Every place that contains the schema's name: its key, the registry, and `$ref`s of all schema files known."""
    member = schema.document.tree.key_span(schema.pointer)
    assert member is not None
    found = [StepReference("schema", schema.document, schema.pointer, member)]
    found += _in_registry(files, schema)
    for document in schema_documents(files):
        found += _refs(files, document, schema, walks or Walks())
    return found


def schema_documents(files: AgentFiles) -> list[ParsedFile]:
    """The schema files that steps use and those beside them."""
    used = [document for document in files.schema_files() if isinstance(document, ParsedFile)]
    return list(dict.fromkeys([*used, *files.schema_neighbours()]))


def step_id_references(files: AgentFiles, step_id: str, walks: Walks | None = None) -> list[StepReference]:
    """Where schemas bind `stepId` to the step, by `const` or in an `enum`."""
    walks = walks or Walks()
    documents = [document for document in files.schema_files() if isinstance(document, ParsedFile)]
    return [
        StepReference("schema", document, bound.pointer, bound.span)
        for document in documents
        for bound in walks.bound(document, step_id)
    ]


def bindings_below(schema: NamedSchema, step_id: str) -> list[StepReference]:
    """Likewise inside one schema."""
    return [
        StepReference("schema", schema.document, bound.pointer, bound.span)
        for where, node in schema.node.walk(schema.pointer)
        for bound in bound_at(where, node)
        if bound.step_id == step_id
    ]


def bind_too(
    files: AgentFiles, step: Step, new: str, inside: NamedSchema | None
) -> tuple[ParsedFile, list[TextEdit]] | None:
    """Add a step beside another in the `enum` that binds `stepId`; None where none does, or one inside a schema."""
    found = files.schema(step).at("properties/stepId/enum")
    if not isinstance(found, Fragment) or not isinstance(found.value, list):
        return None
    own = inside is not None and found.document is inside.document and found.pointer.startswith(f"{inside.pointer}/")
    if own or step.id not in found.value or new in found.value or not found.document.tree.valid:
        return None
    return found.document, json_edit.insert_item(found.document.tree, found.pointer, new)


def _in_registry(files: AgentFiles, schema: NamedSchema) -> Iterator[StepReference]:
    registry = files.flow.document
    if registry.root is None:
        return
    for holder in ("steps", *VALIDATION_KEYS):
        members = registry.root.get(holder)
        for member in members.members() if members else []:
            if _may_name(member.value.value, schema.name):
                yield from _of_entry(files, schema, member.value, join("", holder, member.key))


def _may_name(entry: JsonValue, name: str) -> bool:
    """Whether a name is in any of the fields that can hold it: a quick look at the plain value."""
    if not isinstance(entry, dict):
        return False
    held = (entry.get(key) for key in ("outputSchemaRef", "structuredGate", "schemaRef"))
    return any(name in str(value) for part in held for value in (part.values() if isinstance(part, dict) else [part]))


def _of_entry(files: AgentFiles, schema: NamedSchema, node: Node, pointer: str) -> Iterator[StepReference]:
    registry = files.flow.document
    ref = node.get("outputSchemaRef")
    file = ref.get("file") if ref else None
    document = document_of(files, file.value) if file and isinstance(file.value, str) else None
    name = ref.get("schema") if ref else None
    if ref and name and isinstance(name.value, str) and document is schema.document:
        ends = _name(document, name.value, schema)
        if ends:
            yield StepReference("schema", registry, join(pointer, "outputSchemaRef", "schema"), name.span, None, *ends)
    gate = node.get("structuredGate")
    path = gate.get("intentSchemaRef") if gate else None
    if path and isinstance(path.value, str) and "#" in path.value:
        named, _, fragment = path.value.partition("#")
        meant = document_of(files, named) if named else document
        ends = _path(fragment, schema) if meant is schema.document else None
        if ends:
            where = join(pointer, "structuredGate", "intentSchemaRef")
            yield StepReference("schema", registry, where, path.span, None, f"{named}#{ends[0]}", ends[1])
    older = node.get("schemaRef")
    if older and isinstance(older.value, str) and "#" in older.value:
        named, _, fragment = older.value.partition("#")
        ends = _path(fragment, schema) if named.rpartition("/")[2] == schema.document.path.name else None
        if ends:
            yield StepReference(
                "schema", registry, join(pointer, "schemaRef"), older.span, None, f"{named}#{ends[0]}", ends[1]
            )


def document_of(files: AgentFiles, file: str) -> ParsedFile | None:
    """The schema file that an `outputSchemaRef` means."""
    found = (readable(files, path) for path in files.schema_candidates(file))
    return next((document for document in found if document), None)


def _name(document: ParsedFile, name: str, schema: NamedSchema) -> tuple[str, str] | None:
    """What stands before and behind the schema's name in the `schema` of an `outputSchemaRef`; None: it isn't meant."""
    mark = "#" if name.startswith("#") else ""
    bare = name.removeprefix("#")
    if not bare.startswith("/"):
        meant = find_schema(document, name)
        return (mark, "") if meant and meant.pointer == schema.pointer else None
    ends = _path(bare, schema)
    return (mark + ends[0], ends[1]) if ends else None


def _path(path: str, schema: NamedSchema) -> tuple[str, str] | None:
    """Likewise in a pointer, whose keys are taken as they stand."""
    slash = "/" if path.startswith("/") else ""
    keys = path.removeprefix("/").split("/")
    depth = len(split(schema.pointer))
    if "/".join(keys[:depth]) != "/".join(split(schema.pointer)):
        return None
    before, after = keys[: depth - 1], keys[depth:]
    return slash + "".join(f"{key}/" for key in before), "".join(f"/{key}" for key in after)


def _refs(files: AgentFiles, document: ParsedFile, schema: NamedSchema, walks: Walks) -> Iterator[StepReference]:
    for where, ref in walks.refs(document, schema.name):
        file, mark, path = ref.value.partition("#")
        meant = readable(files, document.path.parent / file) if file else document
        ends = _path(path, schema) if mark and meant is schema.document else None
        if ends:
            head = f"{file}#{ends[0]}"
            yield StepReference("schema", document, where, ref.span, None, head, ends[1])


def holder_of(schema: NamedSchema) -> str:
    """The pointer of the object that the schema is a member of."""
    return parent(schema.pointer)
