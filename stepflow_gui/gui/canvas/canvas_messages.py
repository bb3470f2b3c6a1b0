"""The messages of the canvas: status line, notice, hint at the pointer."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.canvas.gestures import Hint
from stepflow_gui.gui.canvas.items.chips import Chip
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext

JumpTargets = Callable[[Step], Sequence[str] | None]
"""The steps that an answer may name as the target of a jump; None where it may name any."""


def stale_text() -> str:
    """Why a graph is greyed."""
    return _("Syntax error: showing the last valid graph")


class CanvasMessages:
    """The texts over and about one canvas."""

    def __init__(self, over: QWidget, theme: Theme, show_status: Callable[[str], object]) -> None:
        """`over` is the widget that the texts float over; `show_status` takes a line for the status bar."""
        self._theme = theme
        self._show_status = show_status
        self._status = ""
        self._stale = False
        self._progress = ""  # in the status bar while nothing else is
        self.about_drag = False  # whether the last status is about a drag that is going on
        self.jump_targets: JumpTargets | None = None
        self.dismiss: Callable[[], bool] = lambda: False  # hides the message about the last refusal, if there is one
        self.notice = Chip(over, theme, "warning")
        self.pointer = Chip(over, theme, "line")

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self._theme = theme
        self.place_notice()
        self.pointer.set_look(theme, "line")

    def set_text_broken(self, stale: bool) -> None:
        """Whether the graph is older than the text."""
        self._stale = stale
        self.place_notice()

    def place_notice(self) -> None:
        """Show or hide the notice, and keep it in the middle."""
        self.notice.set_look(self._theme, "warning" if self._stale else "line")
        self.notice.show_text(stale_text() if self._stale else self._progress)
        self.notice.at_top()

    def set_laying_out(self, steps: int | None, seconds: int = 0) -> None:
        """Whether so many steps are still laid out, for so long already; None: all stands where it is to be."""
        before, self._progress = self._progress, ""
        if steps is not None:
            text = ngettext("Laying out {count} step…", "Laying out {count} steps…", steps).format(count=f"{steps:,}")
            self._progress = _("{text} {seconds} s").format(text=text, seconds=seconds) if seconds else text
        if self._progress != before:
            self.place_notice()
            self.show_status("" if self._status == before else self._status)

    def show_status(self, text: str) -> None:
        """Show a line in the status bar; without one what is at work, if anything is."""
        text = text or self._progress
        if text != self._status:
            self._status = text
            self._show_status(text)

    def show_hint(self, hint: Hint | None, at: QPoint) -> None:
        """Show what a drop would do: in the status bar, and beside the pointer where it is over a node."""
        if hint is not None and hint.legal is not None:
            self.pointer.set_look(self._theme, "accent" if hint.legal else "error")
            self.pointer.show_text(hint.text)
            self.pointer.at_pointer(at)
        else:
            self.pointer.show_text("")
        self.about_drag = hint is not None
        self.show_status(hint.text if hint is not None else "")

    def show_reason(self, reason: str | None, field: QRect) -> None:
        """Show at a field over the canvas why the text typed there isn't allowed; None where it is."""
        self.pointer.set_look(self._theme, "error")
        self.pointer.show_text(reason or "")
        self.pointer.at_field(field)
