"""Where a window has the project panel: a page of its side panel."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.desk import Desk, Feature, FilesChanged
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.messages import _

PAGE = "project"


class ProjectPage(QObject, Feature):
    """`wanted()`: the person asked for the project, `close_wanted()`: to see it no more, `changed()`: files were made.

    A shell listens.
    """

    changed = Signal()
    wanted = Signal()
    close_wanted = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._side = desk.side
        desk.wish.handle(FilesChanged, lambda _wish: self.changed.emit())

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Go to the project, and close it."""
        return (
            ActionSpec(
                *("focus-project", lambda: _("Pro&ject"), self.wanted.emit, MenuPlace("focus", 70)),
                keys=("Ctrl+Shift+E",),
            ),
            ActionSpec(
                *("close-project", lambda: _("Close Fol&der"), self.close_wanted.emit, MenuPlace("file", 330)),
                keys=("Ctrl+K, Ctrl+W",),
            ),
        )

    def hold(self, panel: QWidget) -> None:
        """Have the panel here, whether the page is shown or not."""
        self._side.hold(PAGE, panel)

    def show(self) -> None:
        """Show the page."""
        self._side.show_page(PAGE)

    def let_go(self) -> None:
        """There is no project any more."""
        self._side.give_up(PAGE)
