"""What is done with files: opening, saving, converting, and leaving."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.app.recent import RecentMenu
from stepflow_gui.gui.app.saving import save_copy
from stepflow_gui.gui.app.welcome import Welcome
from stepflow_gui.gui.desk import Desk, Feature, OpenAgent
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import ActionSpec, Key, MenuPlace, MenuSpec
from stepflow_gui.messages import _


class FileCommands(Protocol):
    """Who opens and saves agents: the window, or the shell around it."""

    @property
    def is_example(self) -> bool: ...
    def open_asked(self, path: Path | None) -> bool: ...
    def open_example_asked(self) -> object: ...
    def save(self) -> bool: ...
    def save_all_asked(self) -> object: ...
    def reload(self) -> None: ...


class FileActions(Feature):
    """The File menu, and what the welcome page offers."""

    def __init__(self, desk: Desk, files: FileCommands, welcome: Welcome) -> None:
        self._desk = desk
        self._files = files
        self._document: Document | None = None
        self.recent = RecentMenu(desk.settings, files.open_asked, desk.window)
        desk.wish.handle(OpenAgent, lambda wish: files.open_asked(wish.path))
        welcome.open_wanted.connect(self._open_folder)
        welcome.new_wanted.connect(self._make_agent)
        welcome.example_wanted.connect(files.open_example_asked)
        welcome.recent_wanted.connect(files.open_asked)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Opening, saving, converting, quitting."""
        from PySide6.QtGui import QKeySequence

        std, files = QKeySequence.StandardKey, self._files
        rows: list[tuple[str, Callable[[], str], Callable[[], object], int, str | None, tuple[Key, ...], bool]] = [
            ("new-agent", lambda: _("&New Agent…"), self._make_agent, 10, None, (std.New,), False),
            ("open-folder", lambda: _("&Open Folder…"), self._open_folder, 20, "open", (std.Open,), False),
            ("open-file", lambda: _("Open &File…"), self._open_file, 30, None, ("Ctrl+Shift+O",), False),
            ("demo", lambda: _("Open the Exam&ple"), files.open_example_asked, 50, None, (), False),
            ("save", lambda: _("&Save"), files.save, 210, "save", (std.Save,), True),
            ("save-all", lambda: _("Save A&ll"), files.save_all_asked, 220, None, ("Ctrl+Alt+S",), True),
            ("save-copy", lambda: _("Save a &Copy…"), self._save_copy, 230, None, (), True),
            ("reload", lambda: _("Reload from &Disk"), files.reload, 240, None, (), True),
            ("convert", lambda: _("Con&vert…"), self._convert, 250, None, (), True),
            ("quit", lambda: _("&Quit"), QApplication.closeAllWindows, 320, None, (std.Quit,), False),
        ]
        return tuple(
            ActionSpec(name, title, run, MenuPlace("file", position), icon, keys, needs_agent=needs_agent)
            for name, title, run, position, icon, keys, needs_agent in rows
        )

    def menu_rows(self) -> tuple[MenuSpec, ...]:
        """The agents that were opened last."""
        return (MenuSpec(self.recent, MenuPlace("file", 40)),)

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.recent.retranslate()

    def _open_folder(self) -> None:
        self._files.open_asked(self._desk.prompts.open_folder())

    def _open_file(self) -> None:
        self._files.open_asked(self._desk.prompts.open_file())

    def _save_copy(self) -> None:
        if self._document is not None:
            save_copy(self._desk, self._document)

    def _convert(self) -> None:
        from stepflow_gui.gui.versions.convert_dialog import convert_asked  # loaded by those who convert

        if self._document is not None:
            convert_asked(self._desk, self._document)

    def _make_agent(self) -> None:
        from stepflow_gui.gui.app.new_agent_page import NewAgentPage, proposed_folder

        opened = self._document.last_valid.root if self._document is not None and not self._files.is_example else None
        desk = self._desk
        page = NewAgentPage(proposed_folder(opened), desk.prompts.open_folder, desk.theme(), desk.window)
        page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page.made.connect(self._files.open_asked)
        page.open()
