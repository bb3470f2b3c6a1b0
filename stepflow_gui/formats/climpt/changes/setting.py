"""Setting and taking out any field of a registry or of agent.json, by JSON Pointer and the field table."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import RemoveField, SetField
from stepflow_gui.formats.climpt.agent.table import agent_table
from stepflow_gui.formats.climpt.changes.draft import Draft, listed, unsound
from stepflow_gui.formats.climpt.changes.field_order import put
from stepflow_gui.formats.climpt.changes.misfits import unfit
from stepflow_gui.formats.climpt.fields import REGISTRY
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join, parent, split


class _Table(NamedTuple):
    """A file with the fields that it may have. `known` is the format, or the era, that the fields are asked for."""

    document: ParsedFile
    shape: Shape | None
    known: str


def set_field(files: AgentFiles, change: SetField) -> Plan | Refusal:
    """Set a value at a pointer. Missing objects on its path are made."""
    table = _table(files, change.file)
    if isinstance(table, Refusal):
        return table
    refused = unsound(table.document) or _no_pointer(change.pointer) or _no_json(change) or _unfit(table, change)
    if refused:
        return refused
    tree = table.document.tree
    draft = Draft(files)
    node = tree.at(change.pointer)
    if node is not None:
        draft.edit(table.document, json_edit.set_value(tree, change.pointer, change.value))
    else:
        refused = _put_in(draft, table, change)
        if refused:
            return refused
    return draft.plan(_("Set {field}").format(field=_name(change.pointer)))


def remove_field(files: AgentFiles, change: RemoveField) -> Plan | Refusal:
    """A member or element taken out."""
    table = _table(files, change.file)
    if isinstance(table, Refusal):
        return table
    refused = unsound(table.document) or _no_pointer(change.pointer)
    if refused:
        return refused
    tree = table.document.tree
    if not change.pointer or tree.at(change.pointer) is None:
        return Refusal(_("There is nothing at “{pointer}”").format(pointer=change.pointer))
    refused = None if change.force else _missed(table, change.pointer)
    if refused:
        return refused
    draft = Draft(files)
    draft.edit(table.document, json_edit.remove(tree, change.pointer))
    return draft.plan(_("Remove {field}").format(field=_name(change.pointer)))


def _table(files: AgentFiles, file: Path | None) -> _Table | Refusal:
    flow = files.flow
    if file is None or file == flow.document.path:
        return _Table(flow.document, registry_fields(flow.format), flow.format)
    agent = files.agent
    if agent is not None and file == agent.document.path:
        return _Table(agent.document, *agent_table(agent))
    found = files.document(file)
    if isinstance(found, ReadProblem):
        return Refusal(_("“{file}” can’t be read").format(file=file.name))
    return _Table(found, None, "")


def _no_pointer(pointer: str) -> Refusal | None:
    fits = not pointer or pointer.startswith("/")
    return None if fits else Refusal(_("“{pointer}” is not a JSON Pointer: it begins with /").format(pointer=pointer))


def _no_json(change: SetField) -> Refusal | None:
    try:
        json.dumps(change.value, allow_nan=False)
    except ValueError:
        return Refusal(_("“{field}”: JSON has no infinite numbers").format(field=_name(change.pointer)))
    return None


def _unfit(table: _Table, change: SetField) -> Refusal | None:
    """Why the value isn't allowed there: another type, or a field unknown to the format."""
    if table.shape is None:
        return None
    found = field_at(table.shape, change.pointer, table.known)
    if found is None:
        known = table.document.tree.at(change.pointer) is not None
        text = _("This format has no field “{field}” there")
        return None if known else Refusal(text.format(field=_name(change.pointer)))
    shape = found.shape if isinstance(found, Field) else found
    return unfit(_name(change.pointer), change.value, shape, table.known)


def _put_in(draft: Draft, table: _Table, change: SetField) -> Refusal | None:
    """Add what is missing on the path to a pointer, and the value at its end."""
    tree = table.document.tree
    holder, keys = change.pointer, list[str]()
    while tree.at(holder) is None:
        keys.insert(0, split(holder)[-1])
        holder = parent(holder)
    node = tree.at(holder)
    value: JsonValue = change.value
    for key in reversed(keys[1:]):
        value = {key: value}
    if node is None or not keys:
        return Refusal(_("There is nothing at “{pointer}”").format(pointer=change.pointer))
    if node.kind == "array":
        return _append(draft, table, holder, keys, value)
    if node.kind != "object":
        return Refusal(_("“{field}” is not an object").format(field=_name(holder)))
    order = list(_order(table, holder))
    draft.edit(table.document, put(tree, holder, keys[0], value, order))
    return None


def _append(draft: Draft, table: _Table, holder: str, keys: Sequence[str], value: JsonValue) -> Refusal | None:
    """An element more: `-` or the number behind the last."""
    tree = table.document.tree
    node = tree.at(holder)
    assert node is not None
    if keys[0] not in {"-", str(len(node.items()))}:
        return Refusal(_("“{field}” has no element {index}").format(field=_name(holder), index=keys[0]))
    draft.edit(table.document, json_edit.insert_item(tree, holder, value))
    return None


def _order(table: _Table, holder: str) -> Iterator[str]:
    found = field_at(table.shape, holder, table.known) if table.shape and holder else table.shape
    shape = found.shape if isinstance(found, Field) else found
    for each in (shape, *shape.either) if shape else ():
        yield from (field.name for field in each.fields)


def _missed(table: _Table, pointer: str) -> Refusal | None:
    """Why a field is needed: the runner doesn't load the file without it, or others name it."""
    found = field_at(table.shape, pointer, table.known) if table.shape else None
    if isinstance(found, Field) and found.need == "load" and not pointer.startswith("/steps/section."):
        text = _("Runners need “{field}”: they don’t load the file without it")
        return Refusal(text.format(field=_name(pointer)), options=("force",))
    root = table.document.root
    named = list(_uses(root, pointer)) if root and table.shape is REGISTRY else []
    if not named:
        return None
    text = _("“{name}” is needed by {users}")
    reason = text.format(name=_name(pointer), users=listed(split(where)[1] for where, _node in named))
    places = tuple(Place(table.document, where, node.span) for where, node in named)
    return Refusal(reason, options=("force",), places=places)


def _uses(root: Node, pointer: str) -> Iterator[tuple[str, Node]]:
    """Where a validator or a failure pattern is named."""
    keys = split(pointer)
    if len(keys) != 2:
        return
    match keys[0]:
        case "validators":
            yield from _at_ends(root, ("validationSteps", "completionSteps"), "validator", keys[1])
        case "failurePatterns" | "completionPatterns":
            yield from _at_ends(root, ("validators",), "failurePattern", keys[1])


def _at_ends(root: Node, holders: tuple[str, ...], key: str, name: str) -> Iterator[tuple[str, Node]]:
    for holder in holders:
        node = root.get(holder)
        for where, inner in node.walk(join("", holder)) if node else ():
            if where.endswith(f"/{key}") and inner.value == name:
                yield where, inner


def _name(pointer: str) -> str:
    """A field as people call it: its key, an element with the list's."""
    keys = split(pointer)
    if not keys:
        return ""
    return f"{keys[-2]}[{keys[-1]}]" if keys[-1].isdecimal() and len(keys) > 1 else keys[-1]
