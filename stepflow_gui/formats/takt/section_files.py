"""Files as entries of section maps: which path they get from the piece's folder, and which key (takt.md 4)."""

import os
from collections.abc import Collection
from pathlib import Path

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.takt.sections import ENDING, SectionEntry, sections_of
from stepflow_gui.messages import _

_ANY_ENDING = "personas"  # the one section of which files of any name are read


def path_for(file: Path, section: str, flow: Flow, root: Path) -> str | Refusal:
    """The path by which a section's entry, or the field of that name, names a file below the root of the project."""
    beside = flow.document.path.parent
    inside = _below(file, root)
    if inside is None:
        text = _("“{file}” is outside the project “{project}”: copy it into the project first, then choose the copy")
        return Refusal(text.format(file=file, project=root))
    if file.suffix != ENDING and section != _ANY_ENDING:
        text = _("“{file}” would be read as a text: only files whose names end in {ending} are read here")
        return Refusal(text.format(file=file.name, ending=ENDING))
    base = beside if _below(beside, root) == beside else beside.resolve()
    return os.path.relpath(inside, base).replace(os.sep, "/")


def key_for(file: Path, taken: Collection[str]) -> str:
    """A free key that is like the file's name."""
    key = wanted = file.stem or file.name
    number = 1
    while key in taken:
        number += 1
        key = f"{wanted}-{number}"
    return key


def entry_of(path: str, section: str, flow: Flow) -> SectionEntry | None:
    """The entry of a section that names a path already, however it writes it."""
    for entry in sections_of(flow.document.root).get(section, {}).values():
        if entry.value is not None and os.path.normpath(entry.value.value) == os.path.normpath(path):
            return entry
    return None


def _below(file: Path, root: Path) -> Path | None:
    """The file's path where it is below the root, links followed where only their targets are there."""
    if file.resolve().is_relative_to(root.resolve()):
        return file if file.is_relative_to(root) else file.resolve()
    return None
