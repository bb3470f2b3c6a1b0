"""A widget that is built when it is first shown: once, filled on `ready`, at its place in the tab order."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.widgets.frame.lazy import LazyWidget


class Fields(QWidget):
    """Two fields below each other."""

    def __init__(self, name: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        self.fields = [QLineEdit() for _number in range(2)]
        for number, field in enumerate(self.fields):
            field.setObjectName(f"{name}{number}")
            column.addWidget(field)


class Desk(QWidget):
    """Three places below each other. `made` are those that were built, `filled` those that were heard of."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[str] = []
        self.filled: list[str] = []
        column = QVBoxLayout(self)
        self.places = {name: LazyWidget(partial(self._make, name)) for name in "abc"}
        for name, place in self.places.items():
            place.ready.connect(partial(self.filled.append, name))
            column.addWidget(place)

    def _make(self, name: str) -> Fields:
        self.made.append(name)
        return Fields(name)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    desk = Desk()
    desk.places["b"].hide()
    qtbot.addWidget(desk)
    desk.resize(300, 300)
    desk.show()
    qtbot.waitExposed(desk)
    return desk


def test_what_is_hidden_is_not_built(desk: Desk) -> None:
    assert desk.made == ["a", "c"]
    assert desk.places["b"].built is None
    desk.places["b"].if_built(lambda _fields: pytest.fail("nothing is there"))
    assert desk.findChildren(QLineEdit, "b0") == []


def test_it_is_built_and_filled_once_when_it_is_shown(desk: Desk) -> None:
    place = desk.places["b"]
    place.show()
    assert desk.filled == ["a", "c", "b"]
    assert place.widget.isVisible()
    assert place.widget.size() == place.size()
    place.hide()
    place.show()
    assert desk.made == ["a", "c", "b"]


def test_it_is_built_for_whoever_asks_and_stays_hidden(desk: Desk) -> None:
    place = desk.places["b"]
    assert place.widget is place.built
    assert desk.filled[-1] == "b"
    assert not place.widget.isVisible()
    place.show()
    assert desk.made == ["a", "c", "b"]


def test_a_page_that_was_never_in_front_is_not_built(qtbot: QtBot) -> None:
    pages = QStackedWidget()
    qtbot.addWidget(pages)
    first, second = LazyWidget(QLineEdit), LazyWidget(QLineEdit)
    for page in (first, second):
        pages.addWidget(page)
    pages.show()
    qtbot.waitExposed(pages)
    assert (first.built is None, second.built is None) == (False, True)
    pages.setCurrentWidget(second)
    assert second.widget.isVisible()


def test_tab_comes_to_it_in_its_place(desk: Desk, qtbot: QtBot) -> None:
    desk.places["b"].show()
    desk.activateWindow()
    qtbot.waitUntil(desk.isActiveWindow)
    first = desk.places["a"].widget.fields[0]
    first.setFocus()
    order = []
    for _stop in range(6):
        focused = desk.focusWidget()
        assert focused is not None
        order.append(focused.objectName())
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert order == ["a0", "a1", "b0", "b1", "c0", "c1"]
    assert desk.focusWidget() is first
