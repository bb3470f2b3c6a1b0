r"""SF603 success-when-form.

What it does: reports a `successWhen` that is none of `empty`, `exitCode:N`, `contains:text` and `matches:regex`, an
exit code that is not a number, and a regular expression that JavaScript refuses.

Why is this bad: climpt takes any other form for a failure, so the check never passes and the flow can't be closed.
At a regular expression that it can't read the run ends with an error.

Fix: write one of the forms. `matches:\S` means some output.
"""

import re
from collections.abc import Iterator
from typing import Literal

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.validation import Validator
from stepflow_gui.formats.climpt.vocabulary import SUCCESS_WHEN
from stepflow_gui.lint.closest_name import nearest
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.validators.running import run_validators

RULE = Rule("SF603", "success-when-form", ERROR, formats=GATE, looks_at=FLOW)

BAD = checked({"/validators/git-clean/successWhen": "exit 0"})
GOOD = checked({"/validators/git-clean/successWhen": "exitCode:0"})

WITH_OUTPUT = ("command", "custom")  # the types that look at successWhen


def check(context: RuleContext) -> Iterator[Finding]:
    """An error where a validation step that this agent comes to runs the validator."""
    users = {named.value: (step, named) for step, named in run_validators(context)}
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
        misspelt=bool(meant),
    )


_Fault = Literal["form", "number", "regex"]
"""Of no known form; an exit code that is not a number; a regular expression that JavaScript refuses."""


def fault_of(value: str) -> _Fault | None:
    """What keeps a check from ever passing; None where it can."""
    form, colon, rest = value.partition(":")
    if form + colon not in SUCCESS_WHEN:
        return "form"
    if form == "exitCode":
        return None if _begins_with_number(rest) else "number"
    return "regex" if form == "matches" and _is_refused(rest) else None


def _begins_with_number(text: str) -> bool:
    plain = text.strip()
    digit = plain[1:2] if plain[:1] in {"+", "-"} else plain[:1]
    return digit.isascii() and digit.isdecimal()


def _is_refused(pattern: str) -> bool:
    from stepflow_gui.text.expressions.matching import compiled  # few registries match by expressions

    return compiled(pattern) is None


def meant_by(value: str) -> str | None:
    """The form that somebody most likely meant; None where nothing says."""
    word, _colon, rest = value.strip().partition(":")
    plain = re.sub(r"[^a-z]", "", word.lower())
    if plain in {"empty", "isempty", "blank"}:
        return "empty"
    if plain in {"nonempty", "notempty"}:
        return r"matches:\S"
    if plain.startswith(("exit", "code", "status", "returncode")) or value.strip().isdecimal():
        found = re.search(r"\d+", value)
        return f"exitCode:{found[0]}" if found else "exitCode:0"
    if plain in {"success", "ok", "pass", "passed", "zero"}:
        return "exitCode:0"
    if plain in {"contain", "contains", "includes", "include"} and rest:
        return f"contains:{rest}"
    if plain in {"match", "matches", "regex", "regexp"} and rest:
        return f"matches:{rest}"
    if not rest:
        return nearest(plain, ["empty"])
    near = nearest(f"{plain}:", SUCCESS_WHEN)
    return f"{near}{rest}" if near and near.endswith(":") else None
