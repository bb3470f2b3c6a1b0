"""SF221 intent-optional.

What it does: reports output schemas that have the intent but don't require it, or something on the path to it.

Why is this bad: the model may leave it out. The gate then finds no intent and the run stops.

Fix: add every key on the path to the intent to `required`.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Later
from stepflow_gui.lint.rules.intents.answer_fields import readable_schema
from stepflow_gui.lint.rules.intents.gate_reading import stops_unread
from stepflow_gui.lint.rules.intents.requiring import requiring
from stepflow_gui.lint.rules.once import Remark, merge_remarks
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, REMOVED, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF221", "intent-optional", INFO, formats=GATE, looks_at=FLOW)

BAD = changed({"issue.schema.json#/initial.issue/properties/next_action/required": REMOVED})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Said once a file."""

    def required(remarks: list[Remark]) -> Later | None:
        steps = [context.flow.steps[remark.step] for remark in remarks]
        fields = [(step, step.gate.intent_field.value) for step in steps if step.gate and step.gate.intent_field]
        return requiring((context.schema(step), path) for step, path in fields)

    found = list(context.each(RULE.code, lambda step: _remarks(step, context)))
    several = (
        _("The output schemas of {count} steps don't require the intent, first “{step}”: without one the run stops")
        if all(stops for _remark, stops in found)
        else _("The output schemas of {count} steps don't require the intent, first “{step}”: answers may lack it")
    )
    yield from merge_remarks((remark for remark, _stops in found), several, _("Require the intent"), required)


def _remarks(step: Step, context: RuleContext) -> Iterator[tuple[Remark, bool]]:
    field = step.gate.intent_field if step.gate and step.gate.intents else None  # else SF219 and SF004 speak
    if field is None or not field.value or step.schema_ref is None or context.schema(step).problem is not None:
        return
    schema = context.schema(step)
    place = schema.field(field.value)
    if place is None or schema.requires(field.value) or readable_schema(step, context) is None:
        return
    stops = stops_unread(step, context)
    message = (
        _("The output schema of “{step}” doesn't require “{field}”: without it the run stops")
        if stops
        else _("The output schema of “{step}” doesn't require “{field}”: answers may come without it")
    )
    text = message.format(step=step.id, field=field.value)
    yield Remark(text, _("that of “{step}” neither").format(step=step.id), place, step.id), stops
