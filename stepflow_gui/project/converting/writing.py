"""The files of a converted agent: their texts, a copy of the whole agent, and what is outdated."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.converting.made import object_of
from stepflow_gui.messages import _
from stepflow_gui.project.claude_settings import settings_places
from stepflow_gui.project.converting.conversion import Conversion
from stepflow_gui.project.converting.relocating import relocated
from stepflow_gui.project.converting.settings_file import with_boundaries
from stepflow_gui.project.creating.copying import copy_files
from stepflow_gui.text.edit import apply
from stepflow_gui.text.files.save_together import Removal
from stepflow_gui.text.files.store import ReadProblem, SaveFailed
from stepflow_gui.text.source import Source


class TextChange(NamedTuple):
    """What becomes of a file. `before` is None where it wasn't there."""

    path: Path
    before: Source | None
    after: Source


def changes_of(found: Conversion) -> list[TextChange]:
    """The files that a conversion changes or makes, by path."""
    changes = []
    for path, edits in sorted(found.edits.items()):
        read = found.before.content(path)
        before = None if isinstance(read, ReadProblem) else read.source
        text = apply(before.text if before else "", edits)
        changes.append(TextChange(path, before, Source(text, before.bom if before else False)))
    return changes


def notes_of(found: Conversion, to: Path | None = None) -> list[str]:
    """What else is to be known. `to`: where the agent's folder is copied, without what lies beside it."""
    notes = []
    moved = relocated(found.after, to) if to is not None else None
    begun = _settings_begun(found)
    if begun is not None:
        text = _("Tools and permission mode are now in {file}")
        if moved is not None and not begun.is_relative_to(found.before.folder):
            text = _(
                "{file}, where tools and permission mode belong now, lies outside the agent's folder: not written."
                " They stay in agent.json, where climpt 1.14 doesn't read them"
            )
            begun = begun.with_name(begun.name.replace(f".{found.before.folder.name}.", f".{moved.name}."))
        notes.append(text.format(file=begun.relative_to(found.before.root).as_posix()))
    for path in sorted(found.beside):
        text = _("The patterns of {file} allow the new words for c2 and c3")
        if to is not None and not path.is_relative_to(found.before.folder):
            text = _(
                "{file}, whose patterns don't allow the new words for c2 or c3, lies outside the agent's folder:"
                " not written"
            )
        notes.append(text.format(file=path.relative_to(found.before.root).as_posix()))
    return [*notes, *(moved.notes if moved is not None else ()), *found.notes]


def _settings_begun(found: Conversion) -> Path | None:
    """The settings file that the conversion makes."""
    return next((path for path in settings_places(found.after) if path in found.edits), None)


def removals_of(found: Conversion) -> list[Removal]:
    """The prompts and schemas that are elsewhere now, as they were read, with folders that are empty without them."""
    before, removals = found.before, []
    for path in found.unused:
        held = before.content(path)
        read_as = None if isinstance(held, ReadProblem) else held.source
        within = before.folder if path.is_relative_to(before.folder) else before.root
        removals.append(Removal(path, read_as, before.root, within))
    return removals


def write_copy(found: Conversion, to: Path) -> list[Path] | SaveFailed:
    """Copy the agent's folder, converted, into a new one, without the prompts that are elsewhere now.

    Paths through the agent's own folder go through the new one.
    """
    folder = found.before.folder
    # What the conversion begins in the project, or adds to the prompt engine's configuration, is left out.
    elsewhere = (path for path in found.edits if not path.is_relative_to(folder))
    outside = next((path for path in elsewhere if path not in found.beside and found.before.exists(path)), None)
    if outside is not None:
        return SaveFailed(outside, _("it lies outside the agent's folder, and only that is copied"))
    texts = {change.path: change.after for change in changes_of(found)}
    texts |= relocated(found.after, to).texts
    begun, agent, before = _settings_begun(found), found.after.agent_document, found.before.agent_document
    if begun is not None and not begun.is_relative_to(folder) and agent is not None and before is not None:
        source = texts.get(agent.path, agent.source)
        text = with_boundaries(source.text, object_of(before.root.value if before.root else None))
        texts[agent.path] = Source(text, source.bom)
    files = [path for path in sorted(found.before.files_below(folder)) if path not in found.unused]
    copied = copy_files(files, folder, texts, to)
    return copied if isinstance(copied, SaveFailed) else list(copied.values())
