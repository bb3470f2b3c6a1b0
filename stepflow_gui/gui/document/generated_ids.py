"""Steps that are made by name: movements, and steps with checks, whose ids tell nothing and stay."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.changes import AddStep, RemoveStep, TransitionKey
from stepflow_gui.formats.checks.ids import new_id
from stepflow_gui.gui.canvas.hand.gestures import CreateStep
from stepflow_gui.gui.document.step_clipboard import copy_of, free_id
from stepflow_gui.gui.editing.movements import free_name, is_piece
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.messages import _


def are_hashed(flow: Flow) -> bool:
    """Whether the steps of a flow have such ids."""
    return flow.format == "checks"


def shown_name(flow: Flow, step_id: str) -> str:
    """What a step is called in a list: by its name with the id where the id tells nothing."""
    step = flow.steps.get(step_id)
    if step is None or not are_hashed(flow) or step.title == step_id:
        return step_id
    return _("{name} ({id})").format(name=step.title, id=step_id)


def id_of_copy(flow: Flow, step: Step, taken: Mapping[str, object]) -> str:
    """A free id for a copy of a step."""
    if are_hashed(flow):
        return new_id(step.title, taken)
    if is_piece(flow):
        return free_name(f"{step.id}_copy", taken)
    return free_id(copy_of(step.id), taken)


def addition(flow: Flow, name: str, wanted: CreateStep) -> AddStep:
    """The change that makes a step of that name, led to as it is wanted."""
    way = None
    if wanted.step is not None and wanted.intent is not None:
        way = TransitionKey(wanted.step, wanted.intent)
    step = name if is_piece(flow) else new_id(name, flow.steps)
    return AddStep(step, "work", name, after=wanted.step, incoming=way)


def ask_name(parent: QWidget, at: QPoint, title: str, made: Callable[[str], object]) -> AskPopup:
    """Ask for the name of a new step at a global point."""
    popup = AskPopup(parent, title, _("Name"))
    popup.answered.connect(made)
    popup.open_at(at)
    return popup


def bridged(flow: Flow, step_id: str) -> RemoveStep | None:
    """The removal after which what led to a step leads on as its passed check, or first rule, did; None: nowhere."""
    step = flow.steps.get(step_id)
    rule = step.transition("pass") if step is not None and are_hashed(flow) else None
    if step is not None and is_piece(flow):
        rule = next((rule for rule in step.transitions if rule.target is not None), None)
    target = rule.target.value if rule is not None and rule.target is not None else None
    return RemoveStep(step_id, retarget_to=target) if target in flow.steps and target != step_id else None


def begins(flow: Flow, step_id: str) -> bool:
    """Whether a run begins with a step."""
    return any(entry.target is not None and entry.target.value == step_id for entry in flow.entries)
