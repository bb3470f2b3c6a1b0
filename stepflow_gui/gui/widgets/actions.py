"""The window's actions: a row each, from which menus, shortcuts, palette and tool tips are made."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

Key = str | QKeySequence.StandardKey


class MenuPlace(NamedTuple):
    """Where in the menu bar: the id of the menu, and a position. A line parts one hundred from the next."""

    menu: str
    position: int


class ActionSpec(NamedTuple):
    """An action, declared by the feature that carries it out.

    `title` is asked for at use, so that it follows the language; `&` marks its mnemonic. Without `place` it is in no
    menu. `needs_agent`: off while no agent is open. `starts_off`: a feature enables it where it makes sense.
    `checked` makes it checkable and sets its initial state.
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


class MenuSpec(NamedTuple):
    """A menu below another one, which fills itself."""

    menu: QMenu
    place: MenuPlace


_LONG = 72  # characters of what an action would do

MENUS: tuple[tuple[str, Callable[[], str]], ...] = (  # the menu bar, in its order
    ("file", lambda: _("&File")),
    ("edit", lambda: _("&Edit")),
    ("steps", lambda: _("&Steps")),
    ("view", lambda: _("&View")),
    ("run", lambda: _("&Run")),
    ("problems", lambda: _("&Problems")),
    ("help", lambda: _("&Help")),
)
_ORDER = {menu: number for number, (menu, _title) in enumerate(MENUS)}


class Actions:
    """The window's QActions by id. `chosen` are the shortcuts that the person chose."""

    def __init__(self, owner: QObject, theme: Theme, chosen: Mapping[str, Sequence[str]] | None = None) -> None:
        self._owner = owner
        self._theme = theme
        self._chosen = chosen or {}
        self._specs: dict[str, ActionSpec] = {}
        self._actions: dict[str, QAction] = {}

    def add(self, specs: Iterable[ActionSpec]) -> None:
        """Make the actions of these rows. An id identifies one action of the window."""
        for spec in specs:
            assert spec.id not in self._specs, spec.id
            action = QAction(self._owner)
            action.setObjectName(spec.id)
            if spec.checked is not None:
                action.setCheckable(True)
                action.setChecked(spec.checked())
            action.setEnabled(not (spec.starts_off or spec.needs_agent))
            action.triggered.connect(lambda _checked=False, run=spec.run: run())
            self._specs[spec.id], self._actions[spec.id] = spec, action
            self._set_keys(spec)
            self.set_title(spec.id, "")
            if spec.icon:
                action.setIcon(self._theme.icon(spec.icon))

    def __getitem__(self, action_id: str) -> QAction:
        """The action of that id. Raises KeyError for an id that isn't declared."""
        return self._actions[action_id]

    @property
    def specs(self) -> list[ActionSpec]:
        """All rows, in the order of the menus; those in no menu last."""
        return sorted(self._specs.values(), key=_order)

    def default_keys(self, action_id: str) -> list[QKeySequence]:
        """The shortcuts that an action has as long as the person gives it no others."""
        keys = [QKeySequence(key) for key in self._specs[action_id].keys]
        return [key for at, key in enumerate(keys) if key not in keys[:at]]  # a usual key may be one named besides

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

    def enable(self, ids: Iterable[str], on: bool) -> None:
        """Switch actions on or off."""
        for action_id in ids:
            self._actions[action_id].setEnabled(on)

    def set_agent_open(self, on: bool) -> None:
        """Switch the actions that need an agent, and off those that only make sense in the course of things."""
        self.enable((spec.id for spec in self._specs.values() if spec.needs_agent), on)
        self.enable((spec.id for spec in self._specs.values() if spec.starts_off), False)

    def retranslate(self) -> None:
        """Give every action its title in the language in use, and a tool tip with its first shortcut."""
        for action_id in self._specs:
            self.set_title(action_id, "")

    def set_title(self, action_id: str, detail: str) -> None:
        """Add to an action's title what it would do just now; nothing where that is empty."""
        action, title = self._actions[action_id], self._specs[action_id].title()
        detail = detail if len(detail) <= _LONG else detail[: _LONG - 1] + "…"
        action.setText(f"{title}: {detail.replace('&', '&&')}" if detail else title)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        plain = f"{plain_title(title)}: {detail}" if detail else plain_title(title)
        action.setToolTip(f"{plain} ({keys})" if keys else plain)
        action.setIconText(plain_title(title))

    def set_theme(self, theme: Theme) -> None:
        """Tint the icons."""
        self._theme = theme
        for spec in self._specs.values():
            if spec.icon:
                self._actions[spec.id].setIcon(theme.icon(spec.icon))


def _order(spec: ActionSpec) -> tuple[int, int]:
    return (len(MENUS), 0) if spec.place is None else (_ORDER[spec.place.menu], spec.place.position)


def plain_title(title: str) -> str:
    """A title without its mnemonic and dots: “Open…” and the Japanese “(&O)” form alike."""
    return re.sub(r"\(&.\)|&", "", title).rstrip("…")
