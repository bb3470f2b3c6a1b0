"""Puts a value into a piece at a place that doesn't exist yet, where the table of its fields has it."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.changes.field_order import slot_for
from stepflow_gui.formats.fields import Field, field_at
from stepflow_gui.formats.takt.changes.places import era_of
from stepflow_gui.formats.takt.fields import PIECE_FILE
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent, split
from stepflow_gui.text.yaml import edit as yaml_edit

BEHIND = "-"  # in a pointer: behind the last element


def put(flow: Flow, pointer: str, value: JsonValue) -> list[TextEdit]:
    """Put a value in with what is missing around it. A list's new element is named by `-`, or by the next number.

    Raises ValueError where nothing can be put in.
    """
    tree = flow.document.tree
    holder, keys = pointer, list[str]()
    while tree.at(holder) is None:
        keys.insert(0, split(holder)[-1])
        holder = parent(holder)
    node = tree.at(holder)
    assert node is not None
    if not keys:
        return yaml_edit.set_value(tree, pointer, value)
    wanted: JsonValue = value
    for key in reversed(keys[1:]):
        wanted = [wanted] if key == BEHIND or (key == "0" and _is_list(flow, holder, keys, key)) else {key: wanted}
    if node.kind == "array":
        if keys[0] not in {BEHIND, str(len(node.items()))}:
            raise ValueError(_("“{field}” has no element {index}").format(field=split(holder)[-1], index=keys[0]))
        return yaml_edit.insert_item(tree, holder, wanted)
    if node.value is None and holder:  # a key without a value
        return yaml_edit.set_value(tree, holder, [wanted] if keys[0] == BEHIND else {keys[0]: wanted})
    if node.kind != "object":
        raise ValueError(_("“{field}” is not an object").format(field=split(holder)[-1]))
    slot = slot_for(tree, holder, node, keys[0], _order(flow, holder))
    return yaml_edit.insert_member(tree, holder, keys[0], wanted, after=slot.after, before=slot.before)


def known_at(flow: Flow, pointer: str) -> Field | object | None:
    """The table's entry for a place of a piece; the object of the whole file for the empty pointer."""
    return field_at(PIECE_FILE, pointer, era_of(flow).notation) if pointer else PIECE_FILE


def _is_list(flow: Flow, holder: str, keys: list[str], key: str) -> bool:
    found = known_at(flow, join(holder, *keys[: keys.index(key)]))
    shape = found.shape if isinstance(found, Field) else found
    return getattr(shape, "kind", "") == "list"


def _order(flow: Flow, holder: str) -> list[str]:
    found = known_at(flow, holder)
    shape = found.shape if isinstance(found, Field) else found
    return list(dict.fromkeys(field.name for field in getattr(shape, "fields", ())))
