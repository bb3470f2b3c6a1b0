"""SF210 intent-field-mismatch.

What it does: compares `intentField`, where the intent is read in an answer, with `intentSchemaRef`, where the schema
lists the intents.

Why is this bad: the schema makes the model choose an intent in one field and the runner reads another one, whose value
isn't checked. Where the schema doesn't have the field at all, every run stops at that gate, unless `failFast` is off.

Fix: let both name the same property.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.intents.answer_fields import path_of_pointer
from stepflow_gui.lint.rules.intents.gate_reading import stops_unread
from stepflow_gui.lint.rules.prelude import ERROR, KINDS, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF210", "intent-field-mismatch", WARNING, formats=KINDS, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/intentField": "next_action.intent"})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look where both are there and the enum was found."""
    gate = step.gate
    if gate is None or step.schema_ref is None or gate.intent_field is None or gate.intent_schema_ref is None:
        return
    field, ref = gate.intent_field, gate.intent_schema_ref
    named = path_of_pointer(ref.value)
    if not field.value or has_placeholder(field.value) or named == field.value:
        return
    schema = context.schema(step)
    if schema.problem is not None or schema.through_field or _same_place(schema, field.value, ref.value):
        return
    lacks = schema.field(field.value) is None and not schema.faults and stops_unread(step, context)
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


def _same_place(schema: StepSchema, field: str, ref: str) -> bool:
    one, other = schema.at_field(field), schema.at(ref.removeprefix("#/"))
    if one is None or other is None or isinstance(one, SchemaProblem) or isinstance(other, SchemaProblem):
        return False
    return one.place.document is other.place.document and one.place.span == other.place.span


def _proposals(step: Step, named: str | None, context: RuleContext) -> Iterator[Proposal]:
    if named and step.gate and step.gate.intent_field:
        yield write(context.registry, step.gate.intent_field.span, named)
