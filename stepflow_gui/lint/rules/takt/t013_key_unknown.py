"""T013 key-unknown.

What it does: reports a persona, policy, knowledge, instruction or report format that is one word, and no key of the
section map of that kind.

Why is this bad: nothing complains. The word itself becomes the text of the prompt.

Fix: write the key that was meant, or add it to the map.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath

from stepflow_gui.formats.takt.eras import TAKT_2026_02_07
from stepflow_gui.formats.takt.sections import SectionEntry, SectionReference, references_of, sections_of
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.lint.rules.takt.targets import meant_for

RULE = Rule("T013", "key-unknown", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("        persona: planner\n", "        persona: planer\n"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """In workflows, and in files without such a map, a word may name a file of its own elsewhere."""
    root = context.registry.root
    if root is None or context.takt.facets:
        return
    sections = sections_of(root)
    strict = context.settings.runtime == TAKT_2026_02_07.name
    for reference in references_of(context.flow):
        there = root.member(reference.section) is not None
        known = sections.get(reference.section, {})
        if reference.is_word and reference.text.value not in known and (there or strict):
            yield _finding(reference, known, context)


def _finding(reference: SectionReference, known: dict[str, SectionEntry], context: RuleContext) -> Finding:
    text = _("“{word}” is no key of “{section}”: the word itself becomes part of the prompt of “{step}”")
    text = text.format(word=reference.text.value, section=reference.section, step=reference.step.id)
    meant = meant_for(reference.text.value, list(known), context, RULE.code)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    place = reference.text
    proposals = [write(context.registry, place.span, meant)] if meant else []
    entry = known.get(meant) if meant else None
    if entry is not None and _is_misspelt(entry, place.value, context):
        title = _("Rename the entry “{key}” to “{name}”").format(key=entry.key, name=place.value)
        proposals = [write(context.registry, entry.key_span, place.value)._replace(title=title)]
    return Finding(text, place.span, place.pointer, reference.step.id, proposals=proposals, misspelt=bool(meant))


def _is_misspelt(entry: SectionEntry, name: str, context: RuleContext) -> bool:
    """Whether it is the entry that has a slip: nothing refers to it, and its file or other references say so."""
    references = [each.text.value for each in references_of(context.flow) if each.section == entry.section]
    if entry.key in references or not is_slip(entry.key, name):
        return False
    file = PurePosixPath(entry.value.value).stem if entry.value else ""
    return file == name or (references.count(name) > 1 and file != entry.key)
