"""T014 section-file-missing.

What it does: reports paths of Markdown files, in section maps and in movements, at which there is no file. They count
from the folder of the YAML. Where none of a folder's files is there, as in a piece taken out of its project, that is
reported once.

Why is this bad: no message is shown. The path itself becomes the text of the prompt.

Fix: write the path of the file that is meant, or create it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.takt.files import NamedFile, named_files, new_facet_text, path_of
from stepflow_gui.lint.closest_name import is_slip
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
    """A path outside the project is SF707's."""
    by_folder: dict[Path, list[tuple[NamedFile, bool]]] = {}
    for named in named_files(context.flow):
        path = path_of(named.text.value, context.flow)
        if context.folder.inside(path):
            by_folder.setdefault(path.parent, []).append((named, context.folder.exists(path)))
    gone = [
        each
        for each in by_folder.values()
        if len(each) > 1
        and not any(there for _named, there in each)
        and not any(
            _elsewhere(named.text.value, path_of(named.text.value, context.flow), context) for named, _there in each
        )
    ]
    for found in by_folder.values():
        if found not in gone:
            yield from (_missing(named, context) for named, there in found if not there)
    if gone:
        first, *others = [named for found in gone for named, _there in found]
        text = _("The files that the piece names, such as “{path}”, don't exist: was it moved out of its project?")
        yield Finding(
            text.format(path=first.text.value),
            first.text.span,
            first.text.pointer,
            first.step,
            severity=INFO,
            sides=[
                Side(context.registry, each.text.span, each.text.pointer, _("this file doesn't exist either"))
                for each in others[:_SHOWN]
            ],
        )


def _missing(named: NamedFile, context: RuleContext) -> Finding:
    path, written = path_of(named.text.value, context.flow), named.text.value
    why = context.folder.obstacle(path)
    text = (
        _("The file “{path}” can't be read: {why}")
        if why
        else _("There is no file “{path}”: the path itself becomes part of the prompt")
    ).format(path=written, why=why)
    names = sorted(each.name for each in context.folder.files_below(path.parent) if each.parent == path.parent)
    near = context.nearest(RULE.code, path.name, names)
    slip = near is not None and is_slip(path.name, near)
    elsewhere = None if slip else _elsewhere(written, path, context)
    proposals: list[Proposal] = []
    meant = elsewhere or near
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
        word = elsewhere or written[: len(written) - len(path.name)] + meant
        proposals = [write(context.registry, named.text.span, word)]
    if not slip and not elsewhere and not why:
        proposals.append(_begun(path))
    return Finding(text, named.text.span, named.text.pointer, named.step, proposals=proposals, misspelt=bool(meant))


def _elsewhere(written: str, path: Path, context: RuleContext) -> str | None:
    """The path, written alike, of the file of the same name whose folder is most like the one that is named.

    It is looked for below the innermost folder above the named one that is there, then beside the folder of the YAML.
    """
    beside = context.flow.document.path.parent
    below = next((each for each in path.parents[1:] if context.folder.files_below(each)), beside.parent)
    for holder in dict.fromkeys((below, beside.parent)):
        same = {_from(each, holder): each for each in context.folder.files_below(holder) if each.name == path.name}
        tail = _from(path, holder)
        meant = context.nearest(RULE.code, tail, sorted(same)) if same else None
        if meant:
            return written[: -len(tail)] + meant if written.endswith(tail) else _from(same[meant], beside)
    return None


def _from(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _begun(path: Path) -> Proposal:
    """The file with its name as a heading; it is an edit of an empty text."""

    def edits() -> DocumentEdits:
        return ((TextFile(path, Source("")), TextEdit(0, 0, new_facet_text(path))),)

    return Proposal(_("Create {file}").format(file=path.name), Later(edits, (), [path]))
