"""What is selected in a document, and what the window should show of it."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.source import Span


class SelectedGroup(NamedTuple):
    """A group of steps on the canvas, by its key."""

    key: str
    folded: bool


class Selection(NamedTuple):
    """What is selected, and in which part of the window it was. `steps` are all that are, `step` the first of them.

    `part` is the pointer of what is selected inside the step, as a sub-step of it; empty where the step itself is.
    Where a `group` is, no step is.
    """

    step: str | None
    origin: str
    steps: tuple[str, ...] = ()
    part: str = ""
    group: SelectedGroup | None = None


class Reveal(NamedTuple):
    """A stretch of a file that the window should show."""

    path: Path
    span: Span
