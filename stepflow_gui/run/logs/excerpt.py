"""Some lines of a log as they stand in the file, found again by their number."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.logs.lines import EVERY, LONGEST
from stepflow_gui.run.logs.logged_run import LogProblem
from stepflow_gui.text.files.regular_file import open_regular
from stepflow_gui.text.files.store import reason_of

MOST = 4_000  # characters of a line that are shown


class ShownLine(NamedTuple):
    """A line, its number from 1. A long one ends with how much was left out."""

    number: int
    text: str


def lines_of(path: Path, offsets: Sequence[int], first: int, last: int) -> list[ShownLine] | LogProblem:
    """The lines of a log from `first` to `last`, fewer where it ends. `offsets` are those of every thousandth line."""
    try:
        with open_regular(path) as file:
            mark = min((max(first, 1) - 1) // EVERY, len(offsets) - 1)
            file.seek(offsets[mark])
            number, found = mark * EVERY, []
            while number < last and (raw := file.readline(LONGEST)):
                size = len(raw)
                while not raw.endswith(b"\n") and (more := file.readline(LONGEST)):
                    size += len(more)
                    raw = raw[:MOST] + more[-1:]
                number += 1
                if number >= first:
                    found.append(ShownLine(number, _shown(raw, size)))
            return found
    except (OSError, ValueError) as error:
        return LogProblem(_("{path}: can't be read ({reason})").format(path=path, reason=reason_of(error)))


def _shown(raw: bytes, size: int) -> str:
    text = raw[: 4 * MOST].decode("utf-8", "replace").rstrip("\r\n").replace("\0", "\ufffd")
    if len(text) <= MOST and size <= 4 * MOST:
        return text
    return _("{text} … ({size} kB in all)").format(text=text[:MOST], size=max(1, size // 1000))
