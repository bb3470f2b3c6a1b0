"""References that upstream meets a second time while it resolves a schema, and takes for a cycle.

It remembers references by file and text. All of one body (the schema, or what a reference goes to) are remembered
together before the first is followed, and each is followed with what is remembered by then. So the second of two equal
references in one body is refused, and so is one in what a reference goes to if it stands beside that reference as
well. What stands beside an `allOf` comes later, when its members are done; how that falls together with other bodies is
a matter of time, and only what is certain is reported.
"""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.schemas.following import SchemaValue, follow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

ENOUGH = 2000  # references followed for one schema; such as go on have no end that matters
DEEPEST = 50


class WrittenRef(NamedTuple):
    """A `$ref` as it stands; `pointer` is that of the object that holds it."""

    document: ParsedFile
    pointer: str
    ref: str

    @property
    def key(self) -> tuple[int, str]:
        """By what upstream remembers it."""
        return (id(self.document), self.ref)


class RepeatedRef(NamedTuple):
    """A reference met again, and where it was met first."""

    again: WrittenRef
    first: WrittenRef


class _Body(NamedTuple):
    """The references of a body: those remembered at once, and those beside an `allOf`, which come later."""

    now: list[WrittenRef]
    later: "list[_Body]"


_Met = dict[tuple[int, str], WrittenRef]


class RepeatedRefs:
    """Looks for them in one schema after the other; what two schemas share is taken apart once."""

    def __init__(self, folder: AgentFolder) -> None:
        self._folder = folder
        self._bodies: dict[tuple[int, str], _Body] = {}
        self._left = 0

    def of(self, schema: StepSchema) -> RepeatedRef | None:
        """The first reference of a step's schema that is met again without being a cycle."""
        place = schema.place
        node = place.document.tree.at(place.pointer) if place else None
        if place is None or node is None:
            return None
        body = self._body(SchemaValue(place.document, place.pointer, node.value))
        if not body.now and not body.later:
            return None
        self._left = ENOUGH
        return next(self._repeats(body, {}, {}, (), 0), None)

    def _repeats(
        self, body: _Body, met: _Met, before: _Met, path: tuple[tuple[int, str], ...], depth: int
    ) -> Iterator[RepeatedRef]:
        own: _Met = {}
        for reference in body.now:
            if reference.key in met:
                if reference.key not in path:
                    yield RepeatedRef(reference, met[reference.key])
            else:
                met[reference.key] = own[reference.key] = reference
        remembered = before | own
        for reference in own.values():
            target = follow(reference.document, reference.ref, self._folder)
            self._left -= 1
            if target and self._left > 0 and depth < DEEPEST:
                below = self._body(target)
                yield from self._repeats(below, dict(remembered), remembered, (*path, reference.key), depth + 1)
        for later in body.later:
            yield from self._repeats(later, met, remembered, path, depth)

    def _body(self, root: SchemaValue) -> _Body:
        key = (id(root.document), root.pointer)
        if key not in self._bodies:
            self._bodies[key] = _body(root.document, root.pointer, root.value)
        return self._bodies[key]


def _body(document: ParsedFile, pointer: str, value: JsonValue) -> _Body:
    body = _Body([], [])
    stack = [(pointer, value)]
    while stack:
        where, at = stack.pop()
        if isinstance(at, list):
            stack += reversed([(join(where, index), item) for index, item in enumerate(at)])
        elif isinstance(at, dict):
            ref = at.get("$ref")
            if isinstance(ref, str):
                body.now.append(WrittenRef(document, where, ref))
                continue
            inner = [(join(where, key), each) for key, each in at.items() if isinstance(each, dict | list)]
            if isinstance(at.get("allOf"), list):
                for beside, each in inner:
                    if each is not at["allOf"]:
                        later = _body(document, beside, each)
                        body.later.extend([later] if later.now or later.later else [])
                inner = [(join(where, "allOf"), at["allOf"])]
            stack += reversed(inner)
    return body
