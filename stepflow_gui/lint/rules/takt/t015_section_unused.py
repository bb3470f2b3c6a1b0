"""T015 section-unused.

What it does: points out entries of section maps that nothing in the file refers to.

Why is this bad: it isn't harmful. Such an entry is left over, or its key is misspelt where it is meant.

Fix: remove it, or refer to it.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.formats.takt.sections import entries_of, references_of
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import FLOW, INFO, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT

RULE = Rule("T015", "section-unused", INFO, formats=TAKT, looks_at=FLOW)

BAD = piece(("  coding: ../policies/coding.md\n", "  coding: ../policies/coding.md\n  tests: ../policies/coding.md\n"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Each entry by itself, so that a fix takes one away."""
    used = _used(context)
    for entry in entries_of(context.registry.root):
        if (entry.section, entry.key) not in used:
            yield Finding(
                _("Nothing refers to “{key}” of “{section}”").format(key=entry.key, section=entry.section),
                entry.key_span,
                entry.pointer,
                proposals=take_away(context.registry, [entry.pointer], _("Remove the entry")),
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
