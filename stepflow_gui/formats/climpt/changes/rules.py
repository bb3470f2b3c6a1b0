"""A step's rules of transition as text: pointing one elsewhere, writing one that is missing."""

from collections.abc import Collection, Mapping

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.pointer import join


def no_case(rule: Transition, case: str) -> Refusal:
    """The refusal where a transition has no such case."""
    if not rule.cases:
        return Refusal(_("“{intent}” is not conditional").format(intent=rule.intent))
    return Refusal(_("“{intent}” has no case “{case}”").format(intent=rule.intent, case=case))


def set_target(flow: Flow, step: Step, intent: str, case: str | None, target: str | None) -> list[TextEdit] | Refusal:
    """The edits that set the target of an intent, allowed or not."""
    rule = step.transition(intent)
    return _without_rule(flow, step, intent, case, target) if rule is None else _with_rule(flow, rule, case, target)


def set_targets(flow: Flow, step: Step, come: Mapping[str, str | None], gone: Collection[str]) -> list[TextEdit]:
    """The edits that add rules for intents that have none, and take out those at the pointers in `gone`."""
    tree = flow.document.tree
    where = join(step.pointer, "transitions")
    rules = {intent: {"target": target} for intent, target in come.items()}
    node = step.transitions_node
    if node is None:
        return json_edit.insert_member(tree, step.pointer, "transitions", rules) if rules else []
    if node.kind != "object" or (rules and len({*gone}) == len(node.members())):
        return json_edit.set_value(tree, where, rules) if rules else []
    return json_edit.remove(tree, *gone) + (json_edit.insert_members(tree, where, rules) if rules else [])


def _with_rule(flow: Flow, rule: Transition, case: str | None, target: str | None) -> list[TextEdit] | Refusal:
    tree = flow.document.tree
    if case is not None:
        return _case(tree, rule, case, target)
    if rule.cases:
        reason = _("“{intent}” is conditional: choose the case that should go elsewhere")
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
