"""T015 section-unused.

What it does: points out entries of section maps that nothing in the file refers to.

Why is this bad: it isn't harmful. Such an entry is left over, or its key is misspelt where it is meant.

Fix: remove it, or refer to it.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.takt.eras import ENDS
from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.formats.takt.sections import entries_of, references_of
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import FLOW, INFO, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.keyed_objects import unread_nodes
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.text.json.tree import Node

RULE = Rule("T015", "section-unused", INFO, formats=TAKT, looks_at=FLOW)

BAD = piece(("  coding: ../policies/coding.md\n", "  coding: ../policies/coding.md\n  tests: ../policies/coding.md\n"))
GOOD = piece()

_NO_REFERENCES = frozenset(
    (
        *SECTIONS,
        *("name", "next", "condition", "return", "cycle", "ignore_steps", "description", "initial_step", "tags"),
    )
)
"""Keys whose texts are names of something else, or nobody's."""


def check(context: RuleContext) -> Iterator[Finding]:
    """Each entry by itself, so a fix takes one away; a movement that is missing (T004) may refer to any."""
    if _lacks_movements(context.flow):
        return
    used = _used(context)
    for entry in entries_of(context.registry.root):
        if (entry.section, entry.key) not in used:
            yield Finding(
                _("Nothing refers to “{key}” of “{section}”").format(key=entry.key, section=entry.section),
                entry.key_span,
                entry.pointer,
                proposals=take_away(context.registry, [entry.pointer], _("Remove the entry")),
            )


def _lacks_movements(flow: Flow) -> bool:
    """Whether there are none (T001), or a rule or a loop monitor names one that doesn't exist."""
    if not flow.steps:
        return True
    named = {move.target for move in flow.moves() if move.target}
    named |= {text.value for monitor in flow.monitors for text in monitor.cycle}
    return not named <= flow.steps.keys() | set(ENDS)


def _used(context: RuleContext) -> set[tuple[str, str]]:
    """Sections with the keys that are referred to; in workflows any text of the file may be handed on as one.

    So may one under a key that nothing reads: T025 speaks of the key, and once it is right, it refers to the entry.
    """
    root = context.registry.root
    if not context.takt.facets:
        texts = {text for node in unread_nodes(context) for text in _texts(node)}
        used = {(reference.section, reference.text.value) for reference in references_of(context.flow)}
        return used | {(section, text) for section in SECTIONS for text in texts}
    texts = set(_handed_on(root)) if root is not None else set()
    return {(section, text) for section in SECTIONS for text in texts}


def _handed_on(node: Node) -> Iterator[str]:
    """The texts that may be references, or be handed on as parameters."""
    if isinstance(node.value, str):
        yield node.value
    for item in node.items():
        yield from _handed_on(item)
    for member in node.members():
        if member.key not in _NO_REFERENCES:
            yield from _handed_on(member.value)


def _texts(node: Node) -> set[str]:
    return {each.value for each in node.nodes() if isinstance(each.value, str)}
