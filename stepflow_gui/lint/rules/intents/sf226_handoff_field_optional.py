"""SF226 handoff-field-optional.

What it does: reports paths in `handoffFields` that the output schema has, but whose first part it doesn't require.

Why is this bad: the model may leave the field out, and the steps that follow then run without it.

Fix: add it to `required`, or count on its absence.
"""

from collections.abc import Iterator
from typing import Any

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.schema_keywords import required
from stepflow_gui.lint.rule import Later
from stepflow_gui.lint.rules.intents.answer_fields import declares, readable_schema
from stepflow_gui.lint.rules.intents.requiring import requiring
from stepflow_gui.lint.rules.once import Remark, merge_remarks
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.document import Place

RULE = Rule("SF226", "handoff-field-optional", INFO, formats=GATE, looks_at=FLOW)

BAD = changed(
    {
        "/steps/initial.issue/structuredGate/handoffFields": ["summary"],
        "issue.schema.json#/initial.issue/properties/summary": {"type": "string"},
    }
)
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Said once a file."""

    def required(remarks: list[Remark]) -> Later | None:
        fields = [
            (context.schema(step), head)
            for step in (context.flow.steps[name] for name in dict.fromkeys(remark.step for remark in remarks))
            for head in _optional_heads(step.gate.handoff_fields if step.gate else [], context.schema(step).value)
        ]
        return requiring(fields)

    yield from merge_remarks(
        context.each(RULE.code, lambda step: _remarks(step, context)),
        _("{count} handoffFields aren't required by their output schemas, first in “{step}”: they may be missing"),
        _("Require what is handed off"),
        required,
    )


def _remarks(step: Step, context: RuleContext) -> Iterator[Remark]:
    fields = step.gate.handoff_fields if step.gate else []
    schema = readable_schema(step, context) if fields else None
    if schema is None:
        return
    heads = set(_optional_heads(fields, schema.value))
    for field in fields:
        if field.value.partition(".")[0] in heads and declares(schema.value, field.value):
            message = _("“{step}” hands off “{field}”, which its output schema doesn't require: it may be missing")
            place = Place(context.registry, field.pointer, field.span)
            text = message.format(step=step.id, field=field.value)
            yield Remark(text, _("not required either"), place, step.id)


def _optional_heads(fields: list[Text], schema: dict[str, Any]) -> Iterator[str]:
    needed = required(schema)
    for field in fields:
        head = field.value.partition(".")[0]
        if declares(schema, field.value) and head not in needed:
            yield head
