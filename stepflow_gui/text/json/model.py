"""Which value of a file a new one should look like."""

from stepflow_gui.text.json.style import spans
from stepflow_gui.text.json.tree import JsonTree, JsonValue, Node, kind_of
from stepflow_gui.text.pointer import parent, split

_ASKED = 50  # siblings that are asked
_LEVELS = 2  # levels up at which relatives are looked for


def model_for(tree: JsonTree, pointer: str, holder: Node, key: str | None, value: JsonValue) -> Node | None:
    """The model for a value that will be the member of that key, or an element, of the holder at a pointer.

    A sibling that has a key in common with it; else a relative, which stands in another object where the new value
    will stand in this one (as one step's transitions are to another's); else any sibling of the same kind.
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


def model_of(tree: JsonTree, pointer: str, value: JsonValue) -> Node | None:
    """The model for a value in the place of the empty one at a pointer."""
    keys = split(pointer)
    holder = tree.at(parent(pointer))
    if not keys or holder is None:
        return None
    return model_for(tree, parent(pointer), holder, keys[-1] if holder.kind == "object" else None, value)


def _relative(tree: JsonTree, pointer: str, key: str, value: JsonValue) -> Node | None:
    keys = split(pointer)
    way = [key]
    for _ in range(min(_LEVELS, len(keys))):
        pointer = parent(pointer)
        around = tree.at(pointer)
        for other in _inside(around) if around else []:
            node: Node | None = other
            for step in way:
                node = node.get(step) if node else None
            if node is not None and node.kind == kind_of(value) and spans(node):
                return node
        way.insert(0, keys.pop())
    return None


def _inside(node: Node) -> list[Node]:
    return [member.value for member in node.members()[:_ASKED]] or node.items()[:_ASKED]
