"""The middle of a window: flow, source or both, side by side where there is room, with the share that was given."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.widgets.frame.middle import Middle


@pytest.fixture
def middle(qtbot: QtBot) -> Middle:
    made = Middle(QStackedWidget(), QLabel("source"))
    qtbot.addWidget(made)
    made.resize(1300, 700)
    made.show()
    return made


def test_the_source_is_beside_the_flow_or_below_it_by_the_width(middle: Middle) -> None:
    middle.show_view("split")
    assert middle.orientation() == Qt.Orientation.Horizontal
    middle.resize(1000, 700)
    assert middle.orientation() == Qt.Orientation.Vertical
    assert abs(middle.pages.height() - middle.source.height()) <= 2


def test_the_share_is_kept(middle: Middle) -> None:
    middle.set_share(0.3)
    middle.show_view("split")
    assert abs(middle.pages.width() - 0.3 * middle.width()) <= 2
    middle.show_view("source")
    QApplication.processEvents()
    assert middle.source.width() == middle.width()
    middle.show_view("split")
    middle.resize(1600, 700)
    QApplication.processEvents()
    assert abs(middle.pages.width() - 0.3 * 1600) <= 2
    middle.moveSplitter(800, 1)
    assert abs(middle.share - 0.5) <= 0.01
    middle.set_share(7.0)
    assert middle.share == 0.9


def test_it_says_when_another_view_is_shown(middle: Middle, qtbot: QtBot) -> None:
    with qtbot.waitSignal(middle.changed):
        middle.show_view("source")
    with qtbot.assertNotEmitted(middle.changed):
        middle.show_view("source")
