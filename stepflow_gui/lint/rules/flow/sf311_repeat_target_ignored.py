"""SF311 repeat-target-ignored.

What it does: reports a `repeat` of a work or verification step that names another step.

Why is this bad: climpt stays on the step whatever the transition says; the guide's project pattern expects it to go to
the step that is named. What runs next isn't what the file says.

Fix: use `jump` or `next` to go back to another step; let `repeat` name its own.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text, Transition
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import (
    FLOW,
    INFO,
    KINDS,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)

RULE = Rule("SF311", "repeat-target-ignored", WARNING, formats=KINDS, looks_at=FLOW, defers_to=("SF101", "SF302"))

BAD = changed({"/steps/continuation.issue/transitions/repeat/target": "initial.issue"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Steps whose kind is closure are left alone: climpt reads their `repeat` by another rule."""
    found = (
        _finding(step, text, context)
        for step in context.flow.steps.values()
        if step.kind != "closure"
        for rule in rules_of(step, context, "repeat")
        for text in _elsewhere(step, rule, context)
    )
    yield from merge_infos(found, RULE, context)


def _goes_there(step: Step, context: RuleContext) -> bool:
    """Whether the chosen runner follows the rule: the guide's, and 2026-03-14 where c2 is closure."""
    of_closure = step.c2 is not None and step.c2.value == "closure"
    return context.settings.guide or (of_closure and context.era.repeat == "moves at c2 closure")


def _elsewhere(step: Step, rule: Transition, context: RuleContext) -> list[Text]:
    """The first other step that is named."""
    named = (text for text in (rule.target, *(case.target for case in rule.cases)) if text)
    return [text for text in named if text.value != step.id and text.value in context.flow.steps][:1]


def _finding(step: Step, text: Text, context: RuleContext) -> Finding:
    goes = _goes_there(step, context)
    message = (
        _(
            "“repeat” of “{step}” goes to “{target}”, as in the guide's project pattern; climpt since 2026-04-01"
            " stays on “{step}”"
        )
        if goes
        else _(
            "“repeat” of “{step}” names “{target}”: {era} stays on “{step}” anyway, while the guide's project "
            "pattern expects it to go there"
        )
    )
    return Finding(
        message.format(step=step.id, target=text.value, era=context.climpt.name),
        text.span,
        text.pointer,
        step=step.id,
        severity=INFO if goes else WARNING,
        cause=context.copy_cause(step),
    )
