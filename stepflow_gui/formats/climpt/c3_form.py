"""The form of `c3` that the prompt engine takes: lower-case words of Latin letters joined by dashes."""

import re

_WORD = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"


def has_form(c3: str) -> bool:
    """Whether the prompt engine takes it."""
    return c3.isascii() and all(word.isalpha() and word.islower() for word in c3.split("-"))


def in_form(c3: str) -> str | None:
    """The same words in that form; None where no letter is left."""
    return "-".join(word.lower() for word in re.findall(_WORD, c3)) or None
