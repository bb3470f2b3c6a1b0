"""Standard output and error: any text can be written there, in any locale and to any reader."""

import codecs
import io
import os
import sys
from typing import TextIO

from stepflow_gui.lint.report.printable import printable

COLOR_CHOICES = ("auto", "always", "never")
_PLAIN = {
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("–—─", "-"),
    "…": "...",
    "→": "->",
    "≥": ">=",
    "≤": "<=",
    "×": "x",
    "│": "|",
    "▸": ">",
}
"""What stands for characters of texts in an encoding that lacks them; all others become escapes."""
_PAINTS = (("+++", "1"), ("---", "1"), ("@@", "36"), ("+", "32"), ("-", "31"))  # what git takes by default
_ERRORS = "stepflow"  # the name of what writes them


def _plain_characters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char) or char.encode("ascii", "backslashreplace").decode() for char in lacking), error.end


def prepare_streams() -> None:
    """Let characters that the terminal's encoding lacks be written plainly, or as escapes, instead of raising.

    A stream that was closed before the start takes what is written and drops it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())
    codecs.register_error(_ERRORS, _plain_characters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


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


def wants_color(choice: str = "auto") -> bool:
    """Whether to print in colours, by `--color` and, where that is `auto`, by the environment and the terminal.

    NO_COLOR (no-color.org) wins over FORCE_COLOR (force-color.org) and CLICOLOR_FORCE (bixense.com/clicolors).
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in {"", "0"} for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def show_difference(text: str, color: str) -> None:
    """Print a difference as `patch` reads it: byte for byte where no person reads it, in colours by `--color`."""
    painting = wants_color(color)
    if not painting and not sys.stdout.isatty():
        write_bytes(text)
        return
    for line in text.split("\n")[:-1]:
        shown = printable(line)
        paint = next((code for start, code in _PAINTS if line.startswith(start)), None) if painting else None
        print(f"\x1b[{paint}m{shown}\x1b[0m" if paint else shown)


def drop_output() -> None:
    """Standard output has no reader any more: discard the interpreter's last flush."""
    _drop(sys.stdout)


def _drop(stream: TextIO) -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # a stream without a descriptor has nothing to flush
        pass
