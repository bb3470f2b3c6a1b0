"""T019 previous-response.

What it does: points out `pass_previous_response: true` on the movement that a run begins with, where nothing goes back
to it.

Why is this bad: it isn't harmful. There is no previous response that could be passed on.

Fix: remove it.
"""

from collections.abc import Iterator

from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import FLOW, INFO, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.text.pointer import join

RULE = Rule("T019", "previous-response", INFO, formats=TAKT, looks_at=FLOW)

BAD = piece(("    instruction: plan\n", "    instruction: plan\n    pass_previous_response: true\n"))
GOOD = piece()

_KEY = "pass_previous_response"


def check(context: RuleContext) -> Iterator[Finding]:
    """Called workflows get the response of their caller."""
    root = context.registry.root
    if root is None or root.member("subworkflow"):
        return
    for name in context.run_paths.starts:
        step = context.flow.steps[name]
        value = step.node.get(_KEY)
        is_target = any(name in others for others in context.run_paths.successors.values())
        if value is not None and value.value is True and not is_target:
            pointer = join(step.pointer, _KEY)
            text = _("“{step}” is the first movement, and nothing goes back: there is no response to pass on")
            title = _("Remove “{field}”").format(field=_KEY)
            yield Finding(
                text.format(step=name),
                step.node.key_span(_KEY),
                pointer,
                name,
                proposals=take_away(context.registry, [pointer], title),
            )
