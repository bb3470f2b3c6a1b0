"""What a narrow window does to single parts: rows wrap, and a page that is hidden needs no room."""

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.panels.problems_filter import FilterRow
from stepflow_gui.gui.panels.wrap_layout import WrapLayout
from stepflow_gui.gui.theme import Theme
from stepflow_gui.gui.welcome import Welcome
from tests.gui.looks.cutoff import cut_off

NARROW = 300  # pixels that the panels below have in a small window


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_the_row_over_the_problems_wraps(qtbot: QtBot, language: str) -> None:
    messages.use_language(language)
    row = FilterRow()
    qtbot.addWidget(row)
    for button in (*row.severities.values(), row.suppressed):
        button.setText("12 " + row.only_step.text())
    assert row.minimumSizeHint().width() <= NARROW
    row.resize(NARROW, row.heightForWidth(NARROW))
    row.show()
    assert cut_off(row, elided_ok=False) == []
    assert row.words.y() > row.severities["error"].y()


def test_what_stands_in_a_row_is_in_its_middle(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    layout = WrapLayout(page)
    small, large, below = (QPushButton(text) for text in ("a", "b", "c"))
    large.setFixedHeight(60)
    for button in (small, large, below):
        button.setFixedWidth(100)
        layout.addWidget(button)
    page.resize(210, page.heightForWidth(210))
    page.show()
    assert abs(small.geometry().center().y() - large.geometry().center().y()) <= 1
    assert below.y() > large.geometry().bottom()
    assert below.geometry().bottom() < page.height()


def test_the_welcome_page_needs_room_only_while_it_is_shown(qtbot: QtBot) -> None:
    page = Welcome(Theme(dark=False))
    qtbot.addWidget(page)
    page.hide()
    assert page.minimumSizeHint().height() <= 0
    page.show()
    assert page.minimumSizeHint().height() > NARROW // 2
