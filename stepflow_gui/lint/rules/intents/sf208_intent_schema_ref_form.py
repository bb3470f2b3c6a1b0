"""SF208 intent-schema-ref-form.

What it does: reports gates without `intentSchemaRef`, and those whose value isn't a pointer inside the step's own
output schema, which begins with `#/`.

Why is this bad: the pointer says where the schema lists the intents that the model may answer. climpt refuses to load a
registry in which a gate has none, or one that points into another file.

Fix: point at the intent in the step's output schema, usually `#/properties/next_action/properties/action`.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Gate
from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import put, write
from stepflow_gui.lint.rules.intents.answer_fields import pointer_of_path
from stepflow_gui.lint.rules.prelude import ERROR, KINDS, REMOVED, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused

RULE = Rule("SF208", "intent-schema-ref-form", ERROR, formats=KINDS, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/intentSchemaRef": REMOVED})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at every gate, whatever its schema."""
    gate = step.gate
    if gate is None or gate.node.kind != "object":
        return
    ref = gate.intent_schema_ref
    if ref is None:
        if gate.node.value.get("intentSchemaRef") is None:  # of another type: SF004 says it
            yield _absent(gate, step, context)
    elif not ref.value.startswith("#/") and not has_placeholder(ref.value):
        message = (
            _("The intentSchemaRef of “{step}” is “{ref}” and must begin with “#/”: {outcome}")
            if ref.value
            else _("The intentSchemaRef of “{step}” is empty: {outcome}")
        )
        meant = _meant(step, context)
        yield Finding(
            message.format(step=step.id, ref=ref.value, outcome=registry_refused(context)),
            ref.span,
            ref.pointer,
            step=step.id,
            proposals=[write(context.registry, ref.span, meant)] if meant else (),
        )


def _absent(gate: Gate, step: Step, context: RuleContext) -> Finding:
    return Finding(
        _("The gate of “{step}” has no intentSchemaRef: {outcome}").format(
            step=step.id, outcome=registry_refused(context)
        ),
        context.registry.tree.key_span(gate.pointer) or gate.node.span,
        gate.pointer,
        step=step.id,
        proposals=_added(gate, step, context),
    )


def _added(gate: Gate, step: Step, context: RuleContext) -> Iterator[Proposal]:
    meant = _meant(step, context)
    if meant and "intentSchemaRef" not in gate.node.value:
        title = _("Add “{key}”: “{value}”").format(key="intentSchemaRef", value=meant)
        yield from put(context.registry, gate.pointer, "intentSchemaRef", meant, title)


def _meant(step: Step, context: RuleContext) -> str | None:
    """Where the enum is that `intentField` goes to."""
    field = step.gate.intent_field if step.gate else None
    if field is None or not field.value or step.schema_ref is None:
        return None
    pointer = pointer_of_path(field.value)
    found = context.schema(step).at(pointer.removeprefix("#/"))
    return None if found is None or isinstance(found, SchemaProblem) else pointer
