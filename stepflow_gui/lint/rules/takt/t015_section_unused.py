"""T015 section-unused.

What it does: points out entries of section maps that nothing in the file refers to.

Why is this bad: it isn't harmful. Such an entry is left over, or its key is misspelt where it is meant.

Fix: remove it, or refer to it.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.formats.takt.sections import entries_of, references_of
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import FLOW, INFO, Finding, Rule, RuleContext, _, ngettext
from stepflow_gui.lint.rules.takt.reading import TAKT

RULE = Rule("T015", "section-unused", INFO, formats=TAKT, looks_at=FLOW)

BAD = piece(("  coding: ../policies/coding.md\n", "  coding: ../policies/coding.md\n  tests: ../policies/coding.md\n"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file."""
    used = _used(context)
    unused = [entry for entry in entries_of(context.registry.root) if (entry.section, entry.key) not in used]
    if not unused:
        return
    first, *others = unused
    text = ngettext(
        "Nothing refers to “{key}” of “{section}”",
        "Nothing refers to {count} entries of section maps, such as “{key}” of “{section}”",
        len(unused),
    )
    title = ngettext("Remove the entry", "Remove the {count} entries", len(unused)).format(count=len(unused))
    yield Finding(
        text.format(key=first.key, section=first.section, count=len(unused)),
        first.key_span,
        first.pointer,
        sides=[
            Side(context.registry, each.key_span, each.pointer, _("nor to “{key}”").format(key=each.key))
            for each in others
        ],
        proposals=take_away(context.registry, [entry.pointer for entry in unused], title),
    )


def _used(context: RuleContext) -> set[tuple[str, str]]:
    """Sections with the keys that are referred to; in workflows any text of the file may be handed on as one."""
    if not context.takt.facets:
        return {(reference.section, reference.text.value) for reference in references_of(context.flow)}
    root = context.registry.root
    texts = set()
    for member in root.members() if root is not None else ():
        if member.key not in SECTIONS:
            texts |= {node.value for node in member.value.nodes() if isinstance(node.value, str)}
    return {(section, text) for section in SECTIONS for text in texts}
