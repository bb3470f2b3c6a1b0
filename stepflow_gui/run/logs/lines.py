"""The lines of a log, read one after the other: JSON Lines, or climpt's text format."""

import json
import re
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from stepflow_gui.cancelling import checkpoint

_PAUSE = 20  # lines between two moments at which reading can be cancelled
_TRIES = 100  # braces of a message from which its data may begin
LONGEST = 16_000_000  # bytes of a line that is read; longer ones count as skipped
EVERY = 1_000  # lines between two whose offset is kept
_TEXT = re.compile(r"\[(?P<time>[^\]]{10,40})\] \[(?P<level>[A-Z]+)\] (?P<message>.*)", re.DOTALL)


class LogLine(NamedTuple):
    """A line: its number from 1, and its object. A line of the text format is brought into the same form."""

    number: int
    value: dict[str, Any]


class LogLines:
    """Reads the lines of an open log. What it has read so far can be read on later, when the file has grown."""

    def __init__(self, file: IO[bytes]) -> None:
        self.count = 0  # lines so far
        self.skipped = 0  # of them neither empty nor of a log's form
        self.is_cut = False  # the last one is incomplete
        self.offset = 0  # bytes of the whole lines so far
        self.offsets = [0]  # in bytes of every thousandth line, from which a line can be found again
        self._file = file

    def __iter__(self) -> Iterator[LogLine]:
        """Those that are whole; an incomplete last line is left for the next time."""
        self.is_cut = False
        self._file.seek(self.offset)
        while raw := self._file.readline(LONGEST):
            if self.count % _PAUSE == 0:
                checkpoint()
            whole = raw.endswith(b"\n")
            size = len(raw)
            if not whole and size == LONGEST:
                size += self._skip_rest()
                raw = b"?"
            elif not whole and not _is_object(raw):
                self.is_cut = True
                return
            self.offset += size
            self.count += 1
            if self.count % EVERY == 0:
                self.offsets.append(self.offset)
            value = _value(raw)
            if value is not None:
                yield LogLine(self.count, value)
            elif raw.strip():
                self.skipped += 1

    def use(self, file: IO[bytes]) -> None:
        """Read on in the same file, opened again."""
        self._file = file

    def _skip_rest(self) -> int:
        size = 0
        while raw := self._file.readline(LONGEST):
            size += len(raw)
            if raw.endswith(b"\n"):
                break
        return size


def _is_object(raw: bytes) -> bool:
    return _value(raw) is not None and not raw.lstrip().startswith(b"[")


def _value(raw: bytes) -> dict[str, Any] | None:
    if raw.startswith(b"["):
        return _of_text(raw.decode("utf-8", "replace"))
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _of_text(text: str) -> dict[str, Any] | None:
    found = _TEXT.fullmatch(text.rstrip("\r\n"))
    if found is None:
        return None
    message, data = _split(found["message"])
    value: dict[str, Any] = {"timestamp": found["time"], "level": found["level"].lower(), "message": message}
    return value if data is None else {**value, "metadata": data}


def _split(message: str) -> tuple[str, dict[str, Any] | None]:
    """The message and the JSON object at its end: the first brace after a blank from which all the rest is one."""
    if not message.endswith("}"):
        return message, None
    at = message.find(" {")
    for _try in range(_TRIES):
        if at < 0:
            break
        try:
            return message[:at], json.loads(message[at + 1 :])
        except (ValueError, RecursionError):
            at = message.find(" {", at + 1)
    return message, None
