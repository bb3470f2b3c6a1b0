"""The messages of the window: the banner above the canvas and the line of the status bar, behind one object."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QStatusBar

from stepflow_gui.gui.widgets.banner import Banner, Offers

_SHOWN = 6000  # milliseconds that it shows what was done
_KEPT = 2500  # of these, in which moving the pointer over the canvas doesn't remove it


class StatusLine:
    """`is_urgent` returns whether a hint is about what the hand does just now, so it can't wait."""

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

    def forget(self) -> None:
        """Show nothing: what was shown is in another language."""
        self._hint = ""
        self._kept.stop()
        self._bar.clearMessage()

    def _show_hint(self) -> None:
        if self._hint:
            self._bar.showMessage(self._hint)


class Notices:
    """Messages that stay until they are answered, notices that go with the next change, and the status line."""

    def __init__(self, banner: Banner, status: StatusLine) -> None:
        self._banner = banner
        self._status = status

    @property
    def text(self) -> str:
        """What the banner shows; empty where it is hidden."""
        return "" if self._banner.isHidden() else self._banner.text

    def show(self, severity: str, text: str, offers: Offers = (), *, about: str = "") -> None:
        """Show a message (`error`, `warning`, `info`) until it is answered, or `settle` is called for its `about`."""
        self._banner.show_message(severity, text, offers, about=about)

    def notice(self, text: str, offers: Offers = ()) -> None:
        """Show why something isn't done; it goes with the next change."""
        self._banner.notice(text, offers)

    def ask(self, text: str, offers: Offers) -> None:
        """As `notice`, with the keyboard on the first button."""
        self._banner.ask(text, offers)

    def is_about(self, about: str) -> bool:
        """Whether the message about this still stands."""
        return self._banner.is_about(about)

    def settle(self, about: str) -> None:
        """Hide the message about this, if it stands."""
        self._banner.settle(about)

    def dismiss(self) -> bool:
        """Hide the notice; False where there was none."""
        return self._banner.dismiss()

    def clear(self) -> None:
        """Hide message and notice."""
        self._banner.clear()

    def take_focus(self) -> None:
        """Give the keyboard to the first button of the banner; afterwards it goes back to where it was."""
        self._banner.take_focus()

    def done(self, text: str) -> None:
        """Show in the status line what was just done."""
        self._status.done(text)

    def hint(self, text: str) -> None:
        """Show in the status line what the pointer is over; empty: nothing."""
        self._status.hint(text)
