"""What at a place can be renamed, and what that changes wherever the name stands."""

import re
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import Change, RenameCase, RenameIntent, RenameKey, RenameSchema, RenameStep
from stepflow_gui.formats.climpt.prompts import variable_name
from stepflow_gui.formats.climpt.validation import PATTERN_HOLDERS, STEP_HOLDERS
from stepflow_gui.formats.climpt.vocabulary import RUNTIME_VARIABLES
from stepflow_gui.formats.edits import Edits, Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.cursor_target import CursorTarget
from stepflow_gui.project.assist.definitions import defined_at
from stepflow_gui.project.assist.piece_targets import entry_of
from stepflow_gui.project.assist.target_lookup import target_at
from stepflow_gui.project.assist.variables import uses_of
from stepflow_gui.text.document import AnyDocument, ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.pointer import join, split

_HOLDERS: dict[str, tuple[str, ...]] = {
    "validator": ("validators",),
    "failure-pattern": PATTERN_HOLDERS,
    "validation-step": STEP_HOLDERS,
}


def renamable_at(agent: AgentFolder, file: AnyDocument, offset: int) -> CursorTarget | Refusal:
    """The name at an offset, where it can be renamed; else why not."""
    subject = target_at(agent, file, offset)
    if subject is None:
        return Refusal(_("No name here"))
    found = renaming(agent, subject, subject.name)
    return found.plan if isinstance(found.plan, Refusal) and found.change is None else subject


class Renaming(NamedTuple):
    """A rename worked out; `change` is None where no format is asked for it, as of variables."""

    plan: Plan | Refusal
    change: Change | None = None


def renaming(agent: AgentFolder, subject: CursorTarget, new: str) -> Renaming:
    """What another name would change. Where that is refused and `change` is given, an option of it may let it pass."""
    if subject.kind == "variable":
        return Renaming(_rename_variable(agent, variable_name(subject.name), variable_name(new)))
    change = rename_of(agent, subject, new)
    return Renaming(change) if isinstance(change, Refusal) else Renaming(plan(agent, change), change)


def rename_of(agent: AgentFolder, subject: CursorTarget, new: str) -> Change | Refusal:
    """The change that renames what a name refers to; a refusal if it can't be renamed."""
    match subject.kind:
        case "step":
            if subject.name not in agent.flow.steps:
                return _undefined(subject)
            by_key = agent.flow.format == "checks"  # where a step is renamed its id stays: here the id is meant
            return RenameKey(join("/steps", subject.name), new) if by_key else RenameStep(subject.name, new)
        case "intent" if subject.step is not None:
            return RenameIntent(subject.step, subject.name, new)
        case "case":
            _steps, step, _transitions, intent, *_rest = split(subject.pointer)
            return RenameCase(step, intent, subject.name, new)
        case "section-entry":
            entry = entry_of(agent, subject)
            return RenameKey(entry, new) if entry else _undefined(subject)
        case "validator" | "failure-pattern" | "validation-step":
            return _key(agent, subject, new, _HOLDERS[subject.kind])
        case "schema":
            found = defined_at(agent, subject)
            return RenameSchema(found[0].document.path, found[0].pointer, new) if found else _undefined(subject)
        case "verdict":
            return Refusal(_("Verdict types belong to the runner: choose another one in place of it"))
    return Refusal(_("“{name}” can’t be renamed here").format(name=subject.name))


def _key(agent: AgentFolder, subject: CursorTarget, new: str, holders: tuple[str, ...]) -> Change | Refusal:
    for holder in holders:
        node = agent.registry.tree.at(join("", holder))
        if node is not None and node.member(subject.name) is not None:
            return RenameKey(join("", holder, subject.name), new)
    return _undefined(subject)


def _undefined(subject: CursorTarget) -> Refusal:
    return Refusal(_("Nothing defines “{name}”").format(name=subject.name))


_NAME = re.compile(r"\w+", re.ASCII)
_PREFIX = "uv-"


def _rename_variable(agent: AgentFolder, old: str, new: str) -> Plan | Refusal:
    """The edits that give a parameter another name; refused where it is none, or the new name can't be one."""
    title = _("Rename the variable {name} to {new}").format(name=old, new=new)
    refused = _unfit(agent, old, new)
    document = agent.agent_document
    if refused is not None or document is None or agent.agent is None:
        return refused or Refusal(_("Nothing defines “{name}”").format(name=old))
    if new == old:
        return Plan(title, {})
    parameter = next(each for each in agent.agent.parameters if each.name == old)
    edits: Edits = {document.path: json_edit.rename_key(document.tree, parameter.pointer, new)}
    for use in uses_of(agent, old):
        edits.setdefault(use.document.path, []).extend(_renamed(use.document, use.pointer, use.span, new))
    flag = parameter.cli.value if parameter.cli else ""
    note = _("Its flag on the command line stays {flag}").format(flag=flag)
    return Plan(title, edits, (note,) if flag else ())


def _renamed(file: object, pointer: str, span: tuple[int, int], new: str) -> list[TextEdit]:
    if not isinstance(file, ParsedFile):
        return [TextEdit(*span, f"{{{_PREFIX}{new}}}")]
    node = file.tree.at(pointer)
    listed = node is not None and isinstance(node.value, str) and node.value.startswith(_PREFIX)
    return json_edit.set_value(file.tree, pointer, (_PREFIX if listed else "") + new)


def _unfit(agent: AgentFolder, old: str, new: str) -> Refusal | None:
    names = [each.name for each in agent.agent.parameters] if agent.agent is not None else []
    if old not in names:
        return Refusal(_("Only parameters of agent.json can be renamed: “{name}” is given otherwise").format(name=old))
    broken = _broken(agent)
    if broken is not None:
        return Refusal(_("“{file}” has a syntax error: fix it first").format(file=broken.name))
    if not _NAME.fullmatch(new):
        return Refusal(_("The name of a variable is made of letters, digits and _"))
    if new in names and new != old:
        return Refusal(_("There is a “{name}” already").format(name=new))
    if new in RUNTIME_VARIABLES:
        return Refusal(_("The runner gives “{name}” itself").format(name=new))
    return None


def _broken(agent: AgentFolder) -> Path | None:
    documents = [agent.registry, *([agent.agent_document] if agent.agent_document else [])]
    return next((each.path for each in documents if not each.tree.valid), None)
