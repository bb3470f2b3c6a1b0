"""Copies of an agent: its files, with the texts that aren't saved, in a new folder."""

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from stepflow_gui.messages import _
from stepflow_gui.text.files.store import SaveFailed, reason_of
from stepflow_gui.text.source import Source


def copy_files(
    files: Iterable[Path], root: Path, texts: Mapping[Path, Source], to: Path
) -> dict[Path, Path] | SaveFailed:
    """Copy files into a folder that isn't there yet, each where it was seen from `root`; none from outside that.

    `texts` are laid over the files. Gives where each file was copied to; the copies can be written whatever the files
    were. On trouble nothing is left behind.
    """
    if os.path.lexists(to):
        return SaveFailed(to, _("it is there already"))
    copied: dict[Path, Path] = {}
    try:
        to.mkdir()
        for path in dict.fromkeys((*files, *texts)):
            if not path.is_relative_to(root) or (path not in texts and not path.is_file()):
                continue
            there = to / path.relative_to(root)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(texts[path].encode() if path in texts else path.read_bytes())
            copied[path] = there
    except (OSError, ValueError) as error:
        shutil.rmtree(to, ignore_errors=True)
        return SaveFailed(to, reason_of(error))
    return copied
