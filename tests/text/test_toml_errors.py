"""What is wrong in a TOML file is said in both languages."""

import re
import tomllib

import pytest

from stepflow_gui import messages
from stepflow_gui.text.toml_errors import toml_error_text

BROKEN = (
    *("a", "a =", "a = [1", "a = {b = 1", 'a = "x', "= 1", "a = 1 b = 2", "[a", "[[a]", 'a = "\\x"', 'a = "\\u12"'),
    *(
        "a = 1\na = 2",
        "[a]\n[a]",
        "a = {b = 1}\n[a.c]",
        "a = {b = 1, b = 2}",
        "a = 2026-13-45",
        'a = "\x01"',
        "a = nul",
    ),
    *("a.b = 1\n[a]", 'a = "\\ud800"', "a = '''x", "[[a]]\n[a]", "a = 1\n[a.b]", "a = 01:99:00"),
)


def error_of(text: str) -> str:
    with pytest.raises(tomllib.TOMLDecodeError) as raised:
        tomllib.loads(text)
    return str(raised.value)


@pytest.mark.parametrize("text", BROKEN)
def test_an_error_is_said_in_both_languages(text: str) -> None:
    error = error_of(text)
    assert toml_error_text(error) == error
    messages.use_language("ja")
    try:
        said = toml_error_text(error)
    finally:
        messages.use_language("en")
    assert not re.search(r"[A-Za-z]{4,}", re.sub(r"[\"'(].*?[\"')]|Unicode", "", said)), said
    line = re.search(r"line (\d+)", error)
    assert line is None or f"{line[1]} 行" in said


def test_what_is_not_known_stays_as_it_is() -> None:
    assert toml_error_text("Something new (at line 2, column 1)") == "Something new (at line 2, column 1)"
    assert toml_error_text("Something else") == "Something else"
