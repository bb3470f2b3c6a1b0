"""SF408 entry-step-dead.

What it does: reports an `entryStep` beside an entry for the agent's verdict type in a registry with kind and address.

Why is this bad: climpt 1.14 (a pre-release) never reads it: a run begins at the pair of steps alone.

Fix: remove it.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.entry.verdicts import unmapped
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import ADDRESSED, FLOW, WARNING, Finding, Rule, RuleContext, _, changed

RULE = Rule("SF408", "entry-step-dead", WARNING, formats=ADDRESSED, looks_at=FLOW)

BAD = changed({"/entryStep": "initial.issue"}, base="adt-kind-address")
GOOD = changed(base="adt-kind-address")


def check(context: RuleContext) -> Iterator[Finding]:
    """Where the verdict has no pair it is SF404's."""
    root = context.registry.root
    single = root.member("entryStep") if root else None
    if single is None or not single.value.value or unmapped(context):
        return
    title = _("Remove “{word}”").format(word="entryStep")
    yield Finding(
        _("entryStep is never read: climpt-1.14 begins a run at a pair of entryStepMapping alone"),
        single.key_span,
        "/entryStep",
        proposals=take_away(context.registry, ["/entryStep"], title),
    )
