"""Any field of a piece set, taken out, moved or given another key; names and entries are followed to what uses them."""

from collections.abc import Iterator

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.climpt.changes.draft import Draft
from stepflow_gui.formats.climpt.changes.misfits import unfit
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.fields import Field, Shape
from stepflow_gui.formats.takt.changes import movements, removing
from stepflow_gui.formats.takt.changes.places import era_of, unknown_target
from stepflow_gui.formats.takt.changes.putting import BEHIND, known_at, put
from stepflow_gui.formats.takt.changes.rules import bad_condition
from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.formats.takt.sections import SectionReference, references_of
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.document import Place
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import element_index, join, parent, split
from stepflow_gui.text.yaml import edit as yaml_edit


def set_field(files: AgentFiles, change: asked.SetField) -> Plan | Refusal:
    """Set a value at a pointer; a new name of a movement is also changed in its references."""
    flow = files.flow
    refused = _no_pointer(change.pointer)
    if refused:
        return refused
    named = _step_named_at(flow, change.pointer)
    if named is not None and isinstance(change.value, str):
        return movements.rename(files, asked.RenameStep(named.id, change.value))
    refused = _unfit(flow, change.pointer, change.value) or _senseless(flow, change.pointer, change.value)
    if refused:
        return refused
    draft = Draft(files)
    draft.edit(draft.registry, put(flow, change.pointer, change.value))
    return draft.plan(_("Set {field}").format(field=_label(change.pointer)))


def remove_field(files: AgentFiles, change: asked.RemoveField) -> Plan | Refusal:
    """A member or element taken out; a movement as a whole, with what names it."""
    flow = files.flow
    tree = flow.document.tree
    refused = _no_pointer(change.pointer)
    if refused:
        return refused
    if tree.at(change.pointer) is None:
        return _nothing(change.pointer)
    step = next((step for step in flow.steps.values() if step.pointer == change.pointer), None)
    if step is not None:
        return removing.remove(files, asked.RemoveStep(step.id, force=change.force))
    refused = None if change.force else _missed(flow, change.pointer)
    if refused:
        return refused
    draft = Draft(files)
    draft.edit(draft.registry, yaml_edit.remove(tree, _with_its_list(flow, change.pointer)))
    return draft.plan(_("Remove {field}").format(field=_label(change.pointer)))


def rename_key(files: AgentFiles, change: asked.RenameKey) -> Plan | Refusal:
    """Another key for an entry of a section map, and for what refers to it."""
    flow = files.flow
    tree = flow.document.tree
    refused = _no_pointer(change.pointer)
    if refused:
        return refused
    holder = tree.at(parent(change.pointer))
    keys = split(change.pointer)
    if holder is None or holder.member(keys[-1]) is None:
        return _nothing(change.pointer)
    if not change.new:
        return Refusal(_("A key can’t be empty"))
    if len(keys) == 1 or keys[0] not in SECTIONS:
        report = keys[-3:-1] and "report" in keys
        if not report:
            return Refusal(_("This key is a field: it can’t have another name"))
    draft = Draft(files)
    uses = dict.fromkeys((each.text.pointer for each in _uses(flow, change.pointer)), change.new)
    draft.edit(draft.registry, yaml_edit.change_together(tree, uses, (), {change.pointer: change.new}))
    return draft.plan(_("Rename {step} to {new}").format(step=keys[-1], new=change.new))


def move_item(files: AgentFiles, change: asked.MoveItem) -> Plan | Refusal:
    """An element put at another index of its list: a rule, a sub-step, a movement."""
    tree = files.flow.document.tree
    refused = _no_pointer(change.pointer)
    if refused:
        return refused
    holder = tree.at(parent(change.pointer))
    keys = split(change.pointer)
    count = len(holder.items()) if holder else 0
    old = element_index(keys[-1], count) if holder else None
    if old is None:
        return _nothing(change.pointer)
    label = keys[-2] if len(keys) > 1 else ""
    if not 0 <= change.to < count:
        return Refusal(_("“{field}” has no element {index}").format(field=label, index=change.to))
    draft = Draft(files)
    if old != change.to:
        draft.edit(draft.registry, yaml_edit.move_item(tree, change.pointer, change.to))
    return draft.plan(_("Move an element of {field}").format(field=label))


def _no_pointer(pointer: str) -> Refusal | None:
    if pointer.startswith("/"):
        return None
    return Refusal(_("“{pointer}” is not a JSON Pointer: it begins with /").format(pointer=pointer))


def _nothing(pointer: str) -> Refusal:
    return Refusal(_("There is nothing at “{pointer}”").format(pointer=pointer))


def _label(pointer: str) -> str:
    return next((part for part in reversed(split(pointer)) if part != BEHIND), pointer)


def _step_named_at(flow: Flow, pointer: str) -> Step | None:
    return next((step for step in flow.steps.values() if join(step.pointer, "name") == pointer), None)


def _unfit(flow: Flow, pointer: str, value: JsonValue) -> Refusal | None:
    """Why a value isn't allowed there: another type, or a field that no piece has."""
    found = known_at(flow, pointer.replace("/-", "/0"))
    if found is None:
        known = flow.document.tree.at(pointer) is not None
        text = _("This format has no field “{field}” there")
        return None if known else Refusal(text.format(field=_label(pointer)))
    shape = found.shape if isinstance(found, Field) else found
    return unfit(_label(pointer), value, shape, era_of(flow).notation) if isinstance(shape, Shape) else None


def _senseless(flow: Flow, pointer: str, value: JsonValue) -> Refusal | None:
    """Why a text that names something or is a condition isn't allowed there."""
    keys = split(pointer)
    if not isinstance(value, str):
        return None
    if keys[-1] == "condition" and "rules" in keys and "loop_monitors" not in keys:
        return bad_condition(flow, value)
    if (keys[-1] == "next" and "rules" in keys) or keys == [era_of(flow).initial]:
        return unknown_target(flow, value) if value else None
    if keys[-1] == "name" and "parallel" in keys:
        return _taken(flow, pointer, value)
    return None


def _taken(flow: Flow, pointer: str, name: str) -> Refusal | None:
    """Why a sub-step can't be called so: another of its movement is."""
    own = parent(pointer)
    for step in flow.steps.values():
        for sub in step.subs:
            if sub.id == name and sub.pointer != own and parent(sub.pointer) == parent(own):
                return Refusal(_("There is a step “{step}” already").format(step=name))
    return None


def _missed(flow: Flow, pointer: str) -> Refusal | None:
    """Why a field is needed: the file isn't loaded without it, or others refer to it."""
    found = known_at(flow, pointer)
    if isinstance(found, Field) and found.need == "load":
        text = _("Runners need “{field}”: they don’t load the file without it")
        return Refusal(text.format(field=_label(pointer)), options=("force",))
    users = list(_uses(flow, pointer))
    if not users:
        return None
    text = ngettext("{count} field refers to “{name}”", "{count} fields refer to “{name}”", len(users))
    places = tuple(Place(flow.document, each.text.pointer, each.text.span) for each in users)
    return Refusal(text.format(count=len(users), name=_label(pointer)), options=("force",), places=places)


def _uses(flow: Flow, pointer: str) -> Iterator[SectionReference]:
    """What refers to an entry of a section map."""
    keys = split(pointer)
    if len(keys) == 2 and keys[0] in SECTIONS:
        yield from (each for each in references_of(flow) if each.section == keys[0] and each.text.value == keys[1])


def _with_its_list(flow: Flow, pointer: str) -> str:
    """What to take out: the list, too, where its last element goes, as no empty one is of use."""
    holder = flow.document.tree.at(parent(pointer))
    alone = holder is not None and len(holder.value) == 1 and len(split(pointer)) > 1
    return parent(pointer) if alone and split(parent(pointer))[-1:] != ["report"] else pointer
