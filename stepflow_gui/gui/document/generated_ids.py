"""Steps that are made by name: movements, and steps with checks, whose ids mean nothing and stay."""

from collections.abc import Mapping

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.changes import RemoveStep
from stepflow_gui.formats.checks.ids import new_id
from stepflow_gui.gui.document.movements import free_name, is_piece
from stepflow_gui.gui.document.step_clipboard import copy_of, free_id
from stepflow_gui.messages import _


def are_hashed(flow: Flow) -> bool:
    """Whether the steps of a flow have such ids."""
    return flow.format == "checks"


def shown_name(flow: Flow, step_id: str) -> str:
    """What a step is called in a list: by its name with the id where the id means nothing."""
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


def bridged(flow: Flow, step_id: str) -> RemoveStep | None:
    """The removal that connects a step's sources to the target of its passed check, or first rule; None: no target."""
    step = flow.steps.get(step_id)
    rule = step.transition("pass") if step is not None and are_hashed(flow) else None
    if step is not None and is_piece(flow):
        rule = next((rule for rule in step.transitions if rule.target is not None), None)
    target = rule.target.value if rule is not None and rule.target is not None else None
    return RemoveStep(step_id, retarget_to=target) if target in flow.steps and target != step_id else None


def begins(flow: Flow, step_id: str) -> bool:
    """Whether a run begins with a step."""
    return any(entry.target is not None and entry.target.value == step_id for entry in flow.entries)
