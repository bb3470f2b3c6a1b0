"""The progress of a run over many registries and pieces: one line on standard error, where that is a terminal."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from stepflow_gui.messages import _

Item = TypeVar("Item")

_AFTER = 0.5  # seconds: quicker runs show none
_EVERY = 0.1
_WIDTH = 24


def with_progress(items: Iterable[Item], count: int, *, reading: bool = False) -> Iterator[Item]:
    """The items as they come; the line is cleared when they end. It shows that they are checked, or only read yet."""
    if not sys.stderr.isatty():
        yield from items
        return
    next_at = time.monotonic() + _AFTER
    shown = 0
    try:
        for done, item in enumerate(items, 1):
            yield item
            if time.monotonic() >= next_at:
                next_at = time.monotonic() + _EVERY
                filled = _WIDTH * done // max(count, 1)
                text = _("{done} of {count} read") if reading else _("{done} of {count} checked")
                text = text.format(done=done, count=count)
                sys.stderr.write(f"\r\x1b[K[{'#' * filled}{'.' * (_WIDTH - filled)}] {text}")
                sys.stderr.flush()
                shown = done
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
