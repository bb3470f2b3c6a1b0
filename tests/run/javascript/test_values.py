"""JavaScript's paths and texts; the numbers were taken from a JavaScript engine."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.run.javascript.values import ABSENT, text_of, value_at

ANSWER = {"a": {"b": None, "": 1}, "items": [{"name": "x"}, ["y"]], "text": "t", "0": "zero", "a.b": "never"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a", {"b": None, "": 1}),
        ("a.b", None),
        ("a.", 1),
        ("a.b.c", ABSENT),
        ("items.0.name", "x"),
        ("items.1.0", "y"),
        ("items.length", 2),
        ("items.2", ABSENT),
        ("items.-1", ABSENT),
        ("items.00", ABSENT),
        ("items.²", ABSENT),
        ("items." + "9" * 400, ABSENT),
        ("text.length", ABSENT),
        ("0", "zero"),
        ("", ABSENT),
    ],
)
def test_paths_walk_objects_and_arrays(path: str, value: Any) -> None:
    assert value_at(ANSWER, path) == value


@pytest.mark.parametrize("answer", [None, 5, "next", True, []])
def test_what_is_no_object_has_nothing_at_a_path(answer: Any) -> None:
    assert value_at(answer, "next_action.action") is ABSENT


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("NEXT", "NEXT"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (0, "0"),
        (-0.0, "0"),
        (5.0, "5"),
        (1.5, "1.5"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (123456789012345678901, "123456789012345680000"),
        (2**53 + 1, "9007199254740992"),
        (1e-7, "1e-7"),
        (1e-6, "0.000001"),
        (1.234e-5, "0.00001234"),
        (-2.5e-9, "-2.5e-9"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (10**400, "Infinity"),
        (["next"], "next"),
        ([["next"]], "next"),
        (["a", None, [1, True, []]], "a,,1,true,"),
        ([], ""),
        ([[]], ""),
        ({"a": 1}, "[object Object]"),
        ([{}], "[object Object]"),
    ],
)
def test_values_become_text(value: Any, text: str) -> None:
    assert text_of(value) == text


def test_deep_lists_need_no_recursion() -> None:
    deep: list[Any] = ["next"]
    for _ in range(100_000):
        deep = [deep]
    assert text_of(deep) == "next"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_of_a_number_is_that_number(number: float) -> None:
    assert float(text_of(number)) == number
