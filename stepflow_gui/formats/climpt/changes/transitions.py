"""Transitions: their allowed targets, making them, changing their targets, removing them."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import Connect, Disconnect, Retarget
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.climpt.changes import intents
from stepflow_gui.formats.climpt.changes.draft import Draft, step_of
from stepflow_gui.formats.climpt.changes.rules import no_case, set_target
from stepflow_gui.formats.edits import Edits, Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.pointer import join


def can_connect(flow: Flow, step_id: str, intent: str, target: str | None) -> Refusal | None:
    """Why an intent of a step can't go to `target` (None: the end); None where it can."""
    reason = why_not(flow, step_id, intent, target)
    return Refusal(reason) if reason else None


def retarget(flow: Flow, step_id: str, intent: str, case: str | None, target: str | None) -> Edits | Refusal:
    """Point an intent of a step to another step, or to the end (None).

    Of a transition that is there one value is replaced. A rule, or a case of a conditional rule, that is missing is
    inserted as its neighbours are written. Refused are targets that the step may not reach, and pointing a conditional
    rule elsewhere as a whole.
    """
    refused = can_connect(flow, step_id, intent, target)
    if refused:
        return refused
    edits = set_target(flow, flow.steps[step_id], intent, case, target)
    return edits if isinstance(edits, Refusal) else {flow.document.path: edits} if edits else {}


def retarget_rule(files: AgentFiles, change: Retarget) -> Plan | Refusal:
    """A new target for a transition."""
    refused = can_connect(files.flow, change.step, change.intent, change.target)
    if refused:
        return refused
    edits = set_target(files.flow, files.flow.steps[change.step], change.intent, change.case, change.target)
    return edits if isinstance(edits, Refusal) else _retargeted(files, change.step, change.intent, change.target, edits)


def connect(files: AgentFiles, change: Connect) -> Plan | Refusal:
    """A transition for an intent, which the gate and the schema get to know where that is asked for."""
    flow = files.flow
    reason = why_not(flow, change.step, change.intent, change.target, allowed=True)
    if reason:
        return Refusal(reason)
    step = flow.steps[change.step]
    if step.gate and not step.gate.allows(change.intent) and not change.allow:
        text = _("“{step}” doesn’t allow the intent “{intent}”")
        return Refusal(text.format(step=step.id, intent=change.intent), options=("allow",))
    edits = set_target(flow, step, change.intent, None, change.target)
    if isinstance(edits, Refusal):
        return edits
    draft = Draft(files)
    draft.edit(draft.registry, edits)
    if change.allow:
        refused = intents.allow(draft, step, change.intent, shared=change.shared)
        if refused:
            return refused
    return draft.plan(_title(change.step, change.intent, change.target))


def disconnect(files: AgentFiles, change: Disconnect) -> Plan | Refusal:
    """A transition, or one case of it, taken out."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    rule = step.transition(change.intent)
    if rule is None:
        return Refusal(_("“{step}” has no transition for “{intent}”").format(step=step.id, intent=change.intent))
    draft = Draft(files)
    where = rule.pointer
    if change.case is not None:
        targets = rule.node.get("targets")
        if targets is None or targets.member(change.case) is None:
            return no_case(rule, change.case)
        if len(targets.members()) == 1:
            text = _("“{case}” is the only case of “{intent}”: make the transition unconditional, or remove it")
            return Refusal(text.format(case=change.case, intent=rule.intent))
        where = join(rule.pointer, "targets", change.case)
    draft.edit(draft.registry, json_edit.remove(draft.registry.tree, where))
    return draft.plan(_("Remove “{intent}” of {step}").format(intent=change.intent, step=step.id))


def _retargeted(files: AgentFiles, step: str, intent: str, target: str | None, edits: list[TextEdit]) -> Plan:
    draft = Draft(files)
    draft.edit(draft.registry, edits)
    return draft.plan(_title(step, intent, target))


def _title(step: str, intent: str, target: str | None) -> str:
    text = _("Connect “{intent}” of {step} to {target}")
    return text.format(intent=intent, step=step, target=target or _("the end"))
