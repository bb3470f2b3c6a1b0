"""JSON Schemas with their `$ref`s followed and `allOf`s merged, lazily and with the place of every value.

What is merged and how is upstream's doing (runtime-semantics 2), not JSON Schema's: see `schemas`.
"""

from _thread import RLock  # `threading` is one module more at each lint
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

KINDS = (
    "no-ref",  # the step has no outputSchemaRef
    "ref-incomplete",  # outputSchemaRef lacks file or schema
    "file-missing",
    "file-outside",  # the file lies outside the project root
    "file-unreadable",
    "file-invalid",  # no JSON, no UTF-8 or no object
    "name-missing",  # outputSchemaRef.schema isn't in the file
    "name-malformed",  # `##…` or `//` in it
    "ref-dangling",
    "ref-cycle",
    "remote-ref",  # a URL: never fetched
    "too-deep",
    "no-path",  # neither intentSchemaRef nor intentField locates the enum
    "pointer-dangling",  # intentSchemaRef has no target in the resolved schema
    "field-dangling",  # intentField has no target in the resolved schema
    "no-enum",  # their target has no enum
)
_DEEPEST_REFS = 50  # upstream's limit
_DEEPEST_VALUES = 100


class SchemaProblem(NamedTuple):
    """Why a schema, or its intents, couldn't be read. `kind` is one of `KINDS`.

    `place` is what names the missing thing, `chain` the `$ref`s followed until there, first to last.
    """

    kind: str
    place: Place
    detail: str = ""  # the name, pointer or `$ref` that failed
    chain: tuple[Place, ...] = ()
    file: Path | None = None  # the file it was looked for in
    names: tuple[str, ...] = ()  # what there is instead
    related: Place | None = None  # how far the path was followed


class Fragment(NamedTuple):
    """A value of a schema file as written. `refs` are the `$ref`s on the path to it."""

    document: ParsedFile
    node: Node
    pointer: str
    refs: tuple[Place, ...]

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place.of(self.document, self)

    @property
    def span(self) -> Span:
        """Its span in the document."""
        return self.node.span

    @property
    def value(self) -> JsonValue:
        """What is there."""
        return self.node.value

    @property
    def is_container(self) -> bool:
        """Whether it is an object or a list."""
        return isinstance(self.node.value, dict | list)

    def member(self, key: str) -> "Fragment | None":
        """The member of an object, or the element of a list."""
        if isinstance(self.node.value, list):
            node = self.node.at(f"/{key}") if key.isdecimal() and key == str(int(key)) else None
        else:
            node = self.node.get(key)
        return self._replace(node=node, pointer=join(self.pointer, key)) if node is not None else None

    def follow(self, path: str) -> "Fragment | None":
        """The fragment at a pointer, its keys taken literally."""
        at: Fragment | None = self
        if path in {"", "/"}:
            return at
        for key in path.removeprefix("/").split("/"):
            at = at.member(key) if at else None
        return at

    def members(self) -> "dict[str, Value]":
        """The members of an object."""
        return {
            member.key: self._replace(node=member.value, pointer=join(self.pointer, member.key))
            for member in self.node.members()
        }


class MergedSchema(NamedTuple):
    """An object whose keywords come from several places; `fragment` is where it began."""

    fragment: Fragment
    entries: "dict[str, Value]"

    @property
    def place(self) -> Place:
        """Where the schema stands that was merged."""
        return self.fragment.place


class Joined(NamedTuple):
    """The united `required` lists of merged schemas."""

    fragment: Fragment
    elements: list[Fragment]

    @property
    def place(self) -> Place:
        """Where the first of the lists stands."""
        return self.fragment.place


class Closed(NamedTuple):
    """The `additionalProperties: false` that the runner adds to an object."""

    fragment: Fragment

    @property
    def place(self) -> Place:
        """The object it is added to."""
        return self.fragment.place


Value = Fragment | MergedSchema | Joined | Closed
_Settled = Value | SchemaProblem
_Key = tuple[int, str]
_Faults = dict[tuple[str, int, Span], SchemaProblem]


Load = Callable[[str, ParsedFile | None], ParsedFile | ReadProblem]
"""Reads a schema file by name: the one an `outputSchemaRef` names, or, given a document, one that its `$ref` names."""


class Resolver:
    """Follows refs and merges; what was loaded and settled once is kept, so the work grows with the files' size.

    The window and the linter's thread may ask at the same time: what is in progress is marked, so they take turns.
    """

    __slots__ = ("_load", "_lock", "_open", "_plain", "_settled", "loaded")

    def __init__(self, load: Load) -> None:
        self._load = load
        self._lock = RLock()
        self._plain = _Plain()
        self._settled: dict[_Key, _Settled] = {}
        self._open: dict[_Key, None] = {}  # what is being settled, outermost first
        self.loaded: dict[tuple[str, ParsedFile | None], ParsedFile | ReadProblem] = {}  # all that was asked for so far

    def with_loader(self, load: Load) -> "Resolver":
        """The resolver with another loader that gives the same documents; all that was settled stays."""
        again = Resolver(load)
        with self._lock:
            again.loaded = dict(self.loaded)  # it keeps the documents alive, by whose ids the rest is kept
            again._settled = dict(self._settled)
            again._plain = self._plain.copy()
        return again

    def load_through(self, load: Load) -> None:
        """Have another loader from now on, which gives the same documents."""
        with self._lock:
            self._load = load

    def load(self, file: str, beside: ParsedFile | None) -> ParsedFile | ReadProblem:
        """A schema file, read once."""
        asked = (file, beside)
        with self._lock:
            if asked not in self.loaded:
                self.loaded[asked] = self._load(file, beside)
            return self.loaded[asked]

    def settle(self, value: Value) -> Value | SchemaProblem:
        """The value with its own `$ref` followed and its own `allOf` merged; what is inside stays as it is."""
        if not isinstance(value, Fragment) or not isinstance(value.value, dict):
            return value
        ref = value.value.get("$ref")
        members = value.value.get("allOf")
        if not isinstance(ref, str) and not isinstance(members, list):
            return value
        key = _key(value)
        if key in self._settled:
            return self._settled[key]
        with self._lock:
            return self._settled[key] if key in self._settled else self._settle(value, ref, key)

    def _settle(self, value: Fragment, ref: JsonValue, key: _Key) -> _Settled:
        if key in self._open:
            return self.problem("ref-cycle", value, ref if isinstance(ref, str) else "allOf")
        if len(self._open) >= _DEEPEST_REFS:
            return self.problem("too-deep", value, "")
        self._open[key] = None
        settled = self._follow(value, ref) if isinstance(ref, str) else self._merge(value)
        del self._open[key]
        too_deep = isinstance(settled, SchemaProblem) and settled.kind == "too-deep"
        if not too_deep or not self._open:  # from nearer by it may be found
            self._settled[key] = settled
        return settled

    def child(self, value: Value, key: str) -> Value | SchemaProblem | None:
        """The member of a schema, itself settled; None where there is none."""
        settled = self.settle(value)
        if isinstance(settled, SchemaProblem):
            return settled
        if isinstance(settled, Fragment):
            inner: Value | None = settled.member(key)
        else:
            inner = settled.entries.get(key) if isinstance(settled, MergedSchema) else None
        return self.settle(inner) if inner is not None else None

    def walk(self, value: Value, path: str) -> Value | SchemaProblem | None:
        """The fragment at a pointer without its leading slash, taken literally."""
        at: Value | SchemaProblem | None = self.settle(value)
        for key in path.split("/"):
            if at is None or isinstance(at, SchemaProblem):
                return at
            at = self.child(at, key)
        return at

    def property(self, value: Value, key: str) -> Value | SchemaProblem | None:
        """The schema of a property; of a list's elements where the key is a number."""
        properties = self.child(value, "properties")
        found = properties if isinstance(properties, SchemaProblem | None) else self.child(properties, key)
        return self.child(value, "items") if found is None and key.isdecimal() else found

    def is_array(self, value: Value) -> bool:
        """Whether the value is a list."""
        return isinstance(value, Joined) or (isinstance(value, Fragment) and isinstance(value.value, list))

    def items(self, value: Value) -> list[Fragment]:
        """The elements of a list as written; [] for anything else."""
        if isinstance(value, Joined):
            return value.elements
        if not isinstance(value, Fragment):
            return []
        return [
            value._replace(node=item, pointer=join(value.pointer, index))
            for index, item in enumerate(value.node.elements())
        ]

    def plain(self, root: Value) -> tuple[JsonValue, list[SchemaProblem]]:
        """The whole schema as the runner sends it, and what couldn't be resolved (as `{}`)."""
        faults: _Faults = {}
        with self._lock:
            return self._plain.build(self, root, 0, faults), list(faults.values())

    def _follow(self, value: Fragment, ref: str) -> _Settled:
        file, _, path = ref.partition("#")
        path = path.partition("#")[0]
        document: ParsedFile | ReadProblem = value.document
        if "://" in file:
            return self.problem("remote-ref", value, ref)
        if file:
            document = self.load(file, value.document)
        if isinstance(document, ReadProblem):
            kind = "file-outside" if document.kind == "outside" else "ref-dangling"
            return self.problem(kind, value, ref, file=document.path)
        if not document.tree.valid or document.root is None:
            return self.problem("file-invalid", value, ref, file=document.path)
        target = Fragment(document, document.root, "", (*value.refs, _ref_place(value))).follow(path)
        if target is None:
            return self.problem("ref-dangling", value, ref, file=document.path)
        return self.settle(target)

    def _merge(self, value: Fragment) -> _Settled:
        entries: dict[str, Value] = {}
        own = value.members()
        for member in self.items(own.pop("allOf")):
            settled = self.settle(member)
            if isinstance(settled, SchemaProblem):
                return settled
            problem = self._overlay(value, entries, self._closed_entries(settled))
            if problem:
                return problem
        problem = self._overlay(value, entries, own)
        return problem or MergedSchema(value, entries)

    def _closed_entries(self, settled: Value) -> "dict[str, Value]":
        # A member of allOf is closed before it is merged, so its `false` wins over the schema's own settings.
        entries = dict(_entries(settled))
        kind = entries.get("type")
        is_object = isinstance(kind, Fragment) and kind.value == "object"
        if (is_object or "properties" in entries) and "additionalProperties" not in entries:
            entries["additionalProperties"] = Closed(_origin(settled))
        return entries

    def _overlay(self, at: Fragment, target: "dict[str, Value]", source: "dict[str, Value]") -> SchemaProblem | None:
        for key, value in source.items():
            if key not in target:
                target[key] = value
            elif key == "required":
                first = target[key]
                target[key] = Joined(_origin(first), [*self.items(first), *self.items(value)])
            elif key == "properties":
                before, after = self.settle(target[key]), self.settle(value)
                if isinstance(before, SchemaProblem):
                    return before
                if isinstance(after, SchemaProblem):
                    return after
                target[key] = MergedSchema(at, {**_entries(before), **_entries(after)})
        return None

    def problem(
        self, kind: str, value: Fragment, detail: str, *, file: Path | None = None, at: Place | None = None
    ) -> SchemaProblem:
        """A problem at a schema, or at the place that refers to it."""
        return SchemaProblem(kind, at or _ref_place(value), detail, value.refs, file)


class _Plain:
    """Builds plain values, each place once, with the faults found inside it."""

    __slots__ = ("_built", "_within")

    def __init__(self) -> None:
        self._built: dict[_Key, tuple[JsonValue, _Faults]] = {}
        self._within: set[_Key] = set()

    def copy(self) -> "_Plain":
        again = _Plain()
        again._built = dict(self._built)
        return again

    def build(self, resolver: Resolver, value: Value, depth: int, faults: _Faults) -> JsonValue:
        settled = resolver.settle(value)
        if isinstance(settled, SchemaProblem):
            return _fault(settled, faults)
        if isinstance(settled, Closed):
            return False
        if isinstance(settled, Joined):
            return list(dict.fromkeys(item.value for item in settled.elements if isinstance(item.value, str)))
        if isinstance(settled, Fragment) and not settled.is_container:
            return settled.value
        key = _key(settled)
        if key in self._built:
            built, inner = self._built[key]
            faults.update(inner)
            return built
        if isinstance(settled, Fragment) and not _refers(settled.value, depth):
            self._built[key] = (_closed(settled.value), {})
            return self._built[key][0]
        if key in self._within:
            return _fault(resolver.problem("ref-cycle", _origin(value), "", at=_last_ref(value)), faults)
        if depth > _DEEPEST_VALUES:
            return _fault(resolver.problem("too-deep", _origin(value), ""), faults)
        self._within.add(key)
        inner = {}
        built = self._inside(resolver, settled, depth + 1, inner)
        self._built[key] = (built, inner)
        self._within.discard(key)
        faults.update(inner)
        return built

    def _inside(self, resolver: Resolver, settled: Fragment | MergedSchema, depth: int, faults: _Faults) -> JsonValue:
        if isinstance(settled, Fragment) and isinstance(settled.value, list):
            return [self.build(resolver, item, depth, faults) for item in resolver.items(settled)]
        made = {key: self.build(resolver, value, depth, faults) for key, value in _entries(settled).items()}
        if made.get("type") == "object" or "properties" in made:
            made.setdefault("additionalProperties", False)
        return made


def _refers(value: JsonValue, depth: int) -> bool:
    """Whether there is anything to resolve in a value, or it lies too deep to be sure."""
    stack = [(value, depth)]
    while stack:
        at, level = stack.pop()
        if level > _DEEPEST_VALUES:
            return True
        if isinstance(at, dict):
            if isinstance(at.get("$ref"), str) or isinstance(at.get("allOf"), list):
                return True
            stack += [(inner, level + 1) for inner in at.values() if isinstance(inner, dict | list)]
        else:
            stack += [(inner, level + 1) for inner in at if isinstance(inner, dict | list)]
    return False


def _closed(value: JsonValue) -> JsonValue:
    """A value in which there is nothing to resolve, its objects closed: places aren't needed for that."""
    if isinstance(value, list):
        return [_closed(item) if isinstance(item, dict | list) else item for item in value]
    made = {key: _closed(inner) if isinstance(inner, dict | list) else inner for key, inner in value.items()}
    if made.get("type") == "object" or "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def _fault(problem: SchemaProblem, faults: _Faults) -> JsonValue:
    faults.setdefault((problem.kind, id(problem.place.document), problem.place.span), problem)
    return {}


def _key(value: Fragment | MergedSchema) -> _Key:
    if isinstance(value, MergedSchema):
        return (id(value.entries), "")  # they live as long as what was settled
    return (id(value.document), value.pointer)


def _entries(value: Value) -> "dict[str, Value]":
    if isinstance(value, MergedSchema):
        return value.entries
    return value.members() if isinstance(value, Fragment) else {}


def _origin(value: Value) -> Fragment:
    return value if isinstance(value, Fragment) else value.fragment


def _last_ref(value: Value) -> Place | None:
    refs = _origin(value).refs
    return _ref_place(value) if isinstance(value, Fragment) and "$ref" in value.value else (refs[-1] if refs else None)


def _ref_place(value: Fragment) -> Place:
    found = value.member("$ref")
    return found.place if found and isinstance(found.value, str) else value.place
