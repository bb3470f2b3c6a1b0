"""How long a wait of pytest-qt lasts: it ends with what it waits for, so only a fault takes this long."""

from pytestqt.qtbot import QtBot

MILLISECONDS = 60_000  # five seconds, the library's own, are too few on a machine that does other work


def wait_patiently() -> None:
    """Let every wait without a limit of its own last that long."""
    for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed, QtBot.waitActive):
        wait.__kwdefaults__ = {**(wait.__kwdefaults__ or {}), "timeout": MILLISECONDS}
