"""The entries of a flow."""

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import AddEntry
from stepflow_gui.formats.climpt.changes.draft import Draft, step_of
from stepflow_gui.formats.climpt.changes.field_order import put
from stepflow_gui.formats.climpt.entry_pairs import continuation_of
from stepflow_gui.formats.climpt.fields import REGISTRY
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES, VERDICT_TYPES
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.fields import shape_at
from stepflow_gui.messages import _
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_PAIRED = frozenset({"entry-pair", "adt-kind-address"})
MAPPING = "entryStepMapping"


def add_entry(files: AgentFiles, change: AddEntry) -> Plan | Refusal:
    """The first step under a verdict type: a new line of the mapping, or another step in its line."""
    flow = files.flow
    if shape_at(REGISTRY, join("", MAPPING), flow.format) is None:
        return Refusal(_("Files of this format have no {field}").format(field=MAPPING))
    for named in (change.step, *([change.continuation] if change.continuation else [])):
        step = step_of(flow, named)
        if isinstance(step, Refusal):
            return step
        if step.is_section:
            return Refusal(_("“{step}” is a prompt section: it is outside the flow").format(step=named))
    if change.verdict not in {*VERDICT_TYPES, *OLDER_VERDICT_TYPES, "default"}:
        known = ", ".join(VERDICT_TYPES)
        return Refusal(
            _("“{verdict}” is not a verdict type: there are {known}").format(verdict=change.verdict, known=known)
        )
    draft = Draft(files)
    tree = draft.registry.tree
    where = join("", MAPPING)
    mapping = tree.at(where)
    value: JsonValue = change.step
    if flow.format in _PAIRED:
        value = {"initial": change.step, "continuation": change.continuation or continuation_of(change.step, flow)}
    if mapping is None:
        order = [field.name for field in REGISTRY.fields]
        draft.edit(draft.registry, put(tree, "", MAPPING, {change.verdict: value}, order))
    elif mapping.kind != "object":
        draft.edit(draft.registry, json_edit.set_value(tree, where, {change.verdict: value}))
    elif mapping.member(change.verdict):
        draft.edit(draft.registry, json_edit.set_value(tree, join(where, change.verdict), value))
    else:
        draft.edit(draft.registry, json_edit.insert_member(tree, where, change.verdict, value))
    return draft.plan(_("Start {verdict} at {step}").format(verdict=change.verdict, step=change.step))
