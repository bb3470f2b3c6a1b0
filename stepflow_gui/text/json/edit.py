"""Changes to a JSON text, asked for by JSON Pointer and returned as text edits: nothing else of the file moves.

What is new is written as its neighbours are: in one line where they are, with their spacing, indentation, line ends
and escapes. On a text with mistakes the edits are as good as its tree; commas and comments in the wrong place stay.

All functions raise LookupError if a pointer doesn't exist, ValueError if the change makes no sense there (a key
that exists already, an element put into an object).
"""

from collections.abc import Mapping

from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.indent import line_indent, same_line
from stepflow_gui.text.json.slots import Slots
from stepflow_gui.text.json.style import Style, spans, style_of
from stepflow_gui.text.json.tree import JsonTree, JsonValue, Node, kind_of
from stepflow_gui.text.json.write import Writer
from stepflow_gui.text.pointer import element_index, join, parent, split


def set_value(tree: JsonTree, pointer: str, value: JsonValue) -> list[TextEdit]:
    """Put another value in the place of one that is there."""
    text = tree.source.text
    node = _at(tree, pointer)
    model = node if spans(node) and node.kind == kind_of(value) else _model_of(tree, pointer, value)
    flat = _in_line(tree, pointer)
    written = Writer(text, style_of(tree)).value(value, line_indent(text, node.start), model, flat)
    return [] if written == text_of(tree, node) else [TextEdit(node.start, node.end, written)]


def insert_member(
    tree: JsonTree,
    pointer: str,
    key: str,
    value: JsonValue,
    *,
    after: str | None = None,
    before: str | None = None,
) -> list[TextEdit]:
    """Add a member to the object at a pointer: beside a sibling of that key, else at the end."""
    return insert_members(tree, pointer, {key: value}, after=after, before=before)


def insert_members(
    tree: JsonTree,
    pointer: str,
    members: Mapping[str, JsonValue],
    *,
    after: str | None = None,
    before: str | None = None,
) -> list[TextEdit]:
    """Add several members, in their order, to the object at a pointer: beside a sibling, else at the end."""
    holder = _at(tree, pointer, "object")
    doubled = next((key for key in members if holder.member(key)), None)
    if doubled is not None:
        raise ValueError(f"there is a member {doubled!r} already")
    style = style_of(tree)
    if not holder.members():
        return _fill(tree, pointer, holder, dict(members), style)
    slots = Slots(tree.source.text, holder, style)
    writer = Writer(tree.source.text, style)
    written = [
        writer.member(key, value, slots.indent, _model_for(tree, pointer, holder, key, value), slots.flat)
        for key, value in members.items()
    ]
    return slots.insert(_slot(holder, after, before), written)


def put_members(tree: JsonTree, pointer: str, members: Mapping[str, JsonValue]) -> list[TextEdit]:
    """Give members of the object at a pointer their values, and add those that don't exist at the end."""
    holder = _at(tree, pointer, "object")
    there = [key for key in members if holder.member(key)]
    added = {key: value for key, value in members.items() if key not in there}
    edits = insert_members(tree, pointer, added) if added else []
    return edits + [edit for key in there for edit in set_value(tree, join(pointer, key), members[key])]


def insert_item(tree: JsonTree, pointer: str, value: JsonValue, index: int | None = None) -> list[TextEdit]:
    """Add an element to the array at a pointer, before the one at `index`, else at the end."""
    holder = _at(tree, pointer, "array")
    count = len(holder.items())
    slot = count if index is None else index
    if not 0 <= slot <= count:
        raise LookupError(f"no element {index} in {pointer!r}")
    style = style_of(tree)
    if not count:
        return _fill(tree, pointer, holder, [value], style)
    slots = Slots(tree.source.text, holder, style)
    model = _model_for(tree, pointer, holder, None, value)
    written = Writer(tree.source.text, style).value(value, slots.indent, model, slots.flat)
    return slots.insert(slot, [written])


def remove(tree: JsonTree, *pointers: str) -> list[TextEdit]:
    """Take out members and elements."""
    holders: dict[str, set[int]] = {}
    for pointer in pointers:
        holders.setdefault(parent(pointer), set()).add(_child(tree, pointer)[1])
    return [edit for holder, gone in holders.items() for edit in _without(tree, _at(tree, holder), gone)]


def rename_key(tree: JsonTree, pointer: str, key: str) -> list[TextEdit]:
    """Give the member at a pointer another key; it stays where it is."""
    holder, index = _child(tree, pointer)
    members = holder.members()
    if not members:
        raise ValueError("an element has no key")
    member = members[index]
    if member.key == key:
        return []
    if holder.member(key):
        raise ValueError(f"there is a member {key!r} already")
    return [TextEdit(member.key_start, member.key_end, Writer(tree.source.text, style_of(tree)).string(key))]


def move_item(tree: JsonTree, pointer: str, index: int) -> list[TextEdit]:
    """Put an element elsewhere in its array: it is the one at `index` then."""
    holder, old = _child(tree, pointer)
    if holder.members():
        raise ValueError("only elements are moved")
    if not 0 <= index < len(holder.items()):
        raise LookupError(f"no element {index}")
    return Slots(tree.source.text, holder, style_of(tree)).move(old, index + 1 if index > old else index)


def text_of(tree: JsonTree, node: Node) -> str:
    """A value as it is written."""
    return tree.source.text[node.start : node.end]


def _at(tree: JsonTree, pointer: str, kind: str | None = None) -> Node:
    node = tree.at(pointer)
    if node is None:
        raise LookupError(f"nothing at {pointer!r}")
    if kind is not None and node.kind != kind:
        raise ValueError(f"{pointer!r} is no {kind}")
    return node


def _child(tree: JsonTree, pointer: str) -> tuple[Node, int]:
    """The object or array that holds a pointer's target, and which of its members or elements that is."""
    keys = split(pointer)
    if not keys:
        raise ValueError("the whole file stands in no object")
    holder = _at(tree, parent(pointer))
    if holder.kind == "array":
        index = element_index(keys[-1], len(holder.items()))
    else:
        same = [at for at, member in enumerate(holder.members()) if member.key == keys[-1]]
        index = same[-1] if same else None
    if index is None:
        raise LookupError(f"nothing at {pointer!r}")
    return holder, index


def _slot(holder: Node, after: str | None, before: str | None) -> int:
    members = holder.members()
    beside = before if before is not None else after
    if beside is None:
        return len(members)
    found = [at for at, member in enumerate(members) if member.key == beside]
    if not found:
        raise LookupError(f"no member {beside!r}")
    return found[0] if before is not None else found[-1] + 1


def _fill(tree: JsonTree, pointer: str, holder: Node, value: JsonValue, style: Style) -> list[TextEdit]:
    """Put the first members or elements into an empty object or array."""
    text = tree.source.text
    indent = line_indent(text, holder.start)
    written = Writer(text, style).value(value, indent, _model_of(tree, pointer, value), _in_line(tree, pointer))
    if text[holder.start + 1 : holder.end - 1].strip():  # a comment, which is not JSON but somebody's text
        return [TextEdit(holder.start + 1, holder.start + 1, written[1:-1])]
    return [TextEdit(holder.start, holder.end, written)]


def _in_line(tree: JsonTree, pointer: str) -> bool:
    """Whether the object or array around the value at a pointer is on one line."""
    around = tree.at(parent(pointer)) if pointer else None
    return around is not None and same_line(tree.source.text, around.start, around.end)


def _without(tree: JsonTree, holder: Node, gone: set[int]) -> list[TextEdit]:
    if len(gone) == len(spans(holder)):
        return [TextEdit(holder.start + 1, holder.end - 1, "")]
    return Slots(tree.source.text, holder, style_of(tree)).remove(gone)


_ASKED = 50  # siblings that are asked
_LEVELS = 2  # levels up at which relatives are looked for


def _model_for(tree: JsonTree, pointer: str, holder: Node, key: str | None, value: JsonValue) -> Node | None:
    """The model for a value that will be the member of that key, or an element, of the holder at a pointer.

    A sibling that has a key in common with it; else a relative, which is in another object where the new value
    will be in this one (as one step's transitions are to another's); else any sibling of the same kind.
    """
    if not isinstance(value, dict | list):
        return None
    siblings = [node for node in _inside(holder) if node.kind == kind_of(value) and spans(node)]
    if isinstance(value, dict):
        alike = [(len(value.keys() & node.value.keys()), -at) for at, node in enumerate(siblings)]
        best = max(alike, default=(0, 0))
        if best[0]:
            return siblings[-best[1]]
    related = _relative(tree, pointer, key, value) if key is not None else None
    return related or (siblings[0] if siblings else None)


def _model_of(tree: JsonTree, pointer: str, value: JsonValue) -> Node | None:
    """The model for a value in the place of the empty one at a pointer."""
    keys = split(pointer)
    holder = tree.at(parent(pointer))
    if not keys or holder is None:
        return None
    return _model_for(tree, parent(pointer), holder, keys[-1] if holder.kind == "object" else None, value)


def _relative(tree: JsonTree, pointer: str, key: str, value: JsonValue) -> Node | None:
    keys = split(pointer)
    segments = [key]
    for _ in range(min(_LEVELS, len(keys))):
        pointer = parent(pointer)
        around = tree.at(pointer)
        for other in _inside(around) if around else []:
            node: Node | None = other
            for step in segments:
                node = node.get(step) if node else None
            if node is not None and node.kind == kind_of(value) and spans(node):
                return node
        segments.insert(0, keys.pop())
    return None


def _inside(node: Node) -> list[Node]:
    return [member.value for member in node.members()[:_ASKED]] or node.items()[:_ASKED]
