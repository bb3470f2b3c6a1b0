"""Several changes made at once are what they are one after the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.text.edit import apply, ordered
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import parent
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.edit import change_together, remove, rename_key, set_value
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree

TEXT = """\
# top
a: 1   # one
b:
  - {x: 1, y: two}
  - x: [1, 2]   # list
    # above y
    y: |
      block
c: "quoted"
d: {}
"""
COUNTS = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2))
PLACES = ["/a", "/b/0/x", "/b/0/y", "/b/1/x", "/b/1/y", "/c", "/d"]


def _tree(text: str) -> YamlTree:
    return read_yaml_tree(Source(text))


@given(st.permutations(PLACES), COUNTS, st.sampled_from([7, "text", [1]]))
def test_as_one_after_the_other(places: list[str], counts: tuple[int, int, int], value: JsonValue) -> None:
    values, removed, renamed = counts
    changed = dict.fromkeys(places[:values], value)
    gone = places[values : values + removed]
    keys = {place: f"new{number}" for number, place in enumerate(places[values + removed :][:renamed])}
    at_once = apply(TEXT, ordered(change_together(_tree(TEXT), changed, gone, keys)))
    text = TEXT
    for place in changed:
        text = apply(text, set_value(_tree(text), place, value))
    for place in gone:
        text = apply(text, remove(_tree(text), place))
    for place, key in keys.items():
        text = apply(text, rename_key(_tree(text), place, key))
    before, after = _tree(at_once).root, _tree(text).root
    assert before is not None
    assert after is not None
    assert before.value == after.value
    if len({parent(place) for place in gone}) == len(gone):  # comments in an object go with the last of its members
        assert [line for line in at_once.split("\n") if "#" in line] == [
            line for line in text.split("\n") if "#" in line
        ]


def test_what_would_change_more_is_refused() -> None:
    with pytest.raises(ValueError, match="refers to"):
        change_together(_tree("a: &x 1\nb: *x\n"), {}, ["/a"], {})
    with pytest.raises(LookupError):
        change_together(_tree("a: 1\n"), {"/z": 1}, [], {})
    assert change_together(_tree("a: 1\n"), {}, [], {}) == []


def _comments(text: str) -> list[str]:
    return [line for line in text.split("\n") if "#" in line]


def test_an_anchor_is_changed_once_where_its_aliases_get_the_same() -> None:
    tree = _tree("a: &x one # why\nb: *x\nc: [*x, two]\n")
    edits = change_together(tree, {"/a": "new", "/b": "new", "/c/0": "new"}, [], {})
    assert apply(tree.source.text, edits) == "a: &x new # why\nb: *x\nc: [*x, two]\n"


@pytest.mark.parametrize("values", [{"/a": "new", "/b": "new"}, {"/a": "new", "/b": "new", "/c/0": "other"}, {"/a": 1}])
def test_an_anchor_stays_where_an_alias_is_to_keep_its_value(values: dict[str, JsonValue]) -> None:
    with pytest.raises(ValueError, match="refers to this"):
        change_together(_tree("a: &x one\nb: *x\nc: [*x, two]\n"), values, [], {})
