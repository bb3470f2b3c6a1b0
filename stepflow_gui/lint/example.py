"""The examples of rules: a small correct agent, changed in one place. Data only; `example_agent` writes them out."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Example(NamedTuple):
    """`changes` by `file#/pointer` (no file: the registry); `texts` are whole files. REMOVED takes a member away."""

    changes: Mapping[str, Any]
    texts: Mapping[str, str]


class Removed:
    """Says that a member isn't there."""


REMOVED = Removed()


def changed(changes: Mapping[str, Any] | None = None) -> Example:
    """The agent with some values set; as it is where nothing is given."""
    return Example(changes or {}, {})


def whole(text: str, file: str = "steps_registry.json") -> Example:
    """The agent with one file's text replaced."""
    return Example({}, {file: text})
