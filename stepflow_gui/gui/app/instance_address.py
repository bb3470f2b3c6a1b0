"""Where the program that runs is asked to open something. Without Qt's network part, which most starts don't need."""

import getpass
import os
import stat
import sys
from pathlib import Path


def address(folder: Path) -> str:
    """What the program of this person and display listens at: a socket's path, on Windows a pipe's name."""
    if sys.platform == "win32":
        return f"stepflow-{getpass.getuser()}"
    display = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "window"
    return str(folder / f"{''.join(each if each.isalnum() else '-' for each in display)}.socket")


def may_run(folder: Path) -> bool:
    """Whether a program may be listening there; one that died can have left its socket."""
    return sys.platform == "win32" or (is_private(folder) and os.path.lexists(address(folder)))


def is_private(folder: Path) -> bool:
    """Whether a folder belongs to this user, and no one else can look into it or put a socket there.

    Where it lies in a folder that all may write to, somebody else can have made it first.
    """
    if sys.platform == "win32":
        return True  # a pipe lies in no folder
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def make_private(folder: Path) -> bool:
    """Make a folder that is private; False where somebody else has made one, or none can be made."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform != "win32" and folder.lstat().st_uid == os.getuid() and not folder.is_symlink():
            folder.chmod(0o700)
    except OSError:
        return False
    return is_private(folder)
