"""Motion in the window: whether the desktop asks for little of it, and what is left out then."""

import os
import sys
from collections.abc import Callable
from configparser import ConfigParser, Error
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow

_OFF = frozenset({"0", "0.0", "false", "no"})
_ASKED = (  # file in the configuration folder, key that is off where little motion is wanted
    (Path("kdeglobals"), "AnimationDurationFactor"),
    (Path("gtk-4.0") / "settings.ini", "gtk-enable-animations"),
    (Path("gtk-3.0") / "settings.ini", "gtk-enable-animations"),
)
_CLIENT_AREA_ANIMATION = 0x1042  # of Windows' SystemParametersInfo
_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
    Qt.UIEffect.UI_AnimateToolBox,
)


def desktop_reduces_motion() -> bool:
    """Whether the desktop asks for reduced motion, as far as it can be read; False where it has no setting.

    Qt reports it only from 6.12 on: Windows', macOS', KDE's and GTK's own settings are read. GNOME's: `ask_desktop`.
    """
    if sys.platform == "win32":
        import ctypes

        on = ctypes.c_int(1)
        value = ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(on), 0)
        return bool(value) and not on.value
    if sys.platform == "darwin":
        from PySide6.QtCore import QSettings

        return QSettings("com.apple.universalaccess", "").value("reduceMotion") in {True, "1", "true"}
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return any(_is_off(folder / file, key) for file, key in _ASKED)


def ask_desktop(parent: QObject, wanted: Callable[[], object]) -> None:
    """Ask a desktop that answers later, as GNOME; `wanted` is called where it asks for little motion."""
    there = os.environ.get("DBUS_SESSION_BUS_ADDRESS") or Path(os.environ.get("XDG_RUNTIME_DIR", ""), "bus").exists()
    if sys.platform.startswith("linux") and there:
        try:
            from stepflow_gui.gui.app.motion.portal import ask_portal
        except ImportError:  # a Qt without its part for the bus
            return
        ask_portal(parent, wanted)


class Animated(Protocol):
    """What moves by itself where it may."""

    animated: bool


def show_motion(window: QMainWindow, canvas: Animated, *, reduced: bool) -> None:
    """Let things move, or not: the dot along the edge just taken, panels that glide, menus and tips that fade."""
    canvas.animated = not reduced
    window.setAnimated(not reduced)
    for effect in _EFFECTS if reduced else ():
        QApplication.setEffectEnabled(effect, False)


def _is_off(file: Path, key: str) -> bool:
    read = ConfigParser(interpolation=None, strict=False)
    try:
        read.read_string(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, Error):
        return False
    value = [read.get(section, key, fallback="") for section in read.sections()]
    return any(value.strip().casefold() in _OFF for value in value)
