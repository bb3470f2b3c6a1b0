"""Where the places of a registry's steps are kept: beside it, or in the user's folder where that can't be written."""

import hashlib
import os
from pathlib import Path

from stepflow_gui.formats.layout_sidecar import layout_file
from stepflow_gui.project.user_folders import data_folder
from stepflow_gui.text.files.staging import may_write


def layout_places(registry: Path) -> tuple[Path, Path]:
    """The file in use, and the other one, which counts for steps that the first doesn't list."""
    beside = layout_file(registry)
    known_by = hashlib.sha256(os.fsencode(os.path.realpath(registry))).hexdigest()[:32]
    own = data_folder() / "layouts" / f"{known_by}.{beside.name}"
    return (beside, own) if _can_be_written(beside) else (own, beside)


def _can_be_written(beside: Path) -> bool:
    there = next((folder for folder in (beside.parent, beside.parent.parent) if folder.is_dir()), None)
    return there is None or (may_write(there) and (not beside.exists() or may_write(beside)))
