"""Hints shown while a transition is drawn: agents have intents and steps, pieces rules and movements."""

from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.tables import table_of_flow
from stepflow_gui.messages import _


class DragTexts(NamedTuple):
    """Over a port and over its +; while one is drawn from either; where a new one would lead or end."""

    port: str  # holds {intent}
    plus: str
    moving: str  # holds {intent}
    moving_new: str
    new_ends: str
    new_target: str  # holds {step}


def drag_texts(flow: Flow | None) -> DragTexts:
    """Those of the kind of a flow, in the language in use."""
    if flow is None or flow.format != "takt":
        return _of_agent()
    return _of_piece() if table_of_flow(flow)[1] == "piece" else _of_workflow()


def _of_agent() -> DragTexts:
    return DragTexts(
        _("Drag “{intent}” to the step that it should go to"),
        _("Drag to the step that a new intent should go to"),
        _("Drag “{intent}” to a step or to the end, or drop here for a new step; Esc cancels"),
        _("Drag to a step or to the end, then choose the intent that goes there; Esc cancels"),
        _("A new intent ends the flow"),
        _("A new intent goes to {step}"),
    )


def _of_piece() -> DragTexts:
    return DragTexts(
        _("Drag the rule “{intent}” to the movement that it should go to"),
        _("Drag to the movement that a new rule should go to"),
        _("Drag the rule “{intent}” to a movement or to an end, or drop here for a new movement; Esc cancels"),
        _("Drag to a movement or to an end, then enter the condition of the new rule; Esc cancels"),
        _("A new rule ends the piece"),
        _("A new rule goes to {step}"),
    )


def _of_workflow() -> DragTexts:
    return DragTexts(
        _("Drag the rule “{intent}” to the step that it should go to"),
        _("Drag to the step that a new rule should go to"),
        _("Drag the rule “{intent}” to a step or to an end, or drop here for a new step; Esc cancels"),
        _("Drag to a step or to an end, then enter the condition of the new rule; Esc cancels"),
        _("A new rule ends the workflow"),
        _("A new rule goes to {step}"),
    )
