"""T009 aggregate-outside-parallel.

What it does: reports all() and any() in rules of a movement that has no sub-steps, of a sub-step or of a judge.

Why is this bad: there are no results that they could ask for, so the rule never holds. TAKT 0.53 to 0.60 refuse to
load the file.

Fix: write the condition as a plain text, or make the movement parallel.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.conditions_model import Aggregate
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, StepPlace, all_steps, judges, parsed
from stepflow_gui.lint.rules.takt.release_words import path_of, refusing, runner, severity

RULE = Rule("T009", "aggregate-outside-parallel", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("condition: Done", 'condition: all("Done")'))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Every rule where there are no sub-steps; older judges know plain texts only."""
    for step, parent in [*all_steps(context), *(StepPlace(judge, None) for judge in judges(context))]:
        if step.subs or step.unread:
            continue
        for rule in step.transitions:
            if not isinstance(parsed(rule, context), Aggregate):
                continue
            pointer = f"{rule.pointer}/condition"
            refused = refusing(context, path_of(pointer))
            if refused:
                text = _(
                    "“{condition}” asks for results of sub-steps, which “{step}” doesn't have: {runner}"
                    " refuses the file"
                )
            else:
                text = _("“{condition}” asks for results of sub-steps, which “{step}” hasn't: it never holds")
            yield Finding(
                text.format(condition=rule.as_written, step=step.id, runner=runner(context, refused)),
                rule.key_span,
                pointer,
                (parent or step).id,
                severity=severity(context, refused),
            )
