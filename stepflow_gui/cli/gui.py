"""`stepflow gui`: opens the window, or reports why it can't be opened."""

import os
import re
import socket
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from stepflow_gui.cli.parser import Parser, add_language
from stepflow_gui.cli.registries import path_problem, read_problem_text
from stepflow_gui.cli.streams import print_error
from stepflow_gui.messages import _

TROUBLE = 2
_SOCKETS = Path("/", "tmp", ".X11-unix")  # where X servers put their sockets, whatever TMPDIR is


def main(arguments: Sequence[str]) -> int:
    """Run it: the window's exit code, 2 where it can't open."""
    options = make_parser().read(arguments)
    paths = [Path(path) for path in options.paths]
    problems = [problem for path in paths if (problem := path_problem(path))]
    for problem in problems:
        print_error(f"stepflow gui: {read_problem_text(problem)}")
    if problems:
        return TROUBLE
    return run_gui(paths, options.lang)


def make_parser() -> Parser:
    """The options of `stepflow gui`."""
    about = _("Open agent folders or files in the window, one tab each. A window that is already open is used.")
    parser = Parser("stepflow gui", about)
    parser.words.add_argument(
        dest="paths", nargs="*", metavar=_("PATH"), help=_("agent folders, registries or TAKT pieces")
    )
    add_language(parser)
    return parser


def run_gui(paths: Sequence[Path], language: str | None = None, *, example: bool = False) -> int:
    """Show the window until it is closed."""
    reason = why_no_window()
    if reason:
        print_error(f"stepflow: {reason}")
        return TROUBLE
    from stepflow_gui.gui.app.main import run

    return run(paths, language, example)


def why_no_window() -> str | None:
    """What keeps a window from opening here, in words for the user; None where nothing does."""
    if not has_display():
        return _(
            "no display for the window (neither DISPLAY nor WAYLAND_DISPLAY is set). “stepflow lint” works without one"
        )
    from stepflow_gui import qt_libraries

    try:
        import_module("PySide6.QtWidgets")
    except ImportError as error:
        return qt_libraries.explain(str(error), window=True)
    if not _on_x11():
        return None
    # If one of these is missing, or the display doesn't respond, Qt aborts the process.
    if not all(qt_libraries.loads(library) for library in qt_libraries.WINDOW):
        return qt_libraries.explain("", window=True)
    if not _x11_answers(os.environ["DISPLAY"]):
        return _("can't connect to the display “{display}” (DISPLAY)").format(display=os.environ["DISPLAY"])
    return None


def has_display() -> bool:
    """Whether Qt will find a display for windows; with QT_QPA_PLATFORM set, the user decides."""
    if os.environ.get("QT_QPA_PLATFORM") or not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _on_x11() -> bool:
    environment = os.environ
    elsewhere = environment.get("QT_QPA_PLATFORM") or environment.get("WAYLAND_DISPLAY")
    return sys.platform.startswith("linux") and bool(environment.get("DISPLAY")) and not elsewhere


def _x11_answers(display: str) -> bool:
    """Whether something listens at a display of this machine; taken for granted of one elsewhere."""
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if not local:
        return True
    path = f"{_SOCKETS}/X{local[1]}"
    return any(_listens(address) for address in (path, f"\0{path}"))  # the second is Linux's abstract socket


def _listens(address: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(address)
        except OSError:
            return False
    return True
