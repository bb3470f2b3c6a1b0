"""The project beside the tabs of a shell; the view itself is loaded when a project is first shown."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.project.project_page import ProjectPage
from stepflow_gui.gui.project.tabs import Tabs

if TYPE_CHECKING:
    from stepflow_gui.gui.project.view import ProjectView


class ProjectTabs(QObject):
    """Belongs to one shell. `view` is None until a project was shown."""

    def __init__(self, tabs: Tabs, parent: QWidget) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self.view: ProjectView | None = None
        parent.installEventFilter(self)

    @property
    def root(self) -> Path | None:
        """The project that is shown."""
        return self.view.root if self.view is not None else None

    def add(self, dock: ProjectPage) -> None:
        """Have the project in another tab, too."""
        dock.wanted.connect(self.go_to)
        dock.close_wanted.connect(self.close)
        dock.changed.connect(self._look)

    def opens(self, path: Path) -> bool:
        """Show a folder as a project, if it is not an agent's own and several agents lie below it."""
        from stepflow_gui.project.finding.find import is_repository

        if not path.is_dir() or not is_repository(path):
            return False
        self.show(path)
        return True

    def show(self, root: Path) -> None:
        """Show the agents below a folder."""
        if self.view is None:
            from stepflow_gui.gui.project.view import ProjectView

            self.view = ProjectView(self._tabs, self)
        self.view.show_root(Path(root).absolute())
        self.remember()

    def go_to(self) -> None:
        """Go to the project; without one show that of the agent in front, or ask for one."""
        current = self._tabs.current
        if self.root is None:
            root = (
                current.document.last_valid.root if current.document is not None else current.desk.prompts.open_folder()
            )
            if root is None:
                return
            self.show(root)
        if self.view is not None:
            self.view.focus()

    def close(self) -> None:
        """Show no project."""
        if self.view is not None:
            self.view.close()
            self.remember()

    def remember(self) -> None:
        """What the next start shows again, however this one ends."""
        settings = self._tabs.settings
        if settings.open_project != self.root:
            settings.open_project = self.root
            settings.sync()

    def end(self) -> None:
        """The program ends."""
        if self.view is not None:
            self.view.end()

    def turned(self) -> None:
        """Another tab is in front."""
        if self.view is not None and self.view.root is not None:
            self.view.attach()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        if self.view is not None:
            self.view.retranslate()

    def update_theme(self) -> None:
        """Show the look that was chosen."""
        if self.view is not None:
            self.view.update_theme()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and self.view is not None:
            self.view.look_soon()  # other programs may have been at work
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        if self.view is not None:
            self.view.look_soon()

    def follow(self) -> None:
        """An agent was opened or closed in a tab."""
        if self.view is not None:
            self.view.follow()
