"""SF229 target-mode-unread.

What it does: reports `targetMode` in gates.

Why is this bad: no version of the runner reads it. Where a `jump` goes is decided by `targetField` and the transitions
alone.

Fix: leave it out, or keep it as a note.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.once import Remark, merge_remarks
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import Place
from stepflow_gui.text.pointer import join

RULE = Rule("SF229", "target-mode-unread", INFO, formats=GATE, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/structuredGate/targetMode": "explicit"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Said once a file."""
    yield from merge_remarks(
        _remarks(context), _("{count} gates have a targetMode, first that of “{step}”: no runner reads it")
    )


def _remarks(context: RuleContext) -> Iterator[Remark]:
    for step in context.flow.steps.values():
        node = step.gate.node.get("targetMode") if step.gate else None
        if node is None or step.gate is None or node.value is None:
            continue
        place = Place(context.registry, join(step.gate.pointer, "targetMode"), node.span)
        message = _("“{step}” has a targetMode: no runner reads it").format(step=step.id)
        yield Remark(message, _("not read either"), place, step.id)
