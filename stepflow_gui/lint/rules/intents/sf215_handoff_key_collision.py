"""SF215 handoff-key-collision.

What it does: reports paths in `handoffFields` that end in the same key as an earlier one.

Why is this bad: the value is handed off under the last key of its path alone, so the later one overwrites the earlier.

Fix: give the fields different names in the output schema, or hand off only one of them.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF215", "handoff-key-collision", WARNING, formats=GATE, looks_at=STEP)

_NUMBERED = {"type": "object", "required": ["number"], "properties": {"number": {"type": "integer"}}}
BAD = changed(
    {
        "/steps/initial.issue/structuredGate/handoffFields": ["issue.number", "pull.number"],
        "issue.schema.json#/initial.issue/required": ["next_action", "issue", "pull"],
        "issue.schema.json#/initial.issue/properties/issue": _NUMBERED,
        "issue.schema.json#/initial.issue/properties/pull": _NUMBERED,
    }
)
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Compare each path with those before it."""
    first: dict[str, Text] = {}
    for field in step.gate.handoff_fields if step.gate else ():
        key = field.value.rpartition(".")[2]
        before = first.setdefault(key, field)
        if before is not field and before.value != field.value:
            yield Finding(
                _(
                    "“{step}” hands off “{field}” and “{before}”, both under the key “{key}”: the later one overwrites"
                    " the other"
                ).format(step=step.id, field=field.value, before=before.value, key=key),
                field.span,
                field.pointer,
                step=step.id,
                sides=[Side(context.registry, before.span, before.pointer, _("the other one"))],
            )
