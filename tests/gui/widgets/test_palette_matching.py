"""A few letters find what is meant."""

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.gui.widgets.palette_matching import Kind, PaletteEntry, best


def entry(title: str, detail: str = "", kind: Kind = "action", *, enabled: bool = True) -> PaletteEntry:
    return PaletteEntry(kind, title, detail, lambda: None, enabled=enabled)


def titles(entries: list[PaletteEntry], query: str) -> list[str]:
    return [each.title for each in best(entries, query)]


def test_an_empty_query_lists_all_in_their_order_actions_first() -> None:
    entries = [entry("b", kind="step"), entry("z"), entry("a")]
    assert titles(entries, "  ") == ["z", "a", "b"]


def test_a_word_as_it_stands_comes_before_scattered_letters() -> None:
    entries = [entry("Fit in the window"), entry("Zoom to Fit"), entry("Find what is there")]
    assert titles(entries, "fit")[:2] == ["Fit in the window", "Zoom to Fit"]


def test_the_first_letters_of_words_find_them() -> None:
    entries = [entry("continuation.issue", kind="step"), entry("Close the window"), entry("Open recent")]
    assert titles(entries, "ci")[0] == "continuation.issue"


def test_every_word_must_be_found_in_title_or_detail() -> None:
    entries = [entry("initial.issue", "Understand the issue", "step"), entry("initial.plan", "Plan", "step")]
    assert titles(entries, "initial understand") == ["initial.issue"]
    assert titles(entries, "initial nothing") == []


def test_what_is_scattered_over_a_sentence_is_not_found() -> None:
    entries = [entry("Hints", "One line in the bottom bar at the first use of something, once"), entry("Theme")]
    assert titles(entries, "theme") == ["Theme"]
    assert titles(entries, "bottom") == ["Hints"]


def test_what_cannot_be_done_now_comes_last() -> None:
    assert titles([entry("Undo", enabled=False), entry("Undo all")], "undo") == ["Undo all", "Undo"]


def test_letters_fold_their_case_and_japanese_is_found() -> None:
    assert titles([entry("整列"), entry("Tidy")], "整") == ["整列"]
    assert titles([entry("TIDY")], "tid") == ["TIDY"]


@given(st.lists(st.text(min_size=1, max_size=12), max_size=8), st.text(max_size=5))
def test_what_is_found_holds_the_letters(names: list[str], query: str) -> None:
    for found in best([entry(name) for name in names], query):
        rest = iter(found.title.casefold())
        for word in query.casefold().split():
            rest = iter(found.title.casefold())
            assert all(letter in rest for letter in word)
