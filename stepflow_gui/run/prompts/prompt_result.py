"""A prompt that was made, or why there is none, with the places that were checked."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

Source = Literal["file", "fallback_dir", "fallback_key", "built_in", "retry", "retry_generic", "validation", "format"]


class TriedPath(NamedTuple):
    """A place that was checked, and why it did not give the prompt; "" where it did."""

    place: str
    why: str = ""


class NoPrompt(NamedTuple):
    """No prompt can be made, which ends the run."""

    code: str
    message: str
    tried: tuple[TriedPath, ...] = ()
    missing: bool = False  # no text was found, or none that the prompt engine takes; else it can't be filled in
    variable: str | None = None  # the one without a value


class PromptResult(NamedTuple):
    """The prompt of a step. `text` is None where it is one built into upstream's runner, which isn't here.

    `failure`: no prompt could be made, and the step is asked anyway.
    """

    text: str | None
    source: Source
    path: Path | None = None
    key: str | None = None  # the fallback key
    by_handler: bool = False
    values: Mapping[str, str] = {}
    tried: tuple[TriedPath, ...] = ()
    failure: NoPrompt | None = None
