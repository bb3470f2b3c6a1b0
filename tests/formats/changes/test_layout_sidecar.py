"""The layout sidecar: a line a step, sorted; a move changes a line; an invalid one is reported."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.formats.layout_sidecar import (
    all_renamed,
    direction,
    groups,
    layout_file,
    positions,
    problem,
    renamed,
    with_direction,
    with_groups,
    with_positions,
    without_step,
)
from stepflow_gui.text import edit
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

PATH = Path("agent/.stepflow/steps_registry.layout.json")
TEXT = '{\n  "version": 1,\n  "steps": {\n    "a": [0, 1],\n    "b": [10.5, 2],\n    "d": [3, 4]\n  }\n}\n'


def read(text: str) -> ParsedFile:
    return ParsedFile.read(PATH, Source(text))


def moved(text: str, **places: tuple[float, float] | None) -> str:
    return edit.apply(text, with_positions(read(text), places))


def test_it_lies_beside_the_registry() -> None:
    assert layout_file(Path("agent/steps_registry.json")) == PATH


def test_positions_are_read_and_what_is_none_is_left_out() -> None:
    assert positions(read(TEXT)) == {"a": (0, 1), "b": (10.5, 2), "d": (3, 4)}
    odd = '{"version": 1, "steps": {"a": [1], "b": "x", "c": [true, 1], "d": [1, 2]}}'
    assert positions(read(odd)) == {"d": (1, 2)}
    assert positions(read("")) == {}


def test_a_move_changes_one_line() -> None:
    assert moved(TEXT, b=(7, 8)) == TEXT.replace("[10.5, 2]", "[7, 8]")
    assert moved(TEXT, b=(7.04, 8.06)) == TEXT.replace("[10.5, 2]", "[7, 8.1]")
    assert with_positions(read(TEXT), {"b": (10.5, 2)}) == []


def test_new_steps_come_where_they_sort() -> None:
    assert moved(TEXT, c=(5, 5)) == TEXT.replace('    "d"', '    "c": [5, 5],\n    "d"')
    assert moved(TEXT, A=(5, 5)) == TEXT.replace('    "a"', '    "A": [5, 5],\n    "a"')
    assert moved(TEXT, e=(5, 5)) == TEXT.replace("[3, 4]", '[3, 4],\n    "e": [5, 5]')


def test_steps_are_taken_out() -> None:
    assert moved(TEXT, a=None) == TEXT.replace('    "a": [0, 1],\n', "")
    assert moved(TEXT, d=None) == TEXT.replace(',\n    "d": [3, 4]', "")
    assert positions(read(moved(TEXT, a=None, b=None, d=None))) == {}


def test_the_first_move_writes_the_file() -> None:
    assert (
        moved("", b=(1, 2), a=(3, 4)) == '{\n  "version": 1,\n  "steps": {\n    "a": [3, 4],\n    "b": [1, 2]\n  }\n}\n'
    )
    assert moved("", b=None) == ""


def test_a_rename_keeps_the_order() -> None:
    assert edit.apply(TEXT, renamed(read(TEXT), "b", "c")) == TEXT.replace('"b"', '"c"')
    after = edit.apply(TEXT, renamed(read(TEXT), "a", "z"))
    assert list(json.loads(after)["steps"]) == ["b", "d", "z"]
    assert edit.apply(after, renamed(read(after), "z", "a")) == TEXT
    assert renamed(read(TEXT), "x", "y") == []
    assert json.loads(edit.apply(TEXT, renamed(read(TEXT), "a", "b")))["steps"] == {"b": [0, 1], "d": [3, 4]}


@pytest.mark.parametrize("text", ["[]", '{"steps": []}', '{"version": 1}', '{"steps": {"a": [1,}', "nonsense"])
def test_what_is_no_layout_is_reported(text: str) -> None:
    refusal = problem(read(text))
    assert refusal
    assert PATH.name in refusal.reason


def test_a_newer_version_is_left_alone() -> None:
    refusal = problem(read(TEXT.replace('"version": 1', '"version": 3')))
    assert refusal
    assert "newer" in refusal.reason
    assert problem(read(TEXT)) is None
    assert problem(read("\n")) is None


NAMES = st.sampled_from([*"abcdefg", "a.b", "日本", 'x"y'])
PLACES = st.tuples(st.integers(-5000, 5000), st.integers(-5000, 5000))


@given(st.lists(st.dictionaries(NAMES, st.none() | PLACES, max_size=4), max_size=8))
def test_any_moves_leave_a_sorted_line_a_step(asked: list[dict[str, tuple[float, float] | None]]) -> None:
    text, known = "", dict[str, tuple[float, float]]()
    for changed in asked:
        document = read(text)
        assert problem(document) is None
        edits = with_positions(document, changed)
        after = edit.apply(text, edits)
        assert edit.apply(after, edit.inverse(text, edits)) == text
        text = after
        for step, place in changed.items():
            if place is None:
                known.pop(step, None)
            else:
                known[step] = place
        assert positions(read(text)) == known
        if known:
            lines = text.splitlines()
            assert len(lines) == len(known) + 5
            assert list(json.loads(text)["steps"]) == sorted(known)


@pytest.mark.parametrize("text", ["", TEXT, TEXT.replace('"version": 1,', '"version": 2, "direction": "down",')])
def test_a_direction_is_written_where_it_was_chosen_and_goes_with_the_choice(text: str) -> None:
    places = {"a": (1.0, 2.0)}
    chosen = read(edit.apply(text, with_direction(read(text), "right", places)))
    assert problem(chosen) is None
    assert direction(chosen) == "right"
    assert chosen.root is not None
    assert chosen.root.value["version"] == 2
    assert positions(chosen)["a"] == (1, 2)
    back = read(edit.apply(chosen.source.text, with_direction(chosen, "auto", {})))
    assert direction(back) == "auto"
    assert back.root is not None
    assert (back.root.value["version"], "direction" in back.root.value) == (1, False)


def test_a_direction_that_is_none_is_the_automatic_one() -> None:
    assert direction(read(TEXT.replace('"version": 1,', '"version": 2, "direction": ["up"],'))) == "auto"


GROUPED = TEXT.replace('"version": 1,\n', '"version": 2,\n  "groups": {\n    "A": ["a", "b"],\n    "Ü": ["d"]\n  },\n')


def regrouped(text: str, wanted: dict[str, list[str]]) -> str:
    return edit.apply(text, with_groups(read(text), wanted))


def test_groups_are_a_line_each_and_make_it_version_2() -> None:
    assert regrouped(TEXT, {"Ü": ["d"], "A": ["a", "b"]}) == GROUPED
    assert groups(read(GROUPED)) == {"A": ("a", "b"), "Ü": ("d",)}
    assert regrouped(GROUPED, {}) == TEXT
    assert with_groups(read(GROUPED), {"A": ["a", "b"], "Ü": ["d"]}) == []
    assert with_groups(read(GROUPED), groups(read(GROUPED))) == []


def test_groups_and_direction_share_the_version() -> None:
    both = edit.apply(GROUPED, with_direction(read(GROUPED), "right", {}))
    assert json.loads(both)["version"] == 2
    assert json.loads(edit.apply(both, with_direction(read(both), "auto", {})))["version"] == 2
    assert json.loads(regrouped(both, {}))["version"] == 2
    assert json.loads(regrouped(edit.apply(both, with_direction(read(both), "auto", {})), {}))["version"] == 1


def test_the_first_group_of_an_empty_file() -> None:
    text = regrouped("", {"A": ["a"]})
    assert json.loads(text) == {"version": 2, "groups": {"A": ["a"]}, "steps": {}}
    assert problem(read(text)) is None
    assert json.loads(moved(text, a=(1, 2)))["steps"] == {"a": [1, 2]}


def test_odd_groups_are_left_out() -> None:
    odd = '{"version": 2, "groups": {"A": "x", "B": [1], "C": [], "D": ["a"], "E": null}, "steps": {}}'
    assert groups(read(odd)) == {"D": ("a",)}
    assert groups(read('{"version": 2, "groups": ["a"], "steps": {}}')) == {}


def test_a_renamed_or_removed_step_keeps_its_group_right() -> None:
    assert groups(read(edit.apply(GROUPED, renamed(read(GROUPED), "a", "z")))) == {"A": ("z", "b"), "Ü": ("d",)}
    assert groups(read(edit.apply(GROUPED, all_renamed(read(GROUPED), {"a": "b", "b": "a"})))) == {
        "A": ("b", "a"),
        "Ü": ("d",),
    }
    gone = read(edit.apply(GROUPED, without_step(read(GROUPED), "d")))
    assert (groups(gone), positions(gone)) == ({"A": ("a", "b")}, {"a": (0, 1), "b": (10.5, 2)})
