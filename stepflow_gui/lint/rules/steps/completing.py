"""What a step lacks, derived from the rest: its schema's name, its gate's intents, its transitions."""

from collections.abc import Iterator, Sequence

from stepflow_gui.flow.model import SchemaRef
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.flow.likely import likely_targets
from stepflow_gui.lint.rules.prelude import RuleContext, Step, _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_ENDS = {"closing": "closure", "complete": "complete."}
_DEFINITIONS = "#/definitions/"


def complete(step: Step, missing: Sequence[str], context: RuleContext) -> Iterator[Proposal]:
    """One proposal that adds all that is missing; none if something is unknown."""
    if not context.registry.tree.valid:
        return
    from stepflow_gui.text.json.edit import insert_members, set_value  # only a fix needs them

    found = {"outputSchemaRef": _schema_ref, "structuredGate": _gate, "transitions": _transitions}
    values = {field: found[field](step, context) for field in missing}
    if all(values.values()):
        tree = context.registry.tree
        empty = [field for field in missing if field in step.raw]  # null, or a text or number that says nothing
        edits = [edit for field in empty for edit in set_value(tree, join(step.pointer, field), values[field])]
        absent = {field: value for field, value in values.items() if field not in empty}
        if absent:
            edits += insert_members(tree, step.pointer, absent)
        title = _("Add {fields}").format(fields=_(", ").join(missing))
        yield Proposal(title, tuple((context.registry, edit) for edit in edits))


def _schema_ref(step: Step, context: RuleContext) -> JsonValue:
    """A schema that has the step's name, in a file that other steps use."""
    used: dict[tuple[str, bool], None] = {}
    for other in context.flow.steps.values():
        ref: SchemaRef | None = other.schema_ref
        if ref and ref.file and ref.schema:
            used[ref.file.value, ref.schema.value.startswith(_DEFINITIONS)] = None
    for file, in_definitions in used:
        document = _schema_file(file, context)
        holder = document.root if document else None
        if holder and in_definitions:
            holder = holder.get("definitions")
        if holder and holder.member(step.id):
            return {"file": file, "schema": f"{_DEFINITIONS if in_definitions else ''}{step.id}"}
    return None


def _schema_file(file: str, context: RuleContext) -> ParsedFile | None:
    found = (context.folder.document(path) for path in context.folder.schema_candidates(file))
    return next((each for each in found if isinstance(each, ParsedFile)), None)


def _gate(step: Step, context: RuleContext) -> JsonValue:
    """The intents of the step's transitions, found where another step of its kind has them."""
    gates = [(other.kind != step.kind, other.gate) for other in context.flow.steps.values() if other.gate]
    if not step.transitions or not gates:
        return None
    like = min(gates, key=lambda each: each[0])[1]
    gate: dict[str, JsonValue] = {"allowedIntents": [rule.intent for rule in step.transitions]}
    if like.intent_schema_ref:
        gate["intentSchemaRef"] = like.intent_schema_ref.value
    if like.intent_field:
        gate["intentField"] = like.intent_field.value
    return gate


def _transitions(step: Step, context: RuleContext) -> JsonValue:
    """A rule for each intent of the gate, to where it likely goes."""
    rules: dict[str, JsonValue] = {}
    for text in step.gate.intents if step.gate else []:
        intent = text.value
        if intent in _ENDS and step.id.startswith(_ENDS[intent]):
            rules[intent] = {"target": None}
        elif intent != "abort":
            targets = likely_targets(step, intent, context.flow)
            if not targets:
                return None
            rules[intent] = {"target": targets[0]}
    return rules or None
