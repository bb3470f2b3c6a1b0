"""Lines are made comments and lines again: in one column, as one entry of the history."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.gui.source.keys import comment_edits
from stepflow_gui.text.edit import apply
from stepflow_gui.text.source import Source, Span

PIECE = "name: p\nmovements:\n  - name: a  # first\n\n    rules:\n      - condition: ok\n"


def toggled(text: str, start: int, end: int | None = None) -> str:
    return apply(text, comment_edits(Source(text), Span(start, start if end is None else end)))


def test_the_line_of_the_caret_becomes_a_comment_and_a_line_again() -> None:
    at = PIECE.index("condition")
    once = toggled(PIECE, at)
    assert once == PIECE.replace("      - condition", "      # - condition")
    assert toggled(once, at) == PIECE


def test_all_lines_of_a_selection_get_one_column_and_empty_ones_stay_empty() -> None:
    start, end = PIECE.index("  - name"), PIECE.index("      - condition")
    once = toggled(PIECE, start, end)
    assert once == PIECE.replace("  - name", "  # - name").replace("    rules", "  #   rules")
    assert toggled(once, start, once.index("      - condition")) == PIECE


def test_of_lines_and_comments_all_become_comments() -> None:
    text = "# a: 1\n#b: 2\nc: 3\n"
    assert toggled(text, 0, len(text)) == "# # a: 1\n# #b: 2\n# c: 3\n"
    assert toggled(text, 0, text.index("c")) == "a: 1\nb: 2\nc: 3\n"


@pytest.mark.parametrize(
    ("text", "wanted"), [("", "# "), ("a: 1\n\n", "a: 1\n# \n"), ("a:\r\n  b: 1", "a:\r\n  # b: 1")]
)
def test_the_line_of_the_caret_may_be_empty_or_the_last(text: str, wanted: str) -> None:
    at = len(text) - 1 if text.endswith("\n\n") else len(text)
    assert toggled(text, at) == wanted


@given(st.text(alphabet="ab: #-\n\r\t日", max_size=40), st.data())
def test_twice_is_nothing(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edits = comment_edits(Source(text), Span(start, end))
    once = apply(text, edits)
    if edits and edits[0].text:  # lines became comments
        again = apply(once, comment_edits(Source(once), Span(start, end + sum(len(edit.text) for edit in edits))))
        assert again == text
