"""SF403 verdict-type-unknown.

What it does: reports keys of `entryStepMapping` that are no verdict type. Older names are recognised; in a registry of
their time they are right.

Why is this bad: climpt looks the agent's verdict type up as it is written. An entry under another name is never used:
the run begins at `entryStep`, or not at all where there is none.

Fix: write the verdict type; an older name is renamed.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Entry
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES, VERDICT_TYPES
from stepflow_gui.lint.rules.entry.verdicts import is_known, todays
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _, changed

RULE = Rule("SF403", "verdict-type-unknown", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed({"/entryStepMapping": {"externalState": "initial.issue"}})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at every key of the mapping."""
    keys = {entry.key for entry in context.flow.entries}
    for entry in context.flow.entries:
        if entry.key is not None and not is_known(entry.key, context):
            yield _finding(entry, entry.key, keys, context)


def _finding(entry: Entry, key: str, keys: set[str | None], context: RuleContext) -> Finding:
    older = key in OLDER_VERDICT_TYPES
    known = [each for each in (*VERDICT_TYPES, *OLDER_VERDICT_TYPES) if is_known(each, context)]
    meant = todays(key) if older else context.nearest(RULE.code, key, known)
    if older:
        text = _("The entry for “{type}” is never used: this verdict type is called “{meant}” now")
    else:
        text = _("The entry for “{type}” is never used: there is no such verdict type")
    text = text.format(type=key, meant=meant)
    if meant and not older:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    free = meant is not None and meant not in keys
    return Finding(
        text,
        entry.key_span,
        entry.pointer,
        proposals=[write(context.registry, entry.key_span, meant, safe=older)] if meant and free else (),
        cause=("verdict", meant or key),
        misspelt=bool(meant and free and not older),
    )
