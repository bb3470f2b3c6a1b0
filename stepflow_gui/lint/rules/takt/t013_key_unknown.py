"""T013 key-unknown.

What it does: reports a persona, policy, knowledge, instruction or report format that is one word, and no key of the
section map of that kind. Since 0.9 such a word may also name a file of facets of the project, the user or the release
itself. It reports a schema of a structured output, the options that a step extends, and a workflow or a shared step
that it uses as well where they are nowhere.

Why is this bad: no message is shown. The word itself becomes the text of the prompt.

Fix: write the key that was meant, or add it to the map.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from stepflow_gui.formats.takt.files import (
    FACETS,
    NEWER_FACETS,
    WORKFLOW_ENDINGS,
    called_workflows,
    facet_homes,
    is_workflow_path,
)
from stepflow_gui.formats.takt.fragments import fragment_files
from stepflow_gui.formats.takt.piece import text_of
from stepflow_gui.formats.takt.releases.sets import Releases, between, since
from stepflow_gui.formats.takt.releases.shipped import shipped
from stepflow_gui.formats.takt.sections import SectionEntry, SectionReference, is_word, references_of, sections_of
from stepflow_gui.lint.closest_name import is_slip, plain, slip_of
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, INFO, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, all_steps, judges
from stepflow_gui.lint.rules.takt.release_words import path_of, runner, wanted_releases
from stepflow_gui.lint.rules.takt.targets import meant_for
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.pointer import join

RULE = Rule("T013", "key-unknown", WARNING, formats=TAKT, looks_at=FLOW)

_CALLING = since("0.36.0")
_USING = since("0.55.0")
BAD = piece(("        persona: planner\n", "        persona: planer\n"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Since 0.9.0 a word may name a file as well: the project's, the user's or one that TAKT ships."""
    root = context.registry.root
    if root is None:
        return
    for kind in _SHARED:
        yield from _shared(context, kind)
    yield from _calls(context)
    yield from _used(context)
    sections = sections_of(root)
    files = _Facets(context)
    for reference in references_of(context.flow):
        there = root.member(reference.section) is not None
        known, word = sections.get(reference.section, {}), reference.text.value
        if not reference.is_word or word in known or files.has(word, reference.section):
            continue
        if files.looked_at and word in shipped(reference.section) and not is_slip_of_one(word, known):
            continue
        elsewhere = files.unread(word, reference.section)
        if _is_dropped(reference, context):
            continue
        if elsewhere is not None:
            yield _not_looked_at(reference, elsewhere, context)
        elif there or not files.looked_at:
            yield _finding(reference, known, files, context)
        elif is_slip_of_one(word, files.names(reference.section)) or _slip_of_shipped(word, reference.section):
            yield _finding(reference, {}, files, context)


class _Shared(NamedTuple):
    """Files of a folder in `.takt` that steps name by a word, which releases refuse to load where there is none."""

    folder: str
    ending: str
    keys: tuple[str, str]  # the object of a step, and what names the file in it
    section: str  # the map of the file that has some, too; "" where there is none
    releases: Releases
    text: Callable[[], str]


_SHARED = (
    _Shared(
        "schemas",
        ".json",
        ("structured_output", "schema_ref"),
        "schemas",
        since("0.36.0"),
        lambda: _("There is no schema “{word}” here: unless one is bundled, {runner} refuses to load the file"),
    ),
    _Shared(
        "provider-options",
        ".yaml",
        ("provider_options", "extends"),
        "",
        between("0.47.0", "0.59.1"),
        lambda: _("There are no options “{word}” here: unless some are bundled, {runner} refuses to load the file"),
    ),
)


def _shared(context: RuleContext, kind: _Shared) -> Iterator[Finding]:
    """What steps name, and no file is."""
    root, wanted = context.registry.root, wanted_releases(context) & kind.releases
    own = root.get(kind.section) if root is not None and kind.section else None
    known = {member.key for member in own.members()} if own is not None else set()
    folders = [home / kind.folder for home in facet_homes(context.flow.document.path)]
    for step, owner in _owned(context) if wanted else ():
        holder, key = kind.keys
        node = step.node.get(holder)
        name = text_of(node, key, join(step.pointer, holder)) if node else None
        if name is None or not is_word(name.value) or name.value in known | shipped(kind.folder):
            continue
        if not any(is_file(folder / f"{name.value}{kind.ending}") for folder in folders):
            there = [file.stem for file in context.folder.files_below(folders[0]) if file.suffix == kind.ending]
            meant = meant_for(name.value, sorted({*known, *there}), context, RULE.code, shipped(kind.folder))
            text = kind.text().format(word=name.value, runner=runner(context, wanted))
            text += _(". Did you mean “{meant}”?").format(meant=meant) if meant else ""
            proposals = [write(context.registry, name.span, meant)] if meant else []
            yield Finding(text, name.span, name.pointer, owner, proposals=proposals, misspelt=bool(meant))


def _calls(context: RuleContext) -> Iterator[Finding]:
    """Workflows that steps call, and that lie nowhere here."""
    if not wanted_releases(context) & _CALLING:
        return
    for step, owner in _owned(context):
        name = text_of(step.node, "call", step.pointer)
        places = called_workflows(name.value, context.flow.document.path) if name is not None else []
        if name is None or not places or any(map(is_file, places)) or name.value in shipped("workflows"):
            continue
        below = facet_homes(context.flow.document.path)[0] / "workflows"
        others = [file for file in context.folder.files_below(below) if file.suffix in WORKFLOW_ENDINGS]
        names = [file.relative_to(below).with_suffix("").as_posix() for file in others]
        near = (
            None
            if is_workflow_path(name.value)
            else meant_for(name.value, sorted(names), context, RULE.code, shipped("workflows"))
        )
        meant = near if near and is_slip(name.value, near) else None  # others may be bundled
        text = (
            _("There is no workflow “{word}”: a run of {runner} ends where it is called")
            if is_workflow_path(name.value)
            else _(
                "There is no workflow “{word}” here: unless one is bundled, a run of {runner} ends where it is called"
            )
        )
        text = text.format(word=name.value, runner=runner(context, _CALLING))
        text += _(". Did you mean “{meant}”?").format(meant=meant) if meant else ""
        proposals = [write(context.registry, name.span, meant)] if meant else []
        sure = meant or is_workflow_path(name.value)
        severity = WARNING if sure else INFO
        yield Finding(
            text, name.span, name.pointer, owner, severity=severity, proposals=proposals, misspelt=bool(meant)
        )


def _used(context: RuleContext) -> Iterator[Finding]:
    """Steps of their own file that are used, and that lie nowhere here."""
    wanted, workflow = wanted_releases(context) & _USING, context.flow.document.path
    for step, owner in _owned(context) if wanted else ():
        name = text_of(step.node, "uses", step.pointer)
        files = fragment_files(workflow, context.takt.file_kind, name.value) if name is not None else []
        if name is None or not files or any(map(is_file, files)) or name.value in shipped("steps"):
            continue
        text = _("There is no step “{word}” here: unless one is bundled, {runner} refuses to load the file")
        text = text.format(word=name.value, runner=runner(context, wanted))
        there = [file.stem for file in context.folder.files_below(files[0].parent) if file.suffix in WORKFLOW_ENDINGS]
        near = meant_for(name.value, sorted(there), context, RULE.code, shipped("steps"))
        meant = near if near and is_slip(name.value, near) else None
        text += _(". Did you mean “{meant}”?").format(meant=meant) if meant else ""
        proposals = [write(context.registry, name.span, meant)] if meant else []
        yield Finding(text, name.span, name.pointer, owner, proposals=proposals, misspelt=bool(meant))


def _owned(context: RuleContext) -> Iterator[tuple[Step, str | None]]:
    for place in all_steps(context):
        yield place.step, (place.parent or place.step).id
    for judge in judges(context):
        yield judge, None


def _is_dropped(reference: SectionReference, context: RuleContext) -> bool:
    """Whether no release that is wanted reads the field."""
    wanted, path = wanted_releases(context), path_of(reference.step.pointer)
    return bool(wanted) and not wanted & ~context.held.dropping((*path, reference.field))


def _not_looked_at(reference: SectionReference, file: Path, context: RuleContext) -> Finding:
    """A word that names a file where other releases look for it."""
    text = _("{runner} doesn't look at {file}: the word “{word}” itself becomes part of the prompt of “{step}”")
    where, place = "/".join(file.parts[-4 if file.parts[-3] == NEWER_FACETS else -3 :]), reference.text
    text = text.format(runner=runner(context), file=where, word=place.value, step=reference.step.id)
    return Finding(text, place.span, place.pointer, reference.step.id)


def is_slip_of_one(word: str, names: Iterable[str]) -> bool:
    """Whether it is a misspelt one of those names."""
    return any(is_slip(word, name) for name in names)


def _slip_of_shipped(word: str, section: str) -> bool:
    """Whether it is nearly the name of one that TAKT ships; the same in capitals is a label of older pieces."""
    return slip_of(word, shipped(section)) not in {None, word.lower()}


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
        self._others = [
            home / folder
            for home in homes
            for folder, releases in (("facets", since("0.22.0")), ("", between("0.9.0", "0.21.0")))
            if home.name == ".takt" and not wanted & releases
        ]
        self.looked_at = bool(wanted & since("0.9.0"))

    def has(self, word: str, section: str) -> bool:
        """Whether there is such a file, in the project or the user's folder."""
        return any(is_file(folder / FACETS[section] / f"{word}.md") for folder in self._folders)

    def unread(self, word: str, section: str) -> Path | None:
        """The file of that name where none of the wanted releases looks, though they look for names elsewhere."""
        places = (folder / FACETS[section] / f"{word}.md" for folder in self._others)
        return next(filter(is_file, places), None) if self.looked_at else None

    def names(self, section: str) -> list[str]:
        """The words that name files of the project."""
        places = [folder / FACETS[section] for folder in self._folders[:1]]
        below = self._context.folder.files_below
        return sorted({file.stem for place in places for file in below(place) if file.parent == place})


def _finding(
    reference: SectionReference, known: dict[str, SectionEntry], files: _Facets, context: RuleContext
) -> Finding:
    text = (
        _(
            "“{word}” is neither a key of “{section}” nor a file of facets: the word itself becomes part of the prompt"
            " of “{step}”"
        )
        if files.looked_at
        else _("“{word}” is not a key of “{section}”: the word itself becomes part of the prompt of “{step}”")
    )
    text = text.format(word=reference.text.value, section=reference.section, step=reference.step.id)
    rarer = shipped(reference.section) - {reference.text.value.lower()} if files.looked_at else ()
    meant = meant_for(reference.text.value, [*known, *files.names(reference.section)], context, RULE.code, rarer)
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
    """Whether it is the entry that has a slip: nothing refers to it, and its file or other evidence is for the name."""
    references = [each.text.value for each in references_of(context.flow) if each.section == entry.section]
    if entry.key in references or not is_slip(entry.key, name):
        return False
    file = PurePosixPath(entry.value.value).stem if entry.value else ""
    return bool(context.evidence.is_right(name, entry.key, {plain(file)} - {""}))
