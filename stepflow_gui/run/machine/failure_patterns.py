"""Failure patterns found by words of the error text (runtime-semantics 8)."""

from stepflow_gui.run.javascript.regular_expression import compiled
from stepflow_gui.text.json.tree import JsonValue


def score(keywords: JsonValue, text: str) -> int:
    """How many of the keywords occur; `/x/` is a regular expression, all else a part of the text, case aside."""
    if not isinstance(keywords, list):
        return 0
    lowered = text.lower()
    return sum(_occurs(keyword, lowered) for keyword in keywords if isinstance(keyword, str))


def best_pattern(patterns: JsonValue, text: str) -> str | None:
    """The pattern with the most hits, of equal ones the first; None where none has any."""
    best, most = None, 0
    for name, pattern in patterns.items() if isinstance(patterns, dict) else ():
        hits = score(pattern.get("semanticMatch"), text) if isinstance(pattern, dict) else 0
        if hits > most:
            best, most = name, hits
    return best


def _occurs(keyword: str, lowered: str) -> bool:
    if len(keyword) > 2 and keyword[0] == keyword[-1] == "/":
        pattern = compiled(keyword[1:-1], ignore_case=True)
        return pattern is not None and pattern.search(lowered) is not None
    return keyword.lower() in lowered
