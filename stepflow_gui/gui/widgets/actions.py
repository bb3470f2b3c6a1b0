"""The window's actions: a row each, from which menus, shortcuts, palette and tool tips are made."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut, QShortcutEvent
from PySide6.QtWidgets import QMenu, QWidget

from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

Key = str | QKeySequence.StandardKey
Place = Literal["canvas", "outline", "source", "run", "text", ""]
"""Where the keyboard is: on one of the panels, in another field for text, or elsewhere."""


class MenuPlace(NamedTuple):
    """Where in the menus: the id of a menu, and a position in it. A line parts one hundred from the next."""

    menu: str
    position: int


class ActionSpec(NamedTuple):
    """An action, declared by the feature that carries it out.

    `title` is asked for at use, so it follows the language; `&` marks its mnemonic. `needs_agent`: off while no
    agent is open. `starts_off`: a feature enables it where it makes sense. `checked` makes it checkable and gives its
    state; `fits` tells whether it can be done just now: both are asked when a menu is shown. `where`: the panels of
    which one must have the keyboard for its keys to mean it; none: they hold in the whole window. `also` are further
    keys, each in one panel. `menu` opens below its entry; `run` is for its keys then.
    """

    id: str
    title: Callable[[], str]
    run: Callable[[], object]
    place: MenuPlace | None = None
    icon: str | None = None
    keys: tuple[Key, ...] = ()
    needs_agent: bool = False
    starts_off: bool = False
    checked: Callable[[], bool] | None = None
    fits: Callable[[], bool] | None = None
    where: tuple[Place, ...] = ()
    also: tuple[tuple[Place, str], ...] = ()
    menu: QMenu | None = None


class LocalUse(NamedTuple):
    """What an action does while the keyboard is in a place, in place of what it does elsewhere.

    Where it doesn't fit nothing can be done, or with `or_usual` what is done elsewhere.
    """

    action: str
    place: Place
    run: Callable[[], object]
    fits: Callable[[], bool] = lambda: True
    or_usual: bool = False


class MenuSpec(NamedTuple):
    """A menu below another one, which fills itself."""

    menu: QMenu
    place: MenuPlace


_LONG = 72  # characters of what an action would do

MENUS: tuple[tuple[str, Callable[[], str]], ...] = (  # the menu bar, in its order
    ("file", lambda: _("&File")),
    ("edit", lambda: _("&Edit")),
    ("view", lambda: _("&View")),
    ("flow", lambda: _("F&low")),
    ("run", lambda: _("&Run")),
    ("problems", lambda: _("&Problems")),
    ("help", lambda: _("&Help")),
)
SUBMENUS: Mapping[str, tuple[MenuPlace, Callable[[], str]]] = {  # menus below those, each with its place
    "layout": (MenuPlace("view", 5), lambda: _("La&yout")),
    "focus": (MenuPlace("view", 510), lambda: _("Focu&s")),
    "direction": (MenuPlace("flow", 105), lambda: _("Di&rection")),
    "group-by": (MenuPlace("flow", 106), lambda: _("Group &by")),
    "align": (MenuPlace("flow", 130), lambda: _("Ali&gn")),
    "group-problems": (MenuPlace("problems", 310), lambda: _("&Group by")),
}
SETTINGS = "settings"  # the menu of what stands on the page of settings instead
_MENU_ORDER = {menu: number for number, (menu, _title) in enumerate(MENUS)}
_WHOLE = Qt.ShortcutContext.WidgetWithChildrenShortcut


class _Action(QAction):
    """`by_key(keys)`: it was done, by its keys."""

    by_key = Signal(QKeySequence)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Shortcut and isinstance(event, QShortcutEvent) and not event.isAmbiguous():
            done = super().event(event)
            self.by_key.emit(event.key())
            return done
        return super().event(event)


class Actions(QObject):
    """The window's QActions by id. `chosen` are the shortcuts that the person chose, `panels` the places of keys.

    `by_key(id, keys)`: an action was done, by its keys.
    """

    by_key = Signal(str, QKeySequence)

    def __init__(
        self,
        owner: QWidget,
        theme: Theme,
        chosen: Mapping[str, Sequence[str]] | None = None,
        panels: Mapping[Place, QWidget] | None = None,
    ) -> None:
        super().__init__(owner)
        self._owner = owner
        self._theme = theme
        self._chosen = chosen or {}
        self._panels = panels or {}
        self.place: Callable[[], Place] = lambda: ""  # where the keyboard is
        self._specs: dict[str, ActionSpec] = {}
        self._actions: dict[str, QAction] = {}
        self._local: dict[tuple[str, Place], LocalUse] = {}
        self._agent_open = False

    def add(self, specs: Iterable[ActionSpec], uses: Iterable[LocalUse] = ()) -> None:
        """Make the actions of these rows, with other uses of actions. An id identifies one action of the window."""
        for spec in specs:
            assert spec.id not in self._specs, spec.id
            action = _Action(self)
            action.setObjectName(spec.id)
            if spec.checked is not None:
                action.setCheckable(True)
                action.setIconVisibleInMenu(False)  # where the mark is to be seen
                action.setChecked(spec.checked())
            if spec.menu is not None:
                action.setMenu(spec.menu)
            action.setEnabled(not (spec.starts_off or spec.needs_agent))
            action.triggered.connect(partial(self._run, spec))
            action.by_key.connect(partial(self.by_key.emit, spec.id))
            self._specs[spec.id], self._actions[spec.id] = spec, action
            self._bind(spec, action)
            self._set_keys(spec)
            self.set_title(spec.id, "")
            if spec.icon:
                action.setIcon(self._theme.icon(spec.icon))
        for use in uses:
            assert (use.action, use.place) not in self._local, use
            self._local[use.action, use.place] = use

    def __getitem__(self, action_id: str) -> QAction:
        """The action of that id. Raises KeyError for an id that isn't declared."""
        return self._actions[action_id]

    @property
    def specs(self) -> list[ActionSpec]:
        """All rows, in the order of the menus; those of the settings last."""
        return sorted(self._specs.values(), key=_order)

    def default_keys(self, action_id: str) -> list[QKeySequence]:
        """The shortcuts that an action has as long as the person gives it no others."""
        keys = [QKeySequence(key) for key in self._specs[action_id].keys]
        # A usual key may be one named besides, or there is none on this system.
        return [key for at, key in enumerate(keys) if not key.isEmpty() and key not in keys[:at]]

    def meet(self, one: str, other: str) -> bool:
        """Whether keys of both actions are heard in one place."""
        first, second = self._specs[one].where, self._specs[other].where
        return not first or not second or bool({*first} & {*second})

    def chosen_by_user(self, action_id: str) -> bool:
        """Whether the person gave the action its keys."""
        return action_id in self._chosen

    def set_keys(self, chosen: Mapping[str, Sequence[str]]) -> None:
        """Give the actions the shortcuts that the person chose for them, and all others their own."""
        self._chosen = chosen
        for spec in self._specs.values():
            self._set_keys(spec)
        self.retranslate()

    def _set_keys(self, spec: ActionSpec) -> None:
        chosen = self._chosen.get(spec.id)
        keys = self.default_keys(spec.id) if chosen is None else [QKeySequence(key) for key in chosen]
        self._actions[spec.id].setShortcuts(keys)

    def _bind(self, spec: ActionSpec, action: QAction) -> None:
        """Have the keys heard in their places, and in the window also while its menu bar is hidden."""
        if not spec.where:
            self._owner.addAction(action)
        for place in spec.where:
            action.setShortcutContext(_WHOLE if "source" in spec.where else Qt.ShortcutContext.WidgetShortcut)
            if place in self._panels:
                self._panels[place].addAction(action)
        for place, key in spec.also:
            if place in self._panels:
                shortcut = QShortcut(QKeySequence(key), self._panels[place])
                shortcut.setContext(_WHOLE if place == "source" else Qt.ShortcutContext.WidgetShortcut)
                shortcut.activated.connect(partial(self._also, spec.id, QKeySequence(key)))

    def _also(self, action_id: str, keys: QKeySequence) -> None:
        self._actions[action_id].trigger()
        self.by_key.emit(action_id, keys)

    def _run(self, spec: ActionSpec, _checked: bool = False) -> None:
        use = self._use(spec.id)
        (use.run if use is not None else spec.run)()

    def _use(self, action_id: str) -> LocalUse | None:
        use = self._local.get((action_id, self.place()))
        return None if use is not None and use.or_usual and not use.fits() else use

    def fits(self, action_id: str) -> bool:
        """Whether an action can be chosen just now, where the keyboard is."""
        spec, use = self._specs[action_id], self._use(action_id)
        if spec.needs_agent and not self._agent_open:
            return False
        if use is not None:
            return use.fits()
        return spec.fits() if spec.fits is not None else self._actions[action_id].isEnabled()

    def ask(self, ids: Iterable[str]) -> None:
        """Show of actions in a menu that opens whether they are checked, and fit just now."""
        for action_id in ids:
            spec, action = self._specs[action_id], self._actions[action_id]
            if spec.checked is not None:
                action.setChecked(spec.checked())
            if spec.fits is not None:
                action.setEnabled(self.fits(action_id))

    def release(self, ids: Iterable[str]) -> None:
        """The menu is closed: keys are heard again, whatever is selected then."""
        self.enable(
            (
                each
                for each in ids
                if self._specs[each].fits and (self._agent_open or not self._specs[each].needs_agent)
            ),
            True,
        )

    def enable(self, ids: Iterable[str], on: bool) -> None:
        """Switch actions on or off."""
        for action_id in ids:
            self._actions[action_id].setEnabled(on)

    def set_agent_open(self, on: bool) -> None:
        """Switch the actions that need an agent, and off those that only make sense in the course of things."""
        self._agent_open = on
        self.enable((spec.id for spec in self._specs.values() if spec.needs_agent), on)
        self.enable((spec.id for spec in self._specs.values() if spec.starts_off), False)

    def retranslate(self) -> None:
        """Give every action its title in the language in use, and a tool tip with its first shortcut."""
        for action_id in self._specs:
            self.set_title(action_id, "")

    def set_title(self, action_id: str, detail: str) -> None:
        """Add to an action's title what it would do just now; nothing where that is empty.

        An action without a title doesn't exist for what is open.
        """
        action, title = self._actions[action_id], self._specs[action_id].title()
        action.setVisible(bool(title))
        detail = detail if len(detail) <= _LONG else detail[: _LONG - 1] + "…"
        text = f"{title}: {detail.replace('&', '&&')}" if detail else title
        keys = shown_keys(action.shortcut())
        action.setText(f"{text}\t{keys}" if action.shortcut().count() > 1 else text)
        plain = f"{plain_title(title)}: {detail}" if detail else plain_title(title)
        action.setToolTip(f"{plain} ({keys})" if keys else plain)
        action.setIconText(plain_title(title))

    def set_theme(self, theme: Theme) -> None:
        """Tint the icons."""
        self._theme = theme
        for spec in self._specs.values():
            if spec.icon:
                self._actions[spec.id].setIcon(theme.icon(spec.icon))


def whole_title(spec: ActionSpec) -> str:
    """An action's title after that of the menu below a menu in which it is."""
    title = plain_title(spec.title())
    if spec.place is None or spec.place.menu not in SUBMENUS:
        return title
    return _("{menu}: {action}").format(menu=plain_title(SUBMENUS[spec.place.menu][1]()), action=title)


def shown_keys(keys: QKeySequence) -> str:
    """Keys as they are shown: those of two presses parted by a space."""
    return keys.toString(QKeySequence.SequenceFormat.NativeText).replace(", ", " ")


def _order(spec: ActionSpec) -> tuple[int, int, int]:
    if spec.place is None or spec.place.menu == SETTINGS:
        return len(MENUS), 0, spec.place.position if spec.place else 0
    above, _title = SUBMENUS.get(spec.place.menu, (None, None))
    if above is not None:
        return _MENU_ORDER[above.menu], above.position, spec.place.position
    return _MENU_ORDER[spec.place.menu], spec.place.position, 0


def plain_title(title: str) -> str:
    """A title without its mnemonic and dots: “Open…” and the Japanese “(&O)” form alike."""
    return re.sub(r"\(&.\)|&", "", title).rstrip("…")
