"""Where a caret stands, in text as it is while somebody types."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.text.json.context import Context, context_at


def at(text: str) -> Context:
    """The context at the `|`."""
    return context_at(text.replace("|", "", 1), text.index("|"))


@pytest.mark.parametrize(
    ("text", "expects", "path", "typed"),
    [
        ("|", "value", (), ""),
        ("{|}", "key", (), ""),
        ('{"|"}', "key", (), ""),
        ('{"ste|"}', "key", (), "ste"),
        ('{"ste|', "key", (), "ste"),
        ('{"a": 1, |}', "key", (), ""),
        ('{"a": 1|}', "value", ("a",), "1"),
        ('{"a": 1 |}', "nothing", ("a",), ""),
        ('{"a": |}', "value", ("a",), ""),
        ('{"a": "x|"}', "value", ("a",), "x"),
        ('{"a": "x|', "value", ("a",), "x"),
        ('{"a": "x"|}', "nothing", ("a",), ""),
        ('{"a": {"b": [1, "c", |]}}', "value", ("a", "b", 2), ""),
        ('{"a": {"b": ["|"]}}', "value", ("a", "b", 0), ""),
        ('{"a": {"b": []}, "c": {"|', "key", ("c",), ""),
        ('{"a": {"b": 1 "|', "key", ("a",), ""),  # a comma is missing
        ('{"a"|', "nothing", (), ""),
        ('{"a": "q\\"|"}', "value", ("a",), 'q"'),
        ('{"a": "日本|"}', "value", ("a",), "日本"),
        ('{"a": tr|}', "value", ("a",), "tr"),
        ('{"a": nothing} |', "nothing", (), ""),
    ],
)
def test_what_is_begun_at_the_caret(text: str, expects: str, path: tuple[str | int, ...], typed: str) -> None:
    found = at(text)
    assert (found.expects, found.path, found.typed) == (expects, path, typed)


def test_a_completion_takes_the_place_of_the_string_around_the_caret() -> None:
    text = '{"a": "xy|z", "b": 1}'
    found = at(text)
    assert text.replace("|", "")[found.start : found.end] == '"xyz"'
    assert found.quoted
    open_one = '{"a": "xy|\n}'
    found = at(open_one)
    assert open_one.replace("|", "")[found.start : found.end] == '"xy'


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('{"mo|"      "b": 1}', '"mo"'),  # the quote came along with the first one
        ('{"poll:|state": 1}', '"poll:state"'),
        ('{"na|me: "x"}', '"na'),  # the quote is another string's
        ('{"a": "cl| }, "x": 1}', '"cl'),
        ('{"a": "cl|osure"}', '"closure"'),
    ],
)
def test_a_string_ends_where_something_can_follow_it(text: str, taken: str) -> None:
    found = at(text)
    assert text.replace("|", "")[found.start : found.end] == taken


def test_before_a_string_the_whole_of_it_is_meant() -> None:
    text = '{"a": |"xyz"}'
    found = at(text)
    assert text.replace("|", "")[found.start : found.end] == '"xyz"'
    assert found.typed == ""


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    ),
    st.data(),
)
def test_any_caret_in_any_text_has_a_context(value: object, data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    offset = data.draw(st.integers(0, len(text)))
    found = context_at(text, offset)
    assert 0 <= found.start <= offset <= found.end <= len(text)
    here = value
    for key in found.path[:-1]:
        here = here[key]  # type: ignore[index]
    assert isinstance(here, dict | list) or not found.path
    cut = context_at(text[:offset], offset)
    assert (cut.expects, cut.path) == (found.expects, found.path)
