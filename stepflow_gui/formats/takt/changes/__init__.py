"""Changes to a TAKT piece or workflow as text edits of its YAML."""

from collections.abc import Callable
from typing import Any

from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.climpt.changes.draft import unsound
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.takt.changes import movements, removing, reports, rules, setting
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.renames import as_workflow
from stepflow_gui.messages import _
from stepflow_gui.text.edit import apply
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

_PLANNED_BY: dict[type, Callable[[AgentFiles, Any], Plan | Refusal]] = {
    asked.AddStep: movements.add,
    asked.DuplicateStep: movements.duplicate,
    asked.RenameStep: movements.rename,
    asked.AddEntry: movements.begin_with,
    asked.RemoveStep: removing.remove,
    asked.Connect: rules.connect,
    asked.AddIntent: rules.connect,
    asked.Retarget: rules.retarget,
    asked.Disconnect: rules.disconnect,
    asked.RemoveIntent: rules.disconnect,
    asked.RenameIntent: rules.rename_condition,
    asked.SetField: setting.set_field,
    asked.RemoveField: setting.remove_field,
    asked.RenameKey: setting.rename_key,
    asked.MoveItem: setting.move_item,
    asked.ReshapeReport: reports.reshape,
}


def plan(files: AgentFiles, change: asked.Change) -> Plan | Refusal:
    """Work a change out. What the text's anchors or its form don't allow is refused."""
    found = _planned(files, change)
    if era_of_file(files.flow.document.root).steps != "steps":
        return found
    if isinstance(found, Refusal):
        return found._replace(reason=as_workflow(found.reason))
    return found._replace(title=as_workflow(found.title), notes=tuple(map(as_workflow, found.notes)))


def _planned(files: AgentFiles, change: asked.Change) -> Plan | Refusal:
    refused = unsound(files.flow.document)
    if refused:
        return refused
    planned = _PLANNED_BY.get(type(change))
    if planned is None:
        return Refusal(_("Movements have no gates, conditions by value and validators: their rules decide"))
    if getattr(change, "file", None) not in {None, files.flow.document.path}:
        return Refusal(_("A TAKT piece is one file"))
    try:
        found = planned(files, change)
    except ValueError as error:  # the splicer gives the reason
        return Refusal(_("The text can’t be changed so: {reason}").format(reason=error))
    return found if isinstance(found, Refusal) else _sound(files, found)


def _sound(files: AgentFiles, found: Plan) -> Plan | Refusal:
    """A plan whose edits, all together, leave a text without mistakes."""
    document = files.flow.document
    edits = found.edits.get(document.path, [])
    if edits and not read_yaml_tree(Source(apply(document.source.text, edits))).valid:
        return Refusal(_("The text is written in a way that can’t be changed so: edit it in the source"))
    return found
