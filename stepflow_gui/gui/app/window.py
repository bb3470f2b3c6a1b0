"""The main window: canvas in the middle, docks around it, menus and tool bar from the one table of actions."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from stepflow_gui import messages
from stepflow_gui.gui.app.commands.closed_tabs import ClosedTab, ClosedTabs
from stepflow_gui.gui.app.menus import ROOMY, TIGHT, build_menus
from stepflow_gui.gui.app.saving import ask_unsaved, unsaved_files
from stepflow_gui.gui.app.window_parts import WindowParts
from stepflow_gui.gui.desk import ShowSource
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.log import Log
from stepflow_gui.gui.document.open_texts import on_disk
from stepflow_gui.gui.document.reading import AgentReading, large_file, read_agent
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.save_errors import SAVING, save_trouble
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import translate_qt
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.prompts import OnClose, OnConflict, Prompts
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.files.save_together import PartlySaved
from stepflow_gui.text.files.store import ChangedOnDisk, ReadProblem, SaveFailed
from stepflow_gui.text.source import Source, Span


class MainWindow(WindowParts):
    """One agent with all its panels, or none: a window of its own, or a tab of `Shell`.

    `look_changed()`, `language_changed()` and `keys_changed()`: the person chose others, for the whole program.
    """

    look_changed = Signal()
    language_changed = Signal()
    keys_changed = Signal()

    def __init__(
        self,
        settings: Settings,
        prompts: Prompts | None = None,
        recovery: Recovery | None = None,
        log: Log | None = None,
        within: QWidget | None = None,
    ) -> None:
        super().__init__(settings, prompts, log, within)
        self.opener: Callable[[Path], bool] = self.open  # where what the person picks is opened
        self.example_opener: Callable[[], bool] = self.open_example
        self.save_all: Callable[[], bool] = self.save
        self.closer: Callable[[], bool] = self.close_agent
        self.front: Callable[[], MainWindow] = lambda: self  # what shows the agent that was opened last
        self.closed = ClosedTabs()
        self._reading = AgentReading(self)
        self._reading.done.connect(partial(self._opened, in_steps=True))
        self.discard_changes = False  # the person was asked and doesn't want what isn't saved
        self._example: Path | None = None  # the copy of the bundled one, while that is open
        self.setAcceptDrops(True)
        self._make_features(recovery, self)
        self.source.file_closed.connect(self._text_closed)
        self._build()
        self._restore()
        self._language = messages.language()
        self.retranslate()
        self._apply_theme()
        self._show_open(None)
        self.frame_changed.connect(self._fit)

    # Opening and closing

    def open(self, path: Path) -> bool:
        """Open the agent at a path in place of the open one. Return False where it can't be or the user declines.

        An empty window reads a large one on a thread: it is there when `opening` is None again.
        """
        if not self._may_leave():
            return False
        self._stop_reading()
        large = large_file(path) if self.document is None else None
        if large is None:
            return self._opened(read_agent(path))
        self.banner.clear()
        self._reading.start(path, large)
        self.reading_page.show_file(large)
        self._pages.setCurrentWidget(self.reading_page)
        self.reading_page.setFocus(Qt.FocusReason.OtherFocusReason)
        self.status.hint(self.reading_page.text())
        self.show_title()
        return True

    @property
    def opening(self) -> Path | None:
        """What is read now, to be opened."""
        return self._reading.path

    def _stop_reading(self) -> None:
        self._reading.cancel()
        self.status.hint("")

    def _opened(self, folder: AgentFolder | ReadProblem, *, in_steps: bool = False) -> bool:
        self.status.hint("")
        if isinstance(folder, ReadProblem):
            if self._pages.currentWidget() is self.reading_page:
                self._show_open(None)
            self.banner.show_message("error", describe(folder))
            return False
        self.banner.clear()
        self._leave()
        opened = Document(folder, self)
        self._show_open(opened, in_steps=in_steps)
        self.settings.add_recent(opened.path)
        return True

    def open_asked(self, path: Path | None, span: Span | None = None) -> bool:
        """Open what the person picked, if anything: here, or where the shell wants it. Whether it was opened."""
        opened = path is not None and self.opener(path)
        if opened and path is not None and span is not None:
            self.front().desk.wish(ShowSource(path, span, focus=True))
        return opened

    def open_example_asked(self) -> bool:
        """Open the bundled example: here, or where the shell wants it."""
        return self.example_opener()

    def go_on_with(self, path: Path) -> bool:
        """Have what was just saved elsewhere in place of what is open, whose own file stays as it is."""
        self.discard_changes = True
        return self.open(path)

    def close_asked(self) -> bool:
        """Close the agent: here, or with its tab."""
        return self.closer()

    def reopen_asked(self) -> None:
        """Open again what was closed last: an agent, or a text in the source."""
        tab = self.closed.take()
        if tab is None:
            self.status.done(_("No recently closed tabs."))
        elif self.opener(tab.agent) and tab.file is not None:
            self.front().desk.wish(ShowSource(tab.file, Span(0, 0), focus=True))

    def save_all_asked(self) -> bool:
        """Save all that the shell has open."""
        return self.save_all()

    def close_agent(self) -> bool:
        """Close the agent, if the person agrees; the window stays."""
        if not self._may_leave():
            return False
        if self.document is not None and not self.is_example:
            self.closed.add(ClosedTab(self.document.path))
        self.banner.clear()
        self._leave()
        self._show_open(None)
        return True

    def _text_closed(self, path: Path) -> None:
        if self.document is not None:
            self.closed.add(ClosedTab(self.document.path, path))

    def open_example(self) -> bool:
        """Open a copy of the bundled example, so it can be edited and saved."""
        from stepflow_gui.project.creating.example import copy_example, drop_copy

        copy = copy_example()
        if not self.open(copy):
            drop_copy(copy)
            return False
        self._example = copy
        if self.document is not None:
            self.settings.forget_recent(self.document.path)  # the copy goes with the window
        return True

    @property
    def is_example(self) -> bool:
        """Whether the bundled example is open, of which nothing is kept."""
        return self._example is not None

    @property
    def is_unchanged_example(self) -> bool:
        """Whether that is as it was bundled, so a fresh copy is the same."""
        from stepflow_gui.project.creating.example import is_unchanged

        return self._example is not None and is_unchanged(self._example)

    def save(self) -> bool:
        """Save; asks first where the file changed on disk. False where nothing was saved."""
        document = self.document
        if document is None:
            return False
        saved = [path for path in unsaved_files([document]) if path != document.layout_path] or [document.path]
        over: dict[Path, Source | None] = {}
        while isinstance(result := document.save(over), ChangedOnDisk):
            there = on_disk(result.path)  # what is asked about: what comes while it is asked isn't written over
            answer = self.prompts.changed_on_disk(result.path)
            if answer is OnConflict.RELOAD:
                self.reload()
            if answer is not OnConflict.OVERWRITE and not (answer is OnConflict.MERGE and self.outside.merge()):
                return False
            over = {**over, **there} if answer is OnConflict.OVERWRITE else {}
        if isinstance(result, SaveFailed | PartlySaved):
            self.banner.show_message("error", save_trouble(result), self.outside.signs.offers(), about=SAVING)
            return False
        self.status.done(_("Saved {file}").format(file=_(", ").join(path.name for path in saved)))
        return True

    def reload(self) -> None:
        """Take the files from disk again; undo brings the texts of before back."""
        if self.document is None:
            return
        problem = self.document.reload()
        if problem is None:
            self.banner.clear()
        else:
            self.banner.show_message("error", describe(problem))

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._may_leave():
            event.ignore()
            return
        if self.isWindow():
            self.settings.keep_bytes("geometry", self.saveGeometry())
        self.room.leave()
        if not self._unshared:
            self.layouts.keep(self._panels)
        self.settings.sync()
        self._leave()
        self.versions.end()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
        paths = [path for path in paths if not self.runs.open_if_log(path)]
        strange = [path for path in paths if not self.opener(path)]
        if strange and strange[-1] != paths[-1]:
            self.opener(strange[-1])  # once more, so its message is the one that stays readable

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._share_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show of the bars what there is room for."""
        self._bar.fold(self.menuBar(), self.width(), alone=self.room.canvas_only)
        self.menu_row.fit(self.menuBar(), self.width())
        self.count_label.setVisible(self.width() >= ROOMY)
        self.state_label.setVisible(self.width() >= TIGHT)
        self.layouts.fold(on=self.width() < ROOMY)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self.document is not None:
            self.document.check_disk()

    def start_tour(self) -> None:
        """Take the tour over the agent that is open; without one, over the bundled example."""
        from stepflow_gui.gui.app.help.tour import Sights, Tour, stops_of

        if (self.document is None and not self.open_example()) or self.findChild(Tour) is not None:
            return
        sights = Sights(self.desk, self.inspector_dock, self.source, self.problems, self.run_panel)
        tour = Tour(self, stops_of(sights))
        tour.ended.connect(self.canvas.setFocus)
        tour.ended.connect(self.settings.see_tour)

    # Language and look

    def retranslate(self) -> None:
        """Show the whole window in the language in use."""
        if self._language != messages.language():
            self.status.forget()
        self._language = messages.language()
        self.desk.actions.retranslate()
        for row in self.dock_rows:
            row.dock.set_title(row.title())
        self.welcome.retranslate()
        self.output.tabs.setFont(ui_font(12))
        self.output.setAccessibleName(_("Problems and Run"))
        self.output.tabs.setAccessibleName(_("Problems and Run"))
        for tab in self.tab_rows:
            self.output.setTabText(self.output.indexOf(tab.panel), tab.title())
        self.features.retranslate()
        build_menus(self, self.desk.actions, self._menus)
        self._bar.menus.show_menus(self.menuBar())
        self.menu_row.fit(self.menuBar(), self.width())
        self.drawers.retranslate()
        self.show_title()
        if self.document is not None:
            self.document.lint_again()

    def set_language(self, language: str) -> None:
        """Change the language of the whole window."""
        self.settings.language = language
        messages.use_language(language)
        translate_qt(language)
        self.retranslate()
        self.language_changed.emit()

    def set_look(self, look: str) -> None:
        """Set a light, dark or system appearance."""
        self.settings.look = look
        self.update_theme()
        self.look_changed.emit()

    def choose_keys(self, chosen: dict[str, list[str]]) -> None:
        """Use other shortcuts, in the whole program."""
        self.settings.keys = chosen
        self.keys_changed.emit()

    def update_keys(self) -> None:
        """Use the shortcuts that were chosen."""
        self.desk.actions.set_keys(self.settings.keys)
        self.retranslate()

    def catch_up(self) -> None:
        """Show the look and the language that were chosen while another tab was in front."""
        if self._wanted_theme().dark != self.theme.dark:
            self.update_theme()
        if self._language != messages.language():
            self.retranslate()

    def update_theme(self) -> None:
        """Show the look that was chosen."""
        self.theme = self._wanted_theme()
        self._apply_theme()

    def choose_motion(self, reduced: bool) -> None:
        """Reduce motion, or not, in all tabs."""
        for window in {self, *self.window().findChildren(MainWindow)}:  # other agents have tabs of their own
            window.motion.reduce(reduced)

    def _apply_theme(self) -> None:
        self.theme.dress(self)
        self.desk.actions.set_theme(self.theme)
        for part in (self.canvas, self.banner, self.welcome, self.run_button):
            part.set_theme(self.theme)
        self.features.set_theme(self.theme)

    # Inside

    def _may_leave(self) -> bool:
        if self.document is None or not self.document.unsaved or self.discard_changes:
            return True
        answer = ask_unsaved(self.prompts, unsaved_files([self.document]))
        return answer is OnClose.DISCARD or (answer is OnClose.SAVE and self.save())

    def _leave(self) -> None:
        self.discard_changes = False
        self._stop_reading()
        self.features.set_document(None)
        if self.document is not None:
            self.document.close()
            self.document.deleteLater()
            self.document = None
        if self._example is not None:
            from stepflow_gui.project.creating.example import drop_copy

            drop_copy(self._example)
            self._example = None

    def _show_open(self, document: Document | None, *, in_steps: bool = False) -> None:
        self.document = document
        self._pages.setCurrentWidget(self.canvas if document else self.welcome)
        self._show_panels(document is not None)
        self.desk.actions.set_agent_open(document is not None)
        self.drawers.has_agent = document is not None
        self.drawers.place()
        if document is None:
            self.features.set_document(None)
            self.welcome.show_recent(self.settings.recent)
            self.welcome.tour.setVisible(not self.settings.tour_seen)
            self.welcome.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)  # before what may have a question
            self.features.set_document(document, in_steps=in_steps)
            document.dirty_changed.connect(self.show_title)
            document.flow_changed.connect(self.show_title)
        self.show_title()

    def show_title(self) -> None:
        """Name the agent and file that are open, with a dot while there are unsaved changes."""
        if self.document is None:
            self.setWindowTitle("Stepflow" if self.opening is None else f"{self.opening.name} – Stepflow")
            return
        good = self.document.last_valid
        agent = good.flow.agent_id.value if good.flow.agent_id else good.folder.name
        mark = " •" if self.document.dirty else ""
        text = f"{agent} › {self.document.path.name}{mark}"
        text += f" ({_('read-only')})" if self.outside.signs.read_only else ""
        self.setWindowTitle(f"{text} – Stepflow")
