"""Names of steps with checks: another one leaves the id alone, which is what such ids are for."""

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import RenameKey, RenameStep, SetField
from stepflow_gui.formats.checks.ids import is_hash_id
from stepflow_gui.formats.climpt.changes import keys, setting
from stepflow_gui.formats.climpt.changes.draft import step_of
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join, split


def bad_id(step_id: str) -> Refusal | None:
    """Why a step can't have an id."""
    if is_hash_id(step_id):
        return None
    text = _("“{step}” is not an id of a step with a check: write s_ and 4 to 8 hexadecimal digits, such as s_a8f3")
    return Refusal(text.format(step=step_id))


def rename_step(files: AgentFiles, change: RenameStep) -> Plan | Refusal:
    """Another name for a step. Its id changes by its key only."""
    step = step_of(files.flow, change.step)
    if isinstance(step, Refusal):
        return step
    if not change.new.strip():
        return Refusal(_("A step’s name can’t be empty"))
    found = setting.set_field(files, SetField(join(step.pointer, "name"), change.new))
    if isinstance(found, Refusal):
        return found
    return found._replace(title=_("Rename {step} to {new}").format(step=step.title, new=change.new))


def rename_key(files: AgentFiles, change: RenameKey) -> Plan | Refusal:
    """Another key; that of a step is its id, and what names the step follows."""
    segments = split(change.pointer) if change.pointer.startswith("/") else []
    refused = bad_id(change.new) if len(segments) == 2 and segments[0] == "steps" else None
    return refused or keys.rename_key(files, change)
