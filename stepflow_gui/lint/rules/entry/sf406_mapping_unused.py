"""SF406 mapping-unused.

What it does: reports which entries of `entryStepMapping` are for verdict types that the agent beside the registry
doesn't run under.

Why is this bad: it may be intended: another agent may use the registry. This one never begins there.

Fix: nothing to fix; remove the entries if no agent uses them.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.entry.verdicts import is_known, todays, unmapped, verdict_of
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, Finding, Rule, RuleContext, _, changed, ngettext

RULE = Rule("SF406", "mapping-unused", INFO, formats=GATE, looks_at=FLOW)

BAD = changed({"/entryStepMapping/count:iteration": "initial.issue"})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Silent where SF404 says that the agent's own type has none, and about entries that SF403 or SF407 report."""
    verdict = verdict_of(context)
    if verdict is None or not verdict.value or unmapped(context):
        return  # an empty type is SF801's
    places: dict[str, Side] = {}
    for entry in context.flow.entries:
        if entry.key is None or entry.target is None or has_placeholder(entry.key):
            continue
        if is_known(entry.key, context) and todays(entry.key) != todays(verdict.value):
            text = _("also under “{type}”").format(type=entry.key)
            places.setdefault(entry.key, Side(context.registry, entry.key_span, entry.pointer, text))
    if places:
        message = ngettext(
            "The agent runs under “{type}”: the entry for {keys} is never used",
            "The agent runs under “{type}”: the entries for {keys} are never used",
            len(places),
        )
        yield merge_places(message.format(type=verdict.value, keys=listed(list(places))), list(places.values()))
