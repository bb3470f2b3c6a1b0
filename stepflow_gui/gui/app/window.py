"""The main window: canvas in the middle, docks around it, menus and tool bar from the one table of actions."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from stepflow_gui import messages
from stepflow_gui.gui.agent.view import AgentView
from stepflow_gui.gui.app.features import Features
from stepflow_gui.gui.app.file_actions import FileActions
from stepflow_gui.gui.app.help_actions import HelpActions
from stepflow_gui.gui.app.menus import ROOMY, MenuChoice, build_menus, build_top_bar, fit_top_bar
from stepflow_gui.gui.app.motion_choice import MotionChoice
from stepflow_gui.gui.app.navigation import Navigation
from stepflow_gui.gui.app.outline import OutlinePanel
from stepflow_gui.gui.app.panel_features import InspectorFeature, OutlineFeature, SearchFeature, StatusFeature
from stepflow_gui.gui.app.saving import ask_unsaved, unsaved_files
from stepflow_gui.gui.app.search_field import SearchField
from stepflow_gui.gui.app.view_actions import Panels, ViewActions
from stepflow_gui.gui.app.welcome import Welcome
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.desk import Desk, Feature, Wishes
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.log import Log
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.save_errors import SAVING, save_trouble
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.editing.canvas_feature import CanvasFeature
from stepflow_gui.gui.editing.step_files import StepFilesJump
from stepflow_gui.gui.inspector.inspector import InspectorPanel
from stepflow_gui.gui.pictures.exporting import Exporting
from stepflow_gui.gui.problems.actions import ProblemActions
from stepflow_gui.gui.problems.menu import fill_menu
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.project.project_dock import ProjectDock
from stepflow_gui.gui.runs.feature import BAR, Runs
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.trust import TrustSign
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.versions.comparing import Versions
from stepflow_gui.gui.versions.outside_changes import OutsideChanges
from stepflow_gui.gui.widgets.actions import Actions
from stepflow_gui.gui.widgets.banner import Banner
from stepflow_gui.gui.widgets.dialogs import DialogPrompts
from stepflow_gui.gui.widgets.dock import PanelDock, share_room
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.notices import Notices
from stepflow_gui.gui.widgets.palette_matching import PaletteEntry
from stepflow_gui.gui.widgets.prompts import OnClose, OnConflict, Prompts
from stepflow_gui.gui.widgets.status_line import StatusLine
from stepflow_gui.gui.widgets.tab_order import ReadingOrder, WayOut
from stepflow_gui.gui.widgets.theme import Theme, system_theme
from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe
from stepflow_gui.project.trust import Trust
from stepflow_gui.text.files.save_together import PartlySaved
from stepflow_gui.text.files.store import ChangedOnDisk, ReadProblem, SaveFailed


class MainWindow(QMainWindow):
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
    ) -> None:
        super().__init__()
        self.settings = settings
        self.log = log if log is not None else Log(self)
        self.prompts: Prompts = prompts or DialogPrompts(self)
        self.theme = self._wanted_theme()
        self.opener: Callable[[Path], bool] = self.open  # where what the person picks is opened
        self.example_opener: Callable[[], bool] = self.open_example
        self.save_all: Callable[[], bool] = self.save
        self.discard_changes = False  # the person was asked and doesn't want what isn't saved
        self.document: Document | None = None
        self.setObjectName("stepflow")
        self.setAcceptDrops(True)
        self.setWindowIcon(self.theme.icon("stepflow", "accent"))
        self._example: Path | None = None  # the copy of the bundled one, while that is open
        self._panels: QByteArray | None = None  # how the panels stand, while the welcome page hides them
        self._make_parts()
        self._make_features(recovery)
        self._build()
        self._restore()
        self.retranslate()
        self._apply_theme()
        self._show_open(None)

    def _make_parts(self) -> None:
        self.canvas = GraphView(self.theme)
        self.outline = OutlinePanel(self.theme)
        self.inspector = InspectorPanel(self.theme)
        self.source = SourcePanel(self.theme)
        self.problems = ProblemsPanel(self.theme)
        self.run_panel = RunPanel(self.theme)
        self.trust = TrustSign(Trust(self.settings.trust_file), self.theme)
        self.banner = Banner(self.theme)
        self.welcome = Welcome(self.theme)
        self.search = SearchField()
        self.status = StatusLine(self.statusBar(), lambda: self.canvas.telling.of_drag)
        self.title = QLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.state_label = QLabel()
        self.count_label = QLabel()
        self.output = QTabWidget()
        self._pages = QStackedWidget()
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self.canvas)
        self.docks = [
            PanelDock("outline", self.outline, self, titled=False),
            PanelDock("inspector", self.inspector, self),
            PanelDock("source", self.source, self, titled=False),
            PanelDock("output", self.output, self, titled=False),
        ]
        self.desk = Desk(
            self,
            self.canvas,
            Actions(self, self.theme, self.settings.keys),
            Notices(self.banner, self.status),
            self.prompts,
            self.settings,
            lambda: self.theme,
            self._pages,
            self.output,
            Wishes(),
        )

    def _make_features(self, recovery: Recovery | None) -> None:
        """The features, in the order in which they follow the document."""
        desk = self.desk
        self.file_actions = FileActions(desk, self, self.welcome)
        self.navigation = Navigation(desk, self.palette_entries)
        self.agent = AgentView(desk, self.source, self.problems)
        self.step_files = StepFilesJump(desk)
        self.project = ProjectDock(desk, self.docks[0])
        self.runs = Runs(desk, self.run_panel, self.trust, self.source.caret_place)
        self.on_canvas = CanvasFeature(desk)
        self.exporting = Exporting(desk)
        self.outside = OutsideChanges(desk, recovery, self)
        self.versions = Versions(desk)
        self.motion = MotionChoice(desk, self._choose_motion)
        self.on_canvas.extend_step += [self.runs.extend_step_menu, self.step_files.extend]
        self.on_canvas.closing_key = self.runs.closing_key
        self.on_canvas.bring = self.inspector.bring
        panels = Panels(
            *(self.docks[0], self.docks[1], self.docks[2], self.docks[3], self.inspector, self.source, self.problems),
            *(self.run_panel, (self.banner,), lambda: self.project.docks, self.welcome),
        )
        features: list[Feature] = [
            *(self.file_actions, self.navigation, self.agent, self.step_files, self.project),
            *(self.on_canvas, self.runs, SearchFeature(self.search), OutlineFeature(self.outline)),
            *(self.source, self.problems, InspectorFeature(desk, self.inspector)),
            StatusFeature(self.state_label, self.count_label, self.output),
            *(ProblemActions(desk, self.problems, self.source), self.exporting, self.outside, self.versions),
            ViewActions(desk, panels, self.agent.close),
            *(self.motion, HelpActions(desk, self.log, self, self.start_tour)),
        ]
        self.features = Features(features, self)
        for feature in features:
            desk.actions.add(feature.action_rows())
        self._menus = [menu for feature in features for menu in feature.menu_rows()]
        self.run_panel.set_actions([desk.actions[name] for name in BAR])
        self.source.extend_menu = self.problems.offer_at
        self.source.assist.fix_asked.connect(self.problems.fix)
        self.source.assist.rule_asked.connect(lambda found: self.problems.show_details(found, "rule"))
        self.source.assist.done.connect(desk.notices.done)
        self.source.assist.refused.connect(desk.notices.notice)
        self.inspector.extend_menu = lambda menu, found: fill_menu(menu, found, self.problems)
        self.welcome.tour_wanted.connect(self.start_tour)
        WayOut(self.source.editor)
        ReadingOrder(self.inspector)

    # Opening and closing

    def open(self, path: Path) -> bool:
        """Open the agent at a path in place of the one that is open. False where it can't be or the person says no."""
        if not self._may_leave():
            return False
        opened = Document.open(path, self)
        if isinstance(opened, ReadProblem):
            self.banner.show_message("error", describe(opened))
            return False
        self.banner.clear()
        self._leave()
        self._show_open(opened)
        self.settings.add_recent(opened.path)
        return True

    def open_asked(self, path: Path | None) -> bool:
        """Open what the person picked, if anything: here, or where the shell wants it. Whether it was opened."""
        return path is not None and self.opener(path)

    def open_example_asked(self) -> bool:
        """Open the bundled example: here, or where the shell wants it."""
        return self.example_opener()

    def save_all_asked(self) -> bool:
        """Save all that the shell has open."""
        return self.save_all()

    def close_agent(self) -> bool:
        """Close the agent, if the person agrees; the window stays."""
        if not self._may_leave():
            return False
        self.banner.clear()
        self._leave()
        self._show_open(None)
        return True

    def open_example(self) -> bool:
        """Open a copy of the bundled example, so that it can be edited and saved."""
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

    def save(self) -> bool:
        """Save; asks first where the file changed on disk. False where nothing was saved."""
        document = self.document
        if document is None:
            return False
        saved = [path for path in unsaved_files([document]) if path != document.layout_path] or [document.path]
        result = document.save()
        if isinstance(result, ChangedOnDisk):
            answer = self.prompts.changed_on_disk(result.path)
            if answer is OnConflict.RELOAD:
                self.reload()
            if answer is not OnConflict.OVERWRITE and not (answer is OnConflict.MERGE and self.outside.merge()):
                return False
            result = document.save(overwrite=answer is OnConflict.OVERWRITE)
        if isinstance(result, SaveFailed | PartlySaved | ChangedOnDisk):
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
        self.settings.keep_bytes("state", self._panels if self._panels is not None else self.saveState())
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
        strange = [path for path in paths if not self.opener(path)]
        if strange and strange[-1] != paths[-1]:
            self.opener(strange[-1])  # once more, so that what is said of it is what can be read in the end

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._share_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fit_top_bar(self._bar, self.width())
        self.count_label.setVisible(self.width() >= ROOMY)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self.document is not None:
            self.document.check_disk()

    def start_tour(self) -> None:
        """Take the tour over the agent that is open; without one, over the bundled example."""
        from stepflow_gui.gui.app.tour import Sights, Tour, stops_of

        if (self.document is None and not self.open_example()) or self.findChild(Tour) is not None:
            return
        sights = Sights(self.desk, self.docks[1], self.docks[2], self.problems, self.run_panel)
        tour = Tour(self, stops_of(sights))
        tour.ended.connect(self.canvas.setFocus)
        tour.ended.connect(self.settings.see_tour)

    def palette_entries(self) -> list[PaletteEntry]:
        """What the command palette offers now."""
        from stepflow_gui.gui.app.palette_entries import Sources, entries_of

        command = self.on_canvas.editing.command if self.document is not None else None
        graph = self.canvas.graph
        return entries_of(Sources(self.desk.actions, graph, self.document, command, self.source, self.problems))

    # Language and look

    def retranslate(self) -> None:
        """Show the whole window in the language in use."""
        self.desk.actions.retranslate()
        names = (_("Outline"), _("Inspector"), _("Source"), _("Problems and Run"))
        for dock, name in zip(self.docks, names, strict=True):
            dock.set_title(name)
        self.welcome.retranslate()
        self.output.setFont(ui_font(12))
        self.output.setAccessibleName(_("Problems and Run"))
        for at, title in enumerate((_("Problems"), _("Run"), _("History"))):
            self.output.setTabText(at, title)
        self.features.retranslate()
        looks = [("system", _("As the System")), ("light", _("Light")), ("dark", _("Dark"))]
        languages = [("en", "English"), ("ja", "日本語")]
        choices = [
            MenuChoice(_("Loo&k"), looks, self.settings.look, self.set_look),
            MenuChoice(_("&Language"), languages, messages.language(), self.set_language),
        ]
        build_menus(self, self.desk.actions, self._menus, self.docks, choices)
        self.show_title()
        if self.document is not None:
            self.document.lint_again()

    def set_language(self, language: str) -> None:
        """Change the language of the whole window."""
        self.settings.language = language
        messages.use_language(language)
        self.retranslate()
        self.language_changed.emit()

    def set_look(self, look: str) -> None:
        """Light, dark or as the system says."""
        self.settings.look = look
        self.take_look()
        self.look_changed.emit()

    def choose_keys(self, chosen: dict[str, list[str]]) -> None:
        """Use other shortcuts, in the whole program."""
        self.settings.keys = chosen
        self.keys_changed.emit()

    def take_keys(self) -> None:
        """Use the shortcuts that were chosen."""
        self.desk.actions.set_keys(self.settings.keys)
        self.retranslate()

    def take_look(self) -> None:
        """Show the look that was chosen."""
        self.theme = self._wanted_theme()
        self._apply_theme()

    def _choose_motion(self, reduced: bool) -> None:
        for window in {self, *self.window().findChildren(MainWindow)}:  # other agents have tabs of their own
            window.motion.reduce(reduced)

    def _wanted_theme(self) -> Theme:
        return system_theme() if self.settings.look == "system" else Theme(self.settings.look == "dark")

    def _apply_theme(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            self.theme.dress(application)
        self.desk.actions.set_theme(self.theme)
        for part in (self.canvas, self.banner, self.welcome):
            part.set_theme(self.theme)
        self.features.set_theme(self.theme)

    # Building

    def _build(self) -> None:
        self._bar = build_top_bar(self.desk.actions, self.title, self.search)
        self.addToolBar(self._bar)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self.agent.tabs)
        column.addWidget(self._pages, 1)
        self.setCentralWidget(middle)
        self.output.addTab(self.problems, "")
        self.output.addTab(self.run_panel, "")
        self.output.addTab(self.navigation.history, "")
        self.output.setDocumentMode(True)
        left, right, bottom = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea, None
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        self.setCorner(Qt.Corner.BottomLeftCorner, left)
        self.setCorner(Qt.Corner.BottomRightCorner, right)
        for dock, area in zip(self.docks, (left, right, right, bottom), strict=True):
            self.addDockWidget(area, dock)
        self.splitDockWidget(self.docks[1], self.docks[2], Qt.Orientation.Vertical)
        self.statusBar().addPermanentWidget(self.trust)
        self.statusBar().addPermanentWidget(self.state_label)
        self.statusBar().addPermanentWidget(self.count_label)
        self.statusBar().setSizeGripEnabled(False)

    def _restore(self) -> None:
        self.resize(1280, 800)
        geometry, state = self.settings.bytes_of("geometry"), self.settings.bytes_of("state")
        if geometry is not None and self.isWindow():
            self.restoreGeometry(geometry)
        self._unshared = state is None or not self.restoreState(state)

    # Inside

    def _may_leave(self) -> bool:
        if self.document is None or not self.document.unsaved or self.discard_changes:
            return True
        answer = ask_unsaved(self.prompts, unsaved_files([self.document]))
        return answer is OnClose.DISCARD or (answer is OnClose.SAVE and self.save())

    def _leave(self) -> None:
        self.discard_changes = False
        self.features.set_document(None)
        if self.document is not None:
            self.document.close()
            self.document.deleteLater()
            self.document = None
        if self._example is not None:
            from stepflow_gui.project.creating.example import drop_copy

            drop_copy(self._example)
            self._example = None

    def _show_open(self, document: Document | None) -> None:
        self.document = document
        self._pages.setCurrentWidget(self.canvas if document else self.welcome)
        self._show_panels(document is not None)
        self.desk.actions.set_agent_open(document is not None)
        if document is None:
            self.features.set_document(None)
            self.welcome.show_recent(self.settings.recent)
            self.welcome.tour.setVisible(not self.settings.tour_seen)
            self.welcome.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)  # before what may have a question
            self.features.set_document(document)
            document.dirty_changed.connect(self.show_title)
            document.flow_changed.connect(self.show_title)
        self.show_title()

    def _share_room(self) -> None:
        # Once the window has its size, which a tab gets only when it is turned to.
        if self._unshared and self._panels is None and self.isVisible():
            share_room(self, self.docks)
            self._unshared = False

    def _show_panels(self, on: bool) -> None:
        # The welcome page stands alone; the panels come back as they were.
        if on and self._panels is not None:
            self.restoreState(self._panels)
            self._panels = None
            self._share_room()
            self.project.arrange()
        elif not on and self._panels is None:
            self._panels = self.saveState()
            for dock in self.docks:
                dock.hide()

    def show_title(self) -> None:
        """Name the agent and file that are open, with a dot while there are unsaved changes."""
        if self.document is None:
            self.title.setText("Stepflow")
            self.setWindowTitle("Stepflow")
            return
        good = self.document.good
        agent = good.flow.agent_id.value if good.flow.agent_id else good.folder.name
        mark = " •" if self.document.dirty else ""
        text = f"{agent} › {self.document.path.name}{mark}"
        text += f" ({_('read-only')})" if self.outside.signs.read_only else ""
        self.title.setText(text)
        self.title.setToolTip(str(self.document.path))
        self.setWindowTitle(f"{text} – Stepflow")
