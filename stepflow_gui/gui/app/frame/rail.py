"""The rail at the left edge of the window: an icon for each page of the side panel, and the settings."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QToolBar, QWidget

from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_WIDTH = 44  # pixels


class RailIcon(NamedTuple):
    """A page of the side panel, and what is done to have it shown."""

    page: str
    icon: str
    title: Callable[[], str]
    action: str
    needs_agent: bool = True


ICONS = (
    RailIcon("project", "open", lambda: _("Project"), "focus-project", needs_agent=False),
    RailIcon("outline", "outline", lambda: _("Outline"), "focus-outline"),
    RailIcon("find", "search", lambda: _("Find in Files"), "find-in-files", needs_agent=False),
    RailIcon("changes", "changes", lambda: _("Changes"), "show-changes"),
    RailIcon("breakpoints", "breakpoint", lambda: _("Breakpoints"), "show-breakpoints"),
)


class Rail(QToolBar):
    """A click on the icon of the page that is shown closes the side panel; any other opens it with its page."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setOrientation(Qt.Orientation.Vertical)
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setIconSize(QSize(20, 20))
        self.setFixedWidth(_WIDTH)

    def add(self, action: QAction) -> None:
        """Have an icon for an action."""
        self.addAction(action)
        button = self.widgetForAction(action)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setObjectName(f"rail-{action.objectName()}")

    def add_space(self) -> None:
        """What follows stands at the lower end."""
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.addWidget(space)


class RailFeature(Feature):
    """Follows what the side panel shows. `outline` takes the keyboard on its page."""

    def __init__(self, desk: Desk, rail: Rail, outline: QWidget) -> None:
        self._desk = desk
        self.rail = rail
        self._outline = outline
        self._icons: Sequence[tuple[RailIcon, QAction]] = [(icon, QAction(rail)) for icon in ICONS]
        self._settings = QAction(rail)
        self._settings.setObjectName("settings")
        self._settings.triggered.connect(lambda _on: desk.actions["settings"].trigger())
        for icon, action in self._icons:
            action.setObjectName(icon.page)
            action.setCheckable(True)
            action.triggered.connect(partial(self._clicked, icon))
            rail.add(action)
        rail.add_space()
        rail.add(self._settings)
        desk.side.changed.connect(self._show)
        self.set_document(None)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Go to the outline."""
        row = ActionSpec("focus-outline", lambda: _("&Outline"), self._focus_outline, MenuPlace("focus", 80))
        return (row._replace(needs_agent=True),)

    def set_document(self, document: Document | None) -> None:
        """Another agent is open, or none, which has neither outline nor changes."""
        for icon, action in self._icons:
            action.setEnabled(document is not None or not icon.needs_agent)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.rail.setWindowTitle(_("Side panel"))
        self.rail.setAccessibleName(_("Side panel"))
        settings = _("Settings")
        for action, title in (*((action, icon.title()) for icon, action in self._icons), (self._settings, settings)):
            action.setText(title)
            action.setToolTip(title)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        for icon, action in self._icons:
            action.setIcon(theme.icon(icon.icon, "muted"))
        self._settings.setIcon(theme.icon("gear", "muted"))
        self._show()

    def _show(self) -> None:
        shown, theme = self._desk.side.shown, self._desk.theme()
        for icon, action in self._icons:
            action.setChecked(icon.page == shown)
            action.setIcon(theme.icon(icon.icon, "accent" if icon.page == shown else "muted"))

    def _clicked(self, icon: RailIcon, _on: bool = False) -> None:
        if self._desk.side.shown == icon.page:
            self._desk.side.close_panel()
        else:
            self._desk.actions[icon.action].trigger()
        self._show()

    def _focus_outline(self) -> None:
        self._desk.side.show_page("outline")
        self._outline.setFocus(Qt.FocusReason.ShortcutFocusReason)
