"""Changes to a climpt agent as text edits, a file a family. Nothing is applied here."""

from collections.abc import Callable
from typing import Any

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.climpt.changes import (
    agreeing,
    cases,
    checks,
    entries,
    intent_renaming,
    intents,
    keys,
    setting,
    transitions,
)
from stepflow_gui.formats.climpt.changes.agent import beginning as agent_beginning
from stepflow_gui.formats.climpt.changes.agent import layout as agent_layout
from stepflow_gui.formats.climpt.changes.agent import verdict as agent_verdict
from stepflow_gui.formats.climpt.changes.draft import unsound
from stepflow_gui.formats.climpt.changes.steps import adding, copying, removing, renaming, schema_renaming
from stepflow_gui.formats.climpt.vocabulary import ROUTED_FORMATS
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _

_PLANNED_BY: dict[type, Callable[[AgentFiles, Any], Plan | Refusal]] = {
    asked.AddStep: adding.add_step,
    asked.DuplicateStep: copying.duplicate_step,
    asked.RenameStep: renaming.rename_step,
    asked.RemoveStep: removing.remove_step,
    asked.Connect: transitions.connect,
    asked.Disconnect: transitions.disconnect,
    asked.Retarget: transitions.retarget_rule,
    asked.MakeConditional: cases.make_conditional,
    asked.MakeUnconditional: cases.make_unconditional,
    asked.AddCase: cases.add_case,
    asked.RenameCase: cases.rename_case,
    asked.AddIntent: intents.add_intent,
    asked.RemoveIntent: intents.remove_intent,
    asked.SetIntents: agreeing.set_intents,
    asked.RenameIntent: intent_renaming.rename_intent,
    asked.RenameSchema: schema_renaming.rename_schema,
    asked.SetField: setting.set_field,
    asked.RemoveField: setting.remove_field,
    asked.RenameKey: keys.rename_key,
    asked.MoveItem: keys.move_item,
    asked.ReshapeReport: lambda _files, _change: Refusal(_("Only the movements of TAKT files write reports")),
    asked.AddEntry: entries.add_entry,
    asked.AddFailurePattern: checks.add_failure_pattern,
    asked.AddValidator: checks.add_validator,
    asked.AddValidationStep: checks.add_validation_step,
    asked.AddCondition: checks.add_condition,
    asked.SetVerdict: agent_verdict.set_verdict,
    asked.ConvertAgent: agent_layout.convert_agent,
    asked.BeginAgent: agent_beginning.begin_agent,
}
_OF_TRANSITIONS = (
    asked.Connect
    | asked.Disconnect
    | asked.Retarget
    | asked.MakeConditional
    | asked.MakeUnconditional
    | asked.AddCase
    | asked.RenameCase
)


def is_beside(flow: Flow, change: asked.Change) -> bool:
    """Whether a change is about another file than the registry, which may be of any format then, and broken."""
    match change:
        case asked.SetVerdict() | asked.ConvertAgent() | asked.BeginAgent():
            return True
        case asked.SetField() | asked.RemoveField() | asked.RenameKey() | asked.MoveItem():
            return change.file is not None and change.file != flow.document.path
    return False


def plan_beside(files: AgentFiles, change: asked.Change) -> Plan | Refusal:
    """Work a change of another file than the registry out."""
    return _PLANNED_BY[type(change)](files, change)


def plan(files: AgentFiles, change: asked.Change) -> Plan | Refusal:
    """Work a change out."""
    refused = unsound(files.flow.document)
    if refused:
        return refused
    if isinstance(change, _OF_TRANSITIONS) and files.flow.format not in ROUTED_FORMATS:
        return Refusal(_("Files of this format have no transitions to point elsewhere"))
    return _PLANNED_BY[type(change)](files, change)
