"""Where a project ends: a file of it that a link leads out of it isn't written."""

import errno
import os
from pathlib import Path

from stepflow_gui.messages import _


def refuse_outside(path: Path, root: Path | None) -> None:
    """Raise OSError where a link leads from a path in a project's folder out of it. `root` None: there is no project.

    A path that was named outside the folder is its user's own choice.
    """
    if root is not None and is_outside(path, root):
        raise OSError(errno.EINVAL, _("it lies outside the project, through a link"), str(path))


def is_outside(path: Path, root: Path) -> bool:
    """Whether a path stands in a folder, and leads out of it once its links are followed."""
    real, inside = os.path.realpath(path), os.path.realpath(root)
    if is_below(real, inside):
        return False
    return any(os.path.realpath(folder) == inside for folder in Path(os.path.normpath(path.absolute())).parents)


def is_below(path: str, root: str) -> bool:
    """Whether a path without links is a folder's own or lies below it."""
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)
