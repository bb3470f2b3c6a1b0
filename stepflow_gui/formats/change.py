"""Changes to a flow, asked of its format."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt import change as climpt
from stepflow_gui.formats.climpt.vocabulary import ROUTED_FORMATS
from stepflow_gui.formats.edits import Edits, Refusal
from stepflow_gui.messages import _


def can_connect(flow: Flow, step_id: str, intent: str, target: str | None) -> Refusal | None:
    """Why an intent of a step can't lead to `target` (None: the end); None where it can."""
    return _unknown(flow) or climpt.can_connect(flow, step_id, intent, target)


def retarget(flow: Flow, step_id: str, intent: str, case: str | None, target: str | None) -> Edits | Refusal:
    """Point an intent of a step, or one case of its conditional transition, to a step or to the end (None)."""
    return _unknown(flow) or climpt.retarget(flow, step_id, intent, case, target)


def _unknown(flow: Flow) -> Refusal | None:
    return (
        None
        if flow.format in ROUTED_FORMATS
        else Refusal(_("Files of this format have no transitions to point elsewhere"))
    )
