"""Headings of menus: painted, distinct from entries, skipped by the keys; an `&` of a name is shown."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.menu_text import add_heading, plain
from stepflow_gui.gui.widgets.theme import Theme


@pytest.mark.parametrize("dark", [False, True])
def test_a_heading_is_painted_and_the_keys_pass_it(qtbot: QtBot, dark: bool) -> None:
    make_application()
    menu = QMenu()
    qtbot.addWidget(menu)
    Theme(dark).dress(menu)  # not the application: its sheet holds for the tests that follow
    heading = add_heading(menu, "initial.issue & more")
    menu.addAction("First")
    second = add_heading(menu, "another")
    last = menu.addAction("Last")
    menu.popup(menu.pos())
    try:
        rows = [menu.actionGeometry(each) for each in (heading, second)]
        image = menu.grab().toImage()
        for row in rows:
            assert row.height() > 10
            assert len(colours(image.copy(row))) > 5  # letters and their soft edges
        assert heading.text() == "initial.issue && more"
        assert menu.actions()[2].isSeparator()
        QTest.keyClick(menu, Qt.Key.Key_Down)
        assert menu.activeAction() is menu.actions()[1]
        QTest.keyClick(menu, Qt.Key.Key_Down)
        assert menu.activeAction() is last
    finally:
        menu.close()


def test_an_ampersand_is_no_mnemonic() -> None:
    assert plain("a & b") == "a && b"


def test_no_menu_has_sections_whose_text_isnt_painted(checkout: Path) -> None:
    sources = (checkout / "stepflow_gui" / "gui").rglob("*.py")
    assert not [path.name for path in sources if ".addSection(" in path.read_text("utf-8")]


def colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
