"""SF602 failure-pattern-unknown.

What it does: reports validators whose `failurePattern` isn't defined.

Why is this bad: where the validator fails, climpt finds no retry prompt for it, and asks the model in general terms
to try again, without saying what to mend.

Fix: write the pattern that was meant, or define it.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import WARNING
from stepflow_gui.lint.rule import FLOW, GATE, Finding, Rule
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.writing import write
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _

RULE = Rule("SF602", "failure-pattern-unknown", WARNING, formats=GATE, looks_at=FLOW)

_TESTS = {"type": "command", "command": "pytest", "successWhen": "exitCode:0"}
_CONDITIONS = {
    "/validationSteps/closure.polling/validationConditions": [{"validator": "git-clean"}, {"validator": "tests"}]
}
BAD = checked({"/validators/tests": _TESTS, "/validators/tests/failurePattern": "git-dirt"} | _CONDITIONS)
GOOD = checked({"/validators/tests": _TESTS, "/validators/tests/failurePattern": "git-dirty"} | _CONDITIONS)


def check(scope: RuleContext) -> Iterator[Finding]:
    """One that names no pattern at all is SF004's matter."""
    for validator in scope.validation.validators.values():
        named = validator.failure_pattern
        if named is None or named.value in scope.validation.patterns or has_placeholder(named.value):
            continue
        message = _(
            "“{validator}” names the failure pattern “{pattern}”, which isn't there: where it fails, climpt has only a"
            " general retry prompt"
        ).format(validator=validator.at.name, pattern=named.value)
        meant = scope.nearest(RULE.code, named.value, scope.validation.patterns)
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = [write(scope.registry, named.span, meant)] if meant else []
        yield Finding(message, named.span, named.pointer, proposals=proposals)
