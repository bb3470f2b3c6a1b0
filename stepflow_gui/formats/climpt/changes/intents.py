"""Intents of a step: gate, enum of the output schema and transitions changed together."""

from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import AddIntent, RemoveIntent
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.climpt.changes.draft import Draft, listed, step_of, unsound
from stepflow_gui.formats.climpt.changes.rules import set_target
from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS, aliases_of, intents_of
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.pointer import join

_BROKEN = ("file-invalid", "file-unreadable")


class Enum(NamedTuple):
    """The array of intents in a step's schema, at its actual place, and the other steps that use it."""

    document: ParsedFile
    pointer: str
    values: list[str]
    others: list[str]


def enum_of(files: AgentFiles, step: Step) -> Enum | SchemaProblem | None:
    """The enum of a step's intents; None where the step has no gate or schema."""
    if step.gate is None or step.schema_ref is None:
        return None
    schema = files.schema(step)
    place = schema.enum_place
    if schema.problem or place is None:
        return schema.problem
    others = [
        other.id
        for other in files.flow.steps.values()
        if other is not step
        and other.gate
        and (at := files.schema(other).enum_place)
        and (at.document, at.pointer) == (place.document, place.pointer)
    ]
    return Enum(place.document, place.pointer, [str(value.value) for value in schema.enum], others)


def add_intent(files: AgentFiles, change: AddIntent) -> Plan | Refusal:
    """An intent in gate, enum and transitions, wherever it is missing."""
    found = gated(files.flow, change.step, change.intent)
    if isinstance(found, Refusal):
        return found
    step = found
    draft = Draft(files)
    if step.transition(change.intent) is None and change.intent != "abort":
        target = change.target if change.target is not None else _by_itself(step, change.intent)
        reason = why_not(files.flow, step.id, change.intent, target, allowed=True)
        if reason and change.target is None and target is None:
            return Refusal(_("Choose where “{intent}” goes").format(intent=change.intent), options=("target",))
        retargeted = Refusal(reason) if reason else set_target(files.flow, step, change.intent, None, target)
        if isinstance(retargeted, Refusal):
            return retargeted
        draft.edit(draft.registry, retargeted)
    refused = allow(draft, step, change.intent, shared=change.shared)
    title = _("Add the intent “{intent}” to {step}").format(intent=change.intent, step=step.id)
    return refused or draft.plan(title)


def remove_intent(files: AgentFiles, change: RemoveIntent) -> Plan | Refusal:
    """An intent taken out of gate, enum and transitions."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    draft = Draft(files)
    refused = _out_of_gate(draft, step, change.intent) or _out_of_enum(draft, step, change)
    if refused:
        return refused
    rule = step.transition(change.intent)
    if rule and step.transitions_node and step.transitions_node.kind == "object":
        draft.edit(draft.registry, json_edit.remove(draft.registry.tree, rule.pointer))
    plan = draft.plan(_("Remove the intent “{intent}” from {step}").format(intent=change.intent, step=step.id))
    if plan.edits:
        return plan
    return Refusal(_("“{step}” has no intent “{intent}”").format(step=step.id, intent=change.intent))


def allow(draft: Draft, step: Step, intent: str, *, shared: bool) -> Refusal | None:
    """Add an intent to the gate and to the enum, where they lack it."""
    tree = draft.registry.tree
    if step.gate and not step.gate.allows(intent):
        refused = _unknown(draft.flow, intent) or not_loadable(draft.flow, step, intent)
        if refused:
            return refused
        node = step.gate.intents_node
        where = join(step.gate.pointer, "allowedIntents")
        if node is None:
            draft.edit(draft.registry, json_edit.insert_member(tree, step.gate.pointer, "allowedIntents", [intent]))
        elif node.kind == "array":
            draft.edit(draft.registry, json_edit.insert_item(tree, where, intent))
        else:
            draft.edit(draft.registry, json_edit.set_value(tree, where, [intent]))
    enum = enum_of(draft.files, step)
    if not isinstance(enum, Enum):
        return report_unread(draft, step, enum)
    meant = aliases_of(draft.flow.format) if draft.flow.format == "complete" else {}
    if any(meant.get(value, value) == intent for value in enum.values):
        return None
    refused = unsound(enum.document) or shared_enum(step, enum, shared=shared)
    if refused is None:
        draft.edit(enum.document, json_edit.insert_item(enum.document.tree, enum.pointer, intent))
    return refused


def report_unread(draft: Draft, step: Step, problem: SchemaProblem | None) -> Refusal | None:
    """Note that only the registry is changed; refuse where the schema file would have to be fixed first."""
    ref = step.schema_ref
    file = ref.file.value if ref and ref.file else None
    if problem is None:
        return None
    if problem.kind in _BROKEN and problem.file is not None:
        return Refusal(_("“{file}” can’t be read: fix it first").format(file=problem.file.name))
    if problem.kind == "file-missing":
        draft.note(_("Only the registry changes: there is no schema file “{file}”").format(file=file))
    elif problem.kind == "file-outside":
        draft.note(_("Only the registry changes: “{file}” lies outside the project").format(file=file))
    else:
        draft.note(_("Only the registry changes: the schema of “{step}” has no enum of intents").format(step=step.id))
    return None


def gated(flow: Flow, step_id: str, intent: str) -> Step | Refusal:
    """A step that has a gate, for an intent that its format knows."""
    step = step_of(flow, step_id)
    if isinstance(step, Refusal):
        return step
    if step.gate is None:
        return Refusal(_("“{step}” has no gate").format(step=step.id))
    return _unknown(flow, intent) or step


def _unknown(flow: Flow, intent: str) -> Refusal | None:
    known = intents_of(flow.format)
    text = _("“{intent}” is not an intent: there are {known}")
    return None if intent in known else Refusal(text.format(intent=intent, known=", ".join(known)))


def not_loadable(flow: Flow, step: Step, intent: str) -> Refusal | None:
    """Why a gate that lists an intent would keep runners from loading the registry."""
    if intent != "abort" or step.kind is None or flow.format not in GATE_FORMATS or step.gate is None:
        return None
    text = _(
        "“abort” needs no entry in the gate: every step may emit it, and runners refuse to load a gate that lists it"
    )
    return Refusal(text)


def _by_itself(step: Step, intent: str) -> str | None:
    return step.id if intent == "repeat" else None


def shared_enum(step: Step, enum: Enum, *, shared: bool) -> Refusal | None:
    """Why an enum isn't changed: other steps have it too, unless that is wanted."""
    if shared or not enum.others:
        return None
    text = _("The enum of “{step}” in “{file}” is also that of {steps}: a change changes these, too")
    reason = text.format(step=step.id, file=enum.document.path.name, steps=listed(enum.others))
    return Refusal(reason, options=("shared",), steps=tuple(enum.others))


def _out_of_gate(draft: Draft, step: Step, intent: str) -> Refusal | None:
    gate = step.gate
    if gate is None:
        return None
    tree = draft.registry.tree
    gone = [text.pointer for text in gate.intents if text.value == intent]
    if gone and gate.intents_node and len(gone) == len(gate.intents_node.items()):
        return Refusal(_("“{intent}” is the only intent of “{step}”").format(intent=intent, step=step.id))
    if gone:
        draft.edit(draft.registry, json_edit.remove(tree, *gone))
    if gate.fallback_intent and gate.fallback_intent.value == intent:
        draft.edit(draft.registry, json_edit.remove(tree, gate.fallback_intent.pointer))
        draft.note(_("“{step}” has no fallbackIntent any more").format(step=step.id))
    return None


def _out_of_enum(draft: Draft, step: Step, change: RemoveIntent) -> Refusal | None:
    enum = enum_of(draft.files, step)
    if not isinstance(enum, Enum):
        return report_unread(draft, step, enum)
    meant = aliases_of(draft.flow.format)
    gone = [at for at, value in enumerate(enum.values) if change.intent in {value, meant.get(value)}]
    if not gone:
        return None
    if len(gone) == len(enum.values):
        return Refusal(_("“{intent}” is the only intent of “{step}”").format(intent=change.intent, step=step.id))
    refused = unsound(enum.document) or shared_enum(step, enum, shared=change.shared)
    if refused is None:
        pointers = [join(enum.pointer, at) for at in gone]
        draft.edit(enum.document, json_edit.remove(enum.document.tree, *pointers))
    return refused
