"""SF602 failure-pattern-unknown.

What it does: reports validators whose `failurePattern` isn't defined.

Why is this bad: where the validator fails, climpt finds no retry prompt for it, and asks the model in general terms
to try again, without naming what to fix.

Fix: write the pattern that was meant, or define it. Where the definition has the slip, that is renamed; where nothing
tells which of the two has it, both are offered.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.definitions import undefined
from stepflow_gui.lint.rules.validators.example_checks import checked

RULE = Rule("SF602", "failure-pattern-unknown", WARNING, formats=GATE, looks_at=FLOW)

_TESTS = {"type": "command", "command": "pytest", "successWhen": "exitCode:0", "extractParams": {}}
_CONDITIONS = {
    "/validationSteps/closure.polling/validationConditions": [{"validator": "git-clean"}, {"validator": "tests"}]
}
BAD = checked({"/validators/tests": _TESTS, "/validators/tests/failurePattern": "git-dirt"} | _CONDITIONS)
GOOD = checked({"/validators/tests": _TESTS, "/validators/tests/failurePattern": "git-dirty"} | _CONDITIONS)


def check(context: RuleContext) -> Iterator[Finding]:
    """One that names no pattern at all is SF004's matter."""
    validators, patterns = context.validation.validators.values(), context.validation.patterns
    used = {each.failure_pattern.value for each in validators if each.failure_pattern}
    for validator in validators:
        named = validator.failure_pattern
        if named is None or named.value in patterns or has_placeholder(named.value):
            continue
        message = _(
            "“{validator}” names the failure pattern “{pattern}”, which doesn't exist: when it fails, {era} has only a"
            " general retry prompt"
        ).format(validator=validator.at.name, pattern=named.value, era=context.climpt.name)
        meant = context.nearest(RULE.code, named.value, patterns)
        finding = Finding(message, named.span, named.pointer)
        yield undefined(finding, named, patterns[meant].at if meant else None, context, used)
