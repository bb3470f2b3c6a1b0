"""Several names in a sentence, as each language joins them."""

import pytest

from stepflow_gui.lint.rules.flow.naming import listed, round_trip

NAMES = [
    ([], "", ""),
    (["a"], "“a”", "「a」"),
    (["a", "b"], "“a” and “b”", "「a」と「b」"),
    (["a", "b", "c"], "“a”, “b” and “c”", "「a」、「b」と「c」"),
    (list("abcde"), "“a”, “b”, “c”, “d” and “e”", "「a」、「b」、「c」、「d」と「e」"),
    (list("abcdef"), "“a”, “b”, “c”, “d” and 2 more", "「a」、「b」、「c」、「d」ほか 2 件"),
]


@pytest.mark.parametrize(("steps", "english", "_japanese"), NAMES)
def test_in_english(steps: list[str], english: str, _japanese: str) -> None:
    assert listed(steps) == english


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize(("steps", "_english", "told"), NAMES)
def test_in_japanese_no_gaps_are_left(steps: list[str], _english: str, told: str) -> None:
    assert listed(steps) == told


def test_a_round_trip_ends_where_it_began_and_leaves_the_middle_of_a_long_one_out() -> None:
    assert round_trip(["a", "b"]) == "“a” → “b” → “a”"
    assert round_trip(list("abcdefghijkl")) == ("“a” → “b” → “c” → “d” → “e” → … → “i” → “j” → “k” → “l” → “a”")
