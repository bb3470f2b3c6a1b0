"""The lines about one script of `stepflow test`."""

from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from stepflow_gui.cli.streams import wants_color
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.report.printable import printable
from stepflow_gui.lint.report.summary import painted
from stepflow_gui.messages import _

_PASSED, _FAILED = "32", "1;31"


def print_result(file: Path, folder: Path, failures: Iterable[tuple[int, str]], end: str, options: Namespace) -> None:
    """Print whether a script passed, which `--quiet` leaves out, or why not. `failures` are lines with messages."""
    failed = list(failures)
    if not failed and options.quiet:
        return
    text = _("FAILED  {name}") if failed else _("passed  {name}: {end}")
    line = printable(text.format(name=shown_path(file, folder), end=end))
    print(painted(line, _FAILED if failed else _PASSED) if wants_color(options.color) else line)
    where = shown_path(file, Path.cwd())
    for number, message in failed:
        print(printable(f"  {where}:{number}: {message}"))
