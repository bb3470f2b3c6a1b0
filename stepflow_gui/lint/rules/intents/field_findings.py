"""Findings about a field that a gate names and the output schema lacks."""

from collections.abc import Iterator
from functools import partial

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.intents.answer_fields import declares, path_meant, readable_schema
from stepflow_gui.lint.rules.prelude import Finding, RuleContext, Step, _


def undeclared(code: str, step: Step, fields: list[Text], text: str, context: RuleContext) -> Iterator[Finding]:
    """A finding for each of the fields that can't be in an answer. `text` has placeholders for step and field."""
    named = [field for field in fields if field.value and not has_placeholder(field.value)]
    schema = readable_schema(step, context) if named else None
    if schema is None:
        return
    for field in named:
        declared = declares(schema.value, field.value)
        if declared is False or (declared is None and _is_slip(field.value, schema, code, context)):
            yield _finding(code, step, field, text, schema, context)


def _is_slip(path: str, schema: StepSchema, code: str, context: RuleContext) -> bool:
    """Whether a path that an open schema may take is a slip away from one that it declares."""
    meant = path_meant(schema.value, path, partial(context.nearest, code))
    return meant is not None and is_slip(path, meant) and bool(declares(schema.value, meant))


def _finding(code: str, step: Step, field: Text, text: str, schema: StepSchema, context: RuleContext) -> Finding:
    message = text.format(step=step.id, field=field.value)
    meant = path_meant(schema.value, field.value, partial(context.nearest, code))
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
        proposals=[write(context.registry, field.span, meant)] if meant else (),
        misspelt=bool(meant),
    )
