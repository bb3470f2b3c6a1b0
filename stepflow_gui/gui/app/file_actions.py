"""What is done with files: opening, saving, converting, and leaving."""

from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.app.recent import RecentMenu
from stepflow_gui.gui.app.saving import save_as, save_copy
from stepflow_gui.gui.app.welcome import Welcome
from stepflow_gui.gui.desk import Desk, Feature, OpenAgent
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import ActionSpec, LocalUse, MenuPlace
from stepflow_gui.messages import _
from stepflow_gui.text.source import Span


class FileCommands(Protocol):
    """Who opens, saves and closes agents: the window, or the shell around it."""

    @property
    def is_example(self) -> bool: ...
    def open_asked(self, path: Path | None, span: Span | None = None) -> bool: ...
    def open_example_asked(self) -> object: ...
    def go_on_with(self, path: Path) -> bool: ...
    def save(self) -> bool: ...
    def save_all_asked(self) -> object: ...
    def reload(self) -> None: ...
    def close_asked(self) -> object: ...
    def reopen_asked(self) -> object: ...


class FileActions(Feature):
    """The File menu, and what the welcome page offers. `source` are the tabs of texts, which can be closed too."""

    def __init__(self, desk: Desk, files: FileCommands, welcome: Welcome, source: SourcePanel) -> None:
        self._desk = desk
        self._files = files
        self._source = source
        self._document: Document | None = None
        self.recent = RecentMenu(desk.settings, files.open_asked, desk.window)
        desk.wish.handle(OpenAgent, lambda wish: files.open_asked(wish.path, wish.span))
        welcome.open_wanted.connect(self._open_folder)
        welcome.new_wanted.connect(self._make_agent)
        welcome.example_wanted.connect(files.open_example_asked)
        welcome.recent_wanted.connect(files.open_asked)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Opening, saving, converting, closing, quitting."""
        from PySide6.QtGui import QKeySequence

        std, files, at = QKeySequence.StandardKey, self._files, partial(MenuPlace, "file")
        of_agent = (
            ActionSpec("save", lambda: _("&Save"), files.save, at(210), "save", (std.Save,)),
            ActionSpec("save-all", lambda: _("Save A&ll"), files.save_all_asked, at(220), keys=("Ctrl+Alt+S",)),
            ActionSpec("save-as", lambda: _("Save &As…"), self._save_as, at(230), keys=("Ctrl+Shift+S",)),
            ActionSpec("save-copy", lambda: _("Save a Cop&y…"), self._save_copy, at(240)),
            ActionSpec("reload", lambda: _("Reload from Dis&k"), files.reload, at(250)),
            ActionSpec("convert", lambda: _("Con&vert…"), self._convert, at(260)),
            ActionSpec("close", lambda: _("&Close"), files.close_asked, at(310), keys=("Ctrl+W",)),
        )
        return (
            ActionSpec("new-agent", lambda: _("&New Agent…"), self._make_agent, at(10), keys=(std.New,)),
            ActionSpec(*("open-file", lambda: _("&Open File…"), self._open_file, at(20), "open", (std.Open,))),
            ActionSpec("open-folder", lambda: _("Open &Folder…"), self._open_folder, at(30), keys=("Ctrl+K, Ctrl+O",)),
            ActionSpec(
                *("open-recent", lambda: _("Open &Recent"), self._open_recent, at(40)),
                keys=("Ctrl+R",),
                menu=self.recent,
            ),
            *(row._replace(needs_agent=True) for row in of_agent),
            ActionSpec(
                *("reopen-closed", lambda: _("Reopen Closed &Tab"), files.reopen_asked, at(320)), keys=("Ctrl+Shift+T",)
            ),
            ActionSpec("quit", lambda: _("&Quit"), QApplication.closeAllWindows, at(420), keys=(std.Quit, "Ctrl+Q")),
            ActionSpec("demo", lambda: _("Open &Example"), files.open_example_asked, MenuPlace("help", 20)),
        )

    def local_uses(self) -> tuple[LocalUse, ...]:
        """In the source, the tab in front there is closed."""
        return (LocalUse("close", "source", self._close_text),)

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document

    def _close_text(self) -> None:
        if not self._source.close_current():
            self._desk.notices.done(_("The flow's own text stays open; Ctrl+Shift+W closes the agent."))

    def _open_recent(self) -> None:
        """Open the list below the middle of the window's top, with the keyboard on the last one."""
        window = self._desk.window
        self.recent.popup(window.mapToGlobal(QPoint((window.width() - self.recent.sizeHint().width()) // 2, 64)))
        first = next((each for each in self.recent.actions() if each.isEnabled()), None)
        if first is not None:
            self.recent.setActiveAction(first)

    def _open_folder(self) -> None:
        self._files.open_asked(self._desk.prompts.open_folder())

    def _open_file(self) -> None:
        self._files.open_asked(self._desk.prompts.open_file())

    def _save_copy(self) -> None:
        if self._document is not None:
            save_copy(self._desk, self._document)

    def _save_as(self) -> None:
        if self._document is None:
            return
        saved = save_as(self._desk, self._document)
        if saved == self._document.path:
            self._files.save()
        elif saved is not None and self._files.go_on_with(saved):
            self._desk.notices.done(_("Saved {file}").format(file=saved.name))

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
