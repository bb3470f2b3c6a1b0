"""The program's window: a tab for each agent that is open, each with all its panels.

The tabs stand in the bar of the one in front.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QCloseEvent, QIcon
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from stepflow_gui.gui.app.commands.closed_tabs import ClosedTabs
from stepflow_gui.gui.app.recent import tab_names
from stepflow_gui.gui.app.saving_all import may_quit, save_all
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.background.work import Background
from stepflow_gui.gui.document.gc_control import WindowCollector
from stepflow_gui.gui.document.log import Log
from stepflow_gui.gui.document.reading import large_file
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.project.project_tabs import ProjectTabs
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.prompts import Prompts
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import open_agent
from stepflow_gui.text.files.store import ReadProblem

EXAMPLE = Path("<example>")  # in the list of what was open: the bundled example
_BELOW = 6  # pixels that the bar of the tabs has below its buttons
_SIZE, _LEAST = QSize(1280, 800), QSize(640, 400)  # at first, where the screen has the room; and at least


class Shell(QWidget):
    """Opens agents beside each other. A tab without an agent takes the next one that is opened."""

    def __init__(
        self, settings: Settings, recovery: Recovery | None = None, ask: Callable[[], Prompts] | None = None
    ) -> None:
        super().__init__()
        self.log = Log(self)
        self._collector = WindowCollector(self)
        self.settings = settings
        self._recovery = recovery
        self._ask = ask  # makes who is asked, in tests
        self.setObjectName("shell")
        self.tabs = QTabBar()
        self.tabs.setObjectName("agentTabs")
        self.tabs.setDocumentMode(True)
        self.tabs.setTabsClosable(True)
        self.tabs.setMovable(True)
        self.tabs.setExpanding(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.currentChanged.connect(self._turn_to)
        self.tabs.tabMoved.connect(self._moved)
        self.tabs.tabCloseRequested.connect(self.close_tab)
        self._pages = QStackedWidget()
        self.little_motion = False  # as the desktop reported once the window was there
        self._windows: list[MainWindow] = []  # in the order of the tabs
        self._closed = ClosedTabs()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        self.tabs.setParent(self)  # over the room that each window leaves for them
        self.tabs.setDrawBase(False)
        self.setMinimumSize(_LEAST)
        self.resize(_SIZE.boundedTo(self.screen().availableSize()))
        geometry = settings.bytes_of("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
            self.resize(self.size().boundedTo(self.screen().availableSize()))  # of another screen, or another scale
        self.project = ProjectTabs(self, self)
        self._add()
        for keys, step in (("Ctrl+Shift+PgDown", 1), ("Ctrl+Shift+PgUp", -1)):
            self._shortcut(keys, partial(self.turn, step))
        self._dress()
        self._shortcut("Ctrl+Shift+W", lambda: self.close_tab(self.tabs.currentIndex()))
        self.retranslate()

    @property
    def windows(self) -> list[MainWindow]:
        """What is in the tabs, in their order."""
        return list(self._windows)

    @property
    def current(self) -> MainWindow:
        """What is in front."""
        return self._windows[max(0, self.tabs.currentIndex())]

    def open(self, path: Path) -> bool:
        """Open the agent at a path in a tab, or turn to the one it is open in. False where it can't be opened."""
        if self.project.opens(path):
            return True
        there = self._holding(path)
        if there is not None:
            self.turn_to(there)
            return True
        return self._open_in_tab(lambda window: window.open(path))

    def open_example(self) -> bool:
        """Open a copy of the bundled example."""
        return self._open_in_tab(lambda window: window.open_example())

    def come_to_front(self, paths: Sequence[Path]) -> None:
        """Open what another start of the program was asked for, and show the window."""
        for path in paths:
            self.open(path)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def turn_to(self, window: MainWindow) -> None:
        """Have a tab in front."""
        self.tabs.setCurrentIndex(self._windows.index(window))

    @property
    def kept_in(self) -> Path | None:
        """Where what isn't saved is kept for a crash."""
        return self._recovery.folder if self._recovery is not None else None

    def end(self) -> None:
        """The program ends without the window having been closed: nothing goes on working, what isn't saved is kept."""
        self.project.end()
        for work in self.findChildren(Background):
            work.drop()  # before the fonts go with which it measures
        for window in self._windows:
            window.versions.end()
            if window.document is not None:
                window.document.close()
        self._collector.close()

    def restore(self) -> None:
        """Open what was open when the program ended last. What isn't there any more is passed over."""
        for path in self.settings.open_agents:
            if path == EXAMPLE:
                self.open_example()
            elif path.exists():
                self.open(path)
        if len(self._windows) > 1:
            self.tabs.setCurrentIndex(0)
        root = self.settings.open_project
        if root is not None and root.is_dir():
            self.project.show(root)

    def close_tab(self, at: int) -> bool:
        """Close the agent of a tab, if the person agrees, and the tab unless it is the only one."""
        window = self._windows[at]
        self.tabs.setCurrentIndex(at)
        if len(self._windows) == 1:
            closed = window.close_agent()
        elif closed := window.close_agent() and window.close():
            self._remove(window)
        if closed:
            self._remember(self._opened())
        return closed

    def turn(self, step: int) -> None:
        """Turn to the next tab, or the one before."""
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % len(self._windows))

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.tabs.setFont(ui_font(12))
        self.tabs.setAccessibleName(_("Open agents"))
        self._name_tabs()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not may_quit(self):
            event.ignore()
            return
        opened = self._opened()  # as they are once the person has saved or not
        for window in list(self._windows):
            if not window.close():
                event.ignore()
                return
            if len(self._windows) > 1:
                self._remove(window)
        self._remember(opened)
        self.project.remember()
        self.project.end()
        self.settings.keep_bytes("geometry", self.saveGeometry())
        self.settings.sync()
        self._collector.close()
        event.accept()

    # Inside

    def _opened(self) -> list[Path]:
        """What is open, for the next start: of the example as it was bundled there is a fresh copy then."""
        return [
            EXAMPLE if window.is_unchanged_example else path
            for window in self._windows
            if (path := _path_of(window)) is not None
        ]

    def _remember(self, opened: Sequence[Path]) -> None:
        """What the next start opens again, however this one ends."""
        if opened != self.settings.open_agents:
            self.settings.open_agents = opened
            self.settings.sync()

    def _holding(self, path: Path) -> MainWindow | None:
        """The tab in which what is to be opened is open, by whatever link or folder around it."""
        if all(_path_of(window) is None for window in self._windows):
            return None
        there = next((window for window in self._windows if _holds(window, path)), None)
        if there is not None or not Path(path).is_dir():
            return there
        large = large_file(path)
        if large is not None:
            return self._holding(large)
        found = open_agent(path)
        return None if isinstance(found, ReadProblem) else self._holding(found.registry.path)

    def _open_in_tab(self, open_it: Callable[[MainWindow], bool]) -> bool:
        before = self.current
        window = before if _path_of(before) is None else self._add()
        if open_it(window):
            self.tabs.setCurrentIndex(self._windows.index(window))
            self._remember(self._opened())
            return True
        if window is not before:
            shown_text = window.banner.text
            window.close()
            self._remove(window)
            self.tabs.setCurrentIndex(self._windows.index(before))
            before.banner.notice(shown_text)
        return False

    def _add(self) -> MainWindow:
        ask = self._ask() if self._ask is not None else None
        window = MainWindow(self.settings, ask, self._recovery, self.log, self._pages)
        if self.little_motion and self.settings.reduced_motion is None:
            window.motion.reduce(on=True)
        window.opener = self.open
        window.example_opener = self.open_example
        window.save_all = partial(save_all, self)
        window.closer = lambda: self.close_tab(self._windows.index(window))
        window.front = lambda: self.current
        window.closed = self._closed
        window.frame_changed.connect(self._show_tabs)
        window.windowTitleChanged.connect(partial(self._title_changed, window))
        window.look_changed.connect(partial(self._look_changed, window))
        window.language_changed.connect(partial(self._language_changed, window))
        window.keys_changed.connect(partial(self._keys_changed, window))
        self.project.add(window.project)
        self._windows.append(window)
        self._pages.addWidget(window)
        window.tab_room.installEventFilter(self)
        self.tabs.addTab("")
        self._title_changed(window)
        self._show_tabs()
        return window

    def _show_tabs(self) -> None:
        shown = self._pages.currentWidget()
        alone = isinstance(shown, MainWindow) and shown.room.canvas_only
        self.tabs.setVisible(not alone)
        self._place_tabs()

    def _place_tabs(self) -> None:
        page = self._pages.currentWidget()
        if self.tabs.count() != len(self._windows) or not isinstance(page, MainWindow):
            return  # a tab comes or goes, at the end of which it is asked again
        room = page.tab_room
        height = self.tabs.sizeHint().height()
        at = room.mapTo(self, QPoint(0, room.height() - height + _BELOW))
        wide = max(self.tabs.sizeHint().width(), self.tabs.minimumSizeHint().width())
        self.tabs.setGeometry(at.x(), at.y(), min(room.width(), wide), height)
        self.tabs.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show} and self._windows:
            self._place_tabs()
        return super().eventFilter(watched, event)

    def _remove(self, window: MainWindow) -> None:
        at = self._windows.index(window)
        del self._windows[at]
        self._pages.removeWidget(window)
        self.tabs.removeTab(at)
        window.deleteLater()
        self._name_tabs()
        self._turn_to(self.tabs.currentIndex())

    def _turn_to(self, at: int) -> None:
        if not 0 <= at < len(self._windows):
            return
        window = self._windows[at]
        window.catch_up()
        left = self._pages.currentWidget()
        if isinstance(left, MainWindow) and left is not window and left.document is not None:
            left.layouts.keep()
        self._pages.setCurrentWidget(window)
        if window.document is not None:
            window.take_layout()
        self._show_tabs()
        self.setWindowTitle(window.windowTitle())
        last = window.focusWidget()  # what had the keyboard when this tab was in front
        (last or (window.canvas if window.document is not None else window.welcome)).setFocus()
        if window.document is not None:
            window.document.check_disk()
        self.project.turned()

    def _moved(self, start: int, end: int) -> None:
        self._windows.insert(end, self._windows.pop(start))

    def reduce_motion(self) -> None:
        """The desktop asks for little motion: every tab does without, unless the person chose otherwise."""
        self.little_motion = True
        if self.settings.reduced_motion is None:
            for window in self._windows:
                window.motion.reduce(on=True)

    def _title_changed(self, window: MainWindow, _title: str = "") -> None:
        self.project.follow()
        self._name_tabs()
        if window is self.current:
            self.setWindowTitle(window.windowTitle())

    def _name_tabs(self) -> None:
        """The agents by their folders; with what is around those where two have one name."""
        opened = [path for window in self._windows if (path := _path_of(window)) is not None]
        names = dict(zip(opened, tab_names(opened), strict=True))
        for at, window in enumerate(self._windows):
            document, path = window.document, _path_of(window)
            name = "Stepflow" if path is None else names[path]
            name += " •" if document is not None and document.dirty else ""
            self.tabs.setTabText(at, name.replace("&", "&&"))
            self.tabs.setTabToolTip(at, str(path) if path is not None else "")
            read_only = bool(window.outside.signs.read_only)
            self.tabs.setTabIcon(at, self.current.theme.icon("lock", "warning") if read_only else QIcon())
            self.tabs.setAccessibleTabName(at, f"{name} ({_('read-only')})" if read_only else name)
        self._place_tabs()

    def _look_changed(self, source: MainWindow) -> None:
        """The tabs that are hidden catch up when they are turned to."""
        if source is not self.current:
            self.current.catch_up()
        self._dress()
        self.project.update_theme()

    def _dress(self) -> None:
        self.current.theme.dress(self.tabs)
        self._name_tabs()

    def _keys_changed(self, source: MainWindow) -> None:
        for window in self._windows:
            if window is not source:
                window.update_keys()

    def _language_changed(self, source: MainWindow) -> None:
        """The tabs that are hidden catch up when they are turned to."""
        if source is not self.current:
            self.current.catch_up()
        self.retranslate()
        self.project.retranslate()

    def _shortcut(self, keys: str, act: Callable[[], object]) -> None:
        action = QAction(self)
        action.setShortcut(keys)
        action.triggered.connect(lambda _checked=False: act())
        self.addAction(action)


def _holds(window: MainWindow, path: Path) -> bool:
    document = window.document
    real = Path(path).resolve()
    if document is None:
        return window.opening is not None and window.opening.resolve() == real
    return (
        real in {document.path.resolve(), document.last_valid.folder.resolve()} or document.texts.get(path) is not None
    )


def _path_of(window: MainWindow) -> Path | None:
    """What is open in a tab, or is read to be."""
    return window.document.path if window.document is not None else window.opening
