"""T006 substep-next-ignored.

What it does: reports `next` in a rule of a sub-step of a parallel movement.

Why is this bad: it isn't read. The rules of a sub-step only say what its results are called; where the run goes on is
decided by the rules of the movement around it.

Fix: remove it, and connect there from the movement.
"""

from collections.abc import Iterator

from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps
from stepflow_gui.text.pointer import join

RULE = Rule("T006", "substep-next-ignored", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("          - condition: needs_fix\n", "          - condition: needs_fix\n            next: implement\n"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Every rule of every sub-step."""
    for step, parent in all_steps(context):
        for rule in step.transitions if parent is not None else ():
            member = rule.node.member("next")
            if member is not None and parent is not None:
                pointer = join(rule.pointer, "next")
                text = _("“next” of the sub-step “{step}” isn't read: the rules of “{parent}” decide")
                title = _("Remove “{field}”").format(field="next")
                yield Finding(
                    text.format(step=step.id, parent=parent.id),
                    member.key_span,
                    pointer,
                    parent.id,
                    proposals=take_away(context.registry, [pointer], title, safe=True),
                )
