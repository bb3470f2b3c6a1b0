"""Free keys renamed with what names them, and elements of lists moved."""

from collections.abc import Iterator

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import MoveItem, RenameKey, RenameStep
from stepflow_gui.formats.climpt.changes.draft import Draft, document_of, listed
from stepflow_gui.formats.climpt.changes.steps.renaming import rename_step
from stepflow_gui.formats.climpt.validation import CONDITION_LISTS, PATTERN_HOLDERS, STEP_HOLDERS
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import element_index, join, parent, split


def rename_key(files: AgentFiles, change: RenameKey) -> Plan | Refusal:
    """Another key for a member; what names it follows."""
    draft = Draft(files)
    document = document_of(files, change.file)
    if isinstance(document, Refusal):
        return document
    tree = document.tree
    keys = split(change.pointer) if change.pointer.startswith("/") else []
    holder = tree.at(parent(change.pointer)) if keys else None
    if holder is None or holder.member(keys[-1]) is None:
        return Refusal(_("There is nothing at “{pointer}”").format(pointer=change.pointer))
    old = keys[-1]
    title = _("Rename {step} to {new}").format(step=old, new=change.new)
    if old == change.new:
        return draft.plan(title)
    in_registry = document is draft.registry
    if in_registry and len(keys) == 2 and keys[0] == "steps" and old in files.flow.steps:
        return rename_step(files, RenameStep(old, change.new))
    if not change.new:
        return Refusal(_("A key can’t be empty"))
    if holder.member(change.new):
        return Refusal(_("There is a “{name}” already").format(name=change.new))
    if sum(member.key == old for member in holder.members()) > 1:
        return Refusal(_("“{name}” appears twice: remove one of the two first").format(name=old))
    draft.edit(document, json_edit.rename_key(tree, change.pointer, change.new))
    root = tree.root
    assert root is not None
    for where in _named_by(root, keys) if in_registry else ():
        draft.edit(document, json_edit.set_value(tree, where, change.new))
    if not in_registry and keys[:-1] == ["parameters"]:
        _report_users(draft, old)
    return draft.plan(title)


def move_item(files: AgentFiles, change: MoveItem) -> Plan | Refusal:
    """An element put at another index of its list."""
    draft = Draft(files)
    document = document_of(files, change.file)
    if isinstance(document, Refusal):
        return document
    tree = document.tree
    keys = split(change.pointer) if change.pointer.startswith("/") else []
    holder = tree.at(parent(change.pointer)) if keys else None
    count = len(holder.items()) if holder else 0
    old = element_index(keys[-1], count) if holder else None
    if old is None:
        return Refusal(_("There is nothing at “{pointer}”").format(pointer=change.pointer))
    if not 0 <= change.to < count:
        text = _("“{field}” has no element {index}")
        return Refusal(text.format(field=keys[-2] if len(keys) > 1 else "", index=change.to))
    if old != change.to:
        draft.edit(document, json_edit.move_item(tree, change.pointer, change.to))
    return draft.plan(_("Move an element of {field}").format(field=keys[-2] if len(keys) > 1 else ""))


def _report_users(draft: Draft, parameter: str) -> None:
    """Note which steps still use a parameter by its old name."""
    asked = {step.id: step.raw.get("uvVariables") for step in draft.flow.steps.values()}
    users = [step for step, names in asked.items() if isinstance(names, list) and parameter in names]
    if users:
        text = _("These steps still ask for “{name}” in their uvVariables: {steps}")
        draft.note(text.format(name=parameter, steps=listed(users)))


def _named_by(root: Node, keys: list[str]) -> Iterator[str]:
    """Pointers of the strings that mean the member of a key."""
    if len(keys) != 2:
        return
    holder, name = keys
    if holder == "validators":
        found = _conditions(root)
    elif holder in PATTERN_HOLDERS:
        found = ((join(where, "failurePattern"), each.get("failurePattern")) for where, each in _in(root, "validators"))
    elif holder in STEP_HOLDERS:
        found = _validation(root, holder, name)
    else:
        return
    yield from (where for where, node in found if node is not None and node.value == name)


def _conditions(root: Node) -> Iterator[tuple[str, Node | None]]:
    for holder in STEP_HOLDERS:
        for where, step in _in(root, holder):
            for conditions in CONDITION_LISTS:
                for at, condition in _items(step, conditions, where):
                    yield join(at, "validator"), condition.get("validator")


def _validation(root: Node, holder: str, name: str) -> Iterator[tuple[str, Node | None]]:
    own = root.at(join("", holder, name))
    if own is not None:
        yield join("", holder, name, "stepId"), own.get("stepId")
    for where, step in _in(root, "steps"):
        yield from _items(step, "validationSteps", where)


def _in(root: Node, holder: str) -> Iterator[tuple[str, Node]]:
    found = root.get(holder)
    for member in found.members() if found else ():
        yield join("", holder, member.key), member.value


def _items(node: Node, key: str, pointer: str) -> Iterator[tuple[str, Node]]:
    found = node.get(key)
    for index, item in enumerate(found.items() if found else ()):
        yield join(pointer, key, index), item
