"""Changes to a YAML text, asked for by JSON Pointer and returned as text edits: nothing else of the file moves.

What is new is written as its neighbours are; comments, quotes, anchors and line ends of all else stay.

All functions raise LookupError if a pointer doesn't exist, and ValueError, whose text gives the reason, if the change
makes no sense there or would change or break what is elsewhere.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.tree import JsonTree, JsonValue, Member, Node
from stepflow_gui.text.json.values import identical
from stepflow_gui.text.pointer import element_index, parent, split
from stepflow_gui.text.yaml.blocks import Block, line_end_of, row_of, unusual
from stepflow_gui.text.yaml.holding import holds
from stepflow_gui.text.yaml.lines import LINE_END
from stepflow_gui.text.yaml.tree import YamlTree
from stepflow_gui.text.yaml.write import Style, key_text, quoted, style_of, writing_of

_COMMENT = re.compile(r"#[^\r\n]*")


def set_value(tree: JsonTree, pointer: str, value: JsonValue) -> list[TextEdit]:
    """Replace an existing value; a text keeps its style if that can hold it."""
    edits = _set(tree, pointer, value)
    return _sure(tree, edits, lambda root: _put(root, split(pointer), value)) if edits and tree.source.text else edits


def _set(tree: JsonTree, pointer: str, value: JsonValue, *, shared: bool = False) -> list[TextEdit]:
    node = _own(tree, pointer, shared=shared)
    if identical(node.value, value):
        return []
    edits = _replaced(tree, pointer, node, value)
    _keep_anchors(tree, node.start, node.end)
    return edits


def insert_member(
    tree: JsonTree, pointer: str, key: str, value: JsonValue, *, after: str | None = None, before: str | None = None
) -> list[TextEdit]:
    """Add a member to the mapping at a pointer: beside a sibling of that key, else at the end."""
    return insert_members(tree, pointer, {key: value}, after=after, before=before)


def insert_members(
    tree: JsonTree,
    pointer: str,
    members: Mapping[str, JsonValue],
    *,
    after: str | None = None,
    before: str | None = None,
) -> list[TextEdit]:
    """Add several members, in their order, to the mapping at a pointer: beside a sibling, else at the end."""
    holder = _inside(tree, pointer)
    if holder.kind != "object":
        raise ValueError(_("{place} is not a mapping").format(place=pointer))
    doubled = next((key for key in members if holder.member(key)), None)
    if doubled is not None:
        raise ValueError(_("the key “{key}” already exists").format(key=doubled))
    row = row_of(tree.source.text, holder)
    if row is None:
        return _first_inside(tree, pointer, dict(members))
    written = [row.member(key, value) for key, value in members.items()]
    keys = [member.key for member in holder.members()]
    beside = before if before is not None else after
    if beside is not None and beside not in keys:
        raise LookupError(f"no member {beside!r}")
    slot = len(keys) if beside is None else keys.index(beside) + (before is None)

    def wanted(root: JsonValue) -> JsonValue:
        found = _get(root, split(pointer))
        listed = list(found.items())
        listed[slot:slot] = list(members.items())
        return _put(root, split(pointer), dict(listed))

    return _sure(tree, row.insert(slot, written), wanted)


def insert_item(tree: JsonTree, pointer: str, value: JsonValue, index: int | None = None) -> list[TextEdit]:
    """Add an element to the list at a pointer, before the one at `index`, else at the end."""
    holder = _inside(tree, pointer)
    if holder.kind != "array":
        raise ValueError(_("{place} is not a list").format(place=pointer))
    count = len(holder.items())
    slot = count if index is None else index
    if not 0 <= slot <= count:
        raise LookupError(f"no element {index} in {pointer!r}")
    row = row_of(tree.source.text, holder)
    if row is None:
        return _first_inside(tree, pointer, [value])

    def wanted(root: JsonValue) -> JsonValue:
        found = _get(root, split(pointer))
        return _put(root, split(pointer), [*found[:slot], value, *found[slot:]])

    return _sure(tree, row.insert(slot, [row.item(value)]), wanted)


def remove(tree: JsonTree, *pointers: str) -> list[TextEdit]:
    """Take out members and elements, with the comments that stand right above them."""
    return _sure(tree, _removed(tree, pointers), lambda root: _without(root, pointers))


def _removed(tree: JsonTree, pointers: Sequence[str]) -> list[TextEdit]:
    holders: dict[str, set[int]] = {}
    for pointer in pointers:
        holders.setdefault(parent(pointer), set()).add(_child(tree, pointer)[1])
    edits: list[TextEdit] = []
    for where, gone in holders.items():
        holder = _inside(tree, where)
        row = row_of(tree.source.text, holder)
        assert row is not None
        for index in gone:
            _keep_anchors(tree, *row.extent(index))
        if len(gone) == len(holder.value):
            edits += _replaced(tree, where, holder, {} if holder.kind == "object" else [])
        else:
            edits += row.remove(gone)
    return edits


def _without(root: JsonValue, pointers: Sequence[str]) -> JsonValue:
    for pointer in sorted(pointers, key=_later, reverse=True):
        *above, last = split(pointer)
        found = _get(root, above)
        del found[int(last) if isinstance(found, list) else last]
    return root


def rename_key(tree: JsonTree, pointer: str, key: str) -> list[TextEdit]:
    """Give the member at a pointer another key; it stays where it is."""
    edits = _renamed(tree, pointer, key)
    return _sure(tree, edits, lambda root: _with_key(root, pointer, key)) if edits else edits


def _renamed(tree: JsonTree, pointer: str, key: str) -> list[TextEdit]:
    holder, index = _child(tree, pointer)
    if holder.kind != "object":
        raise ValueError(_("an element has no key"))
    member = holder.members()[index]
    if member.key == key:
        return []
    if holder.member(key):
        raise ValueError(_("the key “{key}” already exists").format(key=key))
    text = tree.source.text
    style = text[member.key_start : member.key_start + 1]
    written = key_text(key, flow=text[holder.start : holder.start + 1] == "{")
    if written == key and style == '"':
        written = quoted(key)
    elif written == key and style == "'":
        written = "'" + key.replace("'", "''") + "'"
    return [TextEdit(member.key_start, member.key_end, written)]


def _with_key(root: JsonValue, pointer: str, key: str) -> JsonValue:
    *where, old = split(pointer)
    found = _get(root, where)
    return _put(root, where, {(key if each == old else each): value for each, value in found.items()})


def change_together(
    tree: JsonTree, values: Mapping[str, JsonValue], removed: Sequence[str], renamed: Mapping[str, str]
) -> list[TextEdit]:
    """Several values, removals and new keys at once, checked once. All pointers are those of the text as it is.

    No value may lie within another one that is changed or removed. Where an anchor and all its aliases get the same
    value, the anchor's text alone is changed.
    """
    anchored, aliased = _changed_by_anchor(tree, values)
    own = {pointer: value for pointer, value in values.items() if pointer not in aliased}
    edits = [
        *(edit for pointer, value in own.items() for edit in _set(tree, pointer, value, shared=pointer in anchored)),
        *_removed(tree, removed),
        *(edit for pointer, key in renamed.items() for edit in _renamed(tree, pointer, key)),
    ]

    def wanted(root: JsonValue) -> JsonValue:
        for pointer, value in values.items():
            root = _put(root, split(pointer), value)
        root = _without(root, removed)
        for pointer in sorted(renamed, key=_later, reverse=True):
            root = _with_key(root, pointer, renamed[pointer])
        return root

    return _sure(tree, edits, wanted) if edits else edits


def move_item(tree: JsonTree, pointer: str, index: int) -> list[TextEdit]:
    """Put an element elsewhere in its list: it is the one at `index` then. Its text and its comments stay the same."""
    holder, old = _child(tree, pointer)
    if holder.kind != "array":
        raise ValueError(_("only elements of a list can be moved"))
    if not 0 <= index < len(holder.items()):
        raise LookupError(f"no element {index}")
    row = row_of(tree.source.text, holder)
    assert row is not None

    def wanted(root: JsonValue) -> JsonValue:
        found = _get(root, split(parent(pointer)))
        found.insert(index, found.pop(old))
        return root

    return _sure(tree, row.move(old, index), wanted)


def _first_inside(tree: JsonTree, pointer: str, value: JsonValue) -> list[TextEdit]:
    """Put a value in place of an empty list or mapping. Raises where a comment would go with it."""
    edits = set_value(tree, pointer, value)
    text = tree.source.text
    if any(comment not in edit.text for edit in edits for comment in _COMMENT.findall(text, edit.start, edit.end)):
        raise unusual()
    return edits


def _replaced(tree: JsonTree, pointer: str, node: Node, value: JsonValue) -> list[TextEdit]:
    text = tree.source.text
    writing = writing_of(text)
    keys = split(pointer)
    holder = tree.at(parent(pointer)) if keys else None
    flow = _in_flow(tree, pointer)
    if holder is None:
        return [TextEdit(node.start, node.end, writing.value(value, 0))]
    style: Style = style_of(text, node) if isinstance(value, str) and isinstance(node.value, str) else "plain"
    end = line_end_of(text, node, block_only=True)
    rest = LINE_END.split(text[node.end :], 1)[0].strip()
    if rest and style == "plain" and isinstance(value, str) and "\n" in value:
        style = "double"  # something stands behind it that a block of lines would swallow
    block = Block(text, holder) if not flow else None
    indent = block.indent if block is not None else 0
    flow = flow or (bool(rest) and _ends_in_lines(value))
    if holder.kind == "array":
        inner = indent + 2 if isinstance(value, dict | list) and value and not flow else indent
        written = writing.value(value, inner, flow=flow, style=style)
        missing = node.start == node.end and text[node.start - 1 : node.start] not in {" ", "["}
        return [TextEdit(node.start, end, (" " if missing else "") + written)]
    member = holder.member(keys[-1])
    assert member is not None
    if isinstance(value, dict | list) and value and not flow:
        colon = _colon(text, member) + 1
        head = LINE_END.split(text[colon : node.start], 1)[0].rstrip()
        kept = head if head.lstrip().startswith("#") else ""
        return [TextEdit(colon, end, kept + writing.behind_key(value, indent))]
    starts_below = LINE_END.search(text, member.key_end, max(member.key_end, node.start)) is not None
    if starts_below and not (isinstance(node.value, str) and style == "literal"):
        colon = _colon(text, member) + 1
        return [TextEdit(colon, end, writing.behind_key(value, indent, flow=flow, style=style))]
    missing = node.start == node.end and text[node.start - 1 : node.start] == ":"
    return [TextEdit(node.start, end, (" " if missing else "") + writing.value(value, indent, flow=flow, style=style))]


def _ends_in_lines(value: JsonValue) -> bool:
    """Whether a list or object would end with a block of lines, which swallows what stands behind it."""
    is_inside = False
    while isinstance(value, dict | list) and value:
        value, is_inside = [*(value.values() if isinstance(value, dict) else value)][-1], True
    return is_inside and isinstance(value, str) and "\n" in value


def _colon(text: str, member: Member) -> int:
    """Where the colon between a key and its value stands, which a mistake can hide."""
    at = text.find(":", member.key_end, max(member.key_end, member.value.start))
    if at < 0:
        raise unusual()
    return at


def _sure(tree: JsonTree, edits: list[TextEdit], wanted: Callable[[JsonValue], JsonValue]) -> list[TextEdit]:
    """The edits, if what is read afterwards is what was asked for, in that order.

    Anchors, mistakes and odd forms can prevent it.
    """
    text = tree.source.text
    try:
        expected = wanted(deepcopy(tree.root.value if tree.root else None))
        changed = apply(text, edits)
    except (LookupError, TypeError, ValueError):  # a key that is there twice, a place that a mistake has displaced
        raise unusual() from None
    if _holds(tree, edits, changed, expected):
        return edits
    last = max(edits, key=lambda edit: edit.end, default=None)
    if last is not None and last.end == len(text) and last.text:  # a block of lines ends with a line end, the file too
        edits = [edit._replace(text=edit.text + writing_of(text).line_end) if edit is last else edit for edit in edits]
        if _holds(tree, edits, apply(text, edits), expected):
            return edits
    raise unusual()


def _holds(before: JsonTree, edits: list[TextEdit], text: str, value: JsonValue) -> bool:
    if "\r" in text and not {*LINE_END.findall(text)} <= {*LINE_END.findall(before.source.text)}:
        return False  # a CR and an LF that were apart are now adjacent
    return holds(before, edits, text, value)


def _changed_by_anchor(tree: JsonTree, values: Mapping[str, JsonValue]) -> tuple[set[str], set[str]]:
    """Of pointers that get values: those of anchors whose aliases all get the same, and those of these aliases."""
    anchored: set[str] = set()
    aliased: set[str] = set()
    nodes = {pointer: node for pointer in values if (node := tree.at(pointer)) is not None}
    by_span = {node.span: pointer for pointer, node in nodes.items()}
    aliases = tree.aliases if isinstance(tree, YamlTree) else ()
    for value in dict.fromkeys(alias.value for alias in aliases):
        anchor = by_span.get(value)
        places = [by_span.get(alias.span) for alias in aliases if alias.value == value]
        if anchor is not None and all(place is not None and values[place] == values[anchor] for place in places):
            anchored.add(anchor)
            aliased |= {place for place in places if place is not None}
    return anchored, aliased


def _own(tree: JsonTree, pointer: str, *, shared: bool = False) -> Node:
    """The value at a pointer, which no alias is part of: what is changed there would change elsewhere, too.

    `shared`: the aliases of the value are meant to change with it.
    """
    node = tree.at(pointer)
    if node is None:
        raise LookupError(f"nothing at {pointer!r}")
    text, at = tree.source.text, tree.root
    for key in split(pointer)[:-1] if pointer else ():
        assert at is not None
        at = at.at("/" + key.replace("~", "~0").replace("/", "~1"))
        if at is not None and text[at.start : at.start + 1] == "*":
            raise ValueError(_("{place} is an alias: change what it refers to").format(place=text[at.start : at.end]))
    for alias in tree.aliases if isinstance(tree, YamlTree) else ():
        if shared and alias.value == node.span:
            continue
        if alias.value.start <= node.start and node.end <= alias.value.end and alias.span != node.span:
            line = tree.source.position(alias.span.start).line
            message = _("“*{name}” in line {line} refers to this: it would change there as well")
            raise ValueError(message.format(name=alias.name, line=line))
    return node


def _inside(tree: JsonTree, pointer: str) -> Node:
    """The mapping or list at a pointer, if it is written there itself."""
    node = _own(tree, pointer)
    if isinstance(node.value, dict | list) and tree.source.text[node.start : node.start + 1] == "*":
        written = tree.source.text[node.start : node.end]
        raise ValueError(_("{place} is an alias: change what it refers to").format(place=written))
    return node


def _keep_anchors(tree: JsonTree, start: int, end: int) -> None:
    """Raise where a stretch holds an anchor that an alias outside it names."""
    for alias in tree.aliases if isinstance(tree, YamlTree) else ():
        if start <= alias.anchor.start < end and not start <= alias.span.start < end:
            line = tree.source.position(alias.span.start).line
            message = _("“*{name}” in line {line} refers to this place")
            raise ValueError(message.format(name=alias.name, line=line))


def _in_flow(tree: JsonTree, pointer: str) -> bool:
    """Whether a value stands inside brackets."""
    text, at = tree.source.text, tree.root
    for key in split(pointer):
        if at is None:
            return False
        if text[at.start : at.start + 1] in {"[", "{"}:
            return True
        at = at.at("/" + key.replace("~", "~0").replace("/", "~1"))
    return False


def _child(tree: JsonTree, pointer: str) -> tuple[Node, int]:
    keys = split(pointer)
    if not keys:
        raise ValueError(_("the whole file has no parent"))
    holder = _inside(tree, parent(pointer))
    if holder.kind == "array":
        index = element_index(keys[-1], len(holder.items()))
    else:
        same = [at for at, member in enumerate(holder.members()) if member.key == keys[-1]]
        index = same[-1] if same else None
    if index is None:
        raise LookupError(f"nothing at {pointer!r}")
    return holder, index


def _get(root: JsonValue, keys: list[str]) -> JsonValue:
    for key in keys:
        root = root[int(key) if isinstance(root, list) else key]
    return root


def _put(root: JsonValue, keys: list[str], value: JsonValue) -> JsonValue:
    if not keys:
        return value
    holder = _get(root, keys[:-1])
    holder[int(keys[-1]) if isinstance(holder, list) else keys[-1]] = value
    return root


def _later(pointer: str) -> tuple[int, list[tuple[int, str]]]:
    """An order in which later elements of a list come after earlier ones."""
    keys = split(pointer)
    return len(keys), [(int(key) if key.isdecimal() else 0, key) for key in keys]
