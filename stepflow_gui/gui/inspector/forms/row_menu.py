"""The menus of a row: what can be done with its line, and what can be added to it."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtWidgets import QMenu

from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.fields import Field
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.gui.inspector.forms.form_target import FormTarget
from stepflow_gui.gui.inspector.forms.row_model import RowModel
from stepflow_gui.gui.inspector.forms.wording import name_of_form
from stepflow_gui.messages import _


class RowActions(NamedTuple):
    """What the entries of a menu call."""

    ask: Callable[[Change], None]
    add_field: Callable[[str, Field], None]
    ask_key: Callable[[], None]
    edit_key: Callable[[], None]
    follow: Callable[[str], None]


def fill(menu: QMenu, subject: FormTarget, shown: RowModel, length: int, doings: RowActions) -> None:
    """What can be done with a line; `length` is that of the list that it is an element of."""
    line = shown.line
    if line.names == "step" and isinstance(line.value, str) and line.value in subject.steps():
        target = line.value
        menu.addAction(_("Go to “{step}”").format(step=target), lambda: doings.follow(target))
    if line.shape is not None and line.shape.kind == "either":
        for number, shape in enumerate(line.shape.either):
            if number != line.form:
                change = subject.change_form(line, number)
                text = _("Change to the form with “{field}”").format(field=name_of_form(shape))
                menu.addAction(text, partial(doings.ask, change))
    for text, change in subject.rewritings(line):
        menu.addAction(text, partial(doings.ask, change))
    if line.role == "item":
        index = int(line.pointer.rpartition("/")[2])
        up = menu.addAction(_("Move Up"), lambda: doings.ask(subject.move(line, -1)))
        down = menu.addAction(_("Move Down"), lambda: doings.ask(subject.move(line, 1)))
        up.setEnabled(index > 0)
        down.setEnabled(index + 1 < length)
    if line.role == "entry":
        menu.addAction(_("Rename Key"), doings.edit_key)
    menu.addAction(_("Remove “{field}”").format(field=line.key), lambda: doings.ask(subject.remove(line)))


def fill_add(menu: QMenu, line: FormField, shown: RowModel, doings: RowActions) -> None:
    """The fields that a line's object, or a part of the form, can have besides."""
    for pointer, field in shown.addable:
        text = f"{field.name}  —  {field.meaning()}".replace("&", "&&")
        menu.addAction(text, partial(doings.add_field, pointer, field))
    if line.grows is not None:
        menu.addSeparator()
        menu.addAction(_("Another Key…"), doings.ask_key)
