"""The transitions of a check: their allowed targets, changing their targets, removing them.

A transition is named by its intent: `pass` is onPass, `fail`, `retry` and `fallback` are onFail.
"""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.checks.drafting import new_check, topic_of
from stepflow_gui.formats.checks.fields import CHECK, STEP
from stepflow_gui.formats.checks.vocabulary import INTENT_OF_OUTCOME, INTENTS, OUTCOME_OF_INTENT, READ_IN_ORDER
from stepflow_gui.formats.climpt.changes.draft import Draft, step_of
from stepflow_gui.formats.climpt.changes.field_order import put
from stepflow_gui.formats.edits import Edits, Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonTree, JsonValue, Node
from stepflow_gui.text.pointer import join

_LAST_RESORT = {"fallback": "retry", "retry": "fallback"}
_COUNTED = "maxRetries"


def can_connect(flow: Flow, step_id: str, intent: str, target: str | None, *, new: bool = False) -> Refusal | None:
    """Why a transition of a step can't go to `target` (None: the end); None where it can.

    With `new` the target is a step that doesn't exist yet.
    """
    if step_id not in flow.steps:
        return Refusal(_("There is no step “{step}”").format(step=step_id))
    if intent not in INTENTS:
        return Refusal(
            _("A check continues by pass, fail, retry and fallback, not by “{intent}”").format(intent=intent)
        )
    if target is not None and target not in flow.steps and not new:
        return Refusal(_("There is no step “{step}”").format(step=target))
    if intent == "retry" and target != step_id:
        return Refusal(_("“retry” runs the same step again: it goes to no other; that is “fallback”"))
    if intent == "fallback" and target is None:
        return Refusal(_("“fallback” goes to a step; “fail” can end the run"))
    return None


def set_target(flow: Flow, step_id: str, intent: str, target: str | None) -> Edits | Refusal:
    """The edits that set a transition's target, if it is allowed."""
    refused = can_connect(flow, step_id, intent, target)
    if refused:
        return refused
    edits = target_edits(flow, step_id, intent, target)
    return {flow.document.path: edits} if edits else {}


def connect(files: AgentFiles, change: asked.Connect) -> Plan | Refusal:
    """A transition to a step or to the end, replacing those of its outcome."""
    refused = can_connect(files.flow, change.step, change.intent, change.target)
    return refused or _retargeted(files, change.step, change.intent, change.target)


def retarget(files: AgentFiles, change: asked.Retarget) -> Plan | Refusal:
    """A new target for a transition: it can't be connected otherwise."""
    if change.case is not None:
        return Refusal(_("“{intent}” is not conditional").format(intent=change.intent))
    return connect(files, asked.Connect(change.step, change.intent, change.target))


def add_intent(files: AgentFiles, change: asked.AddIntent) -> Plan | Refusal:
    """A transition that doesn't exist yet; `retry` needs no target."""
    target = change.step if change.intent == "retry" and change.target is None else change.target
    return connect(files, asked.Connect(change.step, change.intent, target))


def disconnect(files: AgentFiles, change: asked.Disconnect | asked.RemoveIntent) -> Plan | Refusal:
    """A transition removed; its outcome stays."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    outcome = OUTCOME_OF_INTENT.get(change.intent, "")
    outcome_node = step.node.at(join("/check", outcome)) if outcome else None
    keys = [key for key, intent in INTENT_OF_OUTCOME.get(outcome, {}).items() if intent == change.intent]
    gone = [key for key in keys if outcome_node and outcome_node.member(key)]
    if outcome_node is None or not gone:
        return Refusal(_("“{step}” has no outcome “{intent}”").format(step=step.id, intent=change.intent))
    if "retry" in gone and outcome_node.member(_COUNTED):
        gone.append(_COUNTED)
    draft = Draft(files)
    where = join(step.pointer, "check", outcome)
    draft.edit(draft.registry, json_edit.remove(draft.registry.tree, *(join(where, key) for key in gone)))
    if not any(outcome_node.member(key) for key in READ_IN_ORDER if key not in gone):
        draft.note(_("“{outcome}” of {step} has no target now").format(outcome=outcome, step=step.title))
    return draft.plan(_("Remove “{intent}” of {step}").format(intent=change.intent, step=step.title))


def _retargeted(files: AgentFiles, step_id: str, intent: str, target: str | None) -> Plan:
    draft = Draft(files)
    step = files.flow.steps[step_id]
    draft.edit(draft.registry, target_edits(files.flow, step_id, intent, target))
    if intent in _LAST_RESORT and step.transition(_LAST_RESORT[intent]):
        draft.note(_("climpt falls back at once where a retry is given beside the fallback"))
    goal = files.flow.steps[target].title if target is not None else _("the end")
    title = _("Connect “{intent}” of {step} to {target}")
    return draft.plan(title.format(intent=intent, step=step.title, target=goal))


def target_edits(flow: Flow, step_id: str, intent: str, target: str | None) -> list[TextEdit]:
    """The edits that set a transition's target, allowed or not."""
    step = flow.steps[step_id]
    key, value = _field_of(intent, target)
    outcome = OUTCOME_OF_INTENT[intent]
    tree = flow.document.tree
    check = step.node.get("check")
    where = join(step.pointer, "check")
    if check is None or check.kind != "object":
        topic = step.c3.value if step.c3 else topic_of(step.title)
        whole: JsonValue = new_check(flow, topic, None) | {outcome: {key: value}}
        if check is not None:
            return json_edit.set_value(tree, where, whole)
        return put(tree, step.pointer, "check", whole, [field.name for field in STEP.fields])
    outcome_node = check.get(outcome)
    if outcome_node is None:
        return put(tree, where, outcome, {key: value}, [field.name for field in CHECK.fields])
    return _set_field(tree, join(where, outcome), outcome_node, key, value)


def _field_of(intent: str, target: str | None) -> tuple[str, JsonValue]:
    """The field of an outcome for a transition."""
    if intent in {"retry", "fallback"}:
        return intent, True if intent == "retry" else target
    return ("complete", True) if target is None else ("next", target)


def _set_field(tree: JsonTree, where: str, outcome_node: Node, key: str, value: JsonValue) -> list[TextEdit]:
    """Set the one transition of an outcome, replacing the others; a fallback and its retry go together."""
    if outcome_node.kind != "object":
        return json_edit.set_value(tree, where, {key: value})
    kept = _LAST_RESORT.get(key)
    others = [other for other in READ_IN_ORDER if other not in {key, kept} and outcome_node.member(other)]
    if key != "retry" and not (kept and outcome_node.member("retry")) and outcome_node.member(_COUNTED):
        others.append(_COUNTED)
    if outcome_node.member(key):
        edits = json_edit.set_value(tree, join(where, key), value)
        return edits + json_edit.remove(tree, *(join(where, other) for other in others))
    if not others:
        return json_edit.insert_member(tree, where, key, value)
    first, *more = others
    edits = json_edit.rename_key(tree, join(where, first), key) + json_edit.set_value(tree, join(where, first), value)
    return edits + json_edit.remove(tree, *(join(where, other) for other in more))
