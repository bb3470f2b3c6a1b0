"""SF614 retry-address-unread.

What it does: reports a validation step that checks something after the query and has its c2 and c3 in `address` alone.

Why is this bad: climpt 1.14 (a pre-release) reads the parts of the retry prompt's path from c2 and c3 of the validation
step itself. Without them the first failure ends the run with an error, where a retry was meant.

Fix: write c2 and c3 beside the address.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.prelude import ADDRESSED, FLOW, REMOVED, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import addressed
from stepflow_gui.lint.rules.validators.running import runs
from stepflow_gui.text.pointer import join

RULE = Rule("SF614", "retry-address-unread", WARNING, formats=ADDRESSED, looks_at=FLOW)

BAD = addressed({"/validationSteps/closure.polling/c2": REMOVED, "/validationSteps/closure.polling/c3": REMOVED})
GOOD = addressed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Of those that a run comes to."""
    for step in context.validation.steps:
        checks = step.at.node.value.get("postLLMConditions")
        lacking = not all(part is not None and part.value for part in (step.c2, step.c3))
        if checks and isinstance(checks, list) and lacking and runs(step, context):
            message = _(
                "“{step}” has no c2 and c3 beside its address, and climpt-1.14 reads no others: the first failure ends"
                " the run with an error"
            )
            text = message.format(step=step.at.name)
            yield Finding(text, step.at.key_span, step.at.pointer, proposals=_beside(step, context))


def _beside(step: ValidationStep, context: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import insert_members, set_value

    registry, address = context.registry, step.at.node.value.get("address")
    parts = {key: address.get(key) for key in ("c2", "c3")} if isinstance(address, dict) else {}
    own = step.at.node.value
    lacking = {key: part for key, part in parts.items() if isinstance(part, str) and not own.get(key)}
    if registry.tree.valid and lacking:
        absent = {key: part for key, part in lacking.items() if key not in own}
        edits = insert_members(registry.tree, step.at.pointer, absent) if absent else []
        for key in lacking.keys() - absent.keys():
            edits += set_value(registry.tree, join(step.at.pointer, key), lacking[key])
        yield Proposal(_("Write c2 and c3 beside the address"), [(registry, edit) for edit in edits])
