"""SF225 closure-field.

What it does: reports closure steps whose intent is elsewhere than at `next_action.action`, or whose schema offers
anything but `closing` and `repeat`.

Why is this bad: since April 2026 climpt runs closure steps in a loop of their own, past gate and router. It looks only
for the words `closing` and `repeat`, and only at `next_action.action`; with any other answer the verdict decides.

Fix: let closure steps answer in `next_action.action`, with `closing` or `repeat`.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.examples.example import Moved
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ADDRESSED, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.schemas.schema_faults import taken_from

RULE = Rule(
    "SF225",
    "closure-field",
    WARNING,
    formats=("c3l", *ADDRESSED),
    looks_at=STEP,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206", "SF201", "SF202", "SF203", "SF204"),
)

BAD = changed(
    {
        "/steps/closure.issue/structuredGate/intentField": "verdict.action",
        "/steps/closure.issue/structuredGate/intentSchemaRef": "#/properties/verdict/properties/action",
        "issue.schema.json#/closure.issue/properties/verdict": Moved("/closure.issue/properties/next_action"),
        "issue.schema.json#/closure.issue/required": ["verdict"],
    },
    base="c3l",
)
GOOD = changed(base="c3l")

FIELD = "next_action.action"
WORDS = ("closing", "repeat")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at closure steps, in eras that have that loop."""
    if step.gate is None or step.kind != "closure" or not context.era.closure_loop:
        return
    field = step.gate.intent_field
    if field and field.value and field.value != FIELD and not has_placeholder(field.value):
        there = step.schema_ref is not None and context.schema(step).field(FIELD) is not None
        yield Finding(
            _("The intent of the closure step “{step}” is at “{field}”: {era} looks only at “{expected}”").format(
                step=step.id, field=field.value, era=context.era.name, expected=FIELD
            ),
            field.span,
            field.pointer,
            step=step.id,
            proposals=[write(context.registry, field.span, FIELD)] if there else (),
        )
    contract = context.contract(step)
    for word in contract.enum or ():
        if word.value not in WORDS and word.reading != "placeholder":
            yield Finding(
                _(
                    "The output schema of the closure step “{step}” offers “{intent}”: {era} knows only “closing” and"
                    " “repeat” there"
                ).format(step=step.id, intent=word.value, era=context.era.name),
                word.span,
                word.pointer,
                step=step.id,
                document=word.document,
                sides=taken_from(step, context),
                cause=contract.cause(word),
            )
