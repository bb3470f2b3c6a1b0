"""What a fix, or all fixes of a rule, would make of a document's texts."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.fix_edits import edits_of
from stepflow_gui.gui.document.step_terms import in_words_of
from stepflow_gui.gui.problems.fix_preview import ChangeOffer, FilePreview
from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.lint.fixing import Fixed
from stepflow_gui.lint.suppressions.adding import SuppressionPlace, config_edits, places_for, registry_edits
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.edit import apply, difference
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source


def offer_of(document: Document, fix: Fix) -> ChangeOffer:
    """One fix of a finding, as the document's texts are now."""
    changes = []
    for path, listed in edits_of(fix).items():
        source = document.source(path)
        before = source.text if isinstance(source, Source) else ""
        changes.append(FilePreview(path, before, apply(before, listed)))
    kind = _("Safe: behaviour doesn't change.") if fix.safe else _("Unsafe fix: review before applying.")
    return ChangeOffer(fix.title, kind, changes, lambda: _trouble(document.apply_fix(fix)) if document.linted else "")


def offer_of_all(document: Document, fixed: Fixed, code: str | None, version: int) -> ChangeOffer:
    """All fixes of a rule, or all safe ones, as one entry of the history."""
    changes = [
        FilePreview(each.path, each.before.text if each.before else "", each.after.text) for each in fixed.changes
    ]
    count = len(fixed.applied)
    title = _("Fix all of {code}").format(code=code) if code else _("Apply all safe fixes")
    fixes = ngettext("{count} finding fixed", "{count} findings fixed", count).format(count=count)
    files = ngettext("{count} file", "{count} files", len(changes)).format(count=len(changes))
    note = _("{counted} in {files}").format(counted=fixes, files=files) if changes else _("No fixes available.")
    before = {found for found in document.diagnostics if code is None or found.code == code}
    stays = max(0, len(before) - count)
    if stays:
        note += " · " + ngettext("{count} remaining", "{count} remaining", stays).format(count=stays)
    if not fixed.converged:
        note += " · " + _("some fixes had no effect")

    def make() -> str:
        if document.version != version:
            return _("The text has changed meanwhile: try again.")
        edits = {each.path: difference(each.before, each.after) for each in changes}
        return _trouble(document.apply(edits, title, "fix"))

    return ChangeOffer(title, note, changes, make)


class SuppressPlace(NamedTuple):
    """Where a suppression can be written, and how that is called; a configuration where there is no `place`."""

    name: str
    place: SuppressionPlace | None
    config: Path | None


def suppress_places(document: Document, found: Diagnostic, config: Path | None) -> list[SuppressPlace]:
    """Where a finding can be suppressed, the usual place first."""
    registry = document.folder.registry
    names = {
        "transition": _("the transition “{name}”"),
        "step": _("the step “{name}”"),
        "file": _("the whole registry"),
    }
    if registry.is_yaml:
        of_pieces = {"step": _("the movement “{name}”"), "file": _("the whole piece")}
        names |= {extent: in_words_of(document.last_valid.flow, text) for extent, text in of_pieces.items()}
    places = [
        SuppressPlace(names[place.extent].format(name=place.name), place, None) for place in places_for(found, registry)
    ]
    there = config or document.last_valid.root / "stepflow.toml"
    name = there.name if config else _("{file} (new)").format(file=there.name)
    whole = SuppressPlace(_("the configuration {file}").format(file=name), None, there)
    own = found.file == document.path or found.step is not None
    return [*places, whole] if own else [whole, *places]


def suppress(document: Document, found: Diagnostic, where: SuppressPlace, reason: str, until: str) -> str:
    """Write a suppression, one entry of the history; gives what went wrong, or an empty text."""
    if not document.linted:
        return _("The text has changed meanwhile: try again.")
    label = _("Suppress {code}").format(code=found.code)
    if where.place is not None:
        edits = registry_edits(document.folder.registry, where.place, found.code, reason, until)
        return _trouble(document.apply(edits, label, "fix"))
    assert where.config is not None
    source = document.source(where.config)
    before = source if isinstance(source, Source) else Source("")
    written = config_edits(where.config, before, found, reason, until)
    return _trouble(document.apply({where.config: written}, label, "fix"))


def _trouble(problem: ReadProblem | None) -> str:
    return describe(problem) if problem else ""
