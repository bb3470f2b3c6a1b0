"""Asks the desktop's settings portal whether reduced motion is wanted, as GNOME reports it to programs.

Qt's own hint (`QAccessibilityHints.motionPreference`) is there from Qt 6.12 on only. The portal is asked over the
session bus without waiting, so no slow service holds the window up, and without running any program.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant

_PORTAL = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_SETTINGS = "org.freedesktop.portal.Settings"
_ASKED = (  # namespace, key, and the value where reduced motion is wanted
    ("org.freedesktop.appearance", "reduced-motion", 1),
    ("org.gnome.desktop.interface", "enable-animations", False),
)


def ask_portal(parent: QObject, wanted: Callable[[], object]) -> None:
    """Call `wanted` later, once, where the desktop asks for little motion. Where there is no portal nothing happens."""
    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return
    is_done: list[bool] = []
    for namespace, key, little in _ASKED:
        call = QDBusMessage.createMethodCall(_PORTAL, _PATH, _SETTINGS, "Read")
        call.setArguments([namespace, key])
        watcher = QDBusPendingCallWatcher(bus.asyncCall(call), parent)

        def answered(done: QDBusPendingCallWatcher, little: object = little) -> None:
            values = [] if done.isError() else done.reply().arguments()
            done.deleteLater()
            if values and _plain(values[0]) == little and not is_done:
                is_done.append(True)
                wanted()

        watcher.finished.connect(answered)


def _plain(value: Any) -> Any:
    while isinstance(value, QDBusVariant):  # a variant in a variant
        value = value.variant()
    return value
