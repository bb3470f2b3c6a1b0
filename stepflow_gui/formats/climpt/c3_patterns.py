"""The patterns that the prompt engine's own configuration sets for c2 and c3 (seed 002, prompts and C3L).

Reads only what it needs of the YAML: the `pattern` of `directiveType` and of `layerType`, at whatever level.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.text.source import Span

if TYPE_CHECKING:
    from stepflow_gui.text.expressions.matching import RegularExpression

_PATTERN = (
    r"^(?P<indent>[ \t]*)(?P<name>directiveType|layerType):[ \t]*(?:#.*)?\n"
    r"(?:(?P=indent)[ \t]+(?!pattern:)\S.*\n|[ \t]*(?:#.*)?\n)*?"
    r"(?P=indent)[ \t]+pattern:[ \t]*(?P<quote>[\"']?)(?P<pattern>[^\n]*?)(?P=quote)[ \t]*(?:#.*)?$"
)
_WORDS = r"\^\((?:\?:)?([A-Za-z0-9_|-]*)\)\$"
_CHOICE = r"\^\((?:\?:)?[^()]*\)\$"

CONFIG_FOLDER = (".agent", "climpt", "config")


class WordPattern(NamedTuple):
    """What a word of a prompt's path has to match; `span` is where the pattern stands, its quotes left out."""

    name: str  # directiveType (c2) or layerType (c3)
    pattern: str
    span: Span

    @property
    def is_valid(self) -> bool:
        """Whether JavaScript can read the pattern as a regular expression."""
        return self._words() is not None or self._expression() is not None

    def accepts(self, word: str) -> bool:
        """Whether a word matches; True where the pattern isn't valid."""
        words = self._words()
        if words is not None:
            return word in words
        expression = self._expression()
        return expression is None or expression.is_in(word) is not False

    def _words(self) -> list[str] | None:
        """The words of a plain list of words, for which no expression has to be compiled; None for other patterns."""
        plain = re.fullmatch(_WORDS, self.pattern)
        return plain[1].split("|") if plain else None

    def _expression(self) -> "RegularExpression | None":
        from stepflow_gui.text.expressions.matching import compiled  # few projects set such patterns

        return compiled(self.pattern)

    def with_word(self, word: str) -> str | None:
        """The pattern with a word more; None where it isn't a plain list of words."""
        return f"{self.pattern[:-2]}|{word})$" if re.fullmatch(_CHOICE, self.pattern) else None


def config_files(agent: str, c1: str) -> list[str]:
    """The names of the files, the general one first; the second takes precedence."""
    return [f"{agent}-{c1}-{kind}.yml" for kind in ("app", "user")]


def word_patterns(text: str) -> list[WordPattern]:
    """The patterns of a configuration file, in order."""
    found = []
    for match in re.finditer(_PATTERN, text, re.MULTILINE):
        pattern = match["pattern"]
        if match["quote"] == '"':
            pattern = pattern.replace("\\\\", "\\")
        found.append(WordPattern(match["name"], pattern, Span(*match.span("pattern"))))
    return found
