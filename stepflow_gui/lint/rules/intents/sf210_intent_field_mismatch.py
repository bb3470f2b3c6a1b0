"""SF210 intent-field-mismatch.

What it does: compares `intentField`, where the intent is read in an answer, with `intentSchemaRef`, where the schema
lists the intents; where no schema can be read, also with the `intentField` of the other steps.

Why is this bad: the schema makes the model choose an intent in one field and the runner reads another one, whose value
isn't checked. Where the schema doesn't have the field at all, every run stops at that gate, unless `failFast` is off.

Fix: let both name the same property.
"""

from collections import Counter
from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.intents.answer_fields import declares, path_of_pointer, pointer_of_path
from stepflow_gui.lint.rules.intents.gate_reading import stops_unread
from stepflow_gui.lint.rules.intents.sf211_intent_field_missing import USUAL
from stepflow_gui.lint.rules.prelude import (
    ERROR,
    GATE,
    STEP,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)

RULE = Rule("SF210", "intent-field-mismatch", WARNING, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/intentField": "next_action.intent"})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look where both are there and the enum was found."""
    gate = step.gate
    field, ref = (gate.intent_field, gate.intent_schema_ref) if gate else (None, None)
    if gate is None or field is None or not field.value or has_placeholder(field.value):
        return
    named = path_of_pointer(ref.value) if ref else None
    schema = context.schema(step) if step.schema_ref else None
    if named == field.value:
        return
    if schema is None or schema.place is None:
        yield from _without_schema(step, field, ref, named, context)
        return
    if ref is None or context.format == "complete":
        return
    if schema.problem is not None or schema.through_field or _same_place(schema, field.value, ref.value):
        return
    closed = not schema.faults and declares(schema.value, field.value) is False
    lacks = closed and stops_unread(step, context)
    message = (
        _("The intent of “{step}” is read from “{field}”, which its schema doesn't have: every run stops at this gate")
        if lacks
        else _(
            "The intent of “{step}” is read from “{field}”, but its intents are listed at “{ref}”: the model chooses in"
            " one field, and another one is read"
        )
    )
    yield Finding(
        message.format(step=step.id, field=field.value, ref=ref.value),
        field.span,
        field.pointer,
        step=step.id,
        severity=ERROR if lacks else WARNING,
        sides=[Side(context.registry, ref.span, ref.pointer, _("the intents are listed there"))],
        proposals=_proposals(step, named, context),
        misspelt=bool(named),
    )


def _without_schema(
    step: Step, field: Text, ref: Text | None, named: str | None, context: RuleContext
) -> Iterator[Finding]:
    """Nothing tells what is right but the gates of other steps, and what most agents read."""
    gates = [gate for each in context.flow.steps.values() if each is not step and (gate := each.gate)]
    fields = Counter(gate.intent_field.value for gate in gates if gate.intent_field)
    if ref is not None and named and is_slip(field.value, named) and not has_placeholder(named):
        refs = Counter(path_of_pointer(gate.intent_schema_ref.value) for gate in gates if gate.intent_schema_ref)
        in_field = _use(named, fields, refs) > _use(field.value, fields, refs)
        wrong, other = (field, ref) if in_field else (ref, field)
        meant = named if in_field else pointer_of_path(field.value)
        text = _("The gate of “{step}” reads “{field}”, and its intents are listed at “{ref}”. Did you mean “{meant}”?")
        message = text.format(step=step.id, field=field.value, ref=ref.value, meant=meant)
        sides = [Side(context.registry, other.span, other.pointer, _("the other one is here"))]
        certain = _use(named, fields, refs) != _use(field.value, fields, refs)
        yield _slip(message, wrong, meant, step, sides, context, certain=certain)
    elif ref is None:
        common = next((each for each, count in fields.most_common(1) if count > 1 and not fields[field.value]), USUAL)
        if is_slip(field.value, common):
            text = (
                _("The gate of “{step}” reads “{field}”, and those of other steps “{meant}”. Did you mean that?")
                if fields[common]
                else _("The gate of “{step}” reads “{field}”. Did you mean “{meant}”?")
            )
            message = text.format(step=step.id, field=field.value, meant=common)
            yield _slip(message, field, common, step, [], context)


def _use(path: str, fields: Counter[str], refs: Counter[str | None]) -> tuple[int, bool]:
    """How often other gates have the path of an answer's intent, and whether it is the usual one."""
    return fields[path] + refs[path], path == USUAL


def _slip(
    message: str, wrong: Text, meant: str, step: Step, sides: list[Side], context: RuleContext, *, certain: bool = True
) -> Finding:
    proposals = [write(context.registry, wrong.span, meant)._replace(guess=not certain)]
    return Finding(
        message,
        wrong.span,
        wrong.pointer,
        step=step.id,
        severity=WARNING,
        sides=sides,
        proposals=proposals,
        misspelt=certain,
    )


def _same_place(schema: StepSchema, field: str, ref: str) -> bool:
    one, other = schema.at_field(field), schema.at(ref.removeprefix("#/"))
    if one is None or other is None or isinstance(one, SchemaProblem) or isinstance(other, SchemaProblem):
        return False
    return one.place.document is other.place.document and one.place.span == other.place.span


def _proposals(step: Step, named: str | None, context: RuleContext) -> Iterator[Proposal]:
    if named and step.gate and step.gate.intent_field:
        yield write(context.registry, step.gate.intent_field.span, named)
