"""Patterns mean what JavaScript takes them for, and what it refuses is refused."""

import pytest

from stepflow_gui.text.expressions.matching import compiled


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"a$", "a\n", False),  # Python's $ would look before the line end
        (r"^\d+$", "٣", False),  # ASCII only
        (r"\w", "é", False),
        (r"\bcafé", "x café", True),
        (r"a.b", "a\u2028b", False),
        (r"[^]", "\n", True),
        (r"x[]", "x", False),
        (r"(?<=a)b", "ab", True),
        (r"a{,2}", "a{,2}", True),  # no repetition in JavaScript
        (r"a{2}", "aa", True),
        (r"[a&&b]", "&", True),
        (r"\u0041\x42", "AB", True),
        (r"\e", "e", True),
        (r"\/", "/", True),
        (r"\cJ", "\n", True),
        (r"[\d\s]", "\u00a0", True),
        (r"(?i:OK)", "ok", True),
    ],
)
def test_patterns_mean_what_javascript_reads(pattern: str, text: str, found: bool) -> None:
    made = compiled(pattern)
    assert made is not None
    assert made.is_in(text) is found


@pytest.mark.parametrize("pattern", ["[", "(", ")", "(?i)ok", "*", "a++", "a*+", "(?>a)", "(?P<n>a)", "\\", "(?#x)"])
def test_what_javascript_refuses_is_refused(pattern: str) -> None:
    assert compiled(pattern) is None


def test_case_can_be_ignored() -> None:
    made = compiled("OK", ignore_case=True)
    assert made is not None
    assert made.is_in("ok")
