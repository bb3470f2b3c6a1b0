"""T013 key-unknown.

What it does: reports a persona, policy, knowledge, instruction or report format that is one word, and no key of the
section map of that kind. Since 0.9 such a word may also name a file of facets of the project or the user. It reports a
schema of a structured output that is nowhere as well.

Why is this bad: nothing complains. The word itself becomes the text of the prompt.

Fix: write the key that was meant, or add it to the map.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath

from stepflow_gui.formats.takt.files import FACETS, facet_homes
from stepflow_gui.formats.takt.piece import text_of
from stepflow_gui.formats.takt.releases.sets import between, since
from stepflow_gui.formats.takt.sections import SectionEntry, SectionReference, is_word, references_of, sections_of
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps
from stepflow_gui.lint.rules.takt.release_words import runner, wanted_releases
from stepflow_gui.lint.rules.takt.targets import meant_for
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.pointer import join

RULE = Rule("T013", "key-unknown", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("        persona: planner\n", "        persona: planer\n"))
GOOD = piece()

_STRUCTURED = since("0.36.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Since 0.9.0 a word may name a file as well: the project's, the user's or one that TAKT ships."""
    root = context.registry.root
    if root is None:
        return
    yield from _schemas(context)
    sections = sections_of(root)
    files = _Facets(context)
    for reference in references_of(context.flow):
        there = root.member(reference.section) is not None
        known, word = sections.get(reference.section, {}), reference.text.value
        if not reference.is_word or word in known or files.has(word, reference.section):
            continue
        if there or not files.looked_at:
            yield _finding(reference, known, files, context)
        elif is_slip_of_one(word, files.names(reference.section)):
            yield _finding(reference, {}, files, context)


def _schemas(context: RuleContext) -> Iterator[Finding]:
    """What structured outputs are to fit, by its name."""
    root, wanted = context.registry.root, wanted_releases(context) & _STRUCTURED
    own = root.get("schemas") if root is not None else None
    known = [member.key for member in own.members()] if own is not None else []
    folders = [home / "schemas" for home in facet_homes(context.flow.document.path)]
    for place in all_steps(context):
        output = place.step.node.get("structured_output")
        name = text_of(output, "schema_ref", join(place.step.pointer, "structured_output")) if output else None
        if name is None or not wanted or not is_word(name.value) or name.value in known:
            continue
        if not any(is_file(folder / f"{name.value}.json") for folder in folders):
            text = _("There is no schema “{word}” here: unless one is bundled, {runner} refuses to load the file")
            there = [file.stem for file in context.folder.files_below(folders[0]) if file.suffix == ".json"]
            meant = meant_for(name.value, sorted({*known, *there}), context, RULE.code)
            text = text.format(word=name.value, runner=runner(context, wanted))
            text += _(". Did you mean “{meant}”?").format(meant=meant) if meant else ""
            proposals = [write(context.registry, name.span, meant)] if meant else []
            owner = (place.parent or place.step).id
            yield Finding(text, name.span, name.pointer, owner, proposals=proposals, misspelt=bool(meant))


def is_slip_of_one(word: str, names: list[str]) -> bool:
    """Whether it is a misspelt one of those names."""
    return any(is_slip(word, name) for name in names)


class _Facets:
    """The files that words name in the wanted releases."""

    def __init__(self, context: RuleContext) -> None:
        wanted = wanted_releases(context)
        self._context = context
        homes = facet_homes(context.flow.document.path)
        self._folders = [
            home / folder
            for home in homes
            for folder, releases in (("facets", since("0.22.0")), ("", between("0.9.0", "0.21.0")))
            if wanted & releases and (folder or home.name == ".takt")  # else they are files beside a piece
        ]
        self.looked_at = bool(wanted & since("0.9.0"))

    def has(self, word: str, section: str) -> bool:
        """Whether there is such a file, in the project or the user's folder."""
        return any(is_file(folder / FACETS[section] / f"{word}.md") for folder in self._folders)

    def names(self, section: str) -> list[str]:
        """The words that name files of the project."""
        below = self._context.folder.files_below
        return sorted({file.stem for folder in self._folders[:1] for file in below(folder / FACETS[section])})


def _finding(
    reference: SectionReference, known: dict[str, SectionEntry], files: _Facets, context: RuleContext
) -> Finding:
    text = (
        _(
            "“{word}” is neither a key of “{section}” nor a file of facets: the word itself becomes part of the prompt"
            " of “{step}”"
        )
        if files.looked_at
        else _("“{word}” is no key of “{section}”: the word itself becomes part of the prompt of “{step}”")
    )
    text = text.format(word=reference.text.value, section=reference.section, step=reference.step.id)
    meant = meant_for(reference.text.value, [*known, *files.names(reference.section)], context, RULE.code)
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
