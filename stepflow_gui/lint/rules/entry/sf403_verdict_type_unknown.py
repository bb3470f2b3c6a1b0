"""SF403 verdict-type-unknown.

What it does: reports keys of `entryStepMapping` that are not verdict types. Older names are recognised; in a registry
of their time they are right.

Why is this bad: climpt looks the agent's verdict type up as it is written. An entry under another name is never used:
the run begins at `entryStep`, or not at all where there is none.

Fix: write the verdict type; an older name is renamed.
"""

from collections.abc import Collection, Iterator

from stepflow_gui.flow.model import Entry
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES, VERDICT_TYPES
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.rules.entry.verdicts import is_known, todays
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.pointer import join

RULE = Rule("SF403", "verdict-type-unknown", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed({"/entryStepMapping": {"externalState": "initial.issue"}})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at every key of the mapping."""
    entries = {entry.key: entry for entry in context.flow.entries if entry.key is not None}  # a pair counts once
    for key, entry in entries.items():
        if not is_known(key, context):
            yield _finding(entry, key, entries.keys(), context)


def _finding(entry: Entry, key: str, keys: Collection[str], context: RuleContext) -> Finding:
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
    former = [each for each in OLDER_VERDICT_TYPES if each in keys and todays(each) == meant]
    slips = [each for each in keys if meant and not is_known(each, context) and is_slip(each, meant)]
    # Of several the one that a slip parts from the name is to be renamed, else the type's own former name.
    is_first = [*slips, *former][:1] in ([], [key])
    free = meant is not None and meant not in keys and is_first
    # In a pair the entry's own key is the side, `initial` or `continuation`.
    pointer = join("/entryStepMapping", key)
    span = context.registry.tree.key_span(pointer) or entry.key_span
    return Finding(
        text,
        span,
        pointer,
        proposals=[write(context.registry, span, meant, safe=older)] if meant and free else (),
        cause=("verdict", meant or key) if is_first else None,
        misspelt=bool(meant and free and not older),
    )
