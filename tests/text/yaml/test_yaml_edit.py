"""Edits of YAML texts: the value is as wished afterwards, the rest of the text as it was, and nothing is broken."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.text.edit import TextEdit, apply, inverse
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.edit import (
    insert_item,
    insert_member,
    move_item,
    remove,
    rename_key,
    set_value,
)
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree
from tests.sampling import examples

PIECE = """\
# A piece
name: demo  # its name
list:
  - a
  # about b
  - 'b'
  - "c"  # behind c
movements:
  - name: plan
    edit: true
    text: |
      one

      two
    rules:
      - condition: done
        next: fix
      # the other way
      - condition: not done
        next: plan

  - name: fix
    tools: [Read, "Write", { a: b }]
empty:
last: 'x'
"""


def read(text: str) -> YamlTree:
    return read_yaml_tree(Source(text))


def edited(text: str, change: Callable[[YamlTree], list[TextEdit]]) -> str:
    edits = change(read(text))
    after = apply(text, edits)
    assert apply(after, inverse(text, edits)) == text
    return after


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that went and those that came, a common beginning and end left out."""
    old, new = before.split("\n"), after.split("\n")
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return old, new


@pytest.mark.parametrize(
    ("pointer", "value", "came"),
    [
        ("/name", "other", ["name: other  # its name"]),
        ("/name", "a: b", ["name: 'a: b'  # its name"]),
        ("/name", "yes", ["name: yes  # its name"]),
        ("/name", "true", ["name: 'true'  # its name"]),
        ("/name", "12", ["name: '12'  # its name"]),
        ("/name", "", ["name: ''  # its name"]),
        ("/name", "it's: x", ['name: "it\'s: x"  # its name']),
        ("/name", "a\nb", ['name: "a\\nb"  # its name']),
        ("/list/1", "it's", ["  - 'it''s'"]),
        ("/list/2", "d", ['  - "d"  # behind c']),
        ("/movements/0/edit", False, ["    edit: false"]),
        ("/movements/0/text", "new\ntext\n", ["      new", "      text"]),
        ("/movements/0/text", "no end", ["    text: |-", "      no end"]),
        ("/movements/0/text", " indented", ["    text: ' indented'"]),
        ("/movements/1/tools/1", "Edit", ['    tools: [Read, "Edit", { a: b }]']),
        ("/movements/1/tools/0", "a, b", ["    tools: ['a, b', \"Write\", { a: b }]"]),
        ("/empty", "x", ["empty: x"]),
        ("/empty", ["x", {"a": 1, "b": [2]}], ["  - x", "  - a: 1", "    b:", "      - 2"]),
        ("/empty", {"a": "one\ntwo\n"}, ["  a: |", "    one", "    two"]),
        ("/last", None, ["last: null"]),
    ],
)
def test_a_value_is_replaced_in_its_lines(pointer: str, value: Any, came: list[str]) -> None:
    after = edited(PIECE, lambda tree: set_value(tree, pointer, value))
    assert read(after).at(pointer) is not None
    assert changed_lines(PIECE, after)[1] == came


def test_members_are_put_in_beside_others() -> None:
    def new(text: str, pointer: str, key: str, value: Any, **beside: str) -> list[str]:
        return changed_lines(text, edited(text, lambda tree: insert_member(tree, pointer, key, value, **beside)))[1]

    assert new(PIECE, "/movements/0", "persona", "coder", after="name") == ["    persona: coder"]
    assert new(PIECE, "/movements/0", "id", 1, before="name") == ["  - id: 1", "    name: plan"]
    assert new(PIECE, "/movements/1", "edit", True) == ["    edit: true"]
    assert new(PIECE, "", "more", ["a"], after="name") == ["more:", "  - a"]
    assert new(PIECE, "/movements/1/tools/2", "c", "d, e") == ["    tools: [Read, \"Write\", { a: b, c: 'd, e' }]"]
    assert new("a: {}\n", "/a", "b", 1) == ["a:", "  b: 1"]
    assert new("a: 1", "", "b", 1) == ["a: 1", "b: 1"][1:]


def test_elements_are_put_in() -> None:
    def new(text: str, pointer: str, value: Any, index: int | None = None) -> list[str]:
        return changed_lines(text, edited(text, lambda tree: insert_item(tree, pointer, value, index)))[1]

    assert new(PIECE, "/list", "x", 0) == ["  - x"]
    assert new(PIECE, "/list", "x", 1) == ["  - x"]
    assert new(PIECE, "/list", "x") == ["  - x"]
    assert new(PIECE, "/movements/0/rules", {"condition": "c", "next": "ABORT"}) == [
        "      - condition: c",
        "        next: ABORT",
    ]
    assert new(PIECE, "/movements/1/tools", "Edit", 1) == ['    tools: [Read, Edit, "Write", { a: b }]']
    assert new("a:\n- b\nc: 1\n", "/a", {"x": ["y"]}) == ["- x:", "  - y"]


def test_removing_takes_comments_right_above_and_nothing_else() -> None:
    def went(text: str, *pointers: str) -> tuple[list[str], list[str]]:
        return changed_lines(text, edited(text, lambda tree: remove(tree, *pointers)))

    assert went(PIECE, "/list/1") == (["  # about b", "  - 'b'"], [])
    assert went(PIECE, "/movements/0/rules/1")[0][0] == "      # the other way"
    assert went(PIECE, "/movements/0/name") == (["  - name: plan", "    edit: true"], ["  - edit: true"])
    assert went(PIECE, "/movements/1/tools/0", "/movements/1/tools/2")[1] == ['    tools: ["Write"]']
    assert went(PIECE, "/list/0", "/list/1", "/list/2")[1] == ["list: []  # behind c"]
    assert went("a: 1\nb: 2", "/b") == (["b: 2"], [])


def test_keys_are_renamed_in_their_place() -> None:
    after = edited(PIECE, lambda tree: rename_key(tree, "/movements/0/edit", "a key: with"))
    assert changed_lines(PIECE, after) == (["    edit: true"], ['    "a key: with": true'])
    with pytest.raises(ValueError, match="already"):
        rename_key(read(PIECE), "/name", "list")


def test_elements_and_members_move_with_their_comments() -> None:
    after = edited(PIECE, lambda tree: move_item(tree, "/list/1", 0))
    assert changed_lines(PIECE, after)[1] == ["  # about b", "  - 'b'", "  - a"]
    after = edited(PIECE, lambda tree: move_item(tree, "/movements/0/rules/0", 1))
    assert "      # the other way\n      - condition: not done\n        next: plan\n      - condition: done" in after
    after = edited(PIECE, lambda tree: move_item(tree, "/movements/1/tools/2", 0))
    assert '    tools: [{ a: b }, Read, "Write"]' in after


def test_line_ends_of_windows_are_kept() -> None:
    text = PIECE.replace("\n", "\r\n")
    after = edited(text, lambda tree: insert_item(tree, "/movements/0/rules", {"condition": "c", "next": "x"}))
    after = edited(after, lambda tree: set_value(tree, "/movements/0/text", "a\nb\n"))
    after = edited(after, lambda tree: remove(tree, "/list/0"))
    assert "\n" not in after.replace("\r\n", "")


def test_what_an_alias_needs_is_not_taken_away_nor_changed_unseen() -> None:
    text = "a: &x [1, 2]\nb: *x\nc: &y text\nd: *y\n"
    changes: list[Callable[[YamlTree], list[TextEdit]]] = [
        lambda tree: remove(tree, "/a"),
        lambda tree: set_value(tree, "/c", "other"),
        lambda tree: insert_item(tree, "/b", 3),
        lambda tree: insert_item(tree, "/a", 3),
    ]
    for change in changes:
        with pytest.raises(ValueError, match=r"alias|refers"):
            change(read(text))
    assert edited(text, lambda tree: set_value(tree, "/d", "own")) == text.replace("*y", "own")
    assert edited(text, lambda tree: remove(tree, "/b")) == text.replace("b: *x\n", "")


def test_the_indentation_of_a_list_is_that_of_the_file() -> None:
    assert edited("a:\n- b\nc:\n", lambda tree: set_value(tree, "/c", ["d"])) == "a:\n- b\nc:\n- d\n"


WORDS = st.text(alphabet="ab :#'\"-\n,[]{}é日&*!|>%@`?\t\\0", max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize("text", ["k:\n# remark\n- ,", "k: [ # remark\n]\n"])
def test_a_comment_in_an_empty_list_is_kept_or_the_change_refused(text: str) -> None:
    for value in ("a", "b\n", ["c"]):
        try:
            edits = insert_item(read(text), "/k", value)
        except ValueError:
            continue
        assert "# remark" in apply(text, edits)


@pytest.mark.parametrize("pointer", ["/name", "/list/0", "/list/2"])
@pytest.mark.parametrize("value", [["0\n"], ["a", ["b\n"]], {"a": "b\n\n"}, {"a": {"b": "c\nd"}}, ["a\n", "b"]])
def test_lines_at_the_end_of_a_value_leave_the_comment_behind_it(pointer: str, value: Any) -> None:
    after = edited(PIECE, lambda tree: set_value(tree, pointer, value))
    found = read(after).at(pointer)
    assert found is not None
    assert found.value == value
    assert after.count("#") == PIECE.count("#")


@settings(max_examples=examples(80))
@given(st.data(), VALUES)
def test_any_value_can_be_put_anywhere(data: st.DataObject, value: Any) -> None:
    tree = read(PIECE)
    assert tree.root is not None
    places = [pointer for pointer, _ in tree.root.walk() if pointer]
    pointer = data.draw(st.sampled_from(places))
    after = edited(PIECE, lambda tree: set_value(tree, pointer, value))
    found = read(after).at(pointer)
    assert found is not None
    assert found.value == value


@settings(max_examples=examples(20))
@given(st.data())
def test_real_pieces_take_edits_and_give_them_back(corpus: Path, data: st.DataObject) -> None:
    files = sorted((corpus / "takt" / "seed-era" / "builtins" / "en" / "pieces").glob("*.yaml"))
    text = data.draw(st.sampled_from(files)).read_text("utf-8")
    tree = read(text)
    assert tree.root is not None
    lists = [(pointer, node) for pointer, node in tree.root.walk() if node.kind == "array" and node.items()]
    pointer, node = data.draw(st.sampled_from(lists))
    index = data.draw(st.integers(0, len(node.items()) - 1))
    other = data.draw(st.integers(0, len(node.items()) - 1))
    without = edited(text, lambda tree: remove(tree, f"{pointer}/{index}"))
    assert len(without) < len(text)
    moved = edited(text, lambda tree: move_item(tree, f"{pointer}/{index}", other))
    assert sorted(moved.split("\n")) == sorted(text.split("\n"))
    put = edited(text, lambda tree: insert_item(tree, pointer, node.items()[index].value, other))
    assert len(changed_lines(text, put)[0]) <= 1
