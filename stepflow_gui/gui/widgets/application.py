"""The one Qt application."""

import sys
from collections.abc import Callable, Mapping

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from stepflow_gui import __version__
from stepflow_gui.gui.document.live_lint import prepare_threads
from stepflow_gui.messages import _

_MISSING: Mapping[tuple[str, str], Callable[[], str]] = {
    ("QFileDialog", "&Look in:"): lambda: _("&Look in:"),
    ("QFileDialog", "Files of &type:"): lambda: _("Files of &type:"),
    ("QAbstractFileIconProvider", "Drive"): lambda: _("Drive"),
    ("QAbstractFileIconProvider", "Folder"): lambda: _("Folder"),
}
"""Texts that the translations of Qt 6.11 lack, by context and English text."""


class _Missing(QTranslator):
    """The catalogue's texts for those that Qt's own translation lacks; it is asked after that one."""

    def translate(  # None is the null string, which Qt takes for “not translated”
        self, context: str, source_text: str, _disambiguation: str | None = None, _n: int = -1
    ) -> str | None:
        """The text, None where there is none."""
        text = _MISSING.get((context, source_text))
        return text() if text is not None else None

    def isEmpty(self) -> bool:
        """Qt asks no translator that is empty."""
        return False


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
    return application


def translate_qt(language: str) -> None:
    """Show what Qt itself writes in a language from now on: its dialogs, their buttons, context menus of fields."""
    application = QApplication.instance()
    assert application is not None
    for before in application.findChildren(QTranslator):
        application.removeTranslator(before)
        before.setParent(None)
    if language == "en":
        return  # Qt's texts themselves
    own = QTranslator(application)
    own.load(QLocale(language), "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    for translator in (_Missing(application), own):  # the last one is asked first
        application.installTranslator(translator)
