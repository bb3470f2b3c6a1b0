"""T005 next-missing.

What it does: reports a rule of a movement that names nothing to go on with. A rule that asks the user needs none: the
movement then runs again anyway.

Why is this bad: when the rule is chosen, the run is aborted.

Fix: add `next`: a movement, COMPLETE or ABORT.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.piece import OLDER_NEXT, OLDER_RULES
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import ERROR, STEP, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT

RULE = Rule("T005", "next-missing", ERROR, formats=TAKT, looks_at=STEP)

BAD = piece(
    (
        "      - condition: Requirements are missing\n        next: ABORT\n",
        "      - condition: Requirements are missing\n",
    )
)
GOOD = piece()


def check(step: Step, _context: RuleContext) -> Iterator[Finding]:
    """A `next` of a wrong type is SF004's, and so is an empty `next_step`."""
    for rule in step.transitions:
        has_target = rule.target is not None or rule.terminal or rule.asks
        if not has_target and rule.node.get("next") is None and rule.node.get(OLDER_NEXT) is None:
            text = _("The rule “{condition}” of “{step}” has no “{field}”: when it is chosen, the run is aborted")
            field = OLDER_NEXT if f"/{OLDER_RULES}/" in rule.pointer else "next"
            text = text.format(condition=rule.as_written, step=step.id, field=field)
            yield Finding(text, rule.key_span, rule.pointer, step.id)
