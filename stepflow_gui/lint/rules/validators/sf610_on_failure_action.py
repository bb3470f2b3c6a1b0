"""SF610 on-failure-action.

What it does: reports an `onFailure.action` that is none of retry, abort and skip.

Why is this bad: the guide knows these three only. Versions of climpt before April 2026 don't read the field and retry
whatever it says.

Fix: write one of the three.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import ON_FAILURE_ACTIONS
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked

RULE = Rule("SF610", "on-failure-action", ERROR, formats=GATE, looks_at=FLOW)

BAD = checked({"/validationSteps/closure.polling/onFailure/action": "retries"})
GOOD = checked()


def check(context: RuleContext) -> Iterator[Finding]:
    """An action that is not a text is SF004's matter."""
    for step in context.validation.steps:
        action = step.action
        if action is None or action.value in ON_FAILURE_ACTIONS or has_placeholder(action.value):
            continue
        text = (
            _("“{step}” wants “{action}” after a failure: the guide knows {actions}; {era} retries all the same")
            if context.era.attempts == "unread"
            else _("“{step}” wants “{action}” after a failure: the guide knows {actions}")
        )
        message = text.format(
            step=step.at.name, action=action.value, actions=_(", ").join(ON_FAILURE_ACTIONS), era=context.era.name
        )
        meant = context.nearest(RULE.code, action.value, ON_FAILURE_ACTIONS)
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = [write(context.registry, action.span, meant)] if meant else []
        yield Finding(message, action.span, action.pointer, proposals=proposals, misspelt=bool(meant))
