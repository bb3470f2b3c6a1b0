"""The form of `c3` that the prompt engine takes: lower-case words of Latin letters joined by dashes."""

import re

_FORM = re.compile(r"[a-z]+(?:-[a-z]+)*")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def has_form(c3: str) -> bool:
    """Whether the prompt engine takes it."""
    return _FORM.fullmatch(c3) is not None


def in_form(c3: str) -> str | None:
    """The same words in that form; None where no letter is left."""
    return "-".join(word.lower() for word in _WORD.findall(c3)) or None
