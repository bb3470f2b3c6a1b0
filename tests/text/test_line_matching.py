"""The lines that two texts have in common: what difflib finds in short texts, and in long ones without its time."""

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.text import line_matching
from stepflow_gui.text.line_matching import LineMatcher

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=30)


def applied(before: list[str], after: list[str]) -> list[str]:
    made: list[str] = []
    for tag, start, end, new_start, new_end in LineMatcher(before, after).get_opcodes():
        made += before[start:end] if tag == "equal" else after[new_start:new_end]
    return made


@given(LINES, LINES)
def test_opcodes_lead_from_one_text_to_the_other(before: list[str], after: list[str]) -> None:
    assert applied(before, after) == after


@given(st.data())
def test_so_they_do_in_long_texts(data: st.DataObject) -> None:
    before = data.draw(st.lists(st.integers(0, 60).map(str), max_size=60))
    after = list(before)
    for at in data.draw(st.lists(st.integers(0, 60), max_size=10)):
        after[at : at + 1] = data.draw(LINES)
    whole, line_matching._CLOSELY = line_matching._CLOSELY, 4
    try:
        assert applied(before, after) == after
        blocks = LineMatcher(before, after).get_matching_blocks()
        assert all(block.size for block in blocks[:-1])
    finally:
        line_matching._CLOSELY = whole


def test_a_line_less_in_each_part_of_a_long_text_is_a_change_each() -> None:
    before = [line for at in range(2_000) for line in (f"step {at}", "same", f"gone {at}", "}")]
    after = [line for line in before if not line.startswith("gone")]
    changed = [code for code in LineMatcher(before, after).get_opcodes() if code[0] != "equal"]
    assert len(changed) == 2_000
    assert all(code[0] == "delete" and code[2] - code[1] == 1 for code in changed)


def test_a_part_that_moved_is_found_once() -> None:
    before = [f"line {at}" for at in range(1_000)]
    after = [*before[500:], *before[:500]]
    assert sum(block.size for block in LineMatcher(before, after).get_matching_blocks()) == 500


def test_short_texts_are_compared_as_difflib_compares_them() -> None:
    before, after = list("axbxcx"), list("xbxaxc")
    assert (
        LineMatcher(before, after).get_matching_blocks()
        == SequenceMatcher(None, before[0:], after).get_matching_blocks()
    )


def test_a_long_text_without_lines_of_its_own_is_replaced() -> None:
    before, after = ["a", "b"] * 300, ["b", "c"] * 300
    assert applied(before, after) == after
