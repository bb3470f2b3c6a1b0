"""Why Qt can't start here: which of the system libraries that it loads are missing, and what holds them on Debian."""

import ctypes
from collections.abc import Callable

from stepflow_gui.messages import _

# Library → Debian package, found by starting PySide6 6.11 on a bare Debian 12. Newer releases know the names too.
OFFSCREEN = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
}
WINDOW = OFFSCREEN | {
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}


def loads(library: str) -> bool:
    """Whether the system's loader finds the library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def explain(error: str, *, window: bool, loads: Callable[[str], bool] = loads) -> str:
    """What to do about an error that Qt raised or printed while starting, in words for the user.

    `window`: a window on a display was wanted, which needs more libraries than painting without one.
    """
    if "No module named" in error:
        return _("The window needs Qt, which isn't installed. Install it with: pip install 'stepflow-gui[gui]'")
    missing = {name: package for name, package in (WINDOW if window else OFFSCREEN).items() if not loads(name)}
    if not missing:
        return _("Qt can't start: {reason}").format(reason=error.strip() or _("it gave no reason"))
    return _("Qt can't start: {libraries} not found. On Debian or Ubuntu install: {command}").format(
        libraries=", ".join(missing), command="apt-get install " + " ".join(missing.values())
    )
