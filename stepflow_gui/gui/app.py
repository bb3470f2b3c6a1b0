"""Starts the window: one Qt application, one window a path."""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from stepflow_gui import __version__, messages
from stepflow_gui.gui.live_lint import prepare_threads
from stepflow_gui.gui.recovery import Recovery
from stepflow_gui.gui.settings import Settings
from stepflow_gui.gui.window import MainWindow
from stepflow_gui.messages import _


def run(paths: Sequence[Path], language: str | None = None, example: bool = False) -> int:
    """Show a window for each path, or an empty one, until all are closed. Gives the exit code.

    `language` overrides what the person chose in the window; `example` opens the bundled example.
    """
    application = make_application()
    settings = Settings()
    messages.use_language(language or settings.language or messages.choose_language(None, terminal=True))
    recovery = Recovery(settings.journal_folder)
    windows = [MainWindow(settings, recovery=recovery) for _number in range(max(1, len(paths)))]
    for window in windows:
        window.show()
    sys.excepthook = _Reporter(windows)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C in the terminal ends the program
    application.processEvents()  # the shell is on the screen before anything is read
    for window, path in zip(windows, paths, strict=False):
        window.open(path)
    if example:
        windows[0].open_example()
    windows[0].outside.offer_left()
    code = application.exec()
    recovery.close()
    return code


def make_application() -> QApplication:
    """The Qt application; the one that is there already, if there is one."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    prepare_threads()
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Stepflow")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("stepflow")
    application.setStyle("Fusion")  # the one style that is the same everywhere, and that our style sheet is made for
    stock = QTranslator(application)  # Qt's own dialogs
    if stock.load(QLocale.system(), "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(stock)
    return application


class _Reporter:
    """Takes what no handler caught: the window says so and stays usable; the trace only shows with STEPFLOW_DEBUG."""

    def __init__(self, windows: list[MainWindow]) -> None:
        self._windows = windows

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if os.environ.get("STEPFLOW_DEBUG"):
            traceback.print_exception(kind, error, trace)
        text = _(
            "Something went wrong inside Stepflow ({error}). Your text is safe; save it and report the error."
            " Start with STEPFLOW_DEBUG=1 for details."
        ).format(error=kind.__name__)
        sys.stderr.write(f"{text}\n")
        for window in self._windows:
            window.banner.say("error", text)
