"""SF516 address-c1.

What it does: reports an `address` whose `c1` isn't the registry's.

Why is this bad: climpt 1.14 (a pre-release) expects it there and never reads it: the prompt is looked for under the
registry's c1.

Fix: write the registry's c1.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.once import SHOWN
from stepflow_gui.lint.rules.prelude import ADDRESSED, FLOW, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF516", "address-c1", WARNING, formats=ADDRESSED, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/address/c1": "dev"}, base="adt-kind-address")
GOOD = changed(base="adt-kind-address")


def check(context: RuleContext) -> Iterator[Finding]:
    """Address by address; at the registry's own where it is nearly that of all addresses. Empty ones are SF004's."""
    root = context.registry.root
    registry = text_at(root, "c1", "") if root else None
    if registry is None or not registry.value or has_placeholder(registry.value):
        return
    given = [(step, own) for step in context.flow.steps.values() if (own := _own(step))]
    words = {own.value for _step, own in given}
    meant = next(iter(words)) if len(words) == 1 and len(given) > 1 else None
    if meant and is_slip(registry.value, meant):
        text = _(
            "The c1 of the registry is “{c1}”, and that of all addresses “{own}”: prompts are looked for under “{c1}”"
        )
        sides = [Side(context.registry, own.span, own.pointer, _("it is never read here")) for _step, own in given]
        yield Finding(
            text.format(c1=registry.value, own=meant),
            registry.span,
            registry.pointer,
            sides=sides[:SHOWN],
            proposals=[write(context.registry, registry.span, meant)],
            misspelt=True,
        )
        return
    for step, own in given:
        if own.value != registry.value:
            message = _(
                "The c1 “{own}” in the address of “{step}” is never read: its prompt is looked for under “{c1}”"
            )
            text = message.format(own=own.value, step=step.id, c1=registry.value)
            proposals = [write(context.registry, own.span, registry.value)]
            yield Finding(text, own.span, own.pointer, step.id, proposals=proposals)


def _own(step: Step) -> Text | None:
    address = step.node.get("address")
    own = text_at(address, "c1", join(step.pointer, "address")) if address else None
    return own if own and own.value and not has_placeholder(own.value) else None
