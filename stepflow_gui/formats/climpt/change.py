"""Changes to a climpt registry as text edits: nobody applies anything here."""

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.edits import Edits, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text import json_edit
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json_tree import JsonTree
from stepflow_gui.text.pointer import join


def can_connect(flow: Flow, step_id: str, intent: str, target: str | None) -> Refusal | None:
    """Why an intent of a step can't lead to `target` (None: the end); None where it can."""
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
    step = flow.steps[step_id]
    rule = step.transition(intent)
    edits = _without_rule(flow, step, intent, case, target) if rule is None else _with_rule(flow, rule, case, target)
    return edits if isinstance(edits, Refusal) else {flow.document.path: edits} if edits else {}


def _with_rule(flow: Flow, rule: Transition, case: str | None, target: str | None) -> list[TextEdit] | Refusal:
    tree = flow.document.tree
    if case is not None:
        return _case(tree, rule, case, target)
    if rule.cases:
        reason = _("“{intent}” is conditional: choose the case that should lead elsewhere")
        return Refusal(reason.format(intent=rule.intent))
    if rule.node.member("target"):
        return json_edit.set_value(tree, join(rule.pointer, "target"), target)
    if rule.node.members():
        return json_edit.insert_member(tree, rule.pointer, "target", target)
    return json_edit.set_value(tree, rule.pointer, {"target": target})


def _case(tree: JsonTree, rule: Transition, case: str, target: str | None) -> list[TextEdit] | Refusal:
    targets = rule.node.get("targets")
    if targets is None or targets.kind != "object":
        return Refusal(_("“{intent}” is not conditional").format(intent=rule.intent))
    where = join(rule.pointer, "targets")
    if targets.member(case):
        return json_edit.set_value(tree, join(where, case), target)
    return json_edit.insert_member(tree, where, case, target)


def _without_rule(
    flow: Flow, step: Step, intent: str, case: str | None, target: str | None
) -> list[TextEdit] | Refusal:
    if case is not None:
        return Refusal(_("“{intent}” is not conditional").format(intent=intent))
    tree = flow.document.tree
    where = join(step.pointer, "transitions")
    rule = {"target": target}
    if step.transitions_node is None:
        return json_edit.insert_member(tree, step.pointer, "transitions", {intent: rule})
    if step.transitions_node.kind == "object":
        return json_edit.insert_member(tree, where, intent, rule)
    return json_edit.set_value(tree, where, {intent: rule})
