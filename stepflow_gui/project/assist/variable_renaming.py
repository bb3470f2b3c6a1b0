"""A parameter of the agent under another name: in agent.json, in the lists of the steps and in every prompt."""

import re
from pathlib import Path

from stepflow_gui.formats.climpt.vocabulary import RUNTIME_VARIABLES
from stepflow_gui.formats.edits import Edits, Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.variables import uses_of
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit

_NAME = re.compile(r"\w+", re.ASCII)
_PREFIX = "uv-"


def rename_variable(agent: AgentFolder, old: str, new: str) -> Plan | Refusal:
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
        return Refusal(_("The text of “{file}” has a mistake: put it right first").format(file=broken.name))
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
