"""The menu bar and the tool bar, built from the table of actions."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QFont
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from stepflow_gui.gui.widgets.actions import Actions
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import _

_SEPARATOR = ""
_PROBLEMS = (
    *("next-problem", "previous-problem", _SEPARATOR),
    *("fix-problem", "fix-safe", _SEPARATOR, "explain-problem", "suppress-problem"),
)
ROOMY = 1000  # pixels of window width from which on there is room for words


class MenuChoice:
    """A setting that the View menu offers as one of several: its title, values with their names, and what sets it."""

    def __init__(
        self, title: str, options: Sequence[tuple[str, str]], current: str, pick: Callable[[str], object]
    ) -> None:
        self.title = title
        self.options = options
        self.current = current
        self.pick = pick


class OwnMenus(NamedTuple):
    """Menus that fill themselves.

    `entries` offers which entry's steps are shown, `steps` what can be done with those that are selected, `recent`
    what was opened last, `export` the formats.
    """

    entries: QMenu
    steps: QMenu
    recent: QMenu
    export: QMenu


def build_menus(
    window: QMainWindow, actions: Actions, docks: Sequence[QDockWidget], choices: Sequence[MenuChoice], own: OwnMenus
) -> None:
    """Fill the menu bar anew, in the language in use."""
    bar = window.menuBar()
    for menu in bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if menu not in own:  # those made here before, with what is in them: `clear` would leave them
            menu.deleteLater()
    bar.clear()
    file = bar.addMenu(_("&File"))
    _fill(file, actions, ("new-agent", "open-folder", "open-file"))
    file.addMenu(own.recent)
    _fill(file, actions, ("demo", _SEPARATOR, "save", "save-all", "save-copy", "reload", "convert"))
    file.addMenu(own.export)
    _fill(file, actions, (_SEPARATOR, "close-project", "quit"))
    _fill(
        bar.addMenu(_("&Edit")),
        actions,
        (
            *("undo", "redo", _SEPARATOR, "palette", "find-step", "step-files", "jump-back", "jump-forth"),
            *(_SEPARATOR, "choose-verdict"),
        ),
    )
    bar.addMenu(own.steps)
    view = bar.addMenu(_("&View"))
    looking = ("fit", "zoom-in", "zoom-out", "zoom-reset", "zoom-selection")
    _fill(view, actions, (*looking, _SEPARATOR, "tidy", "minimap", "versions"))
    view.addMenu(own.entries)
    view.addSeparator()
    panels = view.addMenu(_("&Panels"))
    for dock in docks:
        panels.addAction(dock.toggleViewAction())
    for choice in choices:
        _offer(view.addMenu(choice.title), choice)
    view.addAction(actions["reduce-motion"])
    view.addSeparator()
    focuses = ("focus-canvas", "focus-inspector", "focus-source", "focus-problems", "focus-run", "focus-agent")
    _fill(view, actions, (*focuses, "focus-project", "next-panel", "previous-panel"))
    _fill(
        bar.addMenu(_("&Run")),
        actions,
        (
            *("run-start", "run-pause", "run-step", "run-back", "run-to-here", _SEPARATOR),
            *("run-fork", "run-restart", "run-stop", "run-save-trace", _SEPARATOR, "run-breakpoint", _SEPARATOR),
            *("follow", "validation-layer"),
        ),
    )
    _fill(bar.addMenu(_("&Problems")), actions, _PROBLEMS)
    _fill(bar.addMenu(_("&Help")), actions, ("tour", "shortcuts", _SEPARATOR, "log", "about"))


def build_top_bar(actions: Actions, title: QLabel, search: QWidget) -> QToolBar:
    """The bar with the document's name, the search field and the commonest actions."""
    bar = QToolBar()
    bar.setObjectName("topBar")
    bar.setMovable(False)
    bar.setFloatable(False)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.setIconSize(QSize(16, 16))
    bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    title.setObjectName("documentTitle")
    title.setFont(ui_font(13, QFont.Weight.DemiBold))
    bar.addWidget(title)
    bar.addWidget(_space())
    bar.addWidget(search)
    bar.addWidget(_space())
    for action in ("run-start", "run-step", "undo", "redo", "tidy", "fit"):
        bar.addAction(actions[action])
        button = bar.widgetForAction(actions[action])
        button.setFont(ui_font(12))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for action in ("undo", "redo"):
        button = bar.widgetForAction(actions[action])
        button.setProperty("toolButtonStyle", Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setProperty("wordless", True)
    return bar


def fit_top_bar(bar: QToolBar, width: int) -> None:
    """Show the actions without their words where the window is too narrow for them."""
    style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if width >= ROOMY else Qt.ToolButtonStyle.ToolButtonIconOnly
    for button in bar.findChildren(QToolButton):
        if not button.property("wordless"):
            button.setToolButtonStyle(style)


def _space() -> QWidget:
    space = QWidget()
    space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return space


def _fill(menu: QMenu, actions: Actions, ids: Sequence[str]) -> None:
    for action_id in ids:
        if action_id == _SEPARATOR:
            menu.addSeparator()
        else:
            menu.addAction(actions[action_id])


def _offer(menu: QMenu, choice: MenuChoice) -> None:
    group = QActionGroup(menu)
    for value, name in choice.options:
        action = QAction(name, group)
        action.setCheckable(True)
        action.setChecked(value == choice.current)
        action.triggered.connect(lambda _checked=False, value=value: choice.pick(value))
        menu.addAction(action)
