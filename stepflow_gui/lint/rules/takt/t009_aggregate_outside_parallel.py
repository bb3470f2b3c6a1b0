"""T009 aggregate-outside-parallel.

What it does: reports all() and any() in rules of a movement that has no sub-steps, of a sub-step or, in workflows, of a
judge.

Why is this bad: there are no results that they could ask for, so that the rule never holds. TAKT 0.60 refuses to load
the file.

Fix: write the condition as a plain text, or make the movement parallel.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.conditions_model import Aggregate
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, StepPlace, all_steps, judges, parsed

RULE = Rule("T009", "aggregate-outside-parallel", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("condition: Done", 'condition: all("Done")'))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Every rule where there are no sub-steps."""
    refused = context.takt.refuses_unknown
    others = [StepPlace(judge, None) for judge in judges(context)] if refused else []
    for step, parent in [*all_steps(context), *others]:
        if step.subs or step.unread:
            continue
        for rule in step.transitions:
            if isinstance(parsed(rule, context), Aggregate):
                if refused:
                    text = _(
                        "“{condition}” asks for results of sub-steps, which “{step}” doesn't have: {runner}"
                        " refuses the file"
                    )
                else:
                    text = _("“{condition}” asks for results of sub-steps, which “{step}” hasn't: it never holds")
                yield Finding(
                    text.format(condition=rule.as_written, step=step.id, runner=context.takt.release),
                    rule.key_span,
                    f"{rule.pointer}/condition",
                    (parent or step).id,
                    severity=ERROR if refused else WARNING,
                )
