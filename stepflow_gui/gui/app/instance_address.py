"""Where the program that runs is asked to open something. Without Qt's network part, which most starts don't need."""

import getpass
import os
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
    return sys.platform == "win32" or os.path.lexists(address(folder))
