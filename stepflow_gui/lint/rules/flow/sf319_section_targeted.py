"""SF319 section-targeted.

What it does: reports transitions and entries that go to a `section.*` step.

Why is this bad: a section is a part of other steps' prompts. It has no gate, so a run that gets there finds no intent
and no next step: it stops.

Fix: connect to the step whose prompt uses the section.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.lint.rules.flow.emitting import rules_of
from stepflow_gui.lint.rules.flow.example_steps import SECTION, SECTION_PROMPT
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.run_paths import TARGET_ONLY, WITHOUT_RULE

RULE = Rule("SF319", "section-targeted", ERROR, formats=GATE, looks_at=FLOW)

_WITH_SECTION = {"/steps/section.rules": SECTION}
BAD = changed(
    {
        **_WITH_SECTION,
        "/steps/continuation.issue/transitions/next/target": "section.rules",
    },
    base="c3l",
    texts=SECTION_PROMPT,
)
GOOD = changed(_WITH_SECTION, base="c3l", texts=SECTION_PROMPT)


def check(context: RuleContext) -> Iterator[Finding]:
    """Only what the runner follows; conditions of handoff and escalate are SF315's."""
    for entry in context.flow.entries:
        if entry.target and _is_section(entry.target, context):
            message = (
                _("entryStep is “{target}”, a prompt section: the run begins there and stops")
                if entry.key is None
                else _("The entry for “{type}” is “{target}”, a prompt section: the run begins there and stops")
            )
            yield Finding(
                message.format(type=entry.key, target=entry.target.value), entry.target.span, entry.target.pointer
            )
    for step in context.flow.steps.values():
        yield from _of_step(step, context)


def _is_section(text: Text, context: RuleContext) -> bool:
    step = context.flow.steps.get(text.value)
    return step is not None and step.is_section


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    for rule in rules_of(step, context):
        if rule.intent in WITHOUT_RULE or step.is_section:
            continue
        cases = () if rule.target or rule.intent in TARGET_ONLY else rule.cases
        for text in (rule.target, *(case.target for case in cases)):
            if text and _is_section(text, context):
                yield Finding(
                    _(
                        "“{intent}” of “{step}” goes to “{target}”, a prompt section: the run gets there and stops"
                    ).format(intent=rule.intent, step=step.id, target=text.value),
                    text.span,
                    text.pointer,
                    step=step.id,
                )
