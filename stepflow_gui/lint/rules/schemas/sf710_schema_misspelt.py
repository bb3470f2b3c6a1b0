"""SF710 schema-misspelt.

What it does: reports misspelt words in output schemas: a key that is nearly a keyword of JSON Schema, such as
`requierd`; a name in `required` that `properties` doesn't declare, beside a property of nearly that name that isn't
required; and a property of nearly the name that gates read.

Why is this bad: what is under a key that isn't a keyword has no effect. A required name that isn't declared asks
the model for a field that isn't read, and the one that is may be missing.

Fix: write the word that is meant. Which of two names is right is taken from the gates and the rest of the file; where
they don't tell, both are offered.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.formats.schema_keywords import KEYWORDS, properties, required
from stepflow_gui.lint.closest_name import SHORT, is_likely
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.intents.answer_fields import path_of_pointer, readable_schema
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.schemas.schema_faults import taken_from
from stepflow_gui.lint.rules.schemas.subschemas import Seen, inherited, seen_before, subschemas
from stepflow_gui.project.schemas.following import SchemaValue
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

RULE = Rule("SF710", "schema-misspelt", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed({"issue.schema.json#/initial.issue/properties/summary": {"type": "string", "minLenght": 1}})
GOOD = changed()


class _Slip(NamedTuple):
    """A word that is nearly another: a key that is not a keyword, or a required name at its place in `required`."""

    schema: SchemaValue
    word: str
    meant: str
    at: int | None = None
    holder: SchemaValue | None = None  # the schema that declares what a required name is like


def check(context: RuleContext) -> Iterator[Finding]:
    """A place that steps share is reported once."""
    names = _Names(context)
    reported: set[tuple[int, str, str]] = set()
    renamed: set[str] = set()
    places: set[tuple[int, str]] = set()
    for document, pointer, wanted, step in _unread(context, names):
        renamed.add(wanted)
        if (id(document), pointer) not in places:
            places.add((id(document), pointer))
            yield _unread_property(document, pointer, wanted, step, context)
    seen = seen_before(context)
    for slip, step in list(context.each(RULE.code, lambda step: _slips(step, context, seen()))):
        document, holder = slip.schema.document, slip.schema.pointer
        place = (id(document), holder, slip.word)
        if place in reported or (slip.at is not None and slip.word in renamed):
            continue
        reported.add(place)
        if slip.at is None or slip.holder is None:
            yield _keyword(slip, step, context)
        else:
            yield _name(slip, slip.at, slip.holder, step, context, names)


def _unread(context: RuleContext, names: "_Names") -> Iterator[tuple[ParsedFile, str, str, Step]]:
    """Properties that nothing reads or requires, where gates read more than once one of nearly that name.

    That one is missing, or only inherited from another schema, whose own is to be replaced.
    """
    for step in context.flow.steps.values():
        paths = list(dict.fromkeys(_paths(step)))
        schema = readable_schema(step, context) if paths else None
        if schema is None or schema.place is None:
            continue
        for path in paths:
            at: JsonValue = schema.value
            keys = path.split(".")
            for index, key in enumerate(keys):
                there = properties(at)
                alike = [each for each in there if names.is_unread(each, key) and each not in required(at)]
                holder = _holder(schema, ".".join(keys[:index])) if len(alike) == 1 and names.gates[key] > 1 else None
                if holder and not context.evidence.is_right(key, alike[0], defined=1, within=names.gates[key]):
                    break
                yield from (
                    (each.document, join(each.pointer, "properties", alike[0]), key, step)
                    for each in ([holder, *inherited(holder, context.schema_folder)] if holder else ())
                    if alike[0] in properties(each.value) and key not in properties(each.value)
                )
                if key not in there:
                    break
                at = there[key]


def _holder(schema: StepSchema, path: str) -> SchemaValue | None:
    """The schema, as it is written, of the object at a path of an answer."""
    found = schema.at_field(path) if path else None
    place = schema.place if found is None or isinstance(found, SchemaProblem) else found.place
    node = place.document.tree.at(place.pointer) if place else None
    return SchemaValue(place.document, place.pointer, node.value) if place and node else None


def _unread_property(document: ParsedFile, pointer: str, wanted: str, step: Step, context: RuleContext) -> Finding:
    span = document.tree.key_span(pointer)
    assert span is not None
    text = _(
        "Gates read “{name}”, first that of “{step}”. Its output schema declares “{property}” instead, which no gate"
        " reads"
    )
    return Finding(
        text.format(name=wanted, step=step.id, property=split(pointer)[-1]),
        span,
        pointer,
        step=step.id,
        document=document,
        sides=taken_from(step, context),
        proposals=[write(document, span, wanted)] if document.tree.valid else (),
        misspelt=True,
    )


def _paths(step: Step) -> Iterator[str]:
    """The paths of an answer that a step's gate names; one that it names twice comes twice."""
    gate = step.gate
    if gate is None:
        return
    yield from (each.value for each in (gate.intent_field, gate.target_field, *gate.handoff_fields) if each)
    if gate.intent_schema_ref:
        yield path_of_pointer(gate.intent_schema_ref.value) or ""


def _slips(step: Step, context: RuleContext, seen: Seen) -> Iterator[tuple[_Slip, Step]]:
    schema = readable_schema(step, context)
    for found in subschemas(schema, context.schema_folder, seen) if schema else ():
        for word in () if KEYWORDS.issuperset(found.value) else found.value.keys() - KEYWORDS:
            meant = [each for each in KEYWORDS - found.value.keys() if _is_meant(word, each)]
            if len(meant) == 1:
                yield _Slip(found, word, meant[0]), step
        if "required" in found.value:
            yield from ((slip, step) for slip in _undeclared(found, context))


def _is_meant(word: str, keyword: str) -> bool:
    return len(keyword) > SHORT and is_likely(word.strip(), keyword)


def _undeclared(found: SchemaValue, context: RuleContext) -> Iterator[_Slip]:
    declared, wanted = properties(found.value), required(found.value)
    missing = [name for name in wanted if name not in declared]
    if not missing:
        return
    holders = [found, *inherited(found, context.schema_folder)]
    holder_of = {name: each for each in reversed(holders) for name in properties(each.value)}
    free = [name for name in holder_of if name not in wanted]
    listed: list[JsonValue] = found.value["required"]
    for name in missing:
        alike = [each for each in free if is_likely(name, each)]
        if len(alike) == 1 and name not in holder_of:
            yield _Slip(found, name, alike[0], listed.index(name), holder_of[alike[0]])


def _keyword(slip: _Slip, step: Step, context: RuleContext) -> Finding:
    document, pointer = slip.schema.document, join(slip.schema.pointer, slip.word)
    span = document.tree.key_span(pointer)
    assert span is not None
    text = _(
        "“{word}” in the output schema of “{step}” isn't a keyword of JSON Schema, and has no effect. Did you mean"
        " “{meant}”?"
    )
    message = text.format(word=slip.word, step=step.id, meant=slip.meant)
    return Finding(
        message,
        span,
        pointer,
        step=step.id,
        document=document,
        sides=taken_from(step, context),
        proposals=[write(document, span, slip.meant)] if document.tree.valid else (),
        misspelt=True,
    )


class _Names:
    """What the gates and schema files of an agent know of a field's name."""

    def __init__(self, context: RuleContext) -> None:
        self.gates = Counter(
            name for step in context.flow.steps.values() for path in _paths(step) for name in path.split(".")
        )
        self._unread: dict[tuple[str, str], bool] = {}
        self._context = context
        self._counts: Counter[str] | None = None

    def is_unread(self, name: str, read: str) -> bool:
        """Whether no gate reads a name that is nearly one that gates read, and isn't several of it."""
        known = self._unread.get((name, read))
        if known is None:
            one_and_several = name in (f"{read}s", read.removesuffix("s"))
            known = not one_and_several and not self.gates[name] and is_likely(read, name)
            self._unread[name, read] = known
        return known

    def is_right(self, name: str, other: str) -> bool | None:
        """Whether a required name is right, and not one that is declared; None where nothing tells.

        First a gate names it, else more of the agent's schemas declare or require it, else other evidence is for it.
        """
        if self._counts is None:
            self._counts = Counter()
            files = [file for file in self._context.folder.schema_files() if isinstance(file, ParsedFile)]
            stack = [file.root.value for file in files if file.root]
            while stack:
                at = stack.pop()
                if isinstance(at, dict):
                    self._counts.update((*properties(at), *required(at)))
                    stack += at.values()
                elif isinstance(at, list):
                    stack += at
        own, others = ((each in self.gates, self._counts[each]) for each in (name, other))
        return own > others if own != others else self._context.evidence.is_right(name, other, named=1, defined=1)


def _name(slip: _Slip, at: int, holder: SchemaValue, step: Step, context: RuleContext, names: _Names) -> Finding:
    """At whichever of the two is misspelt: the property or the required name."""
    document, of = slip.schema.document, holder.document
    declared, listed = join(holder.pointer, "properties", slip.meant), join(slip.schema.pointer, "required", at)
    key, node = of.tree.key_span(declared), document.tree.at(listed)
    assert key is not None
    assert node is not None
    right = names.is_right(slip.word, slip.meant)
    text = _(
        "The output schema of “{step}” requires “{name}” and doesn't declare it, but declares “{property}”: one of the"
        " two is probably misspelt"
    )
    message = text.format(step=step.id, name=slip.word, property=slip.meant)
    of_list, of_key = write(document, node.span, slip.meant), write(of, key, slip.word)
    undecided, at_key = right is None, bool(right)
    proposals = [of_key, of_list] if at_key else [of_list, of_key]
    side = (
        Side(document, node.span, listed, _("it is required here"))
        if at_key
        else Side(of, key, declared, _("it is declared here"))
    )
    return Finding(
        message,
        key if at_key else node.span,
        declared if at_key else listed,
        step=step.id,
        document=of if at_key else document,
        sides=[side, *taken_from(step, context)],
        proposals=[each._replace(guess=undecided) for each in proposals]
        if of.tree.valid and document.tree.valid
        else (),
        cause=("schema", RULE.code, id(of), key) if at_key else None,
        misspelt=not undecided,
    )
