"""The look of a window is changed without a picture in between."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.project.creating.example import copy_example
from tests.gui.shown import shown_window
from tests.gui.silent import Silent


class _Paints(QObject):
    """Counts what is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with shown_window(qtbot, tmp_path, Silent()) as window:
        window.set_look("light")
        assert window.open(copy_example(into=tmp_path / "project"))
        yield window


def application() -> QApplication:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found


def test_nothing_is_painted_while_the_look_changes(window: MainWindow) -> None:
    QCoreApplication.processEvents()
    paints = _Paints()
    application().installEventFilter(paints)
    Theme(dark=True).dress(window)
    assert paints.count == 0
    QCoreApplication.processEvents()
    assert paints.count > 0
    application().removeEventFilter(paints)
