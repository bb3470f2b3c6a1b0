"""The bar at the bottom: its tabs open and close the panel above them, and what was done never hides them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.bottom_bar import BottomPanel
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent

WINDOW = QSize(1440, 900)


def make(folder: Path, qtbot: QtBot) -> MainWindow:
    window = MainWindow(Settings(folder / "settings.ini"), Silent())
    qtbot.addWidget(window)
    window.resize(WINDOW)
    window.show()
    qtbot.waitExposed(window)
    return window


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    make_application()
    made = make(tmp_path, qtbot)
    assert made.open(copy_example(into=tmp_path / "project"))
    qtbot.wait(20)
    yield made
    made.close()


def click(window: MainWindow, page: int) -> None:
    tabs = window.output.tabs
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, tabs.tabRect(page).center())


def test_at_first_the_panel_is_closed_and_the_canvas_has_most_of_the_window(window: MainWindow) -> None:
    assert not window.output.isVisible()
    assert [window.output.tabs.tabText(page) for page in range(4)] == ["Problems", "Run", "Explore", "History"]
    canvas = window.canvas
    assert canvas.width() * canvas.height() >= 0.65 * window.width() * window.height()


def test_a_tab_opens_the_panel_and_the_open_one_closes_it(window: MainWindow, qtbot: QtBot) -> None:
    click(window, 1)
    assert window.output.isVisible()
    assert window.output.currentWidget() is window.run_panel
    qtbot.waitUntil(lambda: window.output.tabs.property("closed") is False)
    click(window, 0)
    assert window.output.currentWidget() is window.problems
    assert window.output.isVisible()
    click(window, 0)
    assert not window.output.isVisible()
    qtbot.waitUntil(lambda: window.output.tabs.property("closed") is True)


def test_the_tabs_stay_where_they_are(window: MainWindow, qtbot: QtBot) -> None:
    tabs = window.output.tabs
    before = tabs.mapTo(window, tabs.rect().topLeft())
    click(window, 1)
    window.status.done("A rather long sentence about what was done just now, such as that a file was saved")
    qtbot.wait(20)
    assert tabs.mapTo(window, tabs.rect().topLeft()) == before
    assert tabs.isVisible()
    assert window.statusBar().currentMessage().startswith("A rather long")
    window.statusBar().clearMessage()
    assert window.statusBar().currentMessage() == ""


def test_keys_choose_a_page_and_open_it(window: MainWindow) -> None:
    tabs = window.output.tabs
    tabs.setFocus()
    QTest.keyClick(tabs, Qt.Key.Key_Right)
    assert window.output.isVisible()
    assert window.output.currentWidget() is window.run_panel


def test_pages_that_come_and_go_have_their_tabs(qtbot: QtBot) -> None:
    panel = BottomPanel()
    qtbot.addWidget(panel)
    qtbot.addWidget(panel.tabs)
    for number in range(2):
        panel.addTab(QWidget(), f"page {number}")
    panel.setTabText(0, "first")
    panel.insertTab(1, QWidget(), "between")
    assert [panel.tabs.tabText(at) for at in range(panel.tabs.count())] == ["first", "between", "page 1"]
    panel.setCurrentIndex(2)
    assert panel.tabs.currentIndex() == 2
    panel.removeTab(0)
    assert [panel.tabs.tabText(at) for at in range(panel.tabs.count())] == ["between", "page 1"]
    assert panel.tabs.currentIndex() == panel.currentIndex() == 1


def test_how_the_panel_stood_is_kept(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    click(window, 1)
    window.close()
    again = make(tmp_path, qtbot)
    assert again.open(copy_example(into=tmp_path / "other"))
    assert again.output.isVisible()
    again.close()
