"""Changes to an agent, asked of its format."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.climpt import changes as climpt
from stepflow_gui.formats.climpt.changes import transitions
from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS, ROUTED_FORMATS
from stepflow_gui.formats.edits import Edits, Plan, Refusal
from stepflow_gui.formats.names import format_name
from stepflow_gui.messages import _


def plan(files: AgentFiles, change: Change) -> Plan | Refusal:
    """Work a change out: the text edits of all files that it concerns, or why it isn't made. Applies nothing."""
    flow = files.flow
    if climpt.is_beside(flow, change):
        return climpt.plan_beside(files, change)
    if flow.format == "checks":
        from stepflow_gui.formats.checks import changes as checks  # rare

        return checks.plan(files, change)
    if flow.format == "takt":
        from stepflow_gui.formats.takt import changes as takt  # rare

        return takt.plan(files, change)
    if flow.format not in REGISTRY_FORMATS:
        return Refusal(_("{format}: only the text of such files can be edited").format(format=format_name(flow.format)))
    return climpt.plan(files, change)


def can(files: AgentFiles, change: Change) -> Refusal | None:
    """Why a change isn't made; None where it can be."""
    found = plan(files, change)
    return found if isinstance(found, Refusal) else None


def can_connect(flow: Flow, step_id: str, intent: str, target: str | None) -> Refusal | None:
    """Why an intent of a step can't go to `target` (None: the end); None where it can."""
    if flow.format == "checks":
        from stepflow_gui.formats.checks.changes import outcomes

        return outcomes.can_connect(flow, step_id, intent, target)
    if flow.format == "takt":
        from stepflow_gui.formats.takt.changes import rules

        return rules.can_connect(flow, step_id, intent, target)
    return _unrouted(flow) or transitions.can_connect(flow, step_id, intent, target)


def retarget(flow: Flow, step_id: str, intent: str, case: str | None, target: str | None) -> Edits | Refusal:
    """Point an intent of a step, or one case of its conditional transition, to a step or to the end (None)."""
    if flow.format == "checks":
        from stepflow_gui.formats.checks.changes import outcomes

        return outcomes.set_target(flow, step_id, intent, target)
    if flow.format == "takt":
        from stepflow_gui.formats.takt.changes import rules

        return rules.set_target(flow, step_id, intent, target)
    return _unrouted(flow) or transitions.retarget(flow, step_id, intent, case, target)


def _unrouted(flow: Flow) -> Refusal | None:
    return (
        None
        if flow.format in ROUTED_FORMATS
        else Refusal(_("Files of this format have no transitions to point elsewhere"))
    )
