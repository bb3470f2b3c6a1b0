"""Prompt files: where their text begins, and what is filled in."""

from typing import Any

import pytest

from stepflow_gui.formats.climpt.prompts import Unfilled, fill, read_prompt


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("---\nk: v\n---\nbody\n", "body"),
        ("---\nk: v\n---Hello\nWorld\n", "Hello\nWorld"),
        ("---\nk: v\n--- x\ny", "x\ny"),
        ("---\nk: v\n----\nz", "-\nz"),
        ("--- title\n---\nbody", "body"),
        ("---\n---", ""),
        ("---\nk: v\n---", ""),
        ("---", "---"),
        ("---\nk: v\n --- \nbody", "---\nk: v\n --- \nbody"),
        ("\n---\nk: v\n---\nbody", "---\nk: v\n---\nbody"),
    ],
)
def test_front_matter_is_cut_right_behind_its_last_dashes(text: str, shown: str) -> None:
    assert fill(text, {}) == shown


def test_variables_behind_the_dashes_are_used() -> None:
    text = "---\nk: {uv-no}\n---{uv-a}\n{input_text}"
    found = read_prompt(text)
    assert (found.names, found.reads_input) == (["a"], True)
    assert text[found.start :] == "{uv-a}\n{input_text}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{uv-a}}", "{A}"),
        ("{uv-{uv-a}}", "{uv-A}"),
        ("{uv-a", "{uv-a"),
        ("{uv-a}}", "A}"),
        ("{ uv-a }", "{ uv-a }"),
        ("{uv-}{uv-a-b}", "{uv-}{uv-a-b}"),
        ("{uv-nested}", "{uv-a}"),  # one pass over the variables
        ("{uv-asks}", "I"),  # then one over the input text
        ("{{input_text}}{input_text", "{I}{input_text"),
        (" {uv-blank} ", ""),
    ],
)
def test_braces(text: str, shown: str) -> None:
    values = {"a": "A", "nested": "{uv-a}", "asks": "{input_text}", "blank": "  "}
    assert fill(text, values, input_text="I") == shown


@pytest.mark.parametrize(
    ("text", "needed", "why"),
    [
        ("{uv-used}", ["uv-first"], Unfilled("needed", "first")),
        ("{uv-used}", [], Unfilled("input", "input_text")),
    ],
)
def test_the_first_of_several_reasons(text: str, needed: Any, why: Unfilled) -> None:
    assert fill(text, {}, needed, needs_input=True) == why
    assert fill(text, {}, (), input_text="x", needs_input=True) == Unfilled("used", "used")
