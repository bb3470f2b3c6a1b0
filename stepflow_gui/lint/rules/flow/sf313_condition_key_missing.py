"""SF313 condition-key-missing.

What it does: reports a `condition` that isn't a key which the step hands off. A key is the last part of a path in
`handoffFields`.

Why is this bad: the runner looks for the value in the handoff of this very answer and finds nothing, so it always
takes `default`, or has nowhere to go where there is none.

Fix: add the field to `handoffFields`, or name a key that exists.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.flow.conditions import Decision, decisions
from stepflow_gui.lint.rules.flow.example_steps import deciding
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.run_paths import enum_at

RULE = Rule("SF313", "condition-key-missing", WARNING, formats=GATE, looks_at=STEP)

_CASES = {"ready": "continuation.issue", "default": "initial.issue"}
BAD = changed({**deciding(_CASES), "/steps/initial.issue/transitions/next/condition": "stauts"})
GOOD = changed(deciding(_CASES))


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at every condition that the runner reads."""
    for decision in decisions(step, context):
        if decision.field is None and not has_placeholder(decision.condition.value):
            yield _finding(step, decision, context)


def _finding(step: Step, decision: Decision, context: RuleContext) -> Finding:
    condition = decision.condition
    assert step.gate is not None
    keys = [text.value.rpartition(".")[2] for text in step.gate.handoff_fields]
    message = (
        _("“{intent}” of “{step}” decides by “{key}”, which the step doesn't hand off: “default” is always taken")
        if decision.default
        else _("“{intent}” of “{step}” decides by “{key}”, which the step doesn't hand off: it never goes anywhere")
    )
    text = message.format(intent=decision.rule.intent, step=step.id, key=condition.value)
    meant = context.nearest(RULE.code, condition.value, keys)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = (
        [write(context.registry, condition.span, meant)] if meant else list(_handed_off(step, decision, context))
    )
    return Finding(text, condition.span, condition.pointer, step=step.id, proposals=proposals, misspelt=bool(meant))


def _handed_off(step: Step, decision: Decision, context: RuleContext) -> Iterator[Proposal]:
    """Add the field where the schema lists values for a field of that name."""
    from stepflow_gui.text.json.edit import insert_item

    key = decision.condition.value
    registry, schema, gate = context.registry, context.schema(step), step.gate
    if not registry.tree.valid or gate is None or not gate.node.get("handoffFields"):
        return
    for path in (key, f"next_action.{key}", f"next_action.details.{key}"):
        if enum_at(schema, path) is not None:
            edits = insert_item(registry.tree, f"{gate.pointer}/handoffFields", path)
            yield Proposal(_("Hand off “{field}”").format(field=path), tuple((registry, edit) for edit in edits))
            return
