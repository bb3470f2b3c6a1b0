"""Where in an object a new member belongs: where its neighbours have theirs, else where the field table has it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonTree, JsonValue, Node
from stepflow_gui.text.pointer import parent, split

_ASKED = 30  # neighbours that are looked at


class Slot(NamedTuple):
    """Beside which member; neither: at the end."""

    after: str | None = None
    before: str | None = None


def put(tree: JsonTree, holder: str, key: str, value: JsonValue, order: Sequence[str]) -> list[TextEdit]:
    """Add a member to the object at a pointer, in its place. `order` are the keys of the field table."""
    node = tree.at(holder)
    assert node is not None
    slot = slot_for(tree, holder, node, key, order)
    return json_edit.insert_member(tree, holder, key, value, after=slot.after, before=slot.before)


def slot_for(tree: JsonTree, holder: str, node: Node, key: str, order: Sequence[str]) -> Slot:
    """The place of a new member."""
    own = [member.key for member in node.members()]
    for neighbour in _neighbours(tree, holder):
        keys = [member.key for member in neighbour.members()]
        if key in keys:
            found = _between(own, keys, key)
            if found:
                return found
    return _between(own, order, key) or Slot()


def _between(own: Sequence[str], order: Sequence[str], key: str) -> Slot | None:
    if key not in order:
        return None
    at = list(order).index(key)
    before = next((known for known in reversed(order[:at]) if known in own), None)
    if before is not None:
        return Slot(after=before)
    behind = next((known for known in order[at + 1 :] if known in own), None)
    return Slot(before=behind) if behind is not None else None


def _neighbours(tree: JsonTree, holder: str) -> Iterator[Node]:
    """Objects in the same position: in other steps, validators, transitions."""
    keys = split(holder)
    for level in range(len(keys)):
        outer = holder
        for _step in range(level + 1):
            outer = parent(outer)
        around = tree.at(outer)
        if around is None:
            continue
        path = keys[len(keys) - level :]
        for member in around.members()[:_ASKED]:
            if member.key == keys[len(keys) - level - 1]:
                continue
            node: Node | None = member.value
            for key in path:
                node = node.get(key) if node is not None else None
            if node is not None and node.kind == "object":
                yield node
        if level >= 1:
            return
