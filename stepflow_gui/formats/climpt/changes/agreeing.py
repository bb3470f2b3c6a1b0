"""Making gate, enum and transitions of a step agree on its intents."""

from collections.abc import Iterable, Sequence

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import SetIntents
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.climpt.changes.draft import Draft, unsound
from stepflow_gui.formats.climpt.changes.intents import Enum, enum_of, gated, not_loadable, report_unread, shared_enum
from stepflow_gui.formats.climpt.changes.rules import set_targets
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.pointer import join


def set_intents(files: AgentFiles, change: SetIntents) -> Plan | Refusal:
    """Exactly these intents in all three; what already exists stays where it is."""
    wanted = tuple(dict.fromkeys(change.intents))
    if not wanted:
        return Refusal(_("A step needs an intent"))
    for intent in wanted:
        found = gated(files.flow, change.step, intent)
        if isinstance(found, Refusal):
            return found
        refused = not_loadable(files.flow, found, intent)
        if refused:
            return refused
    step = files.flow.steps[change.step]
    draft = Draft(files)
    refused = _gate(draft, step, wanted) or _rules(draft, step, wanted, dict(change.targets))
    refused = refused or _enum(draft, step, wanted, shared=change.shared)
    return refused or draft.plan(_("Make the intents of {step} agree").format(step=step.id))


def _gate(draft: Draft, step: Step, wanted: Sequence[str]) -> Refusal | None:
    gate = step.gate
    assert gate is not None
    tree = draft.registry.tree
    node = gate.intents_node
    if node is None:
        draft.edit(draft.registry, json_edit.insert_member(tree, gate.pointer, "allowedIntents", list(wanted)))
    else:
        where = join(gate.pointer, "allowedIntents")
        draft.edit(draft.registry, _array(tree, where, node.value, wanted))
    if gate.fallback_intent and gate.fallback_intent.value not in wanted:
        draft.edit(draft.registry, json_edit.remove(tree, gate.fallback_intent.pointer))
        draft.note(_("“{step}” has no fallbackIntent any more").format(step=step.id))
    return None


def _enum(draft: Draft, step: Step, wanted: Sequence[str], *, shared: bool) -> Refusal | None:
    enum = enum_of(draft.files, step)
    if not isinstance(enum, Enum):
        return report_unread(draft, step, enum)
    edits = _array(enum.document.tree, enum.pointer, enum.values, wanted)
    if not edits:
        return None
    refused = unsound(enum.document) or shared_enum(step, enum, shared=shared)
    if refused is None:
        draft.edit(enum.document, edits)
    return refused


def _array(tree: JsonTree, pointer: str, values: object, wanted: Sequence[str]) -> list[TextEdit]:
    """The edits that leave in an array what is wanted, once each, and add what is missing."""
    known = list(values) if isinstance(values, list) else []
    gone = [at for at, value in enumerate(known) if value not in wanted or value in known[:at]]
    missing = [intent for intent in wanted if intent not in known]
    if len(gone) == len(known):
        return json_edit.set_value(tree, pointer, list(wanted))
    edits = json_edit.remove(tree, *(join(pointer, at) for at in gone))
    for intent in missing:
        edits += json_edit.insert_item(tree, pointer, intent)
    return edits


def _rules(draft: Draft, step: Step, wanted: Iterable[str], targets: dict[str, str | None]) -> Refusal | None:
    gone = [rule.pointer for rule in step.transitions if rule.intent not in wanted]
    come: dict[str, str | None] = {}
    for intent in wanted:
        if step.transition(intent) or intent == "abort":
            continue
        target = targets.get(intent, step.id if intent == "repeat" else None)
        refused = _unled(draft.flow, step, intent, target, given=intent in targets)
        if refused:
            return refused
        come[intent] = target
    draft.edit(draft.registry, set_targets(draft.flow, step, come, set(gone)))
    return None


def _unled(flow: Flow, step: Step, intent: str, target: str | None, *, given: bool) -> Refusal | None:
    reason = why_not(flow, step.id, intent, target, allowed=True)
    if reason and target is None and not given:
        return Refusal(_("Choose where “{intent}” goes").format(intent=intent), options=("targets",))
    return Refusal(reason) if reason else None
