"""The parts of the main window and how they are put together: panels, docks, bars, features."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMainWindow, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from stepflow_gui.gui.agent.view import AgentView
from stepflow_gui.gui.app.anywhere.box import SearchBox
from stepflow_gui.gui.app.anywhere.feature import Anywhere
from stepflow_gui.gui.app.bottom_bar import BottomBar, BottomPanel
from stepflow_gui.gui.app.commands.focus_place import FocusPlace
from stepflow_gui.gui.app.commands.moved_keys import MovedKeys
from stepflow_gui.gui.app.commands.room_actions import RoomActions
from stepflow_gui.gui.app.commands.source_actions import SourceActions
from stepflow_gui.gui.app.commands.text_actions import TextActions
from stepflow_gui.gui.app.features import Features
from stepflow_gui.gui.app.file_actions import FileActions, FileCommands
from stepflow_gui.gui.app.frame.drawers import Drawers
from stepflow_gui.gui.app.frame.layouts import Layouts, PanelState, RightPlaces
from stepflow_gui.gui.app.frame.rail import Rail, RailFeature
from stepflow_gui.gui.app.frame.views import ViewSwitch
from stepflow_gui.gui.app.help.actions import HelpActions, Keys
from stepflow_gui.gui.app.menus import MenuRow, RunButton, TopBar
from stepflow_gui.gui.app.motion.choice import MotionChoice
from stepflow_gui.gui.app.navigation import Navigation
from stepflow_gui.gui.app.outline import OutlinePanel
from stepflow_gui.gui.app.panel_features import (
    HintsFeature,
    InspectorFeature,
    NewsFeature,
    OutlineFeature,
    StatusFeature,
)
from stepflow_gui.gui.app.preferences.actions import SettingsActions
from stepflow_gui.gui.app.preferences.choices import ProgramLooks
from stepflow_gui.gui.app.view_actions import Panels, ViewActions
from stepflow_gui.gui.app.welcome import ReadingPage, Welcome
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
from stepflow_gui.gui.project.project_page import ProjectPage
from stepflow_gui.gui.runs.feature import BAR, BREAKPOINTS, Runs
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.trust import TrustSign
from stepflow_gui.gui.source.finding.find_in_files import FindInFiles
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.versions.comparing import Versions
from stepflow_gui.gui.versions.outside_changes import DocumentOpener, OutsideChanges
from stepflow_gui.gui.widgets.actions import Actions, Place
from stepflow_gui.gui.widgets.banner import Banner
from stepflow_gui.gui.widgets.dialogs import DialogPrompts
from stepflow_gui.gui.widgets.dock import PanelDock
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.frame.middle import Middle
from stepflow_gui.gui.widgets.frame.side_panel import SidePanel
from stepflow_gui.gui.widgets.notices import Notices, StatusLine
from stepflow_gui.gui.widgets.palette_matching import PaletteEntry
from stepflow_gui.gui.widgets.prompts import Prompts
from stepflow_gui.gui.widgets.tab_order import ReadingOrder, TabEscape
from stepflow_gui.gui.widgets.theme import Theme, system_theme
from stepflow_gui.messages import _
from stepflow_gui.project.trust import Trust

_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


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

    def __init__(self, settings: Settings, prompts: Prompts | None, log: Log | None, within: QWidget | None) -> None:
        super().__init__()
        self.setParent(within)
        self.settings = settings
        self.log = log if log is not None else Log(self)
        self.prompts: Prompts = prompts or DialogPrompts(self)
        self.theme = self._wanted_theme()
        self.theme.dress(self)  # while it is empty: what it holds would be styled twice
        self.document: Document | None = None
        self.setObjectName("stepflow")
        self.setWindowIcon(self.theme.icon("stepflow", "accent"))
        self._panels: PanelState | None = None  # how all stands, while the welcome page hides it
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
        self.reading_page = ReadingPage()
        self.search = SearchBox()
        self.run_panel.right.addTab(self.inspector, "")
        self.diff_place = QWidget()  # at the right while versions are compared
        self.diff_room = QVBoxLayout(self.diff_place)
        self.diff_room.setContentsMargins(0, 0, 0, 0)
        self.run_panel.right.addTab(self.diff_place, "")
        self.output = BottomPanel()
        self.tab_room = QWidget()  # where the shell has the tabs of its agents
        self.bottom_bar = BottomBar(self.output.tabs)
        self.setStatusBar(self.bottom_bar)
        self.status = StatusLine(self.statusBar(), lambda: self.canvas.messages.about_drag)
        self.state_label, self.count_label = ElidedLabel("", ui_font(12)), ElidedLabel("", ui_font(12))
        for label in (self.state_label, self.count_label):
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._pages = QStackedWidget()
        middle = QWidget()
        self._middle = QVBoxLayout(middle)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(0)
        self.middle = Middle(self._pages, self.source)
        self._middle.addWidget(self.middle, 1)
        self.setCentralWidget(middle)
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self.canvas)
        self._pages.addWidget(self.reading_page)
        self.side = SidePanel()
        for name in ("project", "outline", "find", "changes", BREAKPOINTS):
            self.side.add_page(name)
        self.side.hold("outline", self.outline)
        self.side.hold(BREAKPOINTS, self.run_panel.breakpoints)
        self.side.turn_to("outline")
        self.rail = Rail()
        self.side_dock = PanelDock("side", self.side, self, titled=False)
        self.inspector_dock = PanelDock("inspector", self.run_panel.right, self)
        self.bottom_dock = PanelDock("output", self.output, self, titled=False)
        self.dock_rows = [
            DockRow(self.side_dock, _LEFT, lambda: _("Side panel")),
            DockRow(self.inspector_dock, _RIGHT, lambda: _("Inspector")),
            DockRow(self.bottom_dock, _BOTTOM, lambda: _("Problems and Run")),
        ]
        self.docks = [row.dock for row in self.dock_rows]
        places: dict[Place, QWidget] = {
            "canvas": self.canvas,
            "outline": self.outline.list,
            "source": self.source,
            "run": self.run_panel,
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
            self.middle,
            self.side,
            self.output,
            Wishes(),
        )

    def _make_features(self, recovery: Recovery | None, owner: Owner) -> None:
        """The features, in the order in which they follow the document."""
        desk = self.desk
        self.file_actions = FileActions(desk, owner, self.welcome, self.source)
        self.navigation = Navigation(desk)
        self.anywhere = Anywhere(desk, self.search, self.palette_entries)
        self.preferences = SettingsActions(desk, owner)
        self.agent = AgentView(desk, self.source, self.problems)
        self.step_files = StepFilesJump(desk)
        self.project = ProjectPage(desk)
        self.runs = Runs(desk, self.run_panel, self.trust, self.source.caret_place)
        self.on_canvas = CanvasFeature(desk)
        self.exporting = Exporting(desk)
        self.outside = OutsideChanges(desk, recovery, owner)
        self.versions = Versions(desk, self.diff_room)
        self.motion = MotionChoice(desk, owner.choose_motion)
        self.on_canvas.extend_step += [self.runs.extend_step_menu, self.step_files.extend]
        self.on_canvas.closing_key = self.runs.closing_key
        self.on_canvas.bring = self.inspector.bring
        self.room = RoomActions(
            *(desk, self.docks, self.source),
            lambda: (self._bar, self.menuBar(), self.statusBar(), self.rail),
            self.frame_changed.emit,
        )
        self.drawers = Drawers(
            *(self, self.middle, (self.side_dock, self.inspector_dock)),
            self._focus_page,
            self._open_inspector,
        )
        self.drawers.covers.connect(lambda by: self.canvas.camera.take_cover(by, follow=self.canvas.follow_active))
        places = RightPlaces(self.run_panel.right, self.inspector, self.diff_place)
        self.layouts = Layouts(desk, self, places, self.run_panel)
        self.views = ViewSwitch(
            *(desk, self.room.show_view, lambda: self.agent.available, lambda: self.agent.is_open),
        )
        panels = Panels(
            *(self.side_dock, self.inspector_dock, self.bottom_dock, self.inspector, self.source, self.problems),
            *(self.run_panel, (self.banner,), self.welcome, self.room.show_source),
        )
        features: list[Feature] = [
            *(self.file_actions, self.navigation, self.agent, self.step_files, self.project),
            *(self.on_canvas, self.runs, self.anywhere, OutlineFeature(desk, self.outline)),
            *(self.source, self.problems, InspectorFeature(desk, self.inspector)),
            StatusFeature(self.state_label, self.count_label, self.output),
            *(NewsFeature(desk, self.bottom_bar, self.problems), HintsFeature(desk, self.layouts.turned)),
            *(ProblemActions(desk, self.problems, self.source), self.exporting, self.outside, self.versions),
            *(self.layouts, RailFeature(desk, self.rail, self.outline.list), self.views),
            *(ViewActions(desk, panels, self.agent.close), self.room, SourceActions(desk, self.source)),
            *(TextActions(self.focus_place, self.source), FindInFiles(desk, self.source.selected_text)),
            *(self.motion, self.preferences, MovedKeys(desk)),
            HelpActions(desk, self.log, owner, owner.start_tour, self._documentation()),
        ]
        self.features = Features(features, self)
        for feature in features:
            desk.actions.add(feature.action_rows(), feature.local_uses())
        self.tab_rows = [
            TabRow(self.problems, lambda: _("Problems")),
            TabRow(self.run_panel, lambda: _("Run")),
            TabRow(self.run_panel.explore, lambda: _("Explore")),
            TabRow(self.navigation.history, lambda: _("History")),
        ]
        self._menus = [menu for feature in features for menu in feature.menu_rows()]
        self.run_panel.set_actions([desk.actions[name] for name in BAR], desk.actions["run-compare"])
        self.source.extend_menu = self.problems.offer_at
        self.source.assist.fix_asked.connect(self.problems.fix)
        self.source.assist.rule_asked.connect(lambda found: self.problems.show_details(found, "rule"))
        self.source.assist.done.connect(desk.notices.done)
        self.source.assist.refused.connect(desk.notices.notice)
        self.inspector.extend_menu = lambda menu, found: fill_menu(menu, found, self.problems)
        self.welcome.tour_wanted.connect(owner.start_tour)
        TabEscape(self.source.editor)
        ReadingOrder(self.inspector)

    def _documentation(self) -> dict[QWidget, str]:
        """The pages of the documentation about the parts; the innermost part with a page counts."""
        return {
            self.welcome: "tutorial.md",
            self.canvas: "window.md#canvas",
            self._pages: "window.md#agent",
            self.inspector: "window.md#inspector",
            self.source: "window.md#source",
            self.problems: "window.md#problems",
            self.run_panel: "debugging.md",
            self.run_panel.right: "debugging.md",
            self.run_panel.explore: "exploring.md",
            self.navigation.history: "text-as-truth.md#one-history",
            self.diff_place: "diff.md",
            self.side: "window.md#project",
        }

    def palette_entries(self) -> list[PaletteEntry]:
        """What the command palette offers now."""
        from stepflow_gui.gui.app.anywhere.entries import PaletteSources, entries_of

        desk = self.desk
        return entries_of(PaletteSources(desk, self.document, self.source, self.problems, self.preferences.open))

    def _wanted_theme(self) -> Theme:
        return system_theme() if self.settings.look == "system" else Theme(self.settings.look == "dark")

    def _build(self) -> None:
        self.menu_row = MenuRow(self.search, self.layouts.switch)
        more = ("run-setup", "run-from-here", "run-explore", "run-save-test", "run-save-trace", "run-compare")
        self.run_button = RunButton(self.desk.actions["run-start"], [self.desk.actions[each] for each in more])
        views = (self.views.switch, self.views.split)
        self._bar = TopBar(self.desk.actions, self.tab_room, views, self.run_button, self.menu_row)
        self.menu_row.place_in(self.menuBar(), self._bar)
        self.addToolBar(self._bar)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.rail)
        self._middle.insertWidget(0, self.banner)
        for tab in self.tab_rows:
            self.output.addTab(tab.panel, "")
        self.output.setDocumentMode(True)
        self.setCorner(Qt.Corner.BottomLeftCorner, _LEFT)
        self.setCorner(Qt.Corner.BottomRightCorner, _RIGHT)
        for row in self.dock_rows:
            self.addDockWidget(row.area, row.dock)
        self.statusBar().addPermanentWidget(self.trust)
        self.statusBar().addPermanentWidget(self.state_label)
        self.statusBar().addPermanentWidget(self.count_label)

    def _restore(self) -> None:
        self.resize(1280, 800)
        geometry = self.settings.bytes_of("geometry")
        if geometry is not None and self.isWindow():
            self.restoreGeometry(geometry)
        self.side_dock.hide()  # its icons are in the rail
        self.bottom_dock.hide()  # its tabs are in the bottom bar
        self._unshared = True
        self.take_layout()

    def take_layout(self) -> None:
        """Have the panels stand as they were left last, in whatever tab."""
        if self._panels is None and not self.layouts.is_new:
            self._unshared = False
            self.layouts.take()

    @property
    def canvas_only(self) -> bool:
        """Whether everything but the canvas is hidden."""
        return self.room.canvas_only

    def _focus_page(self) -> None:
        (self._pages.currentWidget() or self.canvas).setFocus()

    def _open_inspector(self) -> None:
        self.desk.actions["focus-inspector"].trigger()

    def leave_canvas_only(self) -> None:
        """Show all again."""
        self.room.leave()

    def _share_room(self) -> None:
        # Once the window has its size, which a tab gets only when it is turned to.
        if self._unshared and self._panels is None and self.isVisible():
            self.layouts.arrange_first()
            self._unshared = False

    def _show_panels(self, on: bool) -> None:
        # The welcome page stands alone; the panels come back as they were.
        with_project = self.side.shown == "project"
        if on and self._panels is not None:
            before, self._panels = self._panels, None
            self.layouts.put_back(before)
            self._share_room()
            if with_project:
                self.side.show_page("project")
        elif not on and self._panels is None:
            self._panels = self.layouts.arrangement()
            self.middle.show_view("flow")
            for dock in self.docks:
                dock.setVisible(dock is self.side_dock and with_project)
