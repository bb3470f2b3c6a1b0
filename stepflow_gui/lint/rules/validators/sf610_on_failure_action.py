"""SF610 on-failure-action.

What it does: reports an `onFailure.action` that is none of retry, abort and skip.

Why is this bad: the guide knows these three only. Versions of climpt before April 2026 don't read the field and retry
whatever it says.

Fix: write one of the three.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import ON_FAILURE_ACTIONS
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.rule import FLOW, GATE, Finding, Rule
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.writing import write
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _

RULE = Rule("SF610", "on-failure-action", ERROR, formats=GATE, looks_at=FLOW)

BAD = checked({"/validationSteps/closure.polling/onFailure/action": "retries"})
GOOD = checked()


def check(scope: RuleContext) -> Iterator[Finding]:
    """An action that is no text is SF004's matter."""
    for step in scope.validation.steps:
        action = step.action
        if action is None or action.value in ON_FAILURE_ACTIONS or has_placeholder(action.value):
            continue
        text = (
            _("“{step}” wants “{action}” after a failure: the guide knows {actions}; {era} retries all the same")
            if scope.era.attempts == "unread"
            else _("“{step}” wants “{action}” after a failure: the guide knows {actions}")
        )
        message = text.format(
            step=step.at.name, action=action.value, actions=_(", ").join(ON_FAILURE_ACTIONS), era=scope.era.name
        )
        meant = scope.nearest(RULE.code, action.value, ON_FAILURE_ACTIONS)
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = [write(scope.registry, action.span, meant)] if meant else []
        yield Finding(message, action.span, action.pointer, proposals=proposals)
