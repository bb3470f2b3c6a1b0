"""T011 aggregate-arity.

What it does: reports an all() with several texts whose number isn't that of the sub-steps. Such an all() gives each
sub-step a text of its own, in their order.

Why is this bad: with another number it never holds.

Fix: give a text for each sub-step, or one for all of them.
"""

from collections.abc import Iterator

from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import ERROR, STEP, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, aggregates

RULE = Rule("T011", "aggregate-arity", WARNING, formats=TAKT, looks_at=STEP)

BAD = piece(('condition: all("approved")', 'condition: all("approved", "approved", "approved")'))
GOOD = piece()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Sub-steps chosen at run time have no known number: there several texts are refused."""
    if not step.subs:
        return
    parallel = step.node.get("parallel")
    dynamic = parallel is not None and parallel.kind == "object"
    if step.unread or (parallel is None and not dynamic):
        return
    for rule, condition in aggregates(step, context):
        count = len(condition.wanted)
        if not condition.positional or (count == len(step.subs) and not dynamic):
            continue
        if dynamic:
            text = _("“{condition}” gives each sub-step a text, and those of “{step}” are chosen at run time")
        else:
            text = _("“{condition}” has {count} texts, and “{step}” has {subs} sub-steps: it never holds")
        yield Finding(
            text.format(condition=rule.as_written, step=step.id, count=count, subs=len(step.subs)),
            rule.key_span,
            f"{rule.pointer}/condition",
            step.id,
            severity=ERROR if dynamic else WARNING,
            cause=("gap", step.id),  # what is left open by it is not a mistake of its own
        )
