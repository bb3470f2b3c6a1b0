r"""SF603 success-when-form.

What it does: reports a `successWhen` that is none of `empty`, `exitCode:N`, `contains:text` and `matches:regex`, an
exit code that is no number, and a regular expression that JavaScript refuses.

Why is this bad: climpt takes any other form for a failure, so that the check never passes and the flow can't be closed.
At a regular expression that it can't read the run ends with an error.

Fix: write one of the forms. That there is some output is said by `matches:\S`.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.validation import Validator
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.validators.running import runs
from stepflow_gui.lint.rules.validators.success_forms import fault_of, meant_by

RULE = Rule("SF603", "success-when-form", ERROR, formats=GATE, looks_at=FLOW)

BAD = checked({"/validators/git-clean/successWhen": "exit 0"})
GOOD = checked({"/validators/git-clean/successWhen": "exitCode:0"})

WITH_OUTPUT = ("command", "custom")  # the types that look at successWhen


def check(context: RuleContext) -> Iterator[Finding]:
    """An error where a validation step that this agent comes to runs the validator."""
    users = {
        named.value: (step, named)
        for step in context.validation.steps
        if runs(step, context)
        for named in step.validators
    }
    for validator in context.validation.validators.values():
        when = validator.success_when
        if when is None or validator.type not in WITH_OUTPUT or has_placeholder(when.value):
            continue
        if fault_of(when.value) is not None:
            user = users.get(validator.at.name)
            place = (
                [
                    Side(
                        context.registry,
                        user[1].span,
                        user[1].pointer,
                        _("“{step}” runs it").format(step=user[0].at.name),
                    )
                ]
                if user
                else []
            )
            yield _finding(validator, when, place, context)


def _finding(validator: Validator, when: Text, users: list[Side], context: RuleContext) -> Finding:
    text = {
        "form": _("The successWhen “{value}” of “{validator}” has none of the known forms: the check never passes"),
        "number": _("The successWhen “{value}” of “{validator}” has no number: the check never passes"),
        "regex": _(
            "The regular expression in successWhen “{value}” of “{validator}” can't be read by JavaScript: the run ends"
            " there with an error"
        ),
    }[fault_of(when.value) or "form"]
    meant = meant_by(when.value) if fault_of(when.value) != "regex" else None
    message = text.format(value=when.value, validator=validator.at.name)
    if meant:
        message += _(". Did you mean “{meant}”?").format(meant=meant)
    return Finding(
        message,
        when.span,
        when.pointer,
        severity=ERROR if users else WARNING,
        sides=users,
        proposals=[write(context.registry, when.span, meant)] if meant else [],
    )
