"""Movements of TAKT pieces on the canvas: made and copied by name, rules asked for by condition and put in order."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu, QWidget

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.change import can_connect
from stepflow_gui.formats.changes import Change, Connect, MoveItem, RemoveField, RenameIntent, SetField
from stepflow_gui.formats.takt.eras import ENDS
from stepflow_gui.gui.document.movements import free_name, targets_of
from stepflow_gui.gui.editing.change_maker import ChangeMaker
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.menu_text import plain
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import element_index, join, parent, split

if TYPE_CHECKING:
    from stepflow_gui.gui.inspector.conditions.builder import ConditionBuilder

MANY = 40  # targets that a menu lists


def ask_condition(
    parent_widget: QWidget, flow: Flow, step: Step, title: str, text: str, answered: Callable[[str], object]
) -> "ConditionBuilder":
    """Ask for a rule's condition, by its parts."""
    from stepflow_gui.gui.inspector.conditions.about import about_rule_of
    from stepflow_gui.gui.inspector.conditions.builder import ConditionBuilder

    builder = ConditionBuilder(parent_widget, about_rule_of(flow, step), title, text)
    builder.answered.connect(answered)
    builder.open_at(QCursor.pos())
    return builder


def add_step_entries(menu: QMenu, editing: ChangeMaker, flow: Flow, step: Step, canvas: QWidget) -> None:
    """Entries about what a movement may get: a rule to another one, a sub-step."""
    fresh = menu.addMenu(_("&Rule to"))
    for target in targets_of(flow)[:MANY]:
        if target is not None and can_connect(flow, step.id, _("Done"), target) is None:
            _entry(fresh, plain(target), partial(ask_rule, canvas, editing, flow, step, target))
    fresh.setEnabled(bool(fresh.actions()))
    _entry(menu, _("&Sub-step…"), partial(_ask_sub, canvas, editing, flow, step))


def add_sub_step_entries(menu: QMenu, editing: ChangeMaker, flow: Flow, step: Step, canvas: QWidget) -> None:
    """Entries about each sub-step of a movement."""
    own = [sub for sub in step.subs if sub.pointer.startswith(step.pointer + "/")]
    if own:
        listed = menu.addMenu(_("S&ub-steps"))
        for sub in own[:MANY]:
            _add_sub_entries(listed.addMenu(plain(sub.id)), editing, flow, sub, canvas)


def add_rule_entries(
    menu: QMenu, editing: ChangeMaker, flow: Flow, step: Step, condition: str, canvas: QWidget
) -> None:
    """Entries about a rule: its condition, and its place in the order, which decides."""
    rule = step.transition(condition)
    if rule is None:
        return
    title = _("The condition of the rule “{condition}”").format(condition=condition)
    _entry(
        menu,
        _("&Change Condition…"),
        lambda: ask_condition(
            canvas, flow, step, title, rule.as_written, lambda new: editing.make(RenameIntent(step.id, condition, new))
        ),
    )
    holder = step.transitions_node
    count = len(holder.items()) if holder is not None else 0
    index = element_index(split(rule.pointer)[-1], count)
    for text, to in ((_("Try &Earlier"), -1), (_("Try La&ter"), 1)):
        change: Change | None = MoveItem(rule.pointer, index + to) if index is not None else None
        action = _entry(menu, text, partial(editing.make, change) if change else lambda: None)
        action.setEnabled(index is not None and 0 <= index + to < count)


def ask_rule(canvas: QWidget, editing: ChangeMaker, flow: Flow, step: Step, target: str | None) -> "ConditionBuilder":
    """Ask for the condition of a new rule, then make it."""
    title = _("When does {step} go to {target}?").format(step=step.id, target=target or ENDS[0])
    return ask_condition(
        canvas, flow, step, title, "", lambda condition: editing.make(Connect(step.id, condition, target))
    )


def _add_sub_entries(menu: QMenu, editing: ChangeMaker, flow: Flow, sub: Step, canvas: QWidget) -> None:
    """Entries about a sub-step: name, position, which determines which text of all() is its own, and removal."""
    _entry(menu, _("&Rename…"), partial(_ask_sub_name, canvas, editing, sub))
    holder = flow.document.tree.at(parent(sub.pointer))
    count = len(holder.items()) if holder is not None else 0
    index = element_index(split(sub.pointer)[-1], count) or 0
    for text, to in ((_("Move Up"), index - 1), (_("Move Down"), index + 1)):
        _entry(menu, text, partial(editing.make, MoveItem(sub.pointer, to))).setEnabled(0 <= to < count)
    _entry(menu, _("Remove"), partial(editing.make, RemoveField(sub.pointer)))


def _ask_sub_name(canvas: QWidget, editing: ChangeMaker, sub: Step) -> None:
    popup = AskPopup(canvas, _("Another name for {step}").format(step=sub.id), _("Name"), sub.id)
    popup.answered.connect(lambda name: editing.make(SetField(join(sub.pointer, "name"), name)))
    popup.open_at(QCursor.pos())


def _ask_sub(canvas: QWidget, editing: ChangeMaker, flow: Flow, step: Step) -> None:
    popup = AskPopup(canvas, _("A sub-step of {step}").format(step=step.id), _("Name"))
    names = {sub.id for sub in step.subs}

    def made(name: str) -> None:
        from stepflow_gui.gui.inspector.forms.piece_values import begun_value

        value = begun_value(flow, join(step.pointer, "parallel", 0))
        assert isinstance(value, dict)
        last = step.subs[-1].pointer if step.subs else ""
        where = join(parent(last), "-") if last.startswith(step.pointer) else join(step.pointer, "parallel", "-")
        editing.make(SetField(where, value | {"name": free_name(name, dict.fromkeys(names))}))

    popup.answered.connect(made)
    popup.open_at(QCursor.pos())


def _entry(menu: QMenu, title: str, act: Callable[[], object]) -> QAction:
    action = menu.addAction(title)
    action.triggered.connect(lambda _on=False: act())
    return action
