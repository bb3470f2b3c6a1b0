"""Who has the keyboard once a banner is answered."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.widgets.banner import Banner
from stepflow_gui.gui.widgets.theme import Theme


@pytest.mark.parametrize("way", ["click", "tab", "escape"])
def test_the_keyboard_goes_back_to_where_it_was(way: str, qtbot: QtBot) -> None:
    page, banner = QWidget(), Banner(Theme(dark=False))
    qtbot.addWidget(page)
    fields = [QLineEdit(), QLineEdit()]
    column = QVBoxLayout(page)
    for widget in (banner, *fields):
        column.addWidget(widget)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    heard: list[str] = []
    banner.show_message("warning", "It was changed.", [("Merge", lambda: heard.append("merge"))])
    fields[1].setFocus()
    (button,) = banner.findChildren(QPushButton)
    if way == "click":
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    else:
        button.setFocus(Qt.FocusReason.TabFocusReason)
        assert button.hasFocus()
        QTest.keyClick(button, Qt.Key.Key_Return if way == "tab" else Qt.Key.Key_Escape)
    assert not banner.isVisible()
    assert heard == ([] if way == "escape" else ["merge"])
    assert fields[1].hasFocus()
