"""What is done with files: opening, saving, converting, and leaving."""

from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.app.recent import RecentMenu
from stepflow_gui.gui.app.saving import save_copy
from stepflow_gui.gui.app.welcome import Welcome
from stepflow_gui.gui.desk import Desk, Feature, OpenAgent
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace, MenuSpec
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

        std, files, at = QKeySequence.StandardKey, self._files, partial(MenuPlace, "file")
        return (
            ActionSpec("new-agent", lambda: _("&New Agent…"), self._make_agent, at(10), keys=(std.New,)),
            ActionSpec("open-folder", lambda: _("&Open Folder…"), self._open_folder, at(20), "open", (std.Open,)),
            ActionSpec("open-file", lambda: _("Open &File…"), self._open_file, at(30), keys=("Ctrl+Shift+O",)),
            ActionSpec("demo", lambda: _("Open the Exam&ple"), files.open_example_asked, at(50)),
            ActionSpec("save", lambda: _("&Save"), files.save, at(210), "save", (std.Save,), needs_agent=True),
            ActionSpec(
                *("save-all", lambda: _("Save A&ll"), files.save_all_asked, at(220)),
                keys=("Ctrl+Alt+S",),
                needs_agent=True,
            ),
            ActionSpec("save-copy", lambda: _("Save a &Copy…"), self._save_copy, at(230), needs_agent=True),
            ActionSpec("reload", lambda: _("Reload from &Disk"), files.reload, at(240), needs_agent=True),
            ActionSpec("convert", lambda: _("Con&vert…"), self._convert, at(250), needs_agent=True),
            ActionSpec("quit", lambda: _("&Quit"), QApplication.closeAllWindows, at(320), keys=(std.Quit,)),
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
