"""The boundary of a project: its files aren't written through a link to outside it."""

import errno
import os
from pathlib import Path

from stepflow_gui.messages import _


def refuse_outside(path: Path, root: Path | None) -> None:
    """Raise OSError if a link takes a path in a project's folder outside it. `root` None: there is no project.

    A path that was named outside the folder is its user's own choice.
    """
    if root is not None and is_outside(path, root):
        raise OSError(errno.EINVAL, _("it lies outside the project, through a link"), str(path))


def is_outside(path: Path, root: Path) -> bool:
    """Whether a path is in a folder, but resolves to outside it once its links are followed."""
    real, inside = os.path.realpath(path), os.path.realpath(root)
    if is_below(real, inside):
        return False
    return any(os.path.realpath(folder) == inside for folder in Path(os.path.normpath(path.absolute())).parents)


def is_below(path: str, root: str) -> bool:
    """Whether a path without links is a folder's own or lies below it."""
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)
