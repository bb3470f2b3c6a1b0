"""SF406 mapping-unused.

What it does: says which entries of `entryStepMapping` are for verdict types that the agent beside the registry doesn't
run under.

Why is this bad: it needn't be: another agent may use the registry. This one never begins there.

Fix: none is needed; remove the entries if no agent uses them.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import INFO
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.lint.rule import FLOW, GATE, Finding, Rule, Side
from stepflow_gui.lint.rules.entry.sf404_verdict_unmapped import unmapped
from stepflow_gui.lint.rules.entry.verdicts import is_known, todays, verdict_of
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.gathering import gathered
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _, ngettext

RULE = Rule("SF406", "mapping-unused", INFO, formats=GATE, looks_at=FLOW)

BAD = changed({"/entryStepMapping/count:iteration": "initial.issue"})
GOOD = changed()


def check(scope: RuleContext) -> Iterator[Finding]:
    """Silent where SF404 says that the agent's own type has none, and about entries that SF403 or SF407 report."""
    verdict = verdict_of(scope)
    if verdict is None or unmapped(scope):
        return
    places: dict[str, Side] = {}
    for entry in scope.flow.entries:
        if entry.key is None or entry.target is None or has_placeholder(entry.key):
            continue
        if is_known(entry.key, scope) and todays(entry.key) != todays(verdict.value):
            text = _("nor under “{type}”").format(type=entry.key)
            places.setdefault(entry.key, Side(scope.registry, entry.key_span, entry.pointer, text))
    if places:
        message = ngettext(
            "The agent runs under “{type}”: the entry for {keys} is never used",
            "The agent runs under “{type}”: the entries for {keys} are never used",
            len(places),
        )
        yield gathered(message.format(type=verdict.value, keys=listed(list(places))), list(places.values()))
