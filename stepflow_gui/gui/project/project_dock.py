"""Where a window has the project panel: a dock at its left, made when it is first wanted."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from stepflow_gui.gui.desk import Desk, Feature, FilesChanged
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.widgets.dock import PanelDock

_NARROWEST, _WIDEST = 180, 260  # pixels at first


class ProjectDock(QObject, Feature):
    """`wanted()`: the person asked for the project, `close_wanted()`: to see it no more, `changed()`: files were made.

    A shell listens.
    """

    changed = Signal()
    wanted = Signal()
    close_wanted = Signal()

    def __init__(self, desk: Desk, below: "PanelDock") -> None:
        super().__init__(desk.window)
        self._window = desk.window
        self._below = below  # the dock below this one at first
        self.dock: PanelDock | None = None
        self._column: QVBoxLayout | None = None
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

    @property
    def docks(self) -> "list[PanelDock]":
        """The dock, where there is one."""
        return [] if self.dock is None else [self.dock]

    def hold(self, panel: QWidget) -> None:
        """Have the panel here, and show it."""
        from stepflow_gui.gui.widgets.dock import PanelDock

        window = self._window
        if self.dock is None:
            holder = QWidget()
            self._column = QVBoxLayout(holder)
            self._column.setContentsMargins(0, 0, 0, 0)
            self.dock = PanelDock("project", holder, window, titled=False)
            window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self.dock)
            self.retranslate()
            QTimer.singleShot(0, self, self.arrange)  # once the window has shared its room out
        if self._column is not None:
            self._column.addWidget(panel)
        panel.show()
        self.dock.show()

    def arrange(self) -> None:
        """Place it above the outline, unless the user moved either elsewhere; the panels have just been restored."""
        window, dock = self._window, self.dock
        left = Qt.DockWidgetArea.LeftDockWidgetArea
        if dock is None or any(each.isFloating() or window.dockWidgetArea(each) != left for each in self._column_of()):
            return
        outline = self._below
        window.splitDockWidget(dock, outline, Qt.Orientation.Vertical)
        wide = min(_WIDEST, max(_NARROWEST, window.width() // 5))
        window.resizeDocks([dock], [wide], Qt.Orientation.Horizontal)
        window.resizeDocks([dock, outline], [400, 200], Qt.Orientation.Vertical)

    def _column_of(self) -> "list[PanelDock]":
        return [*self.docks, self._below]

    def hide_dock(self) -> None:
        """Hide the dock."""
        if self.dock is not None:
            self.dock.hide()

    def retranslate(self) -> None:
        """Name the dock in the language in use."""
        if self.dock is not None:
            self.dock.set_title(_("Project"))
