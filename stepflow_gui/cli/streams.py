"""Standard output and error: any text can be written there, in any locale and to any reader."""

import io
import os
import sys
from typing import TextIO

from stepflow_gui.lint.report.printable import printable


def prepare_streams() -> None:
    """Let characters that the terminal's encoding lacks be written as escapes instead of raising.

    A stream that was closed before the start takes what is written and drops it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_error(line: str) -> None:
    """Print one line to standard error, whatever names it holds; does nothing if that can't be written."""
    try:
        print(printable(line), file=sys.stderr, flush=True)
    except OSError:
        _drop(sys.stderr)


def show_trace(error: Exception) -> None:
    """Print where an exception came from, for those who set STEPFLOW_DEBUG."""
    if os.environ.get("STEPFLOW_DEBUG"):
        import traceback

        traceback.print_exception(error)


def write_bytes(text: str) -> None:
    """Write a text for programs: UTF-8 whatever the locale."""
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # a test's or an embedder's stream
        sys.stdout.write(text)
    else:
        buffer.write(text.encode("utf-8"))
        buffer.flush()


def wants_color() -> bool:
    """Whether standard output is a terminal that wants colours (no-color.org)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def drop_output() -> None:
    """Standard output has no reader any more: discard the interpreter's last flush."""
    _drop(sys.stdout)


def _drop(stream: TextIO) -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # a stream without a descriptor has nothing to flush
        pass
