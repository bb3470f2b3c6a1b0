"""What the conversion dialog shows and makes, of agents as well as of pieces."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.edits import Edits, Refusal
from stepflow_gui.formats.names import format_name
from stepflow_gui.formats.takt.migrating.text import note_lines
from stepflow_gui.formats.takt.releases.sets import between, named
from stepflow_gui.formats.takt.releases.table import GENERATIONS, RELEASES
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.conversion import TARGETS, Conversion, convert
from stepflow_gui.project.converting.pieces import PieceConversion, convert_piece, release_of
from stepflow_gui.project.converting.work import ConversionCancelledError
from stepflow_gui.project.converting.writing import TextChange, changes_of, notes_of
from stepflow_gui.text.edit import difference
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.formats.converting.of_checks import Checks


class Choices(NamedTuple):
    """What a person has chosen: the target, what becomes of checks, and whether settings are moved out of a piece."""

    target: str
    checks: "Checks" = "verification"
    move_settings: bool = False


class ShownConversion(NamedTuple):
    """A conversion that was worked out: the flow after it, the files with their texts, and notes as lines."""

    title: str
    edits: Edits
    flow: Flow
    changes: tuple[TextChange, ...]
    lines: tuple[str, ...]
    summary: str


def targets_of(folder: AgentFolder) -> list[tuple[str, str]]:
    """The names and ids of what an agent or piece can be converted to; of TAKT, each generation's newest release."""
    if not folder.registry.is_yaml:
        return [(format_name(each), each) for each in TARGETS if each != folder.flow.format]
    firsts = [RELEASES.index(first) for first in GENERATIONS.values()]
    *older, newest, head = [*(RELEASES[first - 1] for first in firsts[1:]), *RELEASES[-2:]]
    return [(named(between(name, name)), f"takt-{name}") for name in (newest, *reversed(older), head)]


def worked_out(
    agent: AgentFolder,
    unsaved: Mapping[Path, Source],
    runtime: str | None,
    chosen: Choices,
    called_off: Callable[[], bool],
) -> ShownConversion | Refusal | None:
    """The conversion of an agent or piece; None where it was cancelled."""
    if agent.registry.is_yaml:
        target = release_of(chosen.target)
        assert target is not None
        found = convert_piece(agent, target, runtime, move_settings=chosen.move_settings)
        return _of_piece(found, agent, unsaved) if isinstance(found, PieceConversion) else Refusal(found.message)
    try:
        made = convert(agent, chosen.target, chosen.checks, unsaved, called_off)
    except ConversionCancelledError:
        return None
    return _of_agent(made) if isinstance(made, Conversion) else made


def _of_agent(found: Conversion) -> ShownConversion:
    root, folder = found.before.root, found.before.folder
    lines = []
    for part in found.lost:
        place = part.file.relative_to(root).as_posix() if part.file.is_relative_to(root) else part.file.name
        lines.append(f"{part.what}: {part.why}\n    {place}{'#' if part.pointer else ''}{part.pointer}")
    lines += notes_of(found)
    if found.unused:
        names = ", ".join(path.relative_to(folder).as_posix() for path in found.unused)
        text = _("Their contents were moved; delete these files after saving: {paths}")
        lines.append(text.format(paths=names))
    summary = _summary(len(found.lost)) if found.edits else _("It already has this format: nothing has to change.")
    return ShownConversion(found.title, found.edits, found.after.flow, tuple(changes_of(found)), tuple(lines), summary)


def _of_piece(found: PieceConversion, agent: AgentFolder, unsaved: Mapping[Path, Source]) -> ShownConversion:
    release = named(found.target)
    texts = {change.path: change.after for change in found.changes}
    edits = {
        change.path: list(difference(change.before.text if change.before else "", change.after.text))
        for change in found.changes
    }
    moved = [f"{_('Moved to runtime.yaml:')} {', '.join(found.moved)}"] if found.moved else []
    lines = [
        *note_lines(found.refused),
        *moved,
        *note_lines(found.left),
        *found.meaning,
    ]
    summary = (
        _summary(len(note_lines(found.left)) + len(note_lines(found.refused)))
        if found.changes or found.refused or found.left
        else _("{release} reads it as it is: nothing has to change.").format(release=release)
    )
    title = _("Convert to {format}").format(format=release)
    after = agent.with_buffers({**unsaved, **texts})
    return ShownConversion(title, edits, after.flow, found.changes, tuple(lines), summary)


def _summary(lost: int) -> str:
    if not lost:
        return _("Everything is kept.")
    return ngettext(
        "{count} item can't be kept, or changes.",
        "{count} items can't be kept, or change.",
        lost,
    ).format(count=lost)
