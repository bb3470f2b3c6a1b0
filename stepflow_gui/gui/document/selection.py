"""What is selected in a document, and what the window should show of it."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.source import Span


class Selection(NamedTuple):
    """What is selected, and in which part of the window it was. `steps` are all that are, `step` the first of them."""

    step: str | None
    origin: str
    steps: tuple[str, ...] = ()


class Reveal(NamedTuple):
    """A stretch of a file that the window should show."""

    path: Path
    span: Span
