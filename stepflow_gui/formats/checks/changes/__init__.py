"""Changes to a registry with checks as text edits. What is the same in gated registries is done as it is there."""

from collections.abc import Callable
from typing import Any

from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.checks.changes import adding, entries, naming, outcomes
from stepflow_gui.formats.climpt.changes import keys, setting
from stepflow_gui.formats.climpt.changes.draft import unsound
from stepflow_gui.formats.climpt.changes.steps import copying, removing
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _

_PLANNED_BY: dict[type, Callable[[AgentFiles, Any], Plan | Refusal]] = {
    asked.AddStep: adding.add_step,
    asked.DuplicateStep: copying.duplicate_step,
    asked.RenameStep: naming.rename_step,
    asked.RemoveStep: removing.remove_step,
    asked.Connect: outcomes.connect,
    asked.Retarget: outcomes.retarget,
    asked.Disconnect: outcomes.disconnect,
    asked.AddIntent: outcomes.add_intent,
    asked.RemoveIntent: outcomes.disconnect,
    asked.AddEntry: entries.set_entry,
    asked.SetField: setting.set_field,
    asked.RemoveField: setting.remove_field,
    asked.RenameKey: naming.rename_key,
    asked.MoveItem: keys.move_item,
}


def plan(files: AgentFiles, change: asked.Change) -> Plan | Refusal:
    """Work a change out."""
    refused = unsound(files.flow.document)
    if refused:
        return refused
    planned = _PLANNED_BY.get(type(change))
    if planned is None:
        return Refusal(_("Steps with checks have no gates, conditions and validators: their checks decide"))
    new = getattr(change, "copy", None)
    if isinstance(new, str):
        refused = naming.bad_id(new)
    found = refused or planned(files, change)
    return found if isinstance(found, Refusal) else found._replace(title=_title(files, change) or found.title)


def _title(files: AgentFiles, change: asked.Change) -> str:
    """The title of a change in the history where it would name steps by meaningless ids."""
    if not isinstance(change, asked.RemoveStep | asked.DuplicateStep):
        return ""
    name = files.flow.steps[change.step].title
    text = _("Remove {step}") if isinstance(change, asked.RemoveStep) else _("Duplicate {steps}")
    return text.format(step=name, steps=name)
