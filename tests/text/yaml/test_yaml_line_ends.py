"""Edits of YAML texts with lone `\\r`, mixed line ends or mistakes: right, or refused with a reason."""

from collections.abc import Callable

import pytest

from stepflow_gui.text.edit import TextEdit, apply, inverse
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.blocks import Block
from stepflow_gui.text.yaml.edit import (
    insert_item,
    insert_member,
    move_item,
    remove,
    rename_key,
    set_value,
)
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree

MAP = "name: x\ra: 1\r# of b\rb: 2\rc: 3\r"
LIST = "l:\r  - a\r  # of b\r  - b # too\r  - c\r"


def edited(text: str, change: Callable[[YamlTree], list[TextEdit]]) -> str:
    edits = change(read_yaml_tree(Source(text)))
    assert all(edit.start <= edit.end for edit in edits)
    after = apply(text, edits)
    assert apply(after, inverse(text, edits)) == text
    return after


@pytest.mark.parametrize(
    ("text", "change", "after"),
    [
        (MAP, lambda t: insert_member(t, "", "z", 7, after="a"), "name: x\ra: 1\rz: 7\r# of b\rb: 2\rc: 3\r"),
        (MAP, lambda t: insert_member(t, "", "z", [1, 2]), MAP + "z:\r  - 1\r  - 2\r"),
        (MAP, lambda t: insert_member(t, "", "z", "1\n2\n", before="name"), "z: |\r  1\r  2\r" + MAP),
        (MAP, lambda t: remove(t, "/b"), "name: x\ra: 1\rc: 3\r"),
        (MAP, lambda t: remove(t, "/b", "/c"), "name: x\ra: 1\r"),
        (MAP, lambda t: set_value(t, "/a", {"k": 1}), MAP.replace("a: 1", "a:\r  k: 1")),
        (MAP, lambda t: rename_key(t, "/b", "d"), MAP.replace("b: 2", "d: 2")),
        (LIST, lambda t: move_item(t, "/l/2", 0), "l:\r  - c\r  - a\r  # of b\r  - b # too\r"),
        (LIST, lambda t: move_item(t, "/l/0", 1), "l:\r  # of b\r  - b # too\r  - a\r  - c\r"),
        (LIST, lambda t: insert_item(t, "/l", "z", 1), "l:\r  - a\r  - z\r  # of b\r  - b # too\r  - c\r"),
        (LIST, lambda t: remove(t, "/l/0", "/l/1"), "l:\r  - c\r"),
        ("- a\r\n- b\r- c\n- d\r\n", lambda t: move_item(t, "/0", 2), "- b\r- c\n- a\r\n- d\r\n"),
        ("- a\r\n- b\r- c\n- d\r\n", lambda t: insert_item(t, "", "z", 3), "- a\r\n- b\r- c\r\n- z\n- d\r\n"),
        ("a: 1\nb: 2\nc: 3\r\n", lambda t: insert_member(t, "", "z", 1, after="a"), "a: 1\nz: 1\nb: 2\nc: 3\r\n"),
        ("- a\r\n- b\r- c", lambda t: move_item(t, "/2", 0), "- c\r\n- a\r\n- b"),
        ("- |+ #\r\n", lambda t: set_value(t, "/0", 1), "- 1\r\n"),
        ("a:\r\rb: 1\r", lambda t: set_value(t, "/a", 2), "a: 2\r\rb: 1\r"),
        ("- \r-\r", lambda t: set_value(t, "/1", 2), "- \r- 2\r"),
    ],
)
def test_an_edit_lands_at_its_place_with_the_line_end_of_the_text(
    text: str, change: Callable[[YamlTree], list[TextEdit]], after: str
) -> None:
    assert edited(text, change) == after


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ('"T":011": null # c\n', lambda t: set_value(t, "/T", {"a": []})),
        ('"0":1": null\n', lambda t: set_value(t, "/0", [1])),
        ("-\r-\r-\n\n", lambda t: remove(t, "/1", "/2")),
    ],
)
def test_what_would_have_to_be_guessed_is_refused_with_a_reason(
    text: str, change: Callable[[YamlTree], list[TextEdit]]
) -> None:
    with pytest.raises(ValueError, match="edit it in the source"):
        change(read_yaml_tree(Source(text)))


def test_an_edit_after_which_the_members_stand_in_another_order_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    insert = Block.insert
    monkeypatch.setattr(Block, "insert", lambda row, _slot, written: insert(row, 2, written))
    tree = read_yaml_tree(Source("a: 1\nb: 2\n"))
    assert insert_member(tree, "", "z", 1, after="b")
    with pytest.raises(ValueError, match="edit it in the source"):
        insert_member(tree, "", "z", 1, after="a")


def test_another_kind_of_number_or_order_is_another_value() -> None:
    tree = read_yaml_tree(Source("a: [1]\nb: {c: 1, d: 2}\nn: .nan\n"))
    assert edited("a: [1]\n", lambda t: set_value(t, "/a", [True])) == "a:\n  - true\n"
    assert set_value(tree, "/a", [1]) == []
    assert set_value(tree, "/b", {"d": 2, "c": 1}) != []
    assert edited("n: .nan\na: 1\n", lambda t: set_value(t, "/a", 2)) == "n: .nan\na: 2\n"


def test_an_alias_of_an_empty_list_has_no_elements() -> None:
    tree = read_yaml_tree(Source("a: &x []\nb: *x\nc: &y {}\nd: *y\n"))
    assert tree.root is not None
    assert [where for where, _node in tree.root.walk("")] == ["", "/a", "/b", "/c", "/d"]


def test_a_block_of_lines_at_the_end_of_a_text_ends_it() -> None:
    assert edited("a: 1", lambda t: set_value(t, "/a", "1\n2\n")) == "a: |\n  1\n  2\n"
    assert edited("a: 1\r\nb: 2", lambda t: insert_member(t, "", "c", "1\n2\n")) == (
        "a: 1\r\nb: 2\r\nc: |\r\n  1\r\n  2\r\n"
    )


def test_several_last_members_go_together() -> None:
    assert edited("a: 1\nb: 2\nc: 3", lambda t: remove(t, "/b", "/c")) == "a: 1\n"


@pytest.mark.parametrize(("text", "after"), [('"a": 1\n', '"\\\\": 1\n'), ("'a': 1\n", "'\\': 1\n")])
def test_a_key_keeps_its_quotes_and_is_escaped_in_them(text: str, after: str) -> None:
    assert edited(text, lambda t: rename_key(t, "/a", "\\")) == after
