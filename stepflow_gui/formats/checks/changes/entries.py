"""The step that a run of a registry with checks begins with."""

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import AddEntry, SetField
from stepflow_gui.formats.climpt.changes.draft import step_of
from stepflow_gui.formats.climpt.changes.setting import set_field
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _


def set_entry(files: AgentFiles, change: AddEntry) -> Plan | Refusal:
    """There is one entry, whatever the verdict type."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    found = set_field(files, SetField("/entryStep", step.id))
    if isinstance(found, Refusal):
        return found
    return found._replace(title=_("Start runs at {step}").format(step=step.title))
