"""Text edits: applied together, taken back, found as the difference of two texts; and JSON Pointers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.text.edit import TextEdit, apply, difference, inverse, moved, ordered
from stepflow_gui.text.pointer import element_index, escape, join, parent, split

TEXTS = st.text(alphabet="ab\n😀", max_size=20)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[TextEdit]]:
    text = draw(TEXTS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6).filter(lambda cuts: len(cuts) % 2 == 0)))
    edits = [TextEdit(start, end, draw(TEXTS)) for start, end in zip(cuts[::2], cuts[1::2], strict=True)]
    return text, edits


@given(edited())
def test_an_edit_and_its_inverse_give_the_same_text(case: tuple[str, list[TextEdit]]) -> None:
    text, edits = case
    after = apply(text, edits)
    assert apply(after, inverse(text, edits)) == text


@given(edited())
def test_what_is_outside_the_edits_stays(case: tuple[str, list[TextEdit]]) -> None:
    text, edits = case
    after = apply(text, edits)
    kept = len(text) - sum(edit.end - edit.start for edit in edits)
    assert len(after) == kept + sum(len(edit.text) for edit in edits)
    if edits:
        assert after.startswith(text[: edits[0].start])
        assert after.endswith(text[edits[-1].end :])


def test_edits_that_overlap_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="overlap"):
        ordered([TextEdit(3, 5, ""), TextEdit(0, 4, "")])
    assert apply("abc", [TextEdit(1, 1, "x"), TextEdit(1, 1, "y")]) == "axybc"


@given(TEXTS, TEXTS)
def test_the_difference_turns_one_text_into_the_other(before: str, after: str) -> None:
    found = difference(before, after)
    assert apply(before, found) == after
    assert bool(found) == (before != after)
    for edit in found:
        gone = before[edit.start : edit.end]
        assert not (gone and edit.text and (gone[0] == edit.text[0] or gone[-1] == edit.text[-1]))


@given(st.lists(st.text(alphabet="a~/01é ", max_size=4)))
def test_a_pointer_and_its_keys(keys: list[str]) -> None:
    pointer = join("", *keys)
    assert split(pointer) == keys
    if keys:
        assert parent(pointer) == join("", *keys[:-1])
        assert pointer.endswith(escape(keys[-1]))


def test_pointers_as_the_standard_has_them() -> None:
    assert join("", "a/b", "m~n", 0, "") == "/a~1b/m~0n/0/"
    assert split("/~01") == ["~1"]
    assert parent("") == ""
    with pytest.raises(ValueError, match="not a JSON Pointer"):
        split("a")
    assert [element_index(token, 3) for token in ("0", "2", "3", "02", "-1", "-", "", "２")] == [0, 2] + [None] * 6


@given(st.text(max_size=30), st.data())
def test_an_offset_keeps_what_stands_behind_it(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    start = data.draw(st.integers(0, at))
    end = data.draw(st.integers(start, at))
    edits = [TextEdit(start, end, data.draw(st.text(max_size=5)))]
    assert apply(text, edits)[moved(at, edits) :] == text[at:]
    behind = [TextEdit(at, len(text), "")] if at < len(text) else []
    assert moved(at, behind) == at


def test_an_offset_inside_what_is_replaced_goes_to_its_beginning() -> None:
    edits = [TextEdit(0, 1, "abc"), TextEdit(3, 9, "x")]
    assert moved(5, edits) == 5
    assert moved(3, edits) == 5
    assert moved(9, edits) == 6
