"""Patterns of the prompt engine's configuration: a plain list of words is read without an expression, and alike."""

import pytest

from stepflow_gui.formats.climpt.c3_patterns import WordPattern
from stepflow_gui.text.expressions.matching import compiled
from stepflow_gui.text.source import Span

PATTERNS = ("^(initial|a|issue)$", "^(?:initial-issue)$", "^()$", "^(a|)$", "^(a)", "^[a-z]+$")
WORDS = ("initial", "initial-issue", "a", "", "issue", "issu", "issue|a", "A")


@pytest.mark.parametrize(
    "pattern", ["^(initial|a|issue)$", "^(?:initial-issue)$", "^()$", "^(a|)$", "^(a)", "^[a-z]+$"]
)
@pytest.mark.parametrize("word", WORDS)
def test_words_match_as_by_the_expression(pattern: str, word: str) -> None:
    expression = compiled(pattern)
    assert expression is not None
    read = WordPattern("layerType", pattern, Span(0, 0))
    assert read.is_valid
    assert read.accepts(word) == expression.is_in(word)


def test_a_broken_pattern_accepts_all() -> None:
    read = WordPattern("layerType", "^(a", Span(0, 0))
    assert not read.is_valid
    assert read.accepts("b")
