"""Copies of an agent: its files, with the texts that aren't saved, in a new folder."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from stepflow_gui.messages import _
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files.new_files import FilesNotCreated, make_files
from stepflow_gui.text.files.store import SaveFailed, reason_of
from stepflow_gui.text.source import Source


def copy_files(
    files: Iterable[Path], root: Path, texts: Mapping[Path, Source], to: Path
) -> dict[Path, Path] | SaveFailed:
    """Copy files into a folder that doesn't exist yet, each where it was seen from `root`; none from outside that.

    `texts` are laid over the files. Gives where each file was copied to; the copies can be written whatever the files
    were. On trouble nothing is left behind.
    """
    if os.path.lexists(to):
        return SaveFailed(to, _("it already exists"))
    wanted = [path for path in dict.fromkeys((*files, *texts)) if path.is_relative_to(root)]
    copied = {path: to / path.relative_to(root) for path in wanted if path in texts or path.is_file()}
    try:
        content = {copied[path]: texts[path].encode() if path in texts else path.read_bytes() for path in copied}
    except (OSError, ValueError) as error:
        return SaveFailed(to, reason_of(error))
    made = make_files(content, marked_root(to))
    return SaveFailed(to, made.reason) if isinstance(made, FilesNotCreated) else copied
