"""The tour: at most five stops over the example, by keys or mouse, inside the window, and offered until it was seen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.help.tour import Tour
from stepflow_gui.gui.app.window import MainWindow
from tests.gui.shown import shown_window
from tests.gui.silent import Silent


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with shown_window(qtbot, tmp_path, Silent()) as window:
        yield window


def begun(window: MainWindow) -> Tour:
    window.desk.actions["tour"].trigger()
    tour = window.findChild(Tour)
    assert tour is not None
    return tour


def test_the_welcome_page_offers_it_until_it_was_seen(window: MainWindow, qtbot: QtBot) -> None:
    assert window.welcome.tour.isVisible()
    QTest.mouseClick(window.welcome.tour, Qt.MouseButton.LeftButton)
    assert window.document is not None
    assert window.is_example
    tour = window.findChild(Tour)
    assert tour is not None
    QTest.keyClick(tour.card, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(Tour) is None)
    assert window.canvas.hasFocus()
    assert window.close_agent()
    assert not window.welcome.tour.isVisible()


def test_keys_go_through_it_and_back(window: MainWindow, qtbot: QtBot) -> None:
    tour = begun(window)
    titles = []
    for at in range(5):
        assert tour.at == at
        titles.append(tour.card.title.text())
        assert QApplication.focusWidget() is tour.card.next
        if at == 2:
            QTest.mouseClick(tour.card.back, Qt.MouseButton.LeftButton)
            assert tour.at == 1
            QTest.keyClick(tour.card.next, Qt.Key.Key_Space)
        QTest.keyClick(tour.card.next, Qt.Key.Key_Return)
    assert len(set(titles)) == 5
    qtbot.waitUntil(lambda: window.findChild(Tour) is None)
    assert window.settings.tour_seen


@pytest.mark.takes_turns("language")
@pytest.mark.parametrize("size", [(1280, 800), (800, 600)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_each_card_is_inside_the_window_beside_its_part(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int], language: str
) -> None:
    window.set_language(language)
    window.resize(*size)
    tour = begun(window)
    for at in range(5):
        assert tour.at == at
        qtbot.wait(20)
        card = QRect(tour.card.mapTo(window, QPoint()), tour.card.size())
        assert window.rect().contains(card)
        assert tour.ring.isVisible()
        for label in tour.card.findChildren(QLabel):
            assert label.heightForWidth(label.width()) <= label.height()
        tour.go(at + 1)


def test_a_smaller_window_takes_the_card_along(window: MainWindow, qtbot: QtBot) -> None:
    tour = begun(window)
    tour.go(3)
    window.resize(900, 620)
    qtbot.wait(20)
    assert window.rect().contains(QRect(tour.card.pos(), tour.card.size()))


def test_it_isnt_begun_twice(window: MainWindow) -> None:
    begun(window)
    window.desk.actions["tour"].trigger()
    assert len(window.findChildren(Tour)) == 1
