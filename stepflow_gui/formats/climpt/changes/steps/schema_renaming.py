"""Another name for a schema in its file, and wherever it is referred to."""

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import RenameSchema
from stepflow_gui.formats.climpt.changes.draft import Draft, readable, unsound
from stepflow_gui.formats.climpt.changes.steps.references import rewrite
from stepflow_gui.formats.climpt.changes.steps.schema_references import NamedSchema, name_references
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import parent, split

_UNFIT = "/#%~"  # signs that mean something in the references to a schema


def rename_schema(files: AgentFiles, change: RenameSchema) -> Plan | Refusal:
    """A schema renamed with every place of the registry and of schema files that contains its name."""
    draft = Draft(files)
    document = readable(files, change.file)
    keys = split(change.pointer)
    holder = document.tree.at(parent(change.pointer)) if document and keys else None
    if document is None or holder is None or holder.member(keys[-1]) is None:
        return Refusal(_("There is nothing at “{pointer}”").format(pointer=change.pointer))
    old = keys[-1]
    title = _("Rename the schema {name} to {new}").format(name=old, new=change.new)
    if change.new == old:
        return draft.plan(title)
    if not change.new:
        return Refusal(_("A key can’t be empty"))
    if any(sign in change.new for sign in _UNFIT):
        return Refusal(_("The name of a schema can’t hold any of {signs}").format(signs=" ".join(_UNFIT)))
    if holder.member(change.new):
        return Refusal(_("There is a “{name}” already").format(name=change.new))
    if sum(member.key == old for member in holder.members()) > 1:
        return Refusal(_("“{name}” appears twice: remove one of the two first").format(name=old))
    for file, edits in rewrite(name_references(files, NamedSchema(document, change.pointer, old)), change.new).values():
        refused = unsound(file)
        if refused:
            return refused
        draft.edit(file, edits)
    return draft.plan(title)
