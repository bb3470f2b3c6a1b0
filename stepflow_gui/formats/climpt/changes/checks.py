"""Validators, failure patterns and validation steps."""

from typing import NamedTuple

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import AddCondition, AddFailurePattern, AddValidationStep, AddValidator
from stepflow_gui.formats.climpt.changes.draft import Draft
from stepflow_gui.formats.climpt.changes.field_order import put
from stepflow_gui.formats.climpt.changes.misfits import unfit
from stepflow_gui.formats.climpt.fields import PATTERN, REGISTRY, VALIDATION_STEP, VALIDATOR
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.formats.climpt.vocabulary import CONDITIONS_OF_PHASE, VALIDATION_STEP_OF_VERDICT
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.fields import Shape, shape_at
from stepflow_gui.messages import _
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join

_BY_PHASE = frozenset({"adt-kind-address"})  # where checks run before or after the query


class _Names(NamedTuple):
    """What a file calls the parts of its checks."""

    patterns: str
    steps: str
    conditions: str


_TODAY = _Names("failurePatterns", "validationSteps", "validationConditions")
_ADDRESSED = _TODAY._replace(conditions=CONDITIONS_OF_PHASE["postllm"])
_OLDER = _Names("completionPatterns", "completionSteps", "completionConditions")


def add_failure_pattern(files: AgentFiles, change: AddFailurePattern) -> Plan | Refusal:
    """What can fail, with the retry prompt for it."""
    value: dict[str, JsonValue] = {
        "description": change.description,
        "edition": change.edition,
        "adaptation": change.adaptation or change.name,
        "params": list(change.params),
    }
    title = _("Add the failure pattern {name}").format(name=change.name)
    return _added(files, _names(files).patterns, change.name, value, PATTERN, title)


def add_validator(files: AgentFiles, change: AddValidator) -> Plan | Refusal:
    """A command that checks."""
    if not change.command.strip():
        return Refusal(_("A validator needs a command"))
    patterns = _member(files, _names(files).patterns)
    if patterns is None or patterns.member(change.failure_pattern) is None:
        return Refusal(_("There is no failure pattern “{name}”").format(name=change.failure_pattern))
    value: dict[str, JsonValue] = {
        "type": "command",
        "command": change.command,
        "successWhen": change.success_when,
        "failurePattern": change.failure_pattern,
    }
    if files.flow.format in _BY_PHASE:
        value = {"type": value.pop("type"), "phase": "postllm", **value, "extractParams": {}}
    if change.extract:
        value["extractParams"] = dict(change.extract)
    title = _("Add the validator {name}").format(name=change.name)
    return _added(files, "validators", change.name, value, VALIDATOR, title)


def add_validation_step(files: AgentFiles, change: AddValidationStep) -> Plan | Refusal:
    """The checks before a closure step closes. The retry prompt's folder is the topic's, below `retry`."""
    flow = files.flow
    step = flow.steps.get(change.step)
    if change.step not in VALIDATION_STEP_OF_VERDICT.values():
        if step is None:
            return Refusal(_("There is no step “{step}”").format(step=change.step))
        if step.kind != "closure" and flow.format != "complete":
            return Refusal(_("“{step}” is not a closure step: nothing is checked there").format(step=change.step))
    refused = _unknown(files, change.validators)
    if refused:
        return refused
    names = _names(files)
    topic = step.c3.value if step and step.c3 else change.step.split(".")[-1]
    on_failure: dict[str, JsonValue] = {"action": change.action}
    if change.max_attempts is not None and change.action == "retry":
        on_failure["maxAttempts"] = change.max_attempts
    value: dict[str, JsonValue] = {
        "stepId": change.step,
        "name": change.name or (step.title if step else change.step),
        "c2": "retry",
        "c3": topic,
    }
    if flow.format in _BY_PHASE:
        root = flow.document.root
        c1 = text_at(root, "c1", "") if root else None
        value["address"] = {"c1": c1.value if c1 else "steps", "c2": "retry", "c3": topic, "edition": "failed"}
        value[CONDITIONS_OF_PHASE["preflight"]] = []
    value[names.conditions] = [{"validator": validator} for validator in change.validators]
    value["onFailure"] = on_failure
    if step and step.schema_ref and step.schema_ref.node.kind == "object":
        value["outputSchemaRef"] = step.schema_ref.node.value
    title = _("Add checks before {step} closes").format(step=change.step)
    return _added(files, names.steps, change.step, value, VALIDATION_STEP, title)


def add_condition(files: AgentFiles, change: AddCondition) -> Plan | Refusal:
    """One more check for a validation step, behind the others."""
    refused = _unknown(files, (change.validator,))
    if refused:
        return refused
    names = _names(files)
    holder = _member(files, names.steps)
    step = holder.get(change.step) if holder else None
    if step is None or step.kind != "object":
        return Refusal(_("There are no checks for “{step}”").format(step=change.step))
    draft = Draft(files)
    tree = draft.registry.tree
    where = join("", names.steps, change.step)
    listed = step.get(names.conditions)
    condition = {"validator": change.validator}
    if listed is None:
        order = [field.name for field in VALIDATION_STEP.fields]
        draft.edit(draft.registry, put(tree, where, names.conditions, [condition], order))
    elif listed.kind != "array":
        return Refusal(_("“{field}” is not a list").format(field=names.conditions))
    else:
        draft.edit(draft.registry, json_edit.insert_item(tree, join(where, names.conditions), condition))
    title = _("Check {step} with {validator}")
    return draft.plan(title.format(step=change.step, validator=change.validator))


def _added(
    files: AgentFiles, holder: str, name: str, value: dict[str, JsonValue], shape: Shape, title: str
) -> Plan | Refusal:
    """A named member more of a map at the top of the registry, which is made where it is missing."""
    flow = files.flow
    if shape_at(REGISTRY, join("", holder), flow.format) is None:
        return Refusal(_("Files of this format have no {field}").format(field=holder))
    if not name.strip():
        return Refusal(_("A name is needed"))
    refused = unfit(name, value, shape, flow.format)
    if refused:
        return refused
    draft = Draft(files)
    tree = draft.registry.tree
    node = tree.at(join("", holder))
    if node is None:
        order = [field.name for field in REGISTRY.fields]
        draft.edit(draft.registry, put(tree, "", holder, {name: value}, order))
    elif node.kind != "object":
        return Refusal(_("“{field}” is not an object").format(field=holder))
    elif node.member(name):
        return Refusal(_("There is a “{name}” in {field} already").format(name=name, field=holder))
    else:
        draft.edit(draft.registry, json_edit.insert_member(tree, join("", holder), name, value))
    return draft.plan(title)


def _names(files: AgentFiles) -> _Names:
    """The names that the file uses; where it has none yet, those of its format."""
    used = {key for key in (*_OLDER, *_TODAY) if _member(files, key) is not None}
    if files.flow.format in _BY_PHASE:
        return _ADDRESSED
    if not used & {*_TODAY} and (used or files.flow.format in {"complete", "c3l-completion"}):
        return _OLDER
    return _TODAY


def _unknown(files: AgentFiles, validators: tuple[str, ...]) -> Refusal | None:
    known = _member(files, "validators")
    for name in validators:
        if known is None or known.member(name) is None:
            return Refusal(_("There is no validator “{name}”").format(name=name))
    return None


def _member(files: AgentFiles, key: str) -> Node | None:
    root = files.flow.document.root
    return root.get(key) if root is not None else None
