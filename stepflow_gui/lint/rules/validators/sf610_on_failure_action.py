"""SF610 on-failure-action.

What it does: reports an `onFailure.action` that is none of retry, abort and skip.

Why is this bad: the guide knows these three only. Versions of climpt before April 2026 don't read the field and retry
whatever it says.
climpt 1.14 (a pre-release) has no `abort` any more: it counts nothing then, and retries to the iteration limit.

Fix: write one of the three; in place of `abort`, for climpt 1.14, `retry` with the maxAttempts 1.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.formats.climpt.vocabulary import ON_FAILURE_ACTIONS
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ADDRESSED, ERROR, FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.text.pointer import join

RULE = Rule("SF610", "on-failure-action", ERROR, formats=GATE, looks_at=FLOW)

BAD = checked({"/validationSteps/closure.polling/onFailure/action": "retries"})
GOOD = checked()


def check(context: RuleContext) -> Iterator[Finding]:
    """An action that is not a text is SF004's matter."""
    for step in context.validation.steps:
        action = step.action
        if action is None or has_placeholder(action.value):
            continue
        if action.value == "abort" and context.format in ADDRESSED:
            yield _no_action(step, action, context)
        if action.value in ON_FAILURE_ACTIONS:
            continue
        text = (
            _("“{step}” asks for “{action}” after a failure: the guide knows {actions}; {era} retries anyway")
            if context.climpt.attempts == "unread"
            else _(
                "“{step}” asks for “{action}” after a failure: the guide knows {actions}; {era} treats it as “retry”"
            )
        )
        message = text.format(
            step=step.at.name, action=action.value, actions=_(", ").join(ON_FAILURE_ACTIONS), era=context.climpt.name
        )
        meant = context.nearest(RULE.code, action.value, ON_FAILURE_ACTIONS)
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = [write(context.registry, action.span, meant)] if meant else []
        yield Finding(message, action.span, action.pointer, proposals=proposals, misspelt=bool(meant))


def _no_action(step: ValidationStep, action: Text, context: RuleContext) -> Finding:
    text = _(
        "“{step}” asks for “abort” after a failure, which climpt-1.14 doesn't support: it retries until the"
        " iteration limit"
    )
    return Finding(
        text.format(step=step.at.name),
        action.span,
        action.pointer,
        severity=WARNING,
        proposals=_retry_once(step, context),
    )


def _retry_once(step: ValidationStep, context: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if registry.tree.valid and step.on_failure is not None:
        policy = {**step.on_failure.value, "action": "retry", "maxAttempts": 1}
        edits = set_value(registry.tree, join(step.at.pointer, "onFailure"), policy)
        yield Proposal(_("End the run at the first failure"), [(registry, edit) for edit in edits], safe=True)
