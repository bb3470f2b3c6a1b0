"""What helps to fill in a line of a form: a small window that gives its value, or offers of what could be added."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.text.json.tree import JsonValue


class Help(NamedTuple):
    """The button beside a line: its sign, and its description."""

    sign: str
    title: str


class FieldOffer(NamedTuple):
    """An entry of the menu of what can be added: `ask` asks the person over a widget.

    It gives the change with the place to go on at, why what they chose can't be, or None where they chose nothing.
    """

    title: str
    ask: Callable[[QWidget], tuple[Change, str] | Refusal | None]


Enter = Callable[[JsonValue], object]
"""Takes the value that the person came to."""
