"""The text of a suppressed finding in the list, and how to remove its suppression."""

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.problems.fix_preview import ChangeOffer, FilePreview
from stepflow_gui.lint.suppressions.removal import edits_without
from stepflow_gui.lint.suppressions.suppressing import Excuse, Suppressed
from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.edit import apply
from stepflow_gui.text.source import Source, Span


def take_back_text() -> str:
    """What the button and the menu call it."""
    return _("Remove Suppression…")


def why(suppressed: Suppressed) -> str:
    """The reason with its day: `Suppressed: ours has dashes (until 2030-12-31)`."""
    excuse = suppressed.excuses[0]
    text = _("Suppressed: {reason}").format(reason=excuse.reason or _("no reason given"))
    return text if not excuse.until else _("{text} (until {day})").format(text=text, day=excuse.until)


def where(excuse: Excuse) -> str:
    """The place of a suppression: `steps_registry.json:12`."""
    return f"{excuse.file.name}:{excuse.range.start.line}"


def reveal(document: Document, excuse: Excuse) -> None:
    """Show a suppression in the text."""
    document.reveal(excuse.file, Span(excuse.range.start.offset, excuse.range.end.offset))


def take_back_offer(document: Document, suppressed: Suppressed) -> ChangeOffer:
    """What undoing every suppression of a finding would change; nothing where it can't be done by an edit."""
    registry = document.folder.registry
    files = {excuse.file for excuse in suppressed.excuses if excuse.pointer is None}
    sources = {path: source for path in files if isinstance(source := document.source(path), Source)}
    edits = edits_without(suppressed.excuses, registry, sources)
    label = _("Remove the suppression of {code}").format(code=suppressed.found.code)
    note = " · ".join([why(suppressed), *map(where, suppressed.excuses)])
    if edits is None:
        return ChangeOffer(
            label, _("It is written in a way that has to be edited manually: {place}").format(place=note), (), str
        )
    texts = {**sources, registry.path: registry.source}
    changes = [FilePreview(path, texts[path].text, apply(texts[path].text, listed)) for path, listed in edits.items()]

    def make() -> str:
        if not document.linted:
            return _("The text has changed meanwhile: try again.")
        problem = document.apply(edits, label, "fix")
        return describe(problem) if problem else ""

    return ChangeOffer(label, note, changes, make)
