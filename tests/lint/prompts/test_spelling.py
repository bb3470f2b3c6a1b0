"""How far apart words are spelled."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.lint.closest_name import slips

words = st.text("abc", max_size=7)


@pytest.mark.parametrize(
    ("word", "other", "count"),
    [
        ("initial_issue", "initial_issue", 0),
        ("initial_isue", "initial_issue", 1),
        ("inital_issue", "initial_issue", 1),
        ("initial_issue", "initial_isseu", 1),  # swapped
        ("initail_isue", "initial_issue", 2),
        ("", "ab", 2),
        ("iteration", "iterate", None),
        ("abc", "xyz", None),
    ],
)
def test_slips(word: str, other: str, count: int | None) -> None:
    assert slips(word, other, 2) == slips(other, word, 2) == count


@cache
def counted(word: str, other: str) -> int:
    """The same by its definition: the last letters are the same, or one of the four slips was the last."""
    if not word or not other:
        return len(word) + len(other)
    ways = [counted(word[:-1], other) + 1, counted(word, other[:-1]) + 1]
    ways.append(counted(word[:-1], other[:-1]) + (word[-1] != other[-1]))
    if len(word) > 1 and word[-2:] == other[-2:][::-1]:
        ways.append(counted(word[:-2], other[:-2]) + 1)
    return min(ways)


@given(words, words, st.sampled_from((1, 2)))
def test_as_defined(word: str, other: str, most: int) -> None:
    count = counted(word, other)
    assert slips(word, other, most) == (count if count <= most else None)
