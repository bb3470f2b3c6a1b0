"""Two people's changes to one file: nothing of either is lost, and where both can't be had it is reported."""

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.generate import registry_text
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.json.values import same_values
from stepflow_gui.text.merge import NO_CHOICES, Conflict, Side, merge
from stepflow_gui.text.source import Source
from tests.text.trees import indents, keys, values

BASE = """{
  "version": "1.0.0",
  "steps": {
    "initial.a": { "transitions": { "next": { "target": "closure.b" } }, "intents": ["next", "repeat"] },
    "closure.b": { "transitions": {} }
  }
}
"""


def merged(
    ours: str, theirs: str, base: str = BASE, choices: Mapping[str, Side] = NO_CHOICES
) -> tuple[str, list[Conflict]]:
    found = merge(Source(base), Source(ours), Source(theirs), json=True, choices=choices)
    return found.text, found.conflicts


def test_two_steps_added_side_by_side_are_no_conflict() -> None:
    step = '    "closure.b": { "transitions": {} }'
    ours = BASE.replace(step, step + ',\n    "mine": { "transitions": {} }')
    theirs = BASE.replace(step, step + ',\n    "theirs": { "transitions": {} }')
    text, conflicts = merged(ours, theirs)
    assert text == BASE.replace(
        step, step + ',\n    "mine": { "transitions": {} },\n    "theirs": { "transitions": {} }'
    )
    assert not conflicts


def test_a_reformatted_file_stays_so_with_the_change_in_it() -> None:
    theirs = json.dumps(json.loads(BASE), indent=4) + "\n"
    text, conflicts = merged(BASE.replace("1.0.0", "2.0.0"), theirs)
    assert text == theirs.replace("1.0.0", "2.0.0")
    assert not conflicts


def test_a_change_of_how_it_is_written_stays_where_lines_allow_it() -> None:
    ours = BASE + "\n"
    theirs = BASE.replace("1.0.0", "2.0.0")
    assert merged(ours, theirs) == (theirs + "\n", [])
    assert merged(theirs, ours) == (theirs + "\n", [])
    swapped = BASE.replace('["next", "repeat"]', '[ "next",  "repeat" ]')
    assert merged(swapped, theirs) == (swapped.replace("1.0.0", "2.0.0"), [])


def test_a_new_member_stands_behind_the_one_it_stood_behind() -> None:
    theirs = BASE.replace('"1.0.0",', '"1.0.0",\n  "agentId": "x",')
    text, _conflicts = merged(BASE.replace('  "steps": {', '  "steps": {\n    "first": {},'), theirs)
    assert text == theirs.replace('  "steps": {', '  "steps": {\n    "first": {},')


def test_lists_of_names_hold_what_either_added_and_lack_what_either_took_out() -> None:
    ours = BASE.replace('["next", "repeat"]', '["next", "jump"]')
    theirs = BASE.replace('["next", "repeat"]', '["handoff", "next", "repeat"]')
    text, conflicts = merged(ours, theirs)
    assert json.loads(text)["steps"]["initial.a"]["intents"] == ["handoff", "next", "jump"]
    assert not conflicts


def test_a_value_that_both_changed_keeps_ours_until_theirs_is_chosen() -> None:
    ours, theirs = BASE.replace('closure.b" }', 'mine" }'), BASE.replace('closure.b" }', 'theirs" }')
    place = "/steps/initial.a/transitions/next/target"
    expected = [Conflict(place, '"closure.b"', '"mine"', '"theirs"')]
    assert merged(ours, theirs) == (ours, expected)
    assert merged(ours, theirs, choices={place: "theirs"}) == (theirs, expected)
    assert expected[0].pointer == place


def test_a_step_removed_here_and_changed_there_is_a_conflict_of_the_step() -> None:
    ours = BASE.replace(',\n    "closure.b": { "transitions": {} }', "")
    theirs = BASE.replace('"closure.b": { "transitions": {} }', '"closure.b": { "transitions": {}, "c2": "x" }')
    text, conflicts = merged(ours, theirs)
    assert (text, [each.place for each in conflicts]) == (ours, ["/steps/closure.b"])
    assert conflicts[0].ours is None
    assert merged(ours, theirs, choices={"/steps/closure.b": "theirs"})[0] == theirs
    text, conflicts = merged(theirs, ours)
    assert json.loads(text) == json.loads(theirs)
    assert conflicts[0].theirs is None


@pytest.mark.parametrize("broken", ["{", '{"a": 1, "a": 2}', ""])
def test_texts_that_are_no_sound_json_are_merged_by_lines(broken: str) -> None:
    assert merged(broken + "\nmine\n", "theirs\n" + broken + "\n", broken + "\n") == (
        "theirs\n" + broken + "\nmine\n",
        [],
    )


def test_lines_that_both_changed_are_a_conflict_at_the_line_of_ours() -> None:
    base, ours, theirs = "a\r\nb\r\nc\r\n", "new\r\na\r\nB\r\nc\r\n", "a\r\nBB\r\nc\r\nd"
    found = merge(Source(base), Source(ours), Source(theirs), json=False)
    assert found.text == "new\r\na\r\nB\r\nc\r\nd"
    assert found.conflicts == [Conflict("line 3", "b\r\n", "B\r\n", "BB\r\n")]
    chosen = merge(Source(base), Source(ours), Source(theirs), json=False, choices={"line 3": "theirs"})
    assert chosen.text == "new\r\na\r\nBB\r\nc\r\nd"
    assert found.conflicts[0].pointer is None


@given(values, values, indents)
def test_where_one_side_changed_nothing_the_other_is_taken_as_it_is(
    one: JsonValue, other: JsonValue, indent: int | str | None
) -> None:
    base, new = json.dumps(one, indent=indent), json.dumps(other)
    assert merged(new, base, base) == (new, [])
    assert merged(base, new, base) == (new, [])
    assert merged(new, new, base) == (new, [])


members = st.dictionaries(keys, st.dictionaries(keys, values, max_size=3) | values, max_size=4)


@given(members, members, members, indents, st.booleans())
def test_json_merges_as_a_merge_of_the_values_does(
    base: JsonValue, ours: JsonValue, theirs: JsonValue, indent: int | str | None, mine: bool
) -> None:
    left, right, was = (json.dumps(side, indent=indent) for side in (ours, theirs, base))
    conflicts = merged(left, right, was)[1]
    choices: dict[str, Side] = {each.place: "ours" if mine else "theirs" for each in conflicts}
    text, again = merged(left, right, was, choices)
    assert again == conflicts
    assert same_values(json.loads(text), plain_merge(base, ours, theirs, mine))


GONE = "nothing stands here"


def plain_merge(base: Any, ours: Any, theirs: Any, mine: bool) -> Any:
    """The same by the book, without texts."""
    if same_values(ours, theirs) or same_values(ours, base):
        return theirs
    if same_values(theirs, base):
        return ours
    if isinstance(ours, dict) and isinstance(theirs, dict):
        was = base if isinstance(base, dict) else {}
        both = {
            key: plain_merge(was.get(key, GONE), ours.get(key, GONE), theirs.get(key, GONE), mine)
            for key in [*theirs, *ours]
        }
        return {key: value for key, value in both.items() if value is not GONE}
    if isinstance(base, list) or base is GONE:
        old = [] if base is GONE else base
        if all(isinstance(side, list) and is_names(side) for side in (old, ours, theirs)):
            kept = [name for name in theirs if name in ours or name not in old]
            return kept + [name for name in ours if name not in old and name not in theirs]
    return ours if mine else theirs


def is_names(side: list[Any]) -> bool:
    return all(isinstance(name, str) for name in side) and len(set(side)) == len(side)


@given(st.data())
def test_changes_of_different_lines_are_both_there(data: st.DataObject) -> None:
    count = data.draw(st.integers(3, 30))
    base = [f"line {number}" for number in range(count)]
    mine = data.draw(st.integers(0, count - 1))
    other = data.draw(st.integers(0, count - 1))
    assume(abs(mine - other) > 1)
    ours, theirs, both = base.copy(), base.copy(), base.copy()
    ours[mine] = both[mine] = "mine"
    theirs[other] = both[other] = "theirs"
    found = merge(*(Source("\n".join(side)) for side in (base, ours, theirs)), json=False)
    assert (found.text, found.conflicts) == ("\n".join(both), [])


def test_a_large_registry_is_merged_in_the_time_of_reading_it() -> None:
    # Two thousand steps, changed in every other one by each: a merge that looked through all for each would never end.
    base = json.loads(registry_text(2000, 1, 2))
    ours, theirs = copy.deepcopy(base), copy.deepcopy(base)
    for number, step in enumerate(base["steps"]):
        (ours if number % 2 else theirs)["steps"][step]["name"] = "changed"
    for side in (ours, theirs):
        side["steps"] = {
            key: value
            for step in side["steps"]
            for key, value in ((step, side["steps"][step]), (f"{step}.{id(side)}", {}))
        }
    text, conflicts = merged(json.dumps(ours), json.dumps(theirs, indent=2), json.dumps(base))
    assert not conflicts
    read = json.loads(text)["steps"]
    assert len(read) == 6000
    assert sum(step.get("name") == "changed" for step in read.values()) == 2000
