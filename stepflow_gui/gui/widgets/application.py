"""The one Qt application."""

import sys

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from stepflow_gui import __version__
from stepflow_gui.gui.document.live_lint import prepare_threads


def make_application() -> QApplication:
    """The Qt application; the one that already exists, if there is one."""
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
