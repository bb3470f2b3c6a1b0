"""Edits at a pointer: the value changes as asked, the file's look stays, and every edit can be taken back."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.generate import registry_text
from stepflow_gui.text.edit import TextEdit, apply, inverse
from stepflow_gui.text.json.edit import (
    insert_item,
    insert_member,
    insert_members,
    move_item,
    remove,
    rename_key,
    set_value,
    text_of,
)
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.json.write import Written
from stepflow_gui.text.pointer import join, parent, split
from stepflow_gui.text.source import Source
from tests.text.trees import indents, keys, values


def read(text: str) -> JsonTree:
    return read_json(Source(text))


def changed(text: str, ask: Callable[..., list[TextEdit]], *arguments: Any, **named: Any) -> str:
    return apply(text, ask(read(text), *arguments, **named))


FLOW = """{
  "version": "1.0.0",
  "tags": ["a", "b"],

  "steps": {
    "initial.a": {
      "stepKind": "work",
      "uvVariables": ["x", "y"],
      "structuredGate": {
        "allowedIntents": ["next"]
      },
      "transitions": {
        "next": { "target": "closure.b" },
        "repeat": { "target": "initial.a" }
      }
    },
    "closure.b": {
      "stepKind": "closure",
      "transitions": {
        "closing": { "target": null }
      }
    },
    "section.c": {}
  }
}
"""


def line_changes(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that only the one and only the other text has, from the first to the last difference."""
    old, new = before.split("\n"), after.split("\n")
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return old, new


def test_a_scalar_is_replaced_and_nothing_else() -> None:
    edits = set_value(read(FLOW), "/steps/initial.a/transitions/next/target", None)
    assert edits == [TextEdit(FLOW.index('"closure.b"'), FLOW.index('"closure.b"') + 11, "null")]
    assert set_value(read(FLOW), "/version", "1.0.0") == []


def test_a_new_transition_looks_as_its_neighbours() -> None:
    after = changed(FLOW, insert_member, "/steps/initial.a/transitions", "jump", {"target": "section.c"}, after="next")
    assert line_changes(FLOW, after) == ([], ['        "jump": { "target": "section.c" },'])
    after = changed(FLOW, insert_member, "/steps/initial.a/transitions", "jump", {"target": "section.c"})
    assert line_changes(FLOW, after) == (
        ['        "repeat": { "target": "initial.a" }'],
        ['        "repeat": { "target": "initial.a" },', '        "jump": { "target": "section.c" }'],
    )


def test_a_new_element_stays_in_the_line() -> None:
    after = changed(FLOW, insert_item, "/steps/initial.a/structuredGate/allowedIntents", "repeat")
    assert '"allowedIntents": ["next", "repeat"]\n' in after
    after = changed(FLOW, insert_item, "/tags", "c", 0)
    assert '"tags": ["c", "a", "b"],\n' in after


def test_a_new_step_looks_as_the_others() -> None:
    step = {
        "stepKind": "work",
        "uvVariables": ["p", "q"],
        "structuredGate": {"allowedIntents": ["next", "jump"]},
        "transitions": {"next": {"target": "initial.a"}, "jump": {"target": "closure.b"}},
    }
    after = changed(FLOW, insert_member, "/steps", "initial.d", step, after="initial.a")
    assert line_changes(FLOW, after)[1] == [
        '    "initial.d": {',
        '      "stepKind": "work",',
        '      "uvVariables": ["p", "q"],',
        '      "structuredGate": {',
        '        "allowedIntents": ["next", "jump"]',
        "      },",
        '      "transitions": {',
        '        "next": { "target": "initial.a" },',
        '        "jump": { "target": "closure.b" }',
        "      }",
        "    },",
    ]


def test_what_a_step_lacks_looks_as_in_other_steps() -> None:
    after = changed(FLOW, insert_member, "/steps/section.c", "transitions", {"closing": {"target": None}})
    assert line_changes(FLOW, after)[1] == [
        '    "section.c": {',
        '      "transitions": {',
        '        "closing": { "target": null }',
        "      }",
        "    }",
    ]
    after = changed(FLOW, insert_member, "/steps/closure.b", "uvVariables", ["z"], after="stepKind")
    assert line_changes(FLOW, after) == ([], ['      "uvVariables": ["z"],'])


def test_blank_lines_between_groups_stay_where_they_are() -> None:
    text = '{\n  "a": 1,\n\n  "b": {},\n\n  "c": 2\n}'
    assert changed(text, insert_member, "", "d", 3) == '{\n  "a": 1,\n\n  "b": {},\n\n  "c": 2,\n\n  "d": 3\n}'
    assert changed(text, remove, "/b") == '{\n  "a": 1,\n\n  "c": 2\n}'
    assert changed(FLOW, remove, "/tags") == FLOW.replace('\n  "tags": ["a", "b"],', "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a":{"x":1},"b":{"y":2}}', '{"a":{"x":1},"b":{"y":2},"n":{"x":[1,{}]}}'),
        ('{ "a": { "x": 1 } }', '{ "a": { "x": 1 }, "n": { "x": [1, {}] } }'),
        ("{}", '{\n  "n": {\n    "x": [\n      1,\n      {}\n    ]\n  }\n}'),
        (
            '{\r\n\t"a": 1\r\n}\r\n',
            '{\r\n\t"a": 1,\r\n\t"n": {\r\n\t\t"x": [\r\n\t\t\t1,\r\n\t\t\t{}\r\n\t\t]\r\n\t}\r\n}\r\n',
        ),
        (
            '{\n    "a" : 1\n}',
            '{\n    "a" : 1,\n    "n" : {\n        "x" : [\n            1,\n            {}\n        ]\n    }\n}',
        ),
    ],
)  # fmt: skip
def test_the_files_own_layout_is_kept(text: str, expected: str) -> None:
    assert changed(text, insert_member, "", "n", {"x": [1, {}]}) == expected


def test_escapes_are_written_as_the_file_writes_them() -> None:
    assert changed('{"a": "\\u00E9"}', insert_member, "", "b", "次é") == '{"a": "\\u00E9", "b": "\\u6B21\\u00E9"}'
    assert changed('{"a": "\\u00e9ü"}', insert_member, "", "b", "次") == '{"a": "\\u00e9ü", "b": "次"}'
    assert changed('{"a": 1}', insert_member, "", "b", "次😀") == '{"a": 1, "b": "次😀"}'
    assert changed('{"a": "\\u001b"}', insert_member, "", "b", "次") == '{"a": "\\u001b", "b": "次"}'
    assert changed('{"a": "x\\/y"}', insert_member, "", "b", "p/q") == '{"a": "x\\/y", "b": "p\\/q"}'
    assert changed('{"a": "é"}', insert_member, "", "b", "\ud800") == '{"a": "é", "b": "\\ud800"}'


def test_a_copied_text_is_put_as_it_is() -> None:
    tree = read('{"a": {"x":   [1,2], "n": 1e2}}')
    node = tree.at("/a")
    assert node is not None
    edits = insert_member(tree, "", "b", Written(text_of(tree, node)))
    assert apply(tree.source.text, edits).endswith(', "b": {"x":   [1,2], "n": 1e2}}')


def test_removing_leaves_no_comma_and_no_hole() -> None:
    text = '{\n  "a": [1, 2, 3, 4],\n  "b": {"x": 1}\n}\n'
    assert changed(text, remove, "/b") == '{\n  "a": [1, 2, 3, 4]\n}\n'
    assert changed(text, remove, "/a") == '{\n  "b": {"x": 1}\n}\n'
    assert changed(text, remove, "/a", "/b") == "{}\n"
    assert changed(text, remove, "/a/0", "/a/2", "/a/3") == text.replace("[1, 2, 3, 4]", "[2]")
    assert changed(text, remove, "/a/1", "/a/2", "/b/x") == text.replace(" 2, 3,", "").replace('{"x": 1}', "{}")


def test_of_doubled_keys_the_one_meant_is_taken_out() -> None:
    text = '{"a": 1, "b": 2, "a": 3}'
    assert changed(text, remove, "/a") == '{"a": 1, "b": 2}'


def test_comments_are_no_ones_to_remove() -> None:
    text = '{\n  "a": 1, // of a\n  // of b\n  "b": 2,\n  "c": 3 // of c\n}'
    for pointer in ("/a", "/b", "/c"):
        after = changed(text, remove, pointer)
        assert after.count("// of") == 3
        assert [problem.kind for problem in read(after).problems] == ["comment"] * len(read(after).problems)
    assert changed("{/* none */}", insert_member, "", "a", 1).count("/* none */") == 1


def test_moving_keeps_the_text_of_what_moves() -> None:
    text = '{\n  "a": {"x":1 },\n  "b": 2,\n  "c": [1, 2,3]\n}'
    assert changed(text, move_item, "/c/0", 2).endswith("[2,3, 1]\n}")


def test_what_makes_no_sense_is_refused() -> None:
    tree = read('{"a": [1], "b": {"c": 1}}')
    senseless: list[Callable[[], object]] = [
        lambda: insert_member(tree, "", "a", 1),
        lambda: insert_member(tree, "/a", "x", 1),
        lambda: insert_item(tree, "/b", 1),
        lambda: rename_key(tree, "/a", "b"),
        lambda: rename_key(tree, "/a/0", "b"),
        lambda: remove(tree, ""),
        lambda: move_item(tree, "/b/c", 0),
        lambda: set_value(tree, "/a", float("nan")),
    ]
    for ask in senseless:
        with pytest.raises(ValueError, match=r"member|array|object|key|JSON|element"):
            ask()
    astray: list[Callable[[], object]] = [
        lambda: set_value(tree, "/x", 1),
        lambda: remove(tree, "/a/1"),
        lambda: insert_member(tree, "", "x", 1, after="y"),
        lambda: insert_item(tree, "/a", 1, 2),
        lambda: move_item(tree, "/a/0", 1),
    ]
    for ask in astray:
        with pytest.raises(LookupError):
            ask()


def test_one_step_is_added_to_a_real_registry_and_taken_back(corpus: Path) -> None:
    files = sorted((corpus / "climpt" / "iterator").rglob("steps_registry.json"))
    assert files
    for file in files:
        source = Source.decode(file.read_bytes())
        tree = read_json(source)
        steps = tree.at("/steps")
        if steps is None or len(steps.members()) < 2:
            continue
        model = steps.members()[0]
        edits = insert_member(tree, "/steps", "brand.new", copy.deepcopy(model.value.value), after=model.key)
        after = apply(source.text, edits)
        old, new = line_changes(source.text, after)
        assert len(new) - len(old) == source.text[model.key_start : steps.members()[1].key_start].count("\n")
        written = read(after).at("/steps/brand.new")
        assert written is not None
        assert after[written.start : written.end] == text_of(tree, model.value), file
        assert apply(after, inverse(source.text, edits)) == source.text


# What the edits should do to plain values.


def holder_of(root: Any, pointer: str) -> tuple[Any, str]:
    tokens = split(pointer)
    for token in tokens[:-1]:
        root = root[int(token)] if isinstance(root, list) else root[token]
    return root, tokens[-1]


def reorder(target: dict[str, Any], pairs: list[tuple[str, Any]]) -> None:
    target.clear()
    target.update(pairs)


def pointers(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    yield pointer, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from pointers(inner, join(pointer, key))


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, Any]:
    value = draw(st.dictionaries(keys, values, max_size=4) | st.lists(values, max_size=4))
    separators = draw(st.sampled_from([None, (",", ":"), (", ", ": "), (",", " : ")]))
    text = json.dumps(value, indent=draw(indents), ensure_ascii=draw(st.booleans()), separators=separators)
    text = draw(st.sampled_from([text, text.replace("\n", "\r\n")]))
    return text + draw(st.sampled_from(["", "\n"])), value


def check(text: str, edits: list[TextEdit], expected: Any) -> None:
    after = apply(text, edits)
    assert json.dumps(json.loads(after)) == json.dumps(expected)  # the order of keys, too
    assert apply(after, inverse(text, edits)) == text
    if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
        assert "\n" not in after.replace("\r\n", "")
    if "\n" not in text.rstrip("\n") and read(text).root.value:  # type: ignore[union-attr]
        assert "\n" not in after.rstrip("\n")


@given(texts(), st.data())
def test_any_edit_does_what_it_would_do_to_the_value(text_and_value: tuple[str, Any], data: st.DataObject) -> None:
    text, value = text_and_value
    expected = copy.deepcopy(value)
    tree = read(text)
    pointer, node = data.draw(st.sampled_from(list(pointers(value))))
    new = data.draw(values)
    action = data.draw(st.sampled_from(["set", "insert", "remove", "rename", "move"]))
    if action == "insert":
        assume(isinstance(node, dict | list))
        holder = expected
        for token in split(pointer):
            holder = holder[int(token)] if isinstance(holder, list) else holder[token]
        if isinstance(holder, list):
            index = data.draw(st.integers(0, len(holder)))
            edits = insert_item(tree, pointer, new, index)
            holder.insert(index, new)
        else:
            pairs = list(holder.items())
            added = data.draw(
                st.dictionaries(keys.filter(lambda key: key not in holder), values, min_size=1, max_size=3)
            )
            at = data.draw(st.integers(0, len(pairs)))
            beside = {"before": pairs[at][0]} if at < len(pairs) else {}
            edits = insert_members(tree, pointer, added, **beside)
            reorder(holder, pairs[:at] + list(added.items()) + pairs[at:])
        check(text, edits, expected)
        return
    assume(pointer)
    holder, key = holder_of(expected, pointer)
    place: Any = int(key) if isinstance(holder, list) else key
    if action == "set":
        edits = set_value(tree, pointer, new)
        holder[place] = new
    elif action == "remove":
        edits = remove(tree, pointer)
        del holder[place]
    elif action == "rename":
        assume(isinstance(holder, dict))
        other = data.draw(keys.filter(lambda name: name not in holder))
        edits = rename_key(tree, pointer, other)
        reorder(holder, [(other if name == key else name, inner) for name, inner in holder.items()])
    else:
        assume(isinstance(holder, list))
        index = data.draw(st.integers(0, len(holder) - 1))
        edits = move_item(tree, pointer, index)
        holder.insert(index, holder.pop(place))
    check(text, edits, expected)


@given(texts(), st.data())
def test_several_things_are_removed_at_once(text_and_value: tuple[str, Any], data: st.DataObject) -> None:
    text, value = text_and_value
    paths = [pointer for pointer, _ in pointers(value) if pointer]
    assume(paths)
    level = len(split(data.draw(st.sampled_from(paths))))
    gone = data.draw(st.sets(st.sampled_from([path for path in paths if len(split(path)) == level]), min_size=1))
    expected = copy.deepcopy(value)
    for path in sorted(gone, key=lambda path: int(split(path)[-1]) if split(path)[-1].isdecimal() else 0, reverse=True):
        holder, key = holder_of(expected, path)
        del holder[int(key) if isinstance(holder, list) else key]
    check(text, remove(read(text), *gone), expected)


@given(texts(), st.data())
def test_what_was_inserted_is_removed_to_the_same_text(text_and_value: tuple[str, Any], data: st.DataObject) -> None:
    """Not by the inverse edit, but by a new change: the look of the rest didn't move."""
    text, value = text_and_value
    filled = [pointer for pointer, node in pointers(value) if isinstance(node, dict) and node]
    assume(filled)
    pointer = data.draw(st.sampled_from(filled))
    key = data.draw(keys.filter(lambda key: read(text).at(join(pointer, key)) is None))
    after = changed(text, insert_member, pointer, key, data.draw(values))
    assert changed(after, remove, join(pointer, key)) == text
    assert parent(join(pointer, key)) == pointer


def test_edits_of_a_large_file_are_quick() -> None:
    tree = read(registry_text(3000))
    last = list(tree.root.value["steps"])[-1]  # type: ignore[union-attr]
    edits = insert_member(tree, join("/steps", last, "transitions"), "handoff", {"target": None})
    assert len(edits) == 1
    assert '"handoff": {' in edits[0].text


@pytest.mark.parametrize(("written", "value"), [("1e400", "1e999"), ("-1e400", "-1e999")])
def test_numbers_beyond_floats_stay_so_large(written: str, value: str) -> None:
    tree = read(f'{{"a": {written}, "b": 1}}')
    assert tree.root is not None
    text = apply(tree.source.text, set_value(tree, "/b", {"inner": tree.root.value["a"]}))
    assert value in text
    assert read(text).valid
