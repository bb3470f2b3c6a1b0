"""What the keyboard and the menus ask for while a sub-step is selected: it is meant itself, not what it is in."""

from typing import Protocol

from stepflow_gui.formats.changes import Change, MoveItem, RemoveField, SetField
from stepflow_gui.gui.canvas.hand.inline_edit import edit_in_place
from stepflow_gui.gui.canvas.hand.keys import choose_part
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.movements import sub_step_at
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join, parent


class PartEditing(Protocol):
    """What makes changes, and refuses them."""

    def make(self, change: Change) -> bool:
        """Make a change; False where it is refused, which is shown."""

    def refusal(self, change: Change) -> str | None:
        """Why a change can't be made; None where it can."""


def order_part(editing: PartEditing, desk: Desk, part: str, to: int) -> None:
    """Put the sub-step at a pointer at another place among its siblings; it stays selected."""
    step = desk.canvas.graph.selected
    if editing.make(MoveItem(part, to)) and step is not None:
        choose_part(desk.canvas, step, join(parent(part), to))


def command_of_part(editing: PartEditing, desk: Desk, document: Document, name: str) -> None:
    """Do a command about the sub-step that is selected on the canvas."""
    graph = desk.canvas.graph
    step = document.last_valid.flow.steps.get(graph.selected or "")
    sub = sub_step_at(step, graph.part)
    if step is None or sub is None:
        return
    field = join(sub.pointer, "name")
    if name == "rename":
        edit_in_place(
            *(desk.canvas, step.id, sub.pointer, sub.id, lambda new: editing.make(SetField(field, new))),
            why_not=lambda new: editing.refusal(SetField(field, new)),
        )
    elif name == "remove":
        if editing.make(RemoveField(sub.pointer)):
            desk.canvas.choose_step(step.id)
    else:
        desk.notices.notice(_("A sub-step can’t be copied by itself: select what it is in"))
