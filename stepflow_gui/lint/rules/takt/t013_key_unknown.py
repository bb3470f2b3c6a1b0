"""T013 key-unknown.

What it does: reports a persona, policy, knowledge, instruction or report format that is one word, and no key of the
section map of that kind.

Why is this bad: nothing complains. The word itself becomes the text of the prompt.

Fix: write the key that was meant, or add it to the map.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.eras import TAKT_2026_02_07
from stepflow_gui.formats.takt.sections import SectionEntry, SectionReference, references_of, sections_of
from stepflow_gui.lint.diagnostic import WARNING
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import FLOW, Finding, Rule
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.lint.rules.takt.targets import meant_for
from stepflow_gui.lint.rules.writing import write
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _

RULE = Rule("T013", "key-unknown", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("        persona: planner\n", "        persona: planer\n"))
GOOD = piece()


def check(scope: RuleContext) -> Iterator[Finding]:
    """In workflows, and in files without such a map, a word may name a file of its own elsewhere."""
    root = scope.registry.root
    if root is None or scope.takt.facets:
        return
    sections = sections_of(root)
    strict = scope.settings.runtime == TAKT_2026_02_07.name
    for reference in references_of(scope.flow):
        there = root.member(reference.section) is not None
        known = sections.get(reference.section, {})
        if reference.is_word and reference.text.value not in known and (there or strict):
            yield _finding(reference, known, scope)


def _finding(reference: SectionReference, known: dict[str, SectionEntry], scope: RuleContext) -> Finding:
    text = _("“{word}” is no key of “{section}”: the word itself becomes part of the prompt of “{step}”")
    text = text.format(word=reference.text.value, section=reference.section, step=reference.step.id)
    meant = meant_for(reference.text.value, list(known), scope, RULE.code)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = [write(scope.registry, reference.text.span, meant)] if meant else []
    return Finding(text, reference.text.span, reference.text.pointer, reference.step.id, proposals=proposals)
