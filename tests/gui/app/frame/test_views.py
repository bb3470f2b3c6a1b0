"""The switch of the tab row: Flow, Source, Agent, and both beside each other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    make_application()
    made = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    assert made.open(copy_example(into=tmp_path / "one"))
    yield made
    made.close()


def press(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def test_the_switch_shows_what_it_says(shell: Shell) -> None:
    window = shell.current
    views = window.views
    press(views.switch.buttons["source"])
    assert (window.source.isVisible(), window.canvas.isVisible()) == (True, False)
    press(views.switch.buttons["agent"])
    assert window.agent.is_open
    assert not window.source.isVisible()
    assert views.switch.shown == "agent"
    press(views.switch.buttons["flow"])
    assert window.canvas.isVisible()
    QTest.mouseClick(views.split, Qt.MouseButton.LeftButton)
    assert (window.source.isVisible(), window.canvas.isVisible()) == (True, True)
    assert views.split.isChecked()
    QTest.mouseClick(views.split, Qt.MouseButton.LeftButton)
    assert not window.source.isVisible()


def test_what_asks_for_the_flow_leaves_the_source_alone(shell: Shell) -> None:
    window = shell.current
    window.room.show_view("source")
    window.desk.actions["focus-canvas"].trigger()
    assert window.canvas.isVisible()
    assert window.views.switch.shown == "flow"
    window.desk.actions["focus-source"].trigger()
    assert window.middle.view == "split"


def test_the_tab_row_is_the_same_on_the_welcome_page_and_with_an_agent(shell: Shell) -> None:
    window = shell.current

    def row() -> list[tuple[QPoint, int, int]]:
        QApplication.processEvents()
        parts = (window._bar, window.views.switch, window.views.split, window.run_button, window.rail)
        return [(part.mapTo(shell, QPoint(0, 0)), part.width(), part.height()) for part in parts]

    with_agent = row()
    assert shell.close_tab(0)
    assert window.document is None
    assert row() == with_agent


@pytest.mark.parametrize("size", [(960, 540), (1280, 800), (1440, 900)])
def test_nothing_of_the_frame_is_cut(shell: Shell, size: tuple[int, int]) -> None:
    shell.resize(*size)
    QTest.qWait(30)
    window = shell.current
    assert (shell.width(), shell.height()) == size
    switches = (*window.views.switch.buttons.values(), *window.layouts.switch.buttons.values())
    for part in (*switches, window.views.split, window.run_button, shell.tabs):
        at = part.mapTo(shell, QPoint(0, 0))
        assert 0 <= at.x() <= size[0] - part.width(), part
        assert part.width() >= part.minimumSizeHint().width(), part
    tabs_end = shell.tabs.mapTo(shell, QPoint(shell.tabs.width(), 0)).x()
    assert tabs_end <= window.views.switch.mapTo(shell, QPoint(0, 0)).x()
