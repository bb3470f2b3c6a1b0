"""T027 interactive-only-all.

What it does: reports movements all of whose rules are `interactive_only`.

Why is this bad: a run without a user has no rule to choose there, and is aborted.

Fix: give it a rule that any run may take.
"""

from collections.abc import Iterator

from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps

RULE = Rule("T027", "interactive-only-all", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(
    ("        next: review\n", "        next: review\n        interactive_only: true\n"),
    (
        "      - condition: It can't be done\n        next: ABORT\n",
        "      - condition: It can't be done\n        next: ABORT\n        interactive_only: true\n",
    ),
)
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Movements and sub-steps with rules."""
    for step, parent in all_steps(context):
        if step.transitions and all(rule.interactive for rule in step.transitions):
            text = _("All rules of “{step}” are for interactive runs: any other is aborted there").format(step=step.id)
            yield Finding(text, step.key_span, step.pointer, (parent or step).id)
