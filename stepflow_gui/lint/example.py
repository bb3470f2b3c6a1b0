"""The examples of rules: a small correct agent, changed in one place. Data only; `example_agent` writes them out."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Base = Literal["closing", "c3l", "complete"]
"""The format that the agent is in before it is changed."""


class Example(NamedTuple):
    """`changes` by `file#/pointer` (no file: the registry); `texts` are whole files. REMOVED takes a member away."""

    changes: Mapping[str, Any]
    texts: Mapping[str, str]
    base: Base = "closing"


class Removed:
    """Says that a member isn't there."""


REMOVED = Removed()


def changed(
    changes: Mapping[str, Any] | None = None, *, base: Base = "closing", texts: Mapping[str, str] | None = None
) -> Example:
    """The agent with some values set and some files laid beside; as it is where nothing is given."""
    return Example(changes or {}, texts or {}, base)


def whole(text: str, file: str = "steps_registry.json") -> Example:
    """The agent with one file's text replaced."""
    return Example({}, {file: text})
