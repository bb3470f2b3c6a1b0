"""SF601 validator-unknown.

What it does: reports conditions of a validation step that name a validator which doesn't exist.

Why is this bad: climpt since 2026-04-20 ends the run there with an error. Older versions skip the condition, so the
check passes whatever the state of the work.

Fix: write the validator that was meant, or define it. Where the definition has the slip, that is renamed; where nothing
tells which of the two has it, both are offered.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.definitions import undefined
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.validators.running import read_validators, runs

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


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at every condition of every list."""
    used = {text.value for each in context.validation.steps for text in each.validators}
    for step in context.validation.steps:
        for named in step.validators:
            if named.value not in context.validation.validators and not has_placeholder(named.value):
                yield _finding(step, named, used, context)


def _finding(step: ValidationStep, named: Text, used: set[str], context: RuleContext) -> Finding:
    stops = context.era.stops_at_unknown_validator and runs(step, context) and named in read_validators(step, context)
    if stops:
        text = _("“{step}” runs the validator “{validator}”, which doesn't exist: {era} ends the run with an error")
    elif context.era.stops_at_unknown_validator:
        text = _("“{step}” runs the validator “{validator}”, which doesn't exist")
    else:
        text = _("“{step}” runs the validator “{validator}”, which doesn't exist: {era} skips it, and the check passes")
    message = text.format(step=step.at.name, validator=named.value, era=context.era.name)
    validators = context.validation.validators
    meant = context.nearest(RULE.code, named.value, validators)
    finding = Finding(message, named.span, named.pointer, severity=ERROR if stops else WARNING)
    return undefined(finding, named, validators[meant].at if meant else None, context, used)
