"""T007 rules-empty.

What it does: reports movements and sub-steps without rules.

Why is this bad: a movement without rules runs once, and then the run is aborted. A sub-step without rules runs, but has
no result: `all()` then fails, and `any()` skips it.

Fix: add rules.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.piece import OLDER_RULES
from stepflow_gui.formats.takt.releases.sets import since
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps
from stepflow_gui.lint.rules.takt.release_words import wanted_releases

RULE = Rule("T007", "rules-empty", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(
    (
        """    rules:
      - condition: The plan is clear
        next: implement
      - condition: Requirements are missing
        next: ABORT
""",
        "    rules: []\n",
    )
)
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Rules of a wrong type are SF004's; what couldn't be read of a step may have some. The first releases had none."""
    wanted = wanted_releases(context)
    if not wanted & since("0.3.0"):
        return
    only_newer = not wanted & ~since("0.3.0")
    for step, parent in all_steps(context):
        listed = step.transitions_node
        is_list = listed is None or listed.kind == "array"
        older = only_newer and listed is not None and listed is step.node.get(OLDER_RULES)  # nobody reads those
        if not older and (step.transitions or not is_list or (listed is not None and listed.items())):
            continue
        if step.unread:
            continue
        if parent is None:
            text = _("“{step}” has no rules: it runs once, then the run is aborted").format(step=step.id)
            yield Finding(text, step.key_span, step.pointer, step.id)
        elif _is_asked(parent):
            text = _("The sub-step “{step}” has no rules: it has no result, so no all() of “{parent}” holds")
            text = text.format(step=step.id, parent=parent.id)
            yield Finding(text, step.key_span, step.pointer, parent.id, severity=WARNING)


def _is_asked(parent: Step) -> bool:
    """Whether the movement asks for results at all."""
    return any(rule.as_written.lstrip().startswith(("all(", "any(")) for rule in parent.transitions)
