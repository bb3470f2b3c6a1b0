"""Windows and panels on the screen for a test, closed behind it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.setup_model import Setup
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.prompts import Prompts
from tests.gui.silent import Silent

W = TypeVar("W", bound=QWidget)


@contextmanager
def shown_window(
    qtbot: QtBot,
    folder: Path,
    prompts: Prompts,
    size: tuple[int, int] = (1280, 800),
    recovery: Recovery | None = None,
) -> Iterator[MainWindow]:
    """A window with nothing open, whose settings are kept in a folder."""
    make_application()
    window = MainWindow(Settings(folder / "settings.ini"), prompts, recovery)
    open_panels(window)
    qtbot.addWidget(window)
    window.resize(*size)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    yield window
    window.close()
    messages.use_language("en")


def open_panels(window: MainWindow) -> None:
    """Have everything open from the first agent on: the outline, the source beside the flow, the bottom panel."""
    if window.document is None:
        window._show_panels(on=True)
    window._unshared = False
    window.side.show_page("outline")
    window.bottom_dock.show()
    window.middle.show_view("split")
    if window.document is None:
        window._show_panels(on=False)


def run_pages(panel: RunPanel) -> Iterator[QWidget]:
    """Each page of a run, below and at the right, once it is in front."""
    for tabs in (panel.pages, panel.right):
        for at in range(tabs.count()):
            if tabs.isTabVisible(at) and tabs.isTabEnabled(at):
                tabs.setCurrentIndex(at)
                QApplication.processEvents()
                yield tabs


def in_run(panel: RunPanel, kind: type[W]) -> list[W]:
    """What a run shows of one kind, below and at the right."""
    return [*panel.findChildren(kind), *panel.right.findChildren(kind)]


kept: list[MainWindow] = []
"""The window that the tests of a file take one after the other, if there is one now."""


@contextmanager
def kept_window(folder: Path) -> Iterator[MainWindow]:
    """A window for the tests of a file: half of what a test costs is a window. `emptied` gives it to each."""
    make_application()
    window = MainWindow(Settings(folder / "settings.ini"), Silent())
    open_panels(window)
    window.resize(1280, 800)
    window.show()
    assert QTest.qWaitForWindowExposed(window)
    kept.append(window)
    yield window
    kept.remove(window)
    window.close()
    window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@contextmanager
def emptied(
    window: MainWindow, prompts: Prompts | None = None, size: tuple[int, int] = (1280, 800)
) -> Iterator[MainWindow]:
    """A kept window for one test: with nothing open, and behind it as a new one is, but for what is set by hand."""
    panels = window._panels
    window.prompts = prompts or Silent()
    window.resize(*size)
    window.show()  # to quit closes every window
    window.activateWindow()
    yield window
    window.prompts = Silent()
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    assert window.close_agent()
    window.layouts.turn_to("edit")
    window._panels, window._unshared = panels, False
    window.settings._store.clear()
    window.anywhere.forget()
    window.run_panel.setup_form.widget.show_setup(Setup())
    window.statusBar().clearMessage()
    for button in window.banner.findChildren(QPushButton):
        button.deleteLater()
    window.banner._buttons = []
    QApplication.sendEvent(window.canvas.viewport(), QEvent(QEvent.Type.Leave))
    for timer in window.findChildren(QTimer):
        timer.stop()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def shown_panel(qtbot: QtBot, panel: ProblemsPanel | SourcePanel, path: Path, size: tuple[int, int]) -> Document:
    """Show the agent at a path in a panel of its own."""
    document = Document.open(path)
    assert isinstance(document, Document)

    def close(_panel: object) -> None:
        panel.set_document(None)
        document.close()

    qtbot.addWidget(panel, before_close_func=close)
    panel.resize(*size)
    panel.set_document(document)
    panel.show()
    return document
