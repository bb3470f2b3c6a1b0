"""Removing a step: with what is its own, and only once its incoming transitions have another target."""

from collections.abc import Iterable

from stepflow_gui.flow.model import Step
from stepflow_gui.formats import layout_sidecar
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import RemoveStep
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.climpt.changes.draft import Draft, doubled, listed, readable, step_of, unsound
from stepflow_gui.formats.climpt.changes.steps.references import (
    INCOMING,
    VALIDATION_KEYS,
    StepReference,
    references,
    rewrite,
)
from stepflow_gui.formats.climpt.changes.steps.schema_references import (
    NamedSchema,
    name_references,
    schema_of,
    users,
)
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.pointer import join


def remove_step(files: AgentFiles, change: RemoveStep) -> Plan | Refusal:
    """A step removed; what targeted it gets another target, or dangles where that is forced."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    refused = doubled(files.flow, step.id)
    if refused:
        return refused
    found = references(files, step.id)
    incoming = [each for each in found if each.role in INCOMING and each.step != step.id]
    draft = Draft(files)
    refused = _settle(draft, change, incoming)
    if refused:
        return refused
    own = [step.pointer, *_own_checks(draft, step)]
    draft.edit(draft.registry, json_edit.remove(draft.registry.tree, *own))
    refused = _schema(draft, step, own)
    if refused:
        return refused
    _layout(draft, step.id)
    return draft.plan(_("Remove {step}").format(step=step.id))


def _settle(draft: Draft, change: RemoveStep, incoming: list[StepReference]) -> Refusal | None:
    """Retarget to the replacement what targeted the removed step; refuse what would dangle."""
    movable = [each for each in incoming if each.role != "input"] if change.retarget_to is not None else []
    dangling = [each for each in incoming if each not in movable]
    if dangling and not change.force:
        return _needed(change.step, dangling)
    if dangling:
        text = ngettext(
            "{count} reference to “{step}” has no target now",
            "{count} references to “{step}” have no target now",
            len(dangling),
        )
        draft.note(text.format(count=len(dangling), step=change.step))
    if change.retarget_to is None:
        return None
    if change.retarget_to == change.step or change.retarget_to not in draft.flow.steps:
        return Refusal(_("There is no step “{step}”").format(step=change.retarget_to))
    for each in movable:
        refused = None if change.force else _illegal(draft, each, change.retarget_to)
        if refused:
            return refused
    for document, edits in rewrite(movable, change.retarget_to).values():
        refused = unsound(document)
        if refused:
            return refused
        draft.edit(document, edits)
    return None


def _needed(step: str, dangling: list[StepReference]) -> Refusal:
    steps = tuple(dict.fromkeys(each.step for each in dangling if each.step))
    entries = sum(each.role == "entry" for each in dangling)
    options = ("retarget_to", "force") if any(each.role != "input" for each in dangling) else ("force",)
    reasons = []
    if steps:
        reasons.append(_("{steps} refer to “{step}”").format(steps=listed(steps), step=step))
    if entries:
        text = ngettext("{count} entry begins with “{step}”", "{count} entries begin with “{step}”", entries)
        reasons.append(text.format(count=entries, step=step))
    if not reasons:
        reasons.append(_("“{step}” is part of a sequence").format(step=step))
    text = _("{reasons}: choose the step to go to instead, or leave it dangling")
    return Refusal(text.format(reasons="; ".join(reasons)), options, tuple(each.place for each in dangling), steps)


def _illegal(draft: Draft, each: StepReference, target: str) -> Refusal | None:
    """Why a transition can't go to the replacement. A `fallback` isn't read by any runner."""
    rule = (
        next(
            (
                rule
                for rule in draft.flow.steps[each.step].transitions
                if each.pointer.startswith(rule.pointer + "/") and not each.pointer.endswith("/fallback")
            ),
            None,
        )
        if each.step in draft.flow.steps
        else None
    )
    if rule is None or each.step is None:
        return None
    reason = why_not(draft.flow, each.step, rule.intent, target)
    return Refusal(f"{each.step}: {reason}", ("force",), (each.place,), (each.step,)) if reason else None


def _own_checks(draft: Draft, step: Step) -> Iterable[str]:
    """The step's entry in `validationSteps`, unless it is the one that runners look for by verdict type."""
    root = draft.registry.root
    for key in VALIDATION_KEYS:
        holder = root.get(key) if root else None
        if holder and holder.member(step.id):
            if step.id in VALIDATION_STEP_OF_VERDICT.values():
                text = _("“{step}” stays in {key}: runners look for it by verdict type")
                draft.note(text.format(step=step.id, key=key))
            else:
                yield join("", key, step.id)


def _schema(draft: Draft, step: Step, gone: list[str]) -> Refusal | None:
    """Take the schema out that bears the step's name, where nothing else needs it."""
    schema = schema_of(draft.files, step)
    if schema is None or schema.name != step.id:
        return None
    refused = unsound(schema.document)
    if refused:
        return refused
    if _is_needed(draft, schema, step, gone):
        text = _("The schema “{name}” stays: it is used elsewhere")
        draft.note(text.format(name=schema.name))
    else:
        draft.edit(schema.document, json_edit.remove(schema.document.tree, schema.pointer))
    return None


def _is_needed(draft: Draft, schema: NamedSchema, step: Step, gone: list[str]) -> bool:
    if any(user != step.id for user in users(draft.files, schema)):
        return True
    for each in name_references(draft.files, schema):
        outer = gone if each.document is draft.registry else [schema.pointer]
        inside = each.document in (draft.registry, schema.document) and any(
            each.pointer == pointer or each.pointer.startswith(pointer + "/") for pointer in outer
        )
        if not inside:
            return True
    return False


def _layout(draft: Draft, step_id: str) -> None:
    document = readable(draft.files, draft.files.layout_file)
    if document is not None and layout_sidecar.problem(document) is None:
        draft.edit(document, layout_sidecar.without_step(document, step_id))
