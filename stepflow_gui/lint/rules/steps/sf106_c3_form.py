"""SF106 c3-form.

What it does: reports a `c3` that isn't lower-case words of Latin letters joined by dashes (`external-state`), on steps
and on validation steps.

Why is this bad: the prompt engine refuses it, so the prompt file is never read, whether it exists or not. Since
2026-04-01 climpt stops there with an error; up to 2026-03-14 it takes the built-in prompt of the fallbackKey, if there
is one.

Fix: write it with dashes, and give the prompt's folder the same name.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.c3_form import has_form, in_form
from stepflow_gui.formats.climpt.fallback_prompt import standby_step
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.entry.verdicts import BEFORE_ENTRIES
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import (
    ERROR,
    FLOW,
    GATE,
    INFO,
    REMOVED,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
    ngettext,
)
from stepflow_gui.lint.rules.prompts.replacing import handler_names, replacement

RULE = Rule("SF106", "c3-form", ERROR, formats=GATE, looks_at=FLOW)

BAD = changed(
    {"/steps/initial.issue/c3": "issueState"},
    texts={
        "prompts/steps/initial/issue/f_default.md": REMOVED,
        "prompts/steps/initial/issueState/f_default.md": "Issue {uv-issue}\n",
    },
    base="c3l",
)
GOOD = changed(
    {"/steps/initial.issue/c3": "issue-state"},
    texts={
        "prompts/steps/initial/issue/f_default.md": REMOVED,
        "prompts/steps/initial/issue-state/f_default.md": "Issue {uv-issue}\n",
    },
    base="c3l",
)


def check(context: RuleContext) -> Iterator[Finding]:
    """A finding a step; in the format with `complete`, whose prompts come from elsewhere, one note for all."""
    odd = [(step, step.c3) for step in context.flow.steps.values() if step.c3 and _is_odd(step.c3)]
    if context.format == "complete":
        yield from _note(odd, context)
    else:
        wished = [(step, "c3", meant) for step, c3 in odd if (meant := in_form(c3.value))]
        clear = context.distinct.clear(wished) if wished else set()
        for step, c3 in odd:
            yield _of_step(step, c3, context, is_clear=step.id in clear)
    for entry in context.validation.steps:
        if entry.c3 and _is_odd(entry.c3) and context.format != "complete":
            yield _of_validation(entry.at.name, entry.c3, context)


def _is_odd(c3: Text) -> bool:
    return bool(c3.value) and not has_form(c3.value) and not has_placeholder(c3.value)


def _note(odd: list[tuple[Step, Text]], context: RuleContext) -> Iterator[Finding]:
    if odd:
        message = ngettext(
            "The c3 of {steps} isn't lower-case words joined by dashes: climpt since 2026-04-01 refuses it",
            "The c3 of {steps} isn't lower-case words joined by dashes: climpt since 2026-04-01 refuses it",
            len(odd),
        ).format(steps=listed([step.id for step, _c3 in odd]))
        shown = _("here it is “{c3}”")
        places = [Side(context.registry, c3.span, c3.pointer, shown.format(c3=c3.value)) for _step, c3 in odd]
        yield merge_places(message, places, step=odd[0][0].id, severity=INFO)


def _of_step(step: Step, c3: Text, context: RuleContext, *, is_clear: bool) -> Finding:
    severity = _severity(step, context)
    if context.era.whole_check:
        text = _(
            "The c3 “{c3}” of “{step}” isn't lower-case words joined by dashes: {era} refuses to load the registry"
        )
    elif severity == ERROR:
        text = _(
            "The c3 “{c3}” of “{step}” isn't lower-case words joined by dashes: {era} refuses to look for the prompt,"
            " and the run ends there with an error"
        )
    elif context.era.spare_prompts:
        text = _(
            "The c3 “{c3}” of “{step}” isn't lower-case words joined by dashes: {era} refuses to look for the prompt,"
            " and only a fallbackKey that exists lets the run continue"
        )
    else:
        text = _("The c3 “{c3}” of “{step}” isn't lower-case words joined by dashes: {era} doesn't look for the prompt")
    message = text.format(c3=c3.value, step=step.id, era=context.era.name)
    meant = in_form(c3.value) if is_clear else None
    is_lost = bool(meant) and context.prompts.is_lost_with(step, "c3", str(meant))  # its file has to be renamed, too
    return _finding(message, c3, context, severity, step.id, is_clear=is_clear, is_lost=is_lost)


def _severity(step: Step, context: RuleContext) -> Severity:
    """An error where no other prompt can stand in: sections and programs need none, closures have a stand-in.

    Climpt 1.14 looks at the c3 of every step when it loads a registry.
    """
    if context.era.whole_check:
        return ERROR
    if context.format in BEFORE_ENTRIES and (context.settings.runtime is None or context.settings.guide):
        return WARNING  # c3 in camel case was right in these shapes
    if context.era.closing == "word" and step.kind in {"work", "closure"} and context.prompts.known:
        return replacement(step, context)[1]
    if context.era.spare_prompts or step.is_section or "runner" in step.raw:
        return WARNING
    if step.kind == "closure":
        names = handler_names(context)
        spare = standby_step(context.flow, names, pairs=context.era.entry_pairs)
        stands_in = names[-1] == "meta:custom" or (spare and spare.c3 and has_form(spare.c3.value))
        return WARNING if stands_in else ERROR
    return ERROR


def _of_validation(name: str, c3: Text, context: RuleContext) -> Finding:
    message = _(
        "The c3 “{c3}” of the validation step “{step}” isn't lower-case words joined by dashes: its retry prompts are"
        " never found"
    ).format(c3=c3.value, step=name)
    return _finding(message, c3, context, WARNING, None, is_clear=True)


def _finding(
    message: str,
    c3: Text,
    context: RuleContext,
    severity: Severity,
    step: str | None,
    *,
    is_clear: bool,
    is_lost: bool = False,
) -> Finding:
    """Nothing is suggested that would be the c3 of two steps of one phase."""
    meant = in_form(c3.value) if is_clear else None
    proposals = [write(context.registry, c3.span, meant)._replace(guess=is_lost)] if meant else []
    cause = ("prompt", step) if step is not None else None  # a file that doesn't exist either is the same mistake
    return Finding(message, c3.span, c3.pointer, step, severity=severity, proposals=proposals, cause=cause)
