"""SF220 step-id-bound-elsewhere.

What it does: reports output schemas whose property `stepId` may only be the id of another step (`const` or `enum`).

Why is this bad: the schema makes the model answer in another step's name. The runner corrects it with a note in its
log; the version with `complete` stops the run.

Fix: bind `stepId` to the step itself.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.schemas.schema_faults import taken_from
from stepflow_gui.text.document import Place

RULE = Rule("SF220", "step-id-bound-elsewhere", WARNING, formats=GATE, looks_at=STEP)

BAD = changed({"issue.schema.json#/initial.issue/properties/stepId": {"type": "string", "const": "continuation.issue"}})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at the property at the top of the schema."""
    if step.schema_ref is None:
        return
    schema = context.schema(step)
    bound = _bound(schema)
    if bound is None:
        return
    names, place = bound
    own = {step.id, step.step_id.value if step.step_id else step.id}
    if own & set(names) or any(has_placeholder(name) for name in names):
        return
    refused = context.format == "complete"
    message = (
        _("The output schema of “{step}” accepts only “{other}” as stepId: an answer in that name stops the run")
        if refused
        else _("The output schema of “{step}” accepts only “{other}” as stepId: {era} has to correct every answer")
    )
    yield Finding(
        message.format(step=step.id, other=names[0], era=context.climpt.name),
        place.span,
        place.pointer,
        step=step.id,
        document=place.document,
        severity=ERROR if refused else WARNING,
        sides=taken_from(step, context),
        proposals=[write(place.document, place.span, step.id)] if _is_own(step, place, context) else (),
    )


def _bound(schema: StepSchema) -> tuple[list[str], Place] | None:
    """The step ids that an answer may hold, and where they are written."""
    for keyword in ("const", "enum"):
        found = schema.at(f"properties/stepId/{keyword}")
        if found is None or isinstance(found, SchemaProblem):
            continue
        place = found.place
        node = place.document.tree.at(place.pointer)
        values = [] if node is None else [node.value] if keyword == "const" else node.value
        names = [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
        if names:
            return names, place
    return None


def _is_own(step: Step, place: Place, context: RuleContext) -> bool:
    """Whether it can be changed without harm to another step: a single string, in a schema of this step alone."""
    node = place.document.tree.at(place.pointer)
    if node is None or not isinstance(node.value, str):
        return False
    for other in context.flow.steps.values():
        bound = _bound(context.schema(other)) if other is not step and other.schema_ref else None
        if bound is not None and bound[1].document is place.document and bound[1].span == place.span:
            return False
    return True
