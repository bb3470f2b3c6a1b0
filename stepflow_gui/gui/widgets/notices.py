"""The messages of the window: the banner above the canvas and the line of the status bar, behind one object."""

from stepflow_gui.gui.widgets.banner import Banner, Offers
from stepflow_gui.gui.widgets.status_line import StatusLine


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
