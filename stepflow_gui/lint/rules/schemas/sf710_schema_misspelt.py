"""SF710 schema-misspelt.

What it does: reports two slips of the keyboard in output schemas. One is a key that is no keyword of JSON Schema, but
nearly one, such as `requierd`. The other is a name in `required` that `properties` doesn't declare, beside a property
that isn't required and has nearly that name.

Why is this bad: what stands under a key that is no keyword counts for nothing. A required name that isn't declared asks
the model for a field that nobody reads, and the one that is read may be missing.

Fix: write the word that is meant. Which of two names is right is taken from the gates and the rest of the file; where
they don't tell, both are offered.
"""

from collections.abc import Iterator
from typing import NamedTuple

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
from stepflow_gui.text.pointer import join

RULE = Rule("SF710", "schema-misspelt", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed({"issue.schema.json#/initial.issue/properties/summary": {"type": "string", "minLenght": 1}})
GOOD = changed()


class _Slip(NamedTuple):
    """A word that is nearly another: a key that is no keyword, or a required name at its place in `required`."""

    schema: SchemaValue
    word: str
    meant: str
    at: int | None = None


def check(context: RuleContext) -> Iterator[Finding]:
    """A place that steps share is told once."""
    told: set[tuple[int, str, str]] = set()
    seen = seen_before(context)
    found = list(context.each(RULE.code, lambda step: _slips(step, context, seen())))
    names = _Names(context) if found else None
    for slip, step in found:
        place = (id(slip.schema.document), slip.schema.pointer, slip.word)
        if place in told or names is None:
            continue
        told.add(place)
        yield _keyword(slip, step, context) if slip.at is None else _name(slip, slip.at, step, context, names)


def _slips(step: Step, context: RuleContext, seen: Seen) -> Iterator[tuple[_Slip, Step]]:
    schema = readable_schema(step, context)
    for found in subschemas(schema, context.schema_folder, seen) if schema else ():
        for word in found.value.keys() - KEYWORDS:
            meant = [each for each in KEYWORDS - found.value.keys() if _is_meant(word, each)]
            if len(meant) == 1:
                yield _Slip(found, word, meant[0]), step
        yield from ((slip, step) for slip in _undeclared(found, context))


def _is_meant(word: str, keyword: str) -> bool:
    return len(keyword) > SHORT and is_likely(word.strip(), keyword)


def _undeclared(found: SchemaValue, context: RuleContext) -> Iterator[_Slip]:
    declared, wanted = properties(found.value), required(found.value)
    missing = [name for name in wanted if name not in declared] if declared else []
    if not missing:
        return
    elsewhere = {name for each in inherited(found, context.schema_folder) for name in properties(each.value)}
    free = [name for name in declared if name not in wanted]
    listed: list[JsonValue] = found.value["required"]
    for name in missing:
        alike = [each for each in free if is_likely(name, each)]
        if len(alike) == 1 and name not in elsewhere:
            yield _Slip(found, name, alike[0], listed.index(name))


def _keyword(slip: _Slip, step: Step, context: RuleContext) -> Finding:
    document, pointer = slip.schema.document, join(slip.schema.pointer, slip.word)
    span = document.tree.key_span(pointer)
    assert span is not None
    text = _(
        "“{word}” in the output schema of “{step}” is no keyword of JSON Schema, and says nothing. Did you mean"
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
    """How often gates and schema files name a field."""

    def __init__(self, context: RuleContext) -> None:
        self._gates: set[str] = set()
        self._counts: dict[int, dict[str, int]] = {}
        for step in context.flow.steps.values():
            gate = step.gate
            if gate is None:
                continue
            paths = [each.value for each in (gate.intent_field, gate.target_field, *gate.handoff_fields) if each]
            if gate.intent_schema_ref:
                paths.append(path_of_pointer(gate.intent_schema_ref.value) or "")
            self._gates.update(name for path in paths for name in path.split("."))

    def weight(self, name: str, document: ParsedFile) -> tuple[bool, int]:
        """Whether a gate names it, and how often the file declares or requires it."""
        counts = self._counts.get(id(document))
        if counts is None:
            counts = self._counts[id(document)] = {}
            stack = [document.root.value] if document.root else []
            while stack:
                at = stack.pop()
                if isinstance(at, dict):
                    for each in (*properties(at), *required(at)):
                        counts[each] = counts.get(each, 0) + 1
                    stack += at.values()
                elif isinstance(at, list):
                    stack += at
        return name in self._gates, counts.get(name, 0)


def _name(slip: _Slip, at: int, step: Step, context: RuleContext, names: _Names) -> Finding:
    document = slip.schema.document
    declared, listed = join(slip.schema.pointer, "properties", slip.meant), join(slip.schema.pointer, "required", at)
    key, node = document.tree.key_span(declared), document.tree.at(listed)
    assert key is not None
    assert node is not None
    one, other = names.weight(slip.word, document), names.weight(slip.meant, document)
    text = _(
        "The output schema of “{step}” requires “{name}” and doesn't declare it, but declares “{property}”: one of the"
        " two is misspelt"
    )
    message = text.format(step=step.id, name=slip.word, property=slip.meant)
    of_list, of_key = write(document, node.span, slip.meant), write(document, key, slip.word)
    proposals = [of_key, of_list] if one > other else [of_list, of_key]
    undecided = one == other
    at_key = one > other
    side = (
        Side(document, node.span, listed, _("it is required here"))
        if at_key
        else Side(document, key, declared, _("it is declared here"))
    )
    return Finding(
        message,
        key if at_key else node.span,
        declared if at_key else listed,
        step=step.id,
        document=document,
        sides=[side, *taken_from(step, context)],
        proposals=[each._replace(guess=undecided) for each in proposals] if document.tree.valid else (),
        misspelt=not undecided,
    )
