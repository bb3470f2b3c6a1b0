"""The rules of a movement: their allowed targets, changing targets, new ones, another condition, removing them.

A rule is named by its condition (by `rule_names` where several have the same); None as a target is COMPLETE, and the
names of the ends are targets too.
"""

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.climpt.changes.draft import Draft, step_of
from stepflow_gui.formats.edits import Edits, Plan, Refusal
from stepflow_gui.formats.takt.changes.places import era_of, goal_of, unknown_target, word_of
from stepflow_gui.formats.takt.changes.putting import put
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import ConditionFault
from stepflow_gui.formats.takt.piece import OLDER_NEXT, OLDER_RULES, RETURN, WHEN
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.pointer import join, parent
from stepflow_gui.text.yaml import edit as yaml_edit


def can_connect(flow: Flow, step_id: str, condition: str, target: str | None, *, new: bool = False) -> Refusal | None:
    """Why a rule can't go to `target`; None where it can. With `new` the target doesn't exist yet."""
    step = step_of(flow, step_id)
    if isinstance(step, Refusal):
        return step
    refused = None if new else unknown_target(flow, target)
    if refused:
        return refused
    rule = step.transition(condition)
    if rule is None:
        where = _list_of(step)
        return where if isinstance(where, Refusal) else bad_condition(flow, condition)
    return _brought(step, rule)


def set_target(flow: Flow, step_id: str, condition: str, target: str | None) -> Edits | Refusal:
    """The edits that set the target of a rule, if allowed."""
    refused = can_connect(flow, step_id, condition, target)
    if refused:
        return refused
    edits = target_edits(flow, step_id, condition, target)
    return {flow.document.path: edits} if edits else {}


def connect(files: AgentFiles, change: asked.Connect | asked.AddIntent) -> Plan | Refusal:
    """A rule to a movement or an end: the one of that condition, else a new one behind the others."""
    refused = can_connect(files.flow, change.step, change.intent, change.target)
    return refused or _retargeted(files, change.step, change.intent, change.target)


def retarget(files: AgentFiles, change: asked.Retarget) -> Plan | Refusal:
    """A new target for a rule."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    if change.case is not None:
        return Refusal(_("“{intent}” is not conditional").format(intent=change.intent))
    if step.transition(change.intent) is None:
        return _no_rule(change.step, change.intent)
    return connect(files, asked.Connect(change.step, change.intent, change.target))


def disconnect(files: AgentFiles, change: asked.Disconnect | asked.RemoveIntent) -> Plan | Refusal:
    """A rule taken out; the last one goes with its list."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    rule = step.transition(change.intent)
    if rule is None:
        return _no_rule(change.step, change.intent)
    refused = _brought(step, rule)
    if refused:
        return refused
    draft = Draft(files)
    tree = draft.registry.tree
    holder = tree.at(parent(rule.pointer))
    alone = holder is not None and len(holder.items()) == 1
    draft.edit(draft.registry, yaml_edit.remove(tree, parent(rule.pointer) if alone else rule.pointer))
    if alone:
        draft.note(_("{step} has no rule now").format(step=step.id))
    return draft.plan(_("Remove “{intent}” of {step}").format(intent=change.intent, step=step.id))


def rename_condition(files: AgentFiles, change: asked.RenameIntent) -> Plan | Refusal:
    """Another condition for a rule, which keeps its target."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    rule = step.transition(change.intent)
    if rule is None:
        return _no_rule(change.step, change.intent)
    refused = _brought(step, rule) or bad_condition(files.flow, change.new)
    if refused:
        return refused
    if change.new not in {change.intent, rule.as_written} and step.transition(change.new) is not None:
        return Refusal(_("{step} has a rule “{condition}” already").format(step=step.id, condition=change.new))
    draft = Draft(files)
    new = rule.as_written if change.new == change.intent else change.new
    draft.edit(draft.registry, _condition_edits(files.flow, rule, new))
    return draft.plan(_("Rename {step} to {new}").format(step=change.intent, new=new))


def bad_condition(flow: Flow, condition: str) -> Refusal | None:
    """Why a text can't be a condition."""
    if not condition.strip():
        return Refusal(_("A rule needs a condition"))
    found = parse_condition(condition, era_of(flow).notation)
    return Refusal(found.message) if isinstance(found, ConditionFault) else None


def target_edits(flow: Flow, step_id: str, condition: str, target: str | None) -> list[TextEdit]:
    """The edits that set the target of a rule, allowed or not."""
    step = flow.steps[step_id]
    tree = flow.document.tree
    word = word_of(target)
    rule = step.transition(condition)
    if rule is None:
        where = _list_of(step)
        assert isinstance(where, str)
        key = OLDER_NEXT if where.endswith(OLDER_RULES) else "next"
        return put(flow, join(where, "-"), {"condition": condition, key: word})
    for key in ("next", OLDER_NEXT):
        if rule.node.member(key):
            return yaml_edit.set_value(tree, join(rule.pointer, key), word)
    old = join(rule.pointer, RETURN)
    if rule.node.member(RETURN):
        return [*yaml_edit.rename_key(tree, old, "next"), *yaml_edit.set_value(tree, old, word)]
    return put(flow, join(rule.pointer, "next"), word)


def _condition_edits(flow: Flow, rule: Transition, new: str) -> list[TextEdit]:
    """The edits that give a rule another condition, by the key that it has."""
    tree, condition, expression = flow.document.tree, join(rule.pointer, "condition"), join(rule.pointer, WHEN)
    if rule.node.get("condition") is not None:
        return yaml_edit.set_value(tree, condition, new)
    if tree.at(expression) is None:
        return put(flow, condition, new)
    if new.startswith(f"{WHEN}(") and new.endswith(")"):
        return yaml_edit.set_value(tree, expression, new[len(WHEN) + 1 : -1].strip())
    return [*yaml_edit.rename_key(tree, expression, "condition"), *yaml_edit.set_value(tree, expression, new)]


def _retargeted(files: AgentFiles, step_id: str, condition: str, target: str | None) -> Plan:
    draft = Draft(files)
    draft.edit(draft.registry, target_edits(files.flow, step_id, condition, target))
    title = _("Connect “{intent}” of {step} to {target}")
    return draft.plan(title.format(intent=condition, step=step_id, target=goal_of(target)))


def _list_of(step: Step) -> str | Refusal:
    """Where new rules of a movement belong."""
    own = step.node.get("rules")
    if own is None and step.node.get(OLDER_RULES) is not None:
        return join(step.pointer, OLDER_RULES)
    if own is not None and own.kind == "object":
        return join(step.pointer, "rules", "self")
    if own is None and step.unread:
        return Refusal(_("The rules of “{step}” are in the fragment that it uses").format(step=step.id))
    if own is None and step.transitions:
        return Refusal(_("The rules of “{step}” are in the fragment that it uses").format(step=step.id))
    return join(step.pointer, "rules")


def _brought(step: Step, rule: Transition) -> Refusal | None:
    """Why a rule can't be changed here: a fragment brings it."""
    where = rule.pointer
    for key in ("rules", OLDER_RULES):
        if step.node.get(key) is not None and where.startswith(join(step.pointer, key) + "/"):
            return None
    return Refusal(_("The rules of “{step}” are in the fragment that it uses").format(step=step.id))


def _no_rule(step_id: str, condition: str) -> Refusal:
    return Refusal(_("{step} has no rule “{condition}”").format(step=step_id, condition=condition))
