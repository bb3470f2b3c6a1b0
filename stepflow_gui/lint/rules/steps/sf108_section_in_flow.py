"""SF108 section-in-flow.

What it does: reports `section.*` steps that have a gate or transitions.

Why is this bad: a section is a part of other steps' prompts and no step that runs. climpt never asks its gate, but
checks it when it loads the registry, and refuses the whole file for a mistake there.

Fix: remove the gate and the transitions, or give the step another phase if it is meant to run.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF108", "section-in-flow", WARNING, formats=GATE, looks_at=STEP)

_SECTION = {
    "stepId": "section.rules",
    "name": "rules",
    "c2": "section",
    "c3": "rules",
    "edition": "default",
    "fallbackKey": "section_rules",
    "uvVariables": [],
    "usesStdin": False,
}
_PROMPT = {"prompts/steps/section/rules/f_default.md": "rules\n"}
BAD = changed(
    {
        "/steps/section.rules": _SECTION,
        "/steps/section.rules/transitions": {"next": {"target": "initial.issue"}},
    },
    texts=_PROMPT,
)
GOOD = changed({"/steps/section.rules": _SECTION}, texts=_PROMPT)

FLOW_FIELDS = ("structuredGate", "transitions")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """An empty object is as good as none. Both fields of a step are one mistake."""
    if not step.is_section:
        return
    spans = [
        (where, span)
        for field in FLOW_FIELDS
        if step.raw.get(field) and (span := context.registry.tree.key_span(where := join(step.pointer, field)))
    ]
    if spans:
        (pointer, span), *others = spans
        fields = _(" and ").join(where.rpartition("/")[2] for where, _span in spans)
        text = _("“{step}” is a prompt section, and has {fields}: no run comes there, yet {era} checks them")
        yield Finding(
            text.format(step=step.id, fields=fields, era=context.climpt.name),
            span,
            pointer,
            step.id,
            sides=[Side(context.registry, other, where, _("and here")) for where, other in others],
        )
