"""What tests of the text room compare and make up."""

from hypothesis import strategies as st

from stepflow_gui.text.json.tree import Node


def outline(root: Node) -> list[object]:
    """Everything that a tree contains, to compare trees by: values, spans, keys."""
    found: list[object] = []
    for node in root.nodes():
        found.append((node.start, node.end, node.kind, node.depth))
        found += [(member.key, member.key_start, member.key_end) for member in node.members()]
        if node.kind not in ("object", "array"):
            found.append(node.value)
    return found


keys = st.text(max_size=5) | st.sampled_from(["steps", "a/b", "m~n", "", "ü", "次"])
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=10)
    | st.sampled_from(["“quoted”", 'say "x"', "C:\\dir", "a\nb", "\ud800", "😀", "// none", "}", "{uv-x}", "# no"])
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=20
)
indents = st.sampled_from([None, 0, 1, 2, 4, "\t"])
