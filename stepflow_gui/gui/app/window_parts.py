"""The parts of the main window and how they are put together: panels, docks, bars, features."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtWidgets import QLabel, QMainWindow, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from stepflow_gui.gui.agent.view import AgentView
from stepflow_gui.gui.app.bottom_bar import BottomBar, BottomPanel
from stepflow_gui.gui.app.commands.focus_place import FocusPlace
from stepflow_gui.gui.app.commands.moved_keys import MovedKeys
from stepflow_gui.gui.app.commands.room_actions import RoomActions
from stepflow_gui.gui.app.commands.source_actions import SourceActions
from stepflow_gui.gui.app.commands.text_actions import TextActions
from stepflow_gui.gui.app.features import Features
from stepflow_gui.gui.app.file_actions import FileActions, FileCommands
from stepflow_gui.gui.app.help.actions import HelpActions, Keys
from stepflow_gui.gui.app.menus import build_top_bar
from stepflow_gui.gui.app.motion.choice import MotionChoice
from stepflow_gui.gui.app.navigation import Navigation
from stepflow_gui.gui.app.outline import OutlinePanel
from stepflow_gui.gui.app.panel_features import InspectorFeature, OutlineFeature, SearchFeature, StatusFeature
from stepflow_gui.gui.app.preferences.actions import SettingsActions
from stepflow_gui.gui.app.preferences.choices import ProgramLooks
from stepflow_gui.gui.app.search_field import SearchField
from stepflow_gui.gui.app.view_actions import Panels, ViewActions
from stepflow_gui.gui.app.welcome import Welcome
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.desk import Desk, Feature, Wishes
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.log import Log
from stepflow_gui.gui.document.recovery import Recovery
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
from stepflow_gui.gui.versions.outside_changes import DocumentOpener, OutsideChanges
from stepflow_gui.gui.widgets.actions import Actions, Place
from stepflow_gui.gui.widgets.banner import Banner
from stepflow_gui.gui.widgets.dialogs import DialogPrompts
from stepflow_gui.gui.widgets.dock import PanelDock, share_room
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.notices import Notices
from stepflow_gui.gui.widgets.palette_matching import PaletteEntry
from stepflow_gui.gui.widgets.prompts import Prompts
from stepflow_gui.gui.widgets.status_line import StatusLine
from stepflow_gui.gui.widgets.tab_order import ReadingOrder, TabEscape
from stepflow_gui.gui.widgets.theme import Theme, system_theme
from stepflow_gui.messages import _
from stepflow_gui.project.trust import Trust

_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
STATE = 2  # the version of the arrangement of panels: of another one nothing is restored


class DockRow(NamedTuple):
    """A dock, where it is at first, and its title in the language in use."""

    dock: PanelDock
    area: Qt.DockWidgetArea
    title: Callable[[], str]


class TabRow(NamedTuple):
    """A tab of the output, and its title in the language in use."""

    panel: QWidget
    title: Callable[[], str]


class Owner(FileCommands, DocumentOpener, Keys, ProgramLooks, Protocol):
    """What the features ask of the window."""

    def choose_motion(self, reduced: bool) -> None: ...
    def start_tour(self) -> None: ...


class WindowParts(QMainWindow):
    """Panels and features as attributes, for the window. `frame_changed()`: its bars hid or came back."""

    frame_changed = Signal()

    def __init__(self, settings: Settings, prompts: Prompts | None, log: Log | None) -> None:
        super().__init__()
        self.settings = settings
        self.log = log if log is not None else Log(self)
        self.prompts: Prompts = prompts or DialogPrompts(self)
        self.theme = self._wanted_theme()
        self.document: Document | None = None
        self.setObjectName("stepflow")
        self.setWindowIcon(self.theme.icon("stepflow", "accent"))
        self._panels: QByteArray | None = None  # how the panels stand, while the welcome page hides them
        self._make_parts()

    # Making

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
        self.output = BottomPanel()
        self.setStatusBar(BottomBar(self.output.tabs))
        self.status = StatusLine(self.statusBar(), lambda: self.canvas.messages.about_drag)
        self.title = QLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.state_label, self.count_label = ElidedLabel("", ui_font(12)), ElidedLabel("", ui_font(12))
        for label in (self.state_label, self.count_label):
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._pages = QStackedWidget()
        middle = QWidget()
        self._middle = QVBoxLayout(middle)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(0)
        self._middle.addWidget(self._pages, 1)
        self.setCentralWidget(middle)
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self.canvas)
        self.dock_rows = [
            DockRow(PanelDock("outline", self.outline, self, titled=False), _LEFT, lambda: _("Outline")),
            DockRow(PanelDock("inspector", self.inspector, self), _RIGHT, lambda: _("Inspector")),
            DockRow(PanelDock("source", self.source, self, titled=False), _RIGHT, lambda: _("Source")),
            DockRow(PanelDock("output", self.output, self, titled=False), _BOTTOM, lambda: _("Problems and Run")),
        ]
        self.docks = [row.dock for row in self.dock_rows]
        places: dict[Place, QWidget] = {
            "canvas": self.canvas,
            "outline": self.outline.list,
            "source": self.source,
        }
        self.focus_place = FocusPlace(self, places)
        actions = Actions(self, self.theme, self.settings.keys, places)
        actions.place = lambda: self.focus_place.place
        self.desk = Desk(
            self,
            self.canvas,
            actions,
            Notices(self.banner, self.status),
            self.prompts,
            self.settings,
            lambda: self.theme,
            self._pages,
            self.output,
            Wishes(),
        )

    def _make_features(self, recovery: Recovery | None, owner: Owner) -> None:
        """The features, in the order in which they follow the document."""
        desk = self.desk
        self.file_actions = FileActions(desk, owner, self.welcome, self.source)
        self.navigation = Navigation(desk, self.palette_entries)
        self.agent = AgentView(desk, self.source, self.problems)
        self.step_files = StepFilesJump(desk)
        self.project = ProjectDock(desk, self.docks[0])
        self.runs = Runs(desk, self.run_panel, self.trust, self.source.caret_place)
        self.on_canvas = CanvasFeature(desk)
        self.exporting = Exporting(desk)
        self.outside = OutsideChanges(desk, recovery, owner)
        self.versions = Versions(desk)
        self.motion = MotionChoice(desk, owner.choose_motion)
        self.on_canvas.extend_step += [self.runs.extend_step_menu, self.step_files.extend]
        self.on_canvas.closing_key = self.runs.closing_key
        self.on_canvas.bring = self.inspector.bring
        self.room = RoomActions(
            *(desk, self.docks[1:4], self.source, lambda: (self.docks[0], *self.project.docks)),
            lambda: (self._bar, self.menuBar(), self.statusBar(), self.agent.tabs),
            self.frame_changed.emit,
        )
        panels = Panels(
            *(self.docks[0], self.docks[1], self.docks[3], self.inspector, self.source, self.problems),
            *(self.run_panel, (self.banner,), lambda: self.project.docks, self.welcome, self.room.show_source),
        )
        features: list[Feature] = [
            *(self.file_actions, self.navigation, self.agent, self.step_files, self.project),
            *(self.on_canvas, self.runs, SearchFeature(self.search), OutlineFeature(desk, self.outline)),
            *(self.source, self.problems, InspectorFeature(desk, self.inspector)),
            StatusFeature(self.state_label, self.count_label, self.output),
            *(ProblemActions(desk, self.problems, self.source), self.exporting, self.outside, self.versions),
            *(ViewActions(desk, panels, self.agent.close), self.room, SourceActions(desk, self.source)),
            TextActions(self.focus_place, self.source),
            *(self.motion, SettingsActions(desk, owner), MovedKeys(desk)),
            HelpActions(desk, self.log, owner, owner.start_tour),
        ]
        self.features = Features(features, self)
        for feature in features:
            desk.actions.add(feature.action_rows(), feature.local_uses())
        self.tab_rows = [
            TabRow(self.problems, lambda: _("Problems")),
            TabRow(self.run_panel, lambda: _("Run")),
            TabRow(self.navigation.history, lambda: _("History")),
        ]
        self._menus = [menu for feature in features for menu in feature.menu_rows()]
        self.run_panel.set_actions([desk.actions[name] for name in BAR])
        self.source.extend_menu = self.problems.offer_at
        self.source.assist.fix_asked.connect(self.problems.fix)
        self.source.assist.rule_asked.connect(lambda found: self.problems.show_details(found, "rule"))
        self.source.assist.done.connect(desk.notices.done)
        self.source.assist.refused.connect(desk.notices.notice)
        self.inspector.extend_menu = lambda menu, found: fill_menu(menu, found, self.problems)
        self.welcome.tour_wanted.connect(owner.start_tour)
        TabEscape(self.source.editor)
        ReadingOrder(self.inspector)

    def palette_entries(self) -> list[PaletteEntry]:
        """What the command palette offers now."""
        from stepflow_gui.gui.app.palette_entries import PaletteSources, entries_of

        return entries_of(PaletteSources(self.desk.actions, self.document, self.source, self.problems))

    def _wanted_theme(self) -> Theme:
        return system_theme() if self.settings.look == "system" else Theme(self.settings.look == "dark")

    def _build(self) -> None:
        self._bar = build_top_bar(self.desk.actions, self.title, self.search)
        self.addToolBar(self._bar)
        for place, widget in enumerate((self.banner, self.agent.tabs)):
            self._middle.insertWidget(place, widget)
        for tab in self.tab_rows:
            self.output.addTab(tab.panel, "")
        self.output.setDocumentMode(True)
        self.setCorner(Qt.Corner.BottomLeftCorner, _LEFT)
        self.setCorner(Qt.Corner.BottomRightCorner, _RIGHT)
        for row in self.dock_rows:
            self.addDockWidget(row.area, row.dock)
        self.splitDockWidget(self.docks[1], self.docks[2], Qt.Orientation.Vertical)
        self.statusBar().addPermanentWidget(self.trust)
        self.statusBar().addPermanentWidget(self.state_label)
        self.statusBar().addPermanentWidget(self.count_label)

    def _restore(self) -> None:
        self.resize(1280, 800)
        geometry, state = self.settings.bytes_of("geometry"), self.settings.bytes_of("state")
        if geometry is not None and self.isWindow():
            self.restoreGeometry(geometry)
        self._unshared = state is None or not self.restoreState(state, STATE)
        if self._unshared:
            self.docks[3].hide()  # its tabs are in the bottom bar

    def _share_room(self) -> None:
        # Once the window has its size, which a tab gets only when it is turned to.
        if self._unshared and self._panels is None and self.isVisible():
            share_room(self, self.docks[:4])
            self._unshared = False

    def _show_panels(self, on: bool) -> None:
        # The welcome page stands alone; the panels come back as they were.
        if on and self._panels is not None:
            self.restoreState(self._panels, STATE)
            self._panels = None
            self._share_room()
            self.project.arrange()
        elif not on and self._panels is None:
            self._panels = self.saveState(STATE)
            for dock in self.docks:
                dock.hide()
