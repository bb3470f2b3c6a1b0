"""What the linter says of a place, as the window shows it."""

from typing import NamedTuple


class Problem(NamedTuple):
    """What the linter says of a place of the file."""

    pointer: str
    severity: str
    text: str
