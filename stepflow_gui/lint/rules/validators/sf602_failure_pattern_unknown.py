"""SF602 failure-pattern-unknown.

What it does: reports validators whose `failurePattern` isn't defined.

Why is this bad: where the validator fails, climpt finds no retry prompt for it, and asks the model in general terms
to try again, without saying what to mend.

Fix: write the pattern that was meant, or define it.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
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
    for validator in context.validation.validators.values():
        named = validator.failure_pattern
        if named is None or named.value in context.validation.patterns or has_placeholder(named.value):
            continue
        message = _(
            "“{validator}” names the failure pattern “{pattern}”, which doesn't exist: when it fails, {era} has only a"
            " general retry prompt"
        ).format(validator=validator.at.name, pattern=named.value, era=context.climpt.name)
        meant = context.nearest(RULE.code, named.value, context.validation.patterns)
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = [write(context.registry, named.span, meant)] if meant else []
        yield Finding(message, named.span, named.pointer, proposals=proposals, misspelt=bool(meant))
