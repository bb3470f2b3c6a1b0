"""Names of steps and prompts made of the words of others."""

import re
from collections.abc import Container, Iterator

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def topic_of(words: str, taken: Container[str] = ()) -> str:
    """Words as the last folder of a prompt's path, which has small letters and hyphens alone."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", words).lower()
    topic = re.sub(r"[^a-z]+", "-", parted).strip("-") or "step"
    return next(name for name in _numbered(topic) if name not in taken)


def _numbered(topic: str) -> Iterator[str]:
    yield topic
    yield from (f"{topic}-{letter}" for letter in _LETTERS[1:])
    number = 0
    while True:
        number += 1
        yield f"{topic}-{'z' * number}"
