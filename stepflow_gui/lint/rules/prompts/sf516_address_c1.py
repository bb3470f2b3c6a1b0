"""SF516 address-c1.

What it does: reports an `address` whose `c1` isn't the registry's.

Why is this bad: climpt 1.14 (a pre-release) wants it there and never reads it: the prompt is looked for under the
registry's c1.

Fix: write the registry's c1.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ADDRESSED, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF516", "address-c1", WARNING, formats=ADDRESSED, looks_at=STEP)

BAD = changed({"/steps/initial.issue/address/c1": "dev"}, base="adt-kind-address")
GOOD = changed(base="adt-kind-address")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """An empty one is SF004's."""
    root, address = context.registry.root, step.node.get("address")
    own = text_at(address, "c1", join(step.pointer, "address")) if address else None
    registry = text_at(root, "c1", "") if root else None
    if own is None or registry is None or not own.value or not registry.value or own.value == registry.value:
        return
    if has_placeholder(own.value) or has_placeholder(registry.value):
        return
    message = _("The c1 “{own}” in the address of “{step}” is never read: its prompt is looked for under “{c1}”")
    proposals = [write(context.registry, own.span, registry.value)]
    text = message.format(own=own.value, step=step.id, c1=registry.value)
    yield Finding(text, own.span, own.pointer, step.id, proposals=proposals)
