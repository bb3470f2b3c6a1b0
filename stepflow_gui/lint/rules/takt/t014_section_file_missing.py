"""T014 section-file-missing.

What it does: reports paths of Markdown files, in section maps and in movements, at which there is no file. They count
from the folder of the YAML. Where none of a folder's files is there, as in a piece taken out of its project, that is
said once.

Why is this bad: nothing complains. The path itself becomes the text of the prompt.

Fix: write the path of the file that is meant, or create it.
"""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.takt.files import NamedFile, named_files, new_facet_text, path_of
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, INFO, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source

RULE = Rule("T014", "section-file-missing", WARNING, formats=TAKT, looks_at=FLOW)

BAD = piece(("  coder: ../personas/coder.md\n", "  coder: ../personas/codr.md\n"))
GOOD = piece()

_SHOWN = 20


def check(context: RuleContext) -> Iterator[Finding]:
    """A path that leads out of the project is SF707's."""
    by_folder: dict[Path, list[tuple[NamedFile, bool]]] = {}
    for named in named_files(context.flow):
        path = path_of(named.text.value, context.flow)
        if context.folder.inside(path):
            by_folder.setdefault(path.parent, []).append((named, context.folder.exists(path)))
    gone = [each for each in by_folder.values() if len(each) > 1 and not any(there for _named, there in each)]
    for found in by_folder.values():
        if found not in gone:
            yield from (_missing(named, context) for named, there in found if not there)
    if gone:
        first, *others = [named for found in gone for named, _there in found]
        text = _("The files that the piece names, such as “{path}”, aren't there: was it taken out of its project?")
        yield Finding(
            text.format(path=first.text.value),
            first.text.span,
            first.text.pointer,
            first.step,
            severity=INFO,
            sides=[
                Side(context.registry, each.text.span, each.text.pointer, _("this file isn't there either"))
                for each in others[:_SHOWN]
            ],
        )


def _missing(named: NamedFile, context: RuleContext) -> Finding:
    path = path_of(named.text.value, context.flow)
    names = sorted(each.name for each in context.folder.files_below(path.parent) if each.parent == path.parent)
    meant = context.nearest(RULE.code, path.name, names)
    text = _("There is no file “{path}”: the path itself becomes part of the prompt").format(path=named.text.value)
    proposals: list[Proposal] = []
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
        written = named.text.value[: len(named.text.value) - len(path.name)] + meant
        proposals = [write(context.registry, named.text.span, written)]
    proposals.append(_begun(path))
    return Finding(text, named.text.span, named.text.pointer, named.step, proposals=proposals, misspelt=bool(meant))


def _begun(path: Path) -> Proposal:
    """The file with its name as a heading; it is an edit of an empty text."""

    def edits() -> DocumentEdits:
        return ((TextFile(path, Source("")), TextEdit(0, 0, new_facet_text(path))),)

    return Proposal(_("Create {file}").format(file=path.name), Later(edits, (), [path]))
