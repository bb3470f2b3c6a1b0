"""What is said of a field that a gate names and the output schema lacks."""

from collections.abc import Iterator
from functools import partial

from stepflow_gui.flow.model import Step, Text
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Finding, Side
from stepflow_gui.lint.rules.intents.answer_fields import declares, path_meant, readable_schema
from stepflow_gui.lint.rules.writing import write
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _


def undeclared(code: str, step: Step, fields: list[Text], text: str, scope: RuleContext) -> Iterator[Finding]:
    """A finding for each of the fields that can't be in an answer. `text` has placeholders for step and field."""
    named = [field for field in fields if field.value and not has_placeholder(field.value)]
    schema = readable_schema(step, scope) if named else None
    if schema is None:
        return
    for field in named:
        if declares(schema.value, field.value) is False:
            yield _finding(code, step, field, text, schema, scope)


def _finding(code: str, step: Step, field: Text, text: str, schema: StepSchema, scope: RuleContext) -> Finding:
    message = text.format(step=step.id, field=field.value)
    meant = path_meant(schema.value, field.value, partial(scope.nearest, code))
    if meant and not declares(schema.value, meant):
        meant = None
    if meant:
        message += _(". Did you mean “{meant}”?").format(meant=meant)
    at = schema.place
    return Finding(
        message,
        field.span,
        field.pointer,
        step=step.id,
        sides=[Side(at.document, at.span, at.pointer, _("the output schema"))] if at else [],
        proposals=[write(scope.registry, field.span, meant)] if meant else (),
    )
