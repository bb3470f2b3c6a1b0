"""The examples of rules: a small correct agent, changed in one place. Data only; `example_agent` writes them out."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Base = Literal["closing", "c3l", "complete", "checks", "takt", "adt-kind-address"]
"""The format that the agent is in before it is changed."""


class Example(NamedTuple):
    """`changes` by `file#/pointer` (no file: the registry), in their order; `texts` are whole files.

    As a value, REMOVED removes a member or a file, and Moved inserts what was elsewhere in that file.
    """

    changes: Mapping[str, Any]
    texts: Mapping[str, "str | Removed"]
    base: Base = "closing"


class Removed:
    """A marker for a member that is missing."""


REMOVED = Removed()


class Moved(NamedTuple):
    """A marker for a member that is elsewhere: what was at the pointer."""

    pointer: str


def changed(
    changes: Mapping[str, Any] | None = None,
    *,
    base: Base = "closing",
    texts: "Mapping[str, str | Removed] | None" = None,
) -> Example:
    """The agent with some values set and some files laid beside; as it is where nothing is given."""
    return Example(changes or {}, texts or {}, base)


def whole(text: str, file: str = "steps_registry.json") -> Example:
    """The agent with one file's text replaced."""
    return Example({}, {file: text})
