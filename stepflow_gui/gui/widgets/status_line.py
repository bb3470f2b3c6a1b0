"""The line of the status bar: what was just done, else what the pointer is over."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QStatusBar

_SHOWN = 6000  # milliseconds that it shows what was done
_KEPT = 2500  # of these, in which moving the pointer over the canvas doesn't remove it


class StatusLine:
    """`is_urgent` returns whether a hint is about what the hand does just now, so that it can't wait."""

    def __init__(self, bar: QStatusBar, is_urgent: Callable[[], bool]) -> None:
        self._bar = bar
        self._is_urgent = is_urgent
        self._hint = ""
        self._kept = QTimer(bar)
        self._kept.setSingleShot(True)
        self._kept.setInterval(_KEPT)
        self._kept.timeout.connect(self._show_hint)

    @property
    def text(self) -> str:
        """The text of the line."""
        return self._bar.currentMessage()

    def done(self, text: str) -> None:
        """Show what was done, or came of it."""
        self._bar.showMessage(text, _SHOWN)
        self._kept.start()

    def hint(self, text: str) -> None:
        """Show what the pointer is over; empty: nothing to show."""
        if self._is_urgent():
            self._kept.stop()
        before, self._hint = self._hint, text
        if text and not self._kept.isActive():
            self._show_hint()
        elif not text and self._bar.currentMessage() == before:
            self._bar.clearMessage()

    def _show_hint(self) -> None:
        if self._hint:
            self._bar.showMessage(self._hint)
