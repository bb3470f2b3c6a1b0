"""Changes to a climpt registry as text edits: nobody applies anything here."""

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats.climpt import insertion
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.edits import Edits, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json_tree import Node


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
    text = flow.document.source.text
    if case is not None:
        return _case(text, rule, case, target)
    if rule.cases:
        reason = _("“{intent}” is conditional: choose the case that should lead elsewhere")
        return Refusal(reason.format(intent=rule.intent))
    node = rule.node.get("target")
    if node is not None:
        return _replaced(text, node, target)
    if rule.node.members():
        return [insertion.member(text, rule.node, "target", insertion.literal(text, target))]
    return [TextEdit(rule.node.start, rule.node.end, insertion.rule(text, target, None))]


def _case(text: str, rule: Transition, case: str, target: str | None) -> list[TextEdit] | Refusal:
    targets = rule.node.get("targets")
    if targets is None or targets.kind != "object":
        return Refusal(_("“{intent}” is not conditional").format(intent=rule.intent))
    node = targets.get(case)
    if node is not None:
        return _replaced(text, node, target)
    return [insertion.member(text, targets, case, insertion.literal(text, target))]


def _without_rule(
    flow: Flow, step: Step, intent: str, case: str | None, target: str | None
) -> list[TextEdit] | Refusal:
    if case is not None:
        return Refusal(_("“{intent}” is not conditional").format(intent=intent))
    text = flow.document.source.text
    holder = step.transitions_node
    if holder is not None and holder.kind == "object":
        neighbour = next((rule.node for rule in reversed(step.transitions) if rule.node.member("target")), None)
        return [insertion.member(text, holder, intent, insertion.rule(text, target, neighbour))]
    rules = insertion.nested(text, step.node, intent, insertion.rule(text, target, None))
    if holder is not None:
        return [TextEdit(holder.start, holder.end, rules)]
    return [insertion.member(text, step.node, "transitions", rules)]


def _replaced(text: str, node: Node, target: str | None) -> list[TextEdit]:
    written = insertion.literal(text, target)
    return [] if node.value == target else [TextEdit(node.start, node.end, written)]
