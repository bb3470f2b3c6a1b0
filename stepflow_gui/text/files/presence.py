"""What is at a path named by a text or a person: nothing if nothing can exist there or access is denied."""

import os
from pathlib import Path

from stepflow_gui.text.files.regular_file import open_regular
from stepflow_gui.text.os_error_text import system_words


def exists(path: Path) -> bool:
    """Whether there is anything."""
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, or with NUL; in a folder that may not be looked into
        return False


def is_file(path: Path) -> bool:
    """Whether there is a file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def obstacle(path: Path) -> str:
    """Why what is at a path can't be read as a file, in the system's words; "" for a file, and where nothing is."""
    try:
        open_regular(path).close()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return ""
    except OSError as error:
        return system_words(error)
    return ""


def is_folder(path: Path) -> bool:
    """Whether there is a folder."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def real_path(path: Path) -> Path:
    """The path with its links followed; as it is where no file can be."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return path


def link_of(path: Path) -> Path:
    """The link by which a path goes elsewhere: the path itself, else the nearest folder above it that is one."""
    return next((each for each in (path, *path.parents) if each.is_symlink()), path)
