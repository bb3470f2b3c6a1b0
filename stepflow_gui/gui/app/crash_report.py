"""What happens when the program fails: the user learns what is safe and can save a report of it.

A report shows where in the program it failed, on which system, and what was logged. It holds none of the user's
files: no text, no value, no message of an exception, and the home folder's name is left out of paths.
"""

import faulthandler
import logging
import os
import platform
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING

from PySide6.QtCore import qVersion

from stepflow_gui import __version__
from stepflow_gui.gui.document.log import LOGGER, Log
from stepflow_gui.messages import _
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files.store import Saved, save
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.gui.app.shell import Shell

CRASH_FILE = "crash.txt"
_LONGEST = 100_000  # characters of a crash that a report takes in
_log = logging.getLogger(LOGGER)


class CrashReport:
    """Takes what no handler caught while the window is open, and finds what ended the program last time."""

    def __init__(self, shell: "Shell", log: Log, folder: Path) -> None:
        self._shell = shell
        self._log = log
        self._file = folder / CRASH_FILE
        self._crash: IO[str] | None = None
        self._before = sys.excepthook

    def watch(self) -> str:
        """Watch from now on. Gives the trace of the crash that ended the program before, if one did."""
        crash = self._last_crash()
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._crash = self._file.open("w", encoding="utf-8")
            faulthandler.enable(self._crash)
        except OSError as error:
            _log.warning("crashes can't be noted (%s)", error.strerror)
        sys.excepthook = self.failed
        return crash

    def close(self) -> None:
        """The program ends well."""
        sys.excepthook = self._before
        if self._crash is not None:
            faulthandler.disable()
            self._crash.close()
            self._crash = None
            self._file.unlink(missing_ok=True)

    def failed(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Handle an uncaught exception: the window stays usable and shows what is safe."""
        if os.environ.get("STEPFLOW_DEBUG"):
            traceback.print_exception(kind, error, trace)
        where = frames_of(trace)
        _log.error("%s at %s", kind.__name__, where[-1] if where else "?")
        text = self._report_text(kind.__name__)
        sys.stderr.write(f"{text}\n")
        self.offer(text, [kind.__name__, *where])

    def show_crash(self, crash: str) -> None:
        """Show that the program crashed last time."""
        text = _(
            "Stepflow ended unexpectedly last time. You can save a report about it; it contains nothing from your"
            " files."
        )
        self.offer(text, crash.splitlines())

    def offer(self, text: str, what: Sequence[str]) -> None:
        """Show it in the window, with a report to save."""
        offers: list[tuple[str, Callable[[], object]]] = [
            (_("Save Report…"), lambda: self.save_report(what)),
            (_("Close"), lambda: None),
        ]
        self._shell.current.banner.show_message("error", text, offers)

    def save_report(self, what: Sequence[str]) -> None:
        """Ask where, and write the report."""
        window = self._shell.current
        path = window.prompts.save_file(_("Save a Report"), "stepflow-report.txt")
        if path is None:
            return
        result = save(path, Source(report_text(what, self._log)), None, marked_root(path))
        if isinstance(result, Saved):
            window.status.done(_("Saved {file}").format(file=path.name))
        else:
            window.banner.show_message("error", _("“{file}” could not be written.").format(file=path.name))

    def _report_text(self, error: str) -> str:
        unsaved = [
            window.document.path.name
            for window in self._shell.windows
            if window.document is not None and window.document.unsaved
        ]
        if unsaved:
            safe = _("Your unsaved changes ({files}) are still here and backed up for crash recovery.").format(
                files=", ".join(unsaved)
            )
        else:
            safe = _("Everything is saved.")
        return _("Something went wrong inside Stepflow ({error}). {safe}").format(error=error, safe=safe)

    def _last_crash(self) -> str:
        try:
            with self._file.open(encoding="utf-8", errors="replace") as file:
                return file.read(_LONGEST).strip()
        except OSError:
            return ""


def report_text(what: Sequence[str], log: Log) -> str:
    """A report: the program and system, where it failed, and the log."""
    lines = [
        f"Stepflow {__version__}",
        f"Python {platform.python_version()}, Qt {qVersion()}",
        platform.platform(),
        "",
        *what,
        "",
        *(entry.line for entry in log.entries),
    ]
    return without_home("\n".join(lines)) + "\n"


def frames_of(trace: TracebackType | None) -> list[str]:
    """Where an exception passed through, the place it was raised last: files, lines and functions only."""
    return [
        f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
        for frame in traceback.StackSummary.extract(traceback.walk_tb(trace), lookup_lines=False)
    ]


def without_home(text: str) -> str:
    """A text without the name of the home folder."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


def _short(path: str) -> str:
    parts = Path(path).parts
    start = next((at for at in range(len(parts) - 1, -1, -1) if parts[at] in {"stepflow_gui", "site-packages"}), 0)
    return "/".join(parts[start:])
