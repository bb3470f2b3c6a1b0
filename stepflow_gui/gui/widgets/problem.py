"""A linter's finding at a place, as the window shows it."""

from typing import NamedTuple


class Problem(NamedTuple):
    """A linter's finding at a place of the file."""

    pointer: str
    severity: str
    text: str
