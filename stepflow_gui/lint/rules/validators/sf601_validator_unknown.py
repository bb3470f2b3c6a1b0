"""SF601 validator-unknown.

What it does: reports conditions of a validation step that name a validator which isn't there.

Why is this bad: climpt since 2026-04-20 ends the run there with an error. Older versions skip the condition, so that
the check passes whatever the state of the work.

Fix: write the validator that was meant, or define it.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import ERROR, WARNING
from stepflow_gui.lint.rule import FLOW, GATE, Finding, Rule
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.validators.running import runs
from stepflow_gui.lint.rules.writing import write
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _

RULE = Rule("SF601", "validator-unknown", ERROR, formats=GATE, looks_at=FLOW)

BAD = checked(
    {
        "/validationSteps/closure.polling/validationConditions": [
            {"validator": "git-clean"},
            {"validator": "git-cleen"},
        ]
    }
)
GOOD = checked()


def check(scope: RuleContext) -> Iterator[Finding]:
    """Look at every condition of every list."""
    for step in scope.validation.steps:
        for named in step.validators:
            if named.value not in scope.validation.validators and not has_placeholder(named.value):
                yield _finding(step, named, scope)


def _finding(step: ValidationStep, named: Text, scope: RuleContext) -> Finding:
    stops = scope.era.stops_at_unknown_validator and runs(step, scope)
    if stops:
        text = _("“{step}” runs the validator “{validator}”, which isn't there: {era} ends the run with an error")
    elif scope.era.stops_at_unknown_validator:
        text = _("“{step}” runs the validator “{validator}”, which isn't there")
    else:
        text = _("“{step}” runs the validator “{validator}”, which isn't there: {era} skips it, and the check passes")
    message = text.format(step=step.at.name, validator=named.value, era=scope.era.name)
    meant = scope.nearest(RULE.code, named.value, scope.validation.validators)
    if meant:
        message += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = [write(scope.registry, named.span, meant)] if meant else []
    severity = ERROR if stops else WARNING
    return Finding(message, named.span, named.pointer, severity=severity, proposals=proposals)
