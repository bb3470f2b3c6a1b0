"""A step's output schema, resolved as the runner does it, each value with the file and place it came from.

runtime-semantics 2: a name is looked up in `definitions`, `$defs`, then at the top; a `$ref` replaces its schema;
`allOf` is merged, members first and then the schema's own keywords, where `required` is united, `properties` are
overlaid by the later one, and of any other keyword the first stays. Pointers are taken literally, without `~` escapes.
"""

from collections.abc import Collection, KeysView
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Gate, SchemaRef, Step, Text
from stepflow_gui.formats.climpt.schema_merge import Fragment, Load, Resolver, SchemaProblem, Value
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.tree import JsonValue

_PROBLEM_OF_READING = {"missing": "file-missing", "outside": "file-outside", "not-utf8": "file-invalid"}


class EnumValue(NamedTuple):
    """One value of an enum and where it is."""

    value: JsonValue
    place: Place


class StepSchema:
    """The output schema of a step and the intents it allows the model.

    `problem` is what keeps the enum from being read, None where `enum` holds. What is wrong elsewhere in the schema is
    in `faults`.
    """

    __slots__ = (
        "_enum",
        "_faults",
        "_listed",
        "_resolver",
        "_root",
        "_value",
        "enum_place",
        "problem",
        "step_id",
        "through_field",
    )

    def __init__(self, step_id: str, resolver: Resolver, root: Fragment | None) -> None:
        self.step_id = step_id
        self.problem: SchemaProblem | None = None
        self._listed: Value | None = None  # the array of the enum
        self._enum: list[EnumValue] | None = None
        self.enum_place: Place | None = None  # the array
        self.through_field = False  # found along `intentField`, not by `intentSchemaRef`
        self._resolver = resolver
        self._root = root
        self._value: dict[str, Any] | None = None
        self._faults: list[SchemaProblem] = []

    @property
    def intents(self) -> list[EnumValue]:
        """The strings of the enum; the runner ignores its other values."""
        return [value for value in self.enum if isinstance(value.value, str)]

    @property
    def place(self) -> Place | None:
        """Where the schema stands that `outputSchemaRef` names."""
        return self._root.place if self._root else None

    @property
    def value(self) -> dict[str, Any]:
        """The schema as the runner sends it: refs inlined, `allOf` merged, {} for none. Not to be changed."""
        if self._value is None:
            built, self._faults = self._resolver.plain(self._root) if self._root else ({}, [])
            self._value = built if isinstance(built, dict) else {}
        return self._value

    @property
    def faults(self) -> list[SchemaProblem]:
        """Every `$ref` of the schema that dangles, is circular or is external; reads the whole schema."""
        if self._root is None:
            return [self.problem] if self.problem else []
        assert self.value is not None
        return self._faults

    def field(self, path: str) -> Place | None:
        """Where the schema declares the property at a dotted path; None where it doesn't."""
        found = self.at_field(path)
        return None if found is None or isinstance(found, SchemaProblem) else found.place

    def requires(self, path: str) -> bool:
        """Whether every object on a dotted path requires the next key, so an answer can't leave it out."""
        at: Value | None = self._root
        for key in path.split("."):
            if at is None:
                return False
            required = self._resolver.child(at, "required")
            names = [] if required is None or isinstance(required, SchemaProblem) else self._resolver.items(required)
            if not any(name.value == key for name in names):
                return False
            inner = self._resolver.property(at, key)
            at = None if isinstance(inner, SchemaProblem) else inner
        return True

    @property
    def enum(self) -> list[EnumValue]:
        """What the enum offers, strings or not, in file order; [] where there is a problem."""
        if self._enum is None:
            items = self._resolver.items(self._listed) if self._listed is not None else []
            self._enum = [EnumValue(item.value, item.place) for item in items]
        return self._enum

    def lists_intents(self, array: Value) -> None:
        """Take an array as the enum of the intents."""
        self._listed = array
        self.enum_place = array.place

    def under(self, resolver: Resolver) -> "StepSchema":
        """The same schema, what is still unread to be read through another resolver."""
        schema = StepSchema(self.step_id, resolver, self._root)
        schema.problem, schema.enum_place = self.problem, self.enum_place
        schema._listed, schema._enum = self._listed, self._enum
        schema.through_field, schema._value, schema._faults = self.through_field, self._value, self._faults
        return schema

    def at(self, path: str) -> Value | SchemaProblem | None:
        """The value at a pointer without its leading slash in the resolved schema."""
        return self._resolver.walk(self._root, path) if self._root else None

    def at_field(self, path: str) -> Value | SchemaProblem | None:
        """The schema of the property at a dotted path of an answer."""
        at: Value | SchemaProblem | None = self._root
        for key in path.split("."):
            if at is None or isinstance(at, SchemaProblem):
                return at
            at = self._resolver.property(at, key)
        return at


class StepSchemas:
    """The output schemas of a registry's steps, each resolved when it is asked for."""

    __slots__ = ("_registry", "_resolved", "_resolver")

    def __init__(self, registry: ParsedFile, resolver: Resolver, resolved: dict[str, StepSchema] | None = None) -> None:
        self._registry = registry
        self._resolver = resolver
        self._resolved = resolved or {}

    def of(self, step: Step) -> StepSchema:
        """The output schema of a step of the registry."""
        found = self._resolved.get(step.id)
        if found is None:
            found = self._resolved.setdefault(step.id, resolve_step(step, self._registry, self._resolver))
        return found

    @property
    def resolved(self) -> KeysView[str]:
        """The steps whose schemas were asked for so far."""
        return self._resolved.keys()

    def files(self) -> list[ParsedFile | ReadProblem]:
        """The files asked for so far, each once."""
        return list(dict.fromkeys(self._resolver.loaded.values()))

    def onto(self, registry: ParsedFile, load: Load) -> "StepSchemas":
        """The schemas after files changed: what still holds is kept."""
        files = list(self._resolver.loaded.items())  # another thread may be loading more
        if any(load(*asked) != content for asked, content in files):
            return StepSchemas(registry, Resolver(load))
        resolver = self._resolver.with_loader(load)
        same = registry is self._registry
        kept = {key: schema.under(resolver) for key, schema in self._resolved.items()} if same else {}
        return StepSchemas(registry, resolver, kept)

    def carry_on(self, load: Load, changed: Collection[str]) -> bool:
        """Go on with the registry's tree, in which these steps have new nodes; False where schema files changed."""
        files = self._resolver.loaded
        if self._registry in files.values() or any(load(*asked) != content for asked, content in files.items()):
            return False
        self._resolver.load_through(load)
        for key, schema in list(self._resolved.items()):
            if key in changed or schema.problem is not None:  # a problem knows its place
                del self._resolved[key]
        return True


def asked_schema(step: Step | None) -> tuple[str | None, ...]:
    """All fields of a step that locate its schema and the enum in it."""
    if step is None:
        return ()
    ref, gate = step.schema_ref, step.gate
    texts = (ref and ref.file, ref and ref.schema, gate and gate.intent_schema_ref, gate and gate.intent_field)
    return (*(text.value if text else None for text in texts), str(bool(ref)), str(bool(gate)))


def resolve_step(step: Step, registry: ParsedFile, resolver: Resolver) -> StepSchema:
    """The output schema of a step. What the steps of a registry share is resolved once by their common resolver."""
    root = _root_schema(resolver, step, registry)
    if isinstance(root, SchemaProblem):
        schema = StepSchema(step.id, resolver, None)
        schema.problem = root
        return schema
    schema = StepSchema(step.id, resolver, root)
    if step.gate:
        schema.problem = _find_enum(schema, resolver, step.gate, registry)
    return schema


def _find_enum(schema: StepSchema, resolver: Resolver, gate: Gate, registry: ParsedFile) -> SchemaProblem | None:
    ref = gate.intent_schema_ref
    by_pointer = ref is not None and ref.value.startswith("#/")
    asked = ref if by_pointer else gate.intent_field
    if asked is None or not asked.value:
        return SchemaProblem("no-path", Place(registry, gate.pointer, gate.node.span), related=schema.place)
    schema.through_field = not by_pointer
    at = schema.at(asked.value[2:]) if by_pointer else schema.at_field(asked.value)
    if isinstance(at, SchemaProblem):
        return at
    where = _of_text(registry, asked)
    if at is None:
        kind = "pointer-dangling" if by_pointer else "field-dangling"
        return SchemaProblem(kind, where, asked.value, related=schema.place)
    found = resolver.child(at, "enum")
    if isinstance(found, SchemaProblem):
        return found
    if found is None or not resolver.is_array(found):
        return SchemaProblem("no-enum", where, asked.value, related=at.place)
    schema.lists_intents(found)
    return None


def _root_schema(resolver: Resolver, step: Step, registry: ParsedFile) -> Fragment | SchemaProblem:
    ref = step.schema_ref
    if ref is None:
        return SchemaProblem("no-ref", Place(registry, step.pointer, step.key_span))
    if ref.file is None or ref.schema is None or not ref.file.value or not ref.schema.value:
        return SchemaProblem("ref-incomplete", Place(registry, ref.pointer, ref.node.span))
    named = _of_text(registry, ref.file)
    document = resolver.load(ref.file.value, None)
    if isinstance(document, ReadProblem):
        kind = _PROBLEM_OF_READING.get(document.kind, "file-unreadable")
        return SchemaProblem(kind, named, ref.file.value, file=document.path)
    if not document.tree.valid or document.root is None or document.root.kind != "object":
        return SchemaProblem("file-invalid", named, ref.file.value, file=document.path)
    return _named_schema(document, ref, registry)


def _named_schema(document: ParsedFile, ref: SchemaRef, registry: ParsedFile) -> Fragment | SchemaProblem:
    assert ref.schema is not None
    name = ref.schema.value
    where = _of_text(registry, ref.schema)
    if name.startswith("##") or "//" in name:
        return SchemaProblem("name-malformed", where, name, file=document.path)
    found = find_schema(document, name)
    if found is None:
        return SchemaProblem("name-missing", where, name, file=document.path, names=schema_names(document))
    return found


def find_schema(document: ParsedFile, name: str) -> Fragment | None:
    """The schema of a file that the `schema` of an `outputSchemaRef` means."""
    if document.root is None:
        return None
    top = Fragment(document, document.root, "", ())
    bare = name.removeprefix("#")
    if bare.startswith("/") or not bare:
        found = top.follow(bare)
        return found if found and found.is_container else None
    holders = [top.member("definitions"), top.member("$defs"), top]
    return next((inner for holder in holders if holder and (inner := holder.member(bare)) and inner.is_container), None)


def schema_names(document: ParsedFile) -> tuple[str, ...]:
    """The names by which an `outputSchemaRef` can mean a schema of that file: for did-you-mean."""
    names: list[str] = []
    root = document.root
    for holder in (root and root.get("definitions"), root and root.get("$defs"), root):
        for member in holder.members() if holder else []:
            plain = isinstance(member.value.value, dict) and member.key not in {"definitions", "$defs", "properties"}
            if plain and member.key not in names:
                names.append(member.key)
    return tuple(names)


def _of_text(document: ParsedFile, text: Text) -> Place:
    return Place.of(document, text)
