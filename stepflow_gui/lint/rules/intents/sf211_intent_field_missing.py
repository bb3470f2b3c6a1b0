"""SF211 intent-field-missing.

What it does: reports gates without an `intentField`, or with an empty one.

Why is this bad: it defines where in an answer the intent is. climpt refuses to load a registry in which a gate has
none; its version with `complete` guesses at a handful of usual names.

Fix: name the field, usually `next_action.action`.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Gate
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import put, write
from stepflow_gui.lint.rules.intents.answer_fields import path_of_pointer
from stepflow_gui.lint.rules.prelude import ERROR, GATE, REMOVED, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused

RULE = Rule("SF211", "intent-field-missing", ERROR, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/intentField": REMOVED})
GOOD = changed()

USUAL = "next_action.action"


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at every gate."""
    gate = step.gate
    if gate is None or gate.node.kind != "object" or gate.node.value.get("intentField") not in (None, ""):
        return
    guessed = bool(context.era.guessed_fields)
    message = (
        _("The gate of “{step}” has no intentField: {era} guesses where the intent is in an answer")
        if guessed
        else _("The gate of “{step}” has no intentField: {outcome}")
    )
    field = gate.intent_field
    yield Finding(
        message.format(step=step.id, era=context.climpt.name, outcome=registry_refused(context)),
        field.span if field else context.registry.tree.key_span(gate.pointer) or gate.node.span,
        field.pointer if field else gate.pointer,
        step=step.id,
        proposals=_proposals(gate, step, context),
    )


def _proposals(gate: Gate, step: Step, context: RuleContext) -> Iterator[Proposal]:
    ref = gate.intent_schema_ref
    meant = path_of_pointer(ref.value) if ref else None
    if meant is None and step.schema_ref is not None and context.schema(step).field(USUAL) is not None:
        meant = USUAL
    if meant is None:
        return
    if gate.intent_field:
        yield write(context.registry, gate.intent_field.span, meant)
    elif "intentField" not in gate.node.value:
        title = _("Add “{key}”: “{value}”").format(key="intentField", value=meant)
        yield from put(context.registry, gate.pointer, "intentField", meant, title)
