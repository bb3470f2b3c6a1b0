"""What a shell does about projects; the view itself is loaded when a project is first shown."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

if TYPE_CHECKING:
    from stepflow_gui.gui.app.shell import Shell
    from stepflow_gui.gui.app.window import MainWindow
    from stepflow_gui.gui.project.view import ProjectView


class ProjectTabs(QObject):
    """Belongs to one shell. `view` is None until a project was shown."""

    def __init__(self, shell: "Shell") -> None:
        super().__init__(shell)
        self._shell = shell
        self.view: ProjectView | None = None
        shell.installEventFilter(self)

    @property
    def root(self) -> Path | None:
        """The project that is shown."""
        return self.view.root if self.view is not None else None

    def take_in(self, window: "MainWindow") -> None:
        """A window was made."""
        window.project.wanted.connect(self.go_to)
        window.project.close_wanted.connect(self.close)
        window.project.changed.connect(self._look)
        window.windowTitleChanged.connect(self._follow)

    def opens(self, path: Path) -> bool:
        """Show a folder as a project, if it is no agent's own and several agents lie below it."""
        from stepflow_gui.project.finding.find import is_repository

        if not path.is_dir() or not is_repository(path):
            return False
        self.show(path)
        return True

    def show(self, root: Path) -> None:
        """Show the agents below a folder."""
        if self.view is None:
            from stepflow_gui.gui.project.view import ProjectView

            self.view = ProjectView(self._shell)
        self.view.show_root(Path(root).absolute())
        self.remember()

    def go_to(self) -> None:
        """Go to the project; without one show that of the agent in front, or ask for one."""
        current = self._shell.current
        if self.root is None:
            root = current.document.good.root if current.document is not None else current.prompts.open_folder()
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
        settings = self._shell.settings
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

    def take_look(self) -> None:
        """Show the look that was chosen."""
        if self.view is not None:
            self.view.take_look()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate and self.view is not None:
            self.view.look_soon()  # other programs may have been at work
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        if self.view is not None:
            self.view.look_soon()

    def _follow(self, _title: str = "") -> None:
        if self.view is not None:
            self.view.follow()
