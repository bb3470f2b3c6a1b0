"""Values compared: nothing differs from itself, and the reported changes turn one into the other."""

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.flow.comparison.values import FieldChange, compare_values
from stepflow_gui.text.json.values import same_values
from stepflow_gui.text.pointer import parent, split

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "b", "~/", "ü"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["a", "b", "c", "~", "/"]), inner),
    max_leaves=25,
)


def holder(root: Any, pointer: str) -> Any:
    for key in split(parent(pointer)):
        root = root[int(key)] if isinstance(root, list) else root[key]
    return root


def key_in(where: Any, pointer: str) -> Any:
    key = split(pointer)[-1]
    return int(key) if isinstance(where, list) else key


def applied(old: Any, changes: list[FieldChange]) -> Any:
    """The old value after all the changes: what changed, then what is gone from the last on, then what has come."""
    root = {"": copy.deepcopy(old)}
    below = [
        change._replace(
            old_pointer=None if change.old_pointer is None else f"/{change.old_pointer}",
            new_pointer=None if change.new_pointer is None else f"/{change.new_pointer}",
        )
        for change in changes
    ]
    for change in below:
        if change.kind == "changed" and change.old_pointer:
            where = holder(root, change.old_pointer)
            assert same_values(where[key_in(where, change.old_pointer)], change.old)
            where[key_in(where, change.old_pointer)] = change.new
    for change in reversed(below):
        if change.kind == "removed" and change.old_pointer:
            where = holder(root, change.old_pointer)
            assert same_values(where.pop(key_in(where, change.old_pointer)), change.old)
    for change in below:
        if change.kind == "added" and change.new_pointer:
            where = holder(root, change.new_pointer)
            key = key_in(where, change.new_pointer)
            where.insert(key, change.new) if isinstance(where, list) else where.__setitem__(key, change.new)
    return root[""]


@given(VALUES)
def test_nothing_differs_from_itself(value: Any) -> None:
    assert compare_values(value, json.loads(json.dumps(value))) == []


@given(VALUES, VALUES)
def test_the_changes_turn_one_into_the_other(old: Any, new: Any) -> None:
    changes = compare_values(old, new)
    assert same_values(applied(old, changes), new)
    assert bool(changes) is not same_values(old, new)


def test_the_order_of_keys_and_the_spelling_of_numbers_make_no_difference() -> None:
    assert compare_values({"a": 1, "b": [2.0]}, {"b": [2], "a": 1.0}) == []


def test_true_is_not_one() -> None:
    assert [change.pointer for change in compare_values([True, 0], [1, False])] == ["/0", "/1"]
    assert compare_values({"a": True}, {"a": 1}) == [FieldChange("changed", "/a", "/a", True, 1)]


def test_an_intent_put_before_others_is_one_change() -> None:
    old, new = {"i": ["next", "repeat"]}, {"i": ["jump", "next", "repeat"]}
    assert compare_values(old, new) == [FieldChange("added", None, "/i/0", None, "jump")]
    assert compare_values(new, old) == [FieldChange("removed", "/i/0", None, "jump", None)]


def test_another_order_is_one_change() -> None:
    assert [change.pointer for change in compare_values(["a", "b", "c"], ["c", "b", "a"])] == [""]


def test_an_object_put_between_others_leaves_them_alone() -> None:
    old = [{"v": "a"}, {"v": "b"}]
    new = [{"v": "a"}, {"v": "x"}, {"v": "b"}]
    assert compare_values(old, new) == [FieldChange("added", None, "/1", None, {"v": "x"})]


def test_a_key_that_stands_for_another_is_reported_with_what_differs_below() -> None:
    changes = compare_values({"s": {"a": {"x": 1}}, "t": "a"}, {"s": {"b": {"x": 2}}, "t": "b"}, {"a": "b"})
    assert changes == [
        FieldChange("renamed", "/s/a", "/s/b", "a", "b", True),
        FieldChange("changed", "/s/a/x", "/s/b/x", 1, 2),
        FieldChange("changed", "/t", "/t", "a", "b", True),
    ]


def test_depth_is_no_limit() -> None:
    old: Any = 1
    new: Any = 2
    for _level in range(3_000):
        old, new = ["x", old], ["x", new]
    (change,) = compare_values(old, new)
    assert change.new == 2


def test_a_variable_that_is_called_otherwise_follows_its_key() -> None:
    old, new = {"cap": 3, "text": "of {cap}, not {other}"}, {"limit": 3, "text": "of {limit}, not {other}"}
    words = {"cap": "limit"}
    changes = {change.pointer: change for change in compare_values(old, new, words=words)}
    assert changes["/limit"].kind == "renamed"
    assert changes["/text"].follows
    new["text"] = "of {limit}, not it"
    changed = {change.pointer: change for change in compare_values(old, new, words=words)}
    assert not changed["/text"].follows
    assert not next(iter(compare_values({"a": "{cap}"}, {"a": "{limit}"}))).follows
