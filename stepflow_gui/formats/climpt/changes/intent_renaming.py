"""One intent of a step put in place of another: gate, enum of the output schema and transitions."""

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import RenameIntent
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.climpt.changes.draft import Draft, step_of, unsound
from stepflow_gui.formats.climpt.changes.intents import Enum, enum_of, gated, not_loadable, report_unread, shared_enum
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.pointer import join


def rename_intent(files: AgentFiles, change: RenameIntent) -> Plan | Refusal:
    """Another intent wherever the step has the old one; nothing is added where that is missing."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    draft = Draft(files)
    names = {"intent": change.intent, "new": change.new, "step": step.id}
    title = _("Rename the intent “{intent}” of {step} to “{new}”").format(**names)
    if change.new == change.intent:
        return draft.plan(title)
    refused = _unfit(files, step, change) or _of_gate(draft, step, change) or _of_enum(draft, step, change)
    if refused:
        return refused
    rule = step.transition(change.intent)
    if rule and step.transitions_node and step.transitions_node.kind == "object":
        draft.edit(draft.registry, json_edit.rename_key(draft.registry.tree, rule.pointer, change.new))
    plan = draft.plan(title)
    return plan if plan.edits else Refusal(_("“{step}” has no intent “{intent}”").format(**names))


def _unfit(files: AgentFiles, step: Step, change: RenameIntent) -> Refusal | None:
    found = gated(files.flow, step.id, change.new)
    if isinstance(found, Refusal):
        return found
    rule = step.transition(change.intent)
    there = step.transition(change.new) is not None or (step.gate is not None and step.gate.allows(change.new))
    if there:
        return Refusal(_("“{step}” has the intent “{intent}” already").format(step=step.id, intent=change.new))
    refused = not_loadable(files.flow, step, change.new)
    if refused or rule is None:
        return refused
    targets = [case.target.value if case.target else None for case in rule.cases]
    if not rule.cases:
        targets = [step.id if rule.stays else rule.target.value if rule.target else None]
    reasons = (why_not(files.flow, step.id, change.new, target, allowed=True) for target in targets)
    return next((Refusal(reason) for reason in reasons if reason), None)


def _of_gate(draft: Draft, step: Step, change: RenameIntent) -> Refusal | None:
    gate = step.gate
    assert gate is not None  # `gated` has looked
    tree = draft.registry.tree
    for text in [*gate.intents, *([gate.fallback_intent] if gate.fallback_intent else [])]:
        if text.value == change.intent:
            draft.edit(draft.registry, json_edit.set_value(tree, text.pointer, change.new))
    return None


def _of_enum(draft: Draft, step: Step, change: RenameIntent) -> Refusal | None:
    enum = enum_of(draft.files, step)
    if not isinstance(enum, Enum):
        return report_unread(draft, step, enum)
    if change.intent not in enum.values:
        return None
    refused = unsound(enum.document) or shared_enum(step, enum, shared=change.shared)
    if refused:
        return refused
    tree, at = enum.document.tree, enum.values.index(change.intent)
    if change.new in enum.values:  # it would be there twice
        draft.edit(enum.document, json_edit.remove(tree, join(enum.pointer, at)))
    else:
        draft.edit(enum.document, json_edit.set_value(tree, join(enum.pointer, at), change.new))
    return None
