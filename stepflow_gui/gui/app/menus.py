"""The menu bar and the tool bar, built from the table of actions."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QMargins, QSize, Qt
from PySide6.QtGui import QAction, QFont, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QSpacerItem,
    QToolBar,
    QToolButton,
    QWidget,
)

from stepflow_gui.gui.widgets.actions import MENUS, SETTINGS, SUBMENUS, Actions, MenuSpec
from stepflow_gui.gui.widgets.controls import name_it
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_GROUP = 100  # positions of a menu that stand together, without a line between them
_MARGINS = QMargins(4, 4, 4, 4)  # within the tool bar
_ROUND_A_TITLE = 24  # pixels that a title of the menu bar has round its words
ROOMY = 1000  # pixels of window width from which on there is room for the menus, for panels and for words
TIGHT, _SWITCHED = 780, 900  # from which on there is room for more of the buttons, and for the switch of layouts


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


class MenuRow(QWidget):
    """What stands beside the menus: the field to search with, and the switch of layouts."""

    def __init__(self, search: QWidget, switch: QWidget) -> None:
        super().__init__()
        self._search = search
        self.switch = switch
        self._spaces = [QSpacerItem(0, 0), QSpacerItem(0, 0)]
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 4, 8, 2)
        self._row.setSpacing(12)
        self._row.addItem(self._spaces[0])
        self._row.addWidget(search, 1)
        self._row.addItem(self._spaces[1])
        self._row.addWidget(switch)

    def take_back(self) -> None:
        """The switch is here again."""
        self._row.addWidget(self.switch)
        self.switch.show()  # it counts from now on

    def place_in(self, menus: QMenuBar, bar: QToolBar) -> None:
        """Stand in the row of the menus, or in the bar below where the system has the menus elsewhere."""
        if menus.isNativeMenuBar():
            bar.addWidget(self)
        else:
            menus.setCornerWidget(self, Qt.Corner.TopRightCorner)

    def fit(self, menus: QMenuBar, width: int) -> None:
        """Take the room that the menus leave, where they stand in one row; at least what the parts need."""
        if menus.cornerWidget() is not self:
            return
        words = sum(menus.fontMetrics().horizontalAdvance(each.text().replace("&", "")) for each in menus.actions())
        room = width - words - _ROUND_A_TITLE * (len(menus.actions()) + 1)
        for space in self._spaces:
            space.changeSize(0, 0)
        self._row.invalidate()
        wide = self._row.sizeHint().width() - self._search.sizeHint().width() + self._search.maximumWidth()
        left = max(0, room - wide) // 2
        for space in self._spaces:
            space.changeSize(left, 0)
        self._row.invalidate()
        QApplication.sendEvent(menus, QResizeEvent(menus.size(), menus.size()))  # by which it asks its corner again


class TopBar(QToolBar):
    """The bar with room for the agents' tabs, the switch of views and the commonest actions.

    In a narrow window the menus are folded into its first button, and what stands beside them comes here.
    """

    def __init__(self, actions: Actions, tabs: QWidget, views: Sequence[QWidget], run: QWidget, row: "MenuRow") -> None:
        super().__init__()
        self._menu_row = row
        self.setObjectName("topBar")
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setIconSize(QSize(16, 16))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.menus = FoldedMenus()
        self._folded = [self.addWidget(self.menus)]
        tabs.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(tabs)
        self._search = self._add_buttons(actions, "go-anywhere")
        self._about_graph = self._add_buttons(actions, "tidy", "fit")  # which are in the menus, too
        self._roomy: list[QAction] = []
        for action in ("undo", "redo"):
            self._add_button(actions[action], words=False)
        self._roomy.append(self.addSeparator())
        for widget in views:
            self.addWidget(widget)
        self._roomy.append(self.addSeparator())
        self._switch = QWidget()  # where the layouts are switched while the menus are folded
        room = QHBoxLayout(self._switch)
        room.setContentsMargins(0, 0, 8, 0)
        self._switch_action = self.addWidget(self._switch)
        self._add_button(actions["run-step"], words=True)
        self.addWidget(run)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        layout = self.layout()
        if event.type() == QEvent.Type.StyleChange and layout is not None:
            layout.setContentsMargins(_MARGINS)  # another style sheet would widen them

    def fold(self, menus: QMenuBar, width: int, *, alone: bool) -> None:
        """Fold the menus where the window is narrow, or show their row; neither while the canvas is `alone`."""
        native = menus.isNativeMenuBar()
        folded = width < ROOMY and not native
        for action in self._folded:
            action.setVisible(folded)
        if not native:
            menus.setVisible(not folded and not alone)
        roomy = width >= TIGHT
        self._search.setVisible(folded and roomy)
        self._about_graph.setVisible(not folded)
        for action in self._roomy:
            action.setVisible(roomy)
        room = self._switch.layout()
        assert room is not None
        if folded and width >= _SWITCHED:
            room.addWidget(self._menu_row.switch)
            self._menu_row.switch.show()
        elif self._menu_row.switch.parentWidget() is self._switch:
            self._menu_row.take_back()
        self._switch_action.setVisible(folded and width >= _SWITCHED)
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if width >= ROOMY else Qt.ToolButtonStyle.ToolButtonIconOnly
        for button in self.findChildren(QToolButton):
            if not button.property("wordless"):
                button.setToolButtonStyle(style)

    def _add_buttons(self, actions: Actions, *names: str) -> QAction:
        """Buttons that hide and come back together, by the action that this gives."""
        group = QWidget()
        row = QHBoxLayout(group)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for name in names:
            button = QToolButton()
            button.setDefaultAction(actions[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setIconSize(self.iconSize())
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setProperty("wordless", True)
            row.addWidget(button)
        return self.addWidget(group)

    def _add_button(self, action: QAction, *, words: bool) -> None:
        self.addAction(action)
        button = self.widgetForAction(action)
        button.setFont(ui_font(12))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if not words:
            button.setProperty("toolButtonStyle", Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setProperty("wordless", True)


class FoldedMenus(QToolButton):
    """A button that opens all menus, where there is no room for their row."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foldedMenus")
        self.setText("☰")
        self.setProperty("wordless", True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMenu(QMenu(self))

    def show_menus(self, bar: QMenuBar) -> None:
        """Open the menus of a bar from now on, in the language in use."""
        menu = self.menu()
        menu.clear()
        menu.addActions(bar.actions())
        name_it(self, _("Menus"))
        self.setFont(ui_font(14))


class RunButton(QToolButton):
    """Does the action that begins a run or goes on with it, in the colour of what is usually done.

    `more` are in the menu beside it.
    """

    def __init__(self, action: QAction, more: Sequence[QAction]) -> None:
        super().__init__()
        self._action = action
        self.setProperty("primary", True)
        self.setObjectName("runButton")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        menu = QMenu(self)
        menu.addActions(list(more))
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self._follow()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.setIcon(theme.icon("run", "onmark"))

    def _follow(self) -> None:
        self.setText(self._action.iconText())
        self.setToolTip(self._action.toolTip())
        self.setAccessibleName(self._action.iconText())
        self.setEnabled(self._action.isEnabled())
        self.setFont(ui_font(12, QFont.Weight.DemiBold))


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
