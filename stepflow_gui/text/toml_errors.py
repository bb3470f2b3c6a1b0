"""What Python's TOML reader says of a text that isn't TOML, in the language in use."""

import re
from collections.abc import Callable

from stepflow_gui.messages import _

_PLACE = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)
_TEXTS: dict[str, Callable[[], str]] = {
    "Cannot declare {} twice": lambda: _("Cannot declare {name} twice"),
    "Cannot mutate immutable namespace {}": lambda: _("Cannot mutate immutable namespace {name}"),
    "Cannot overwrite a value": lambda: _("Cannot overwrite a value"),
    "Cannot redefine namespace {}": lambda: _("Cannot redefine namespace {name}"),
    "Duplicate inline table key {}": lambda: _("Duplicate inline table key {name}"),
    "Escaped character is not a Unicode scalar value": lambda: _("Escaped character is not a Unicode scalar value"),
    "Expected '=' after a key in a key/value pair": lambda: _("Expected '=' after a key in a key/value pair"),
    "Expected ']' at the end of a table declaration": lambda: _("Expected ']' at the end of a table declaration"),
    "Expected ']]' at the end of an array declaration": lambda: _("Expected ']]' at the end of an array declaration"),
    "Expected newline or end of document after a statement": lambda: _(
        "Expected newline or end of document after a statement"
    ),
    "Expected {}": lambda: _("Expected {name}"),
    "Found invalid character {}": lambda: _("Found invalid character {name}"),
    "Illegal character {}": lambda: _("Illegal character {name}"),
    "Invalid date or datetime": lambda: _("Invalid date or datetime"),
    "Invalid hex value": lambda: _("Invalid hex value"),
    "Invalid initial character for a key part": lambda: _("Invalid initial character for a key part"),
    "Invalid statement": lambda: _("Invalid statement"),
    "Invalid value": lambda: _("Invalid value"),
    "Unclosed array": lambda: _("Unclosed array"),
    "Unclosed inline table": lambda: _("Unclosed inline table"),
    "Unescaped '\\' in a string": lambda: _("Unescaped '\\' in a string"),
    "Unterminated string": lambda: _("Unterminated string"),
}


def toml_error_text(error: str) -> str:
    """The message of a `TOMLDecodeError`; one that isn't known stays as it is."""
    placed = _PLACE.fullmatch(error)
    if placed is None:
        return _text_of(error)
    what, line = _text_of(placed["what"]), placed["line"]
    if line is None:
        return _("{what} (at end of document)").format(what=what)
    return _("{what} (at line {line}, column {column})").format(what=what, line=line, column=placed["column"])


def _text_of(what: str) -> str:
    known = _TEXTS.get(what)
    if known is not None:
        return known()
    for pattern, text in _TEXTS.items():
        head, gap, tail = pattern.partition("{}")
        if gap and what.startswith(head) and what.endswith(tail):
            return text().format(name=what[len(head) : len(what) - len(tail)])
    return what
