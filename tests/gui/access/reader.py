"""What a screen reader meets in a window: every widget that it is notified of."""

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell

_CHILDREN = 200  # of a list, so that long ones don't take all the time
_ROLE = QAccessible.Role
_GROUPS = frozenset({_ROLE.Window, _ROLE.Pane, _ROLE.Dialog, _ROLE.PopupMenu, _ROLE.ToolBar, _ROLE.MenuBar})
INTERACTIVE = frozenset(
    {
        *(_ROLE.Button, _ROLE.ButtonMenu, _ROLE.CheckBox, _ROLE.RadioButton, _ROLE.ComboBox, _ROLE.EditableText),
        *(_ROLE.Slider, _ROLE.SpinBox, _ROLE.PageTab, _ROLE.Link, _ROLE.MenuItem, _ROLE.ListItem, _ROLE.TreeItem),
        *(_ROLE.List, _ROLE.Tree, _ROLE.Table),
    }
)
_CELLS = frozenset({_ROLE.Cell, _ROLE.TreeItem, _ROLE.ListItem})


class Heard(NamedTuple):
    """One thing that is on the screen, in the panel, window or dialog that it belongs to."""

    role: QAccessible.Role
    name: str
    description: str
    focusable: bool
    widget: str
    group: str
    inside: str  # a list or table of that name

    @property
    def wants_name(self) -> bool:
        """Whether a person can do something with it."""
        return self.focusable or self.role in INTERACTIVE

    @property
    def is_cell(self) -> bool:
        """Whether it is an entry of a list, whose texts are the person's own."""
        return self.role in _CELLS


def heard(widget: QWidget) -> list[Heard]:
    """All that is shown in a widget."""
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return list(_heard(interface, "", ""))


def said(things: list[Heard], role: QAccessible.Role) -> list[str]:
    """The names of all things of one role."""
    return [thing.name for thing in things if thing.role is role]


def settle(qtbot: QtBot, shell: Shell) -> None:
    """Wait until all of the agent in front is read, drawn and linted."""
    window = shell.current
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)


def is_set(state: QAccessible.State, flag: str) -> bool:
    """Whether a flag of a state is set."""
    return bool(getattr(state, flag))  # the stubs don't know them


def _heard(interface: QAccessibleInterface, group: str, inside: str) -> Iterator[Heard]:
    state, role = interface.state(), interface.role()
    if is_set(state, "invisible"):
        return
    name = interface.text(QAccessible.Text.Name)
    if role in _GROUPS:
        group = f"{group}/{name}"
    thing = interface.object()
    widget = type(thing).__name__ if thing is not None else ""
    description = interface.text(QAccessible.Text.Description)
    yield Heard(role, name, description, is_set(state, "focusable"), widget, group, inside)
    if role in {_ROLE.List, _ROLE.Tree, _ROLE.Table}:
        inside = name
    for number in range(min(interface.childCount(), _CHILDREN)):
        child = interface.child(number)
        if child is not None:
            yield from _heard(child, group, inside)
