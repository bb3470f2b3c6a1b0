"""What the source panel finds, and that no pattern keeps it looking."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.gui.source.finding.replace import replacing
from stepflow_gui.gui.source.finding.search import MOST, Hit, Search, SearchQuery, filled
from stepflow_gui.text.edit import apply
from stepflow_gui.text.source import Source, Span


def found(text: str, wanted: SearchQuery, within: Span | None = None) -> list[tuple[int, int]]:
    search = Search(Source(text), wanted, within)
    search.finish()
    assert not search.trouble
    return [(hit.start, hit.end) for hit in search.hits]


def test_a_text_is_found_in_any_case_unless_that_matters() -> None:
    assert found("next NEXT Next", SearchQuery("next")) == [(0, 4), (5, 9), (10, 14)]
    assert found("next NEXT Next", SearchQuery("Next", case=True)) == [(10, 14)]


def test_whole_words_end_where_a_word_ends() -> None:
    assert found('next nextStep "next"', SearchQuery("next", word=True)) == [(0, 4), (15, 19)]
    assert found('a:"x" "x"', SearchQuery('"x"', word=True)) == [(2, 5), (6, 9)]  # signs end no word
    assert found("next nextStep", SearchQuery("n[ex]+t", word=True, pattern=True)) == [(0, 4)]


def test_signs_of_patterns_mean_themselves_in_a_text() -> None:
    assert found("a.c abc", SearchQuery("a.c")) == [(0, 3)]
    assert found("a.c abc", SearchQuery("a.c", pattern=True)) == [(0, 3), (4, 7)]


def test_a_pattern_is_matched_line_by_line() -> None:
    text = "one\r\ntwo\nthree"
    assert found(text, SearchQuery("^t.*$", pattern=True)) == [(5, 8), (9, 14)]
    assert found(text, SearchQuery(r"\s+", pattern=True)) == []
    assert found(text, SearchQuery("^", pattern=True)) == [(0, 0), (5, 5), (9, 9)]


def test_offsets_count_code_points() -> None:
    assert found("🙂日本 🙂日本語", SearchQuery("日本語?", pattern=True)) == [(1, 3), (5, 8)]
    assert found("🙂日本 🙂日本語", SearchQuery("日本")) == [(1, 3), (5, 7)]


def test_only_what_was_selected_is_searched() -> None:
    text = "aa\naa\naa"
    assert found(text, SearchQuery("a"), Span(1, 4)) == [(1, 2), (3, 4)]
    assert found(text, SearchQuery("a+", pattern=True), Span(1, 4)) == [(1, 2), (3, 4)]


def test_an_empty_field_finds_nothing() -> None:
    assert found("aaa", SearchQuery("")) == []
    assert found("aaa", SearchQuery("", pattern=True)) == []


def test_a_bad_pattern_explains_why() -> None:
    search = Search(Source("a(b"), SearchQuery("a(b", pattern=True))
    assert (search.trouble, search.done, search.hits) == ("pattern", True, [])
    assert search.reason
    assert found("a(b", SearchQuery("a(b")) == [(0, 3)]


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "(a*)*[bc]", "(a+)+[bc]", "((a+)*)*[bc]", "(.*)*[bc]"])
def test_a_pattern_that_doubles_back_is_discard_changes(pattern: str) -> None:
    # Done by Python's re, any of these would take longer than the sun burns.
    text = "x" * 10 + "\n" + "a" * 40_000 + "!\n"
    search = Search(Source(text + "b"), SearchQuery(pattern, pattern=True))
    for _slice in range(400):
        search.more()
    assert search.done
    assert search.trouble in {"hard", ""}  # some of them PCRE sees through


def test_what_is_too_hard_is_reported_with_what_was_found_until_then() -> None:
    text = "ab\n" + "a" * 3000 + "!\nab"
    search = Search(Source(text), SearchQuery("(a|aa)+[bc]", pattern=True))
    search.finish()
    assert search.trouble == "hard"
    assert [(hit.start, hit.end) for hit in search.hits] == [(0, 2)]


def test_a_pattern_is_looked_for_in_slices() -> None:
    text = "some words of a line that is long enough\n" * 150_000
    search = Search(Source(text), SearchQuery(r"\w+ of \w+ line", pattern=True))
    assert not search.done
    assert search.hits
    before = len(search.hits)
    search.more()
    assert len(search.hits) > before
    search.finish()
    assert search.done


def test_more_than_anybody_looks_at_is_not_reported() -> None:
    search = Search(Source("a" * (MOST + 5)), SearchQuery("a"))
    search.finish()
    assert search.capped
    assert len(search.hits) == MOST


WORDS = st.text(alphabet="ab \n🙂日", max_size=80)


@given(WORDS, st.sampled_from(["a", "b+", "^a", "b$", "a|日", "[ab]+ ", "🙂.", ".", "(a)(b)?", "b?", "(?=🙂)"]))
def test_patterns_find_what_pythons_do(text: str, pattern: str) -> None:
    expected = [match.span() for match in re.finditer(pattern, text, re.MULTILINE)]
    assert found(text, SearchQuery(pattern, case=True, pattern=True)) == expected


@pytest.mark.parametrize("pattern", [r"\bab\b", "^ab", "ab$", "b a", "$", "^", "日本?", "🙂 a", "x?"])
def test_in_a_line_without_end_the_same_is_found(pattern: str) -> None:
    text = ("ab 日🙂 " * 12_000) + "\nabc ab"
    expected = [match.span() for match in re.finditer(pattern, text, re.MULTILINE)]
    assert found(text, SearchQuery(pattern, case=True, pattern=True)) == expected


def replaced(text: str, wanted: SearchQuery, by: str) -> str:
    search = Search(Source(text), wanted)
    search.finish()
    return apply(text, replacing(text, search.hits, by, pattern=wanted.pattern))


def test_a_text_is_replaced_as_it_stands() -> None:
    assert replaced("a a", SearchQuery("a"), r"$1\n") == r"$1\n $1\n"


def test_a_replacement_takes_what_a_pattern_matched() -> None:
    wanted = SearchQuery(r"(\w+)\.(\w+)", pattern=True)
    assert replaced('"initial.issue"', wanted, "$2.${1}") == '"issue.initial"'
    assert replaced("a.b", wanted, r"$0 $$1 $9\t\\") == "a.b $1 \t\\"
    assert replaced("a.b\r\nc.d", wanted, r"$1\n") == "a\r\n\r\nc\r\n"


def test_a_group_that_took_no_part_is_empty() -> None:
    assert replaced("ab a", SearchQuery("a(b)?", pattern=True), "<$1>") == "<b> <>"
    assert filled("$1", (), "x") == ""


def test_very_many_replacements_are_one_edit() -> None:
    text = "x " * 5000
    edits = replacing(text, [Hit(at, at + 1) for at in range(0, len(text), 2)], "yy", pattern=False)
    assert len(edits) == 1
    assert apply(text, edits) == "yy " * 5000


def test_what_stays_the_same_is_no_edit() -> None:
    assert replacing("a A", [Hit(0, 1), Hit(2, 3)], "a", pattern=False) == [(2, 3, "a")]
