"""The menu bar and the tool bar, built from the table of actions."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QLabel, QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from stepflow_gui.gui.widgets.actions import MENUS, SETTINGS, SUBMENUS, Actions, MenuSpec
from stepflow_gui.gui.widgets.fonts import ui_font

_GROUP = 100  # positions of a menu that stand together, without a line between them
ROOMY = 1000  # pixels of window width from which on there is room for words


def build_menus(window: QMainWindow, actions: Actions, menus: Sequence[MenuSpec]) -> None:
    """Fill the menu bar, in the language in use, from the rows of actions and the menus that fill themselves."""
    bar = window.menuBar()
    for made in bar.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly):
        made.deleteLater()  # with what is in it: `clear` would leave it
    bar.clear()
    entries: dict[str, list[tuple[int, QAction | QMenu]]] = {menu: [] for menu in (*dict(MENUS), *SUBMENUS, SETTINGS)}
    ids: dict[str, list[str]] = {menu: [] for menu in entries}
    for spec in actions.specs:
        if spec.place is not None:
            entries[spec.place.menu].append((spec.place.position, actions[spec.id]))
            ids[SUBMENUS[spec.place.menu][0].menu if spec.place.menu in SUBMENUS else spec.place.menu].append(spec.id)
    for menu in menus:
        entries[menu.place.menu].append((menu.place.position, menu.menu))
    for menu_id, (place, title) in SUBMENUS.items():
        below = QMenu(title(), bar)
        _fill(below, sorted(entries[menu_id], key=lambda entry: entry[0]))
        entries[place.menu].append((place.position, below))
    for menu_id, title in MENUS:
        top = bar.addMenu(title())
        _fill(top, sorted(entries[menu_id], key=lambda entry: entry[0]))
        top.aboutToShow.connect(partial(actions.ask, ids[menu_id]))
        top.aboutToHide.connect(partial(actions.release, ids[menu_id]))


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


def _fill(menu: QMenu, entries: Sequence[tuple[int, QAction | QMenu]]) -> None:
    """Add entries in their order, with a line between one hundred of positions and the next."""
    before: int | None = None
    for position, entry in entries:
        if before is not None and position // _GROUP != before:
            menu.addSeparator()
        before = position // _GROUP
        if isinstance(entry, QMenu):
            menu.addMenu(entry)
        else:
            menu.addAction(entry)
