"""What a narrow window does to single parts: rows wrap, and a page that is hidden needs no room."""

from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDoubleSpinBox, QMainWindow, QPushButton, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.welcome import Welcome
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.problems.filter import FilterRow
from stepflow_gui.gui.runs.panel.agent_setup_form import RunSetupForm
from stepflow_gui.gui.runs.panel.checks import RunChecks
from stepflow_gui.gui.runs.panel.data import RunData
from stepflow_gui.gui.runs.panel.explore_page import ExplorePage
from stepflow_gui.gui.runs.panel.prompt import RunPrompt
from stepflow_gui.gui.runs.piece.setup_page import PieceSetup
from stepflow_gui.gui.runs.setup_model import Who
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.table import Cell, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.project.creating.example import copy_example
from tests.gui.looks.cutoff import cut_off
from tests.gui.silent import Silent
from window_views import settle

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


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_pages_of_a_run_scroll_where_they_are_low(qtbot: QtBot, language: str) -> None:
    messages.use_language(language)
    theme = Theme(dark=False)
    data, prompt, checks, explore = RunData(theme), RunPrompt(theme), RunChecks(theme), ExplorePage(theme)
    why = "The prompt can't be filled in, and why this is so is told in more words than one line holds."
    prompt.show_prompt(why, "", [], [])
    checks.show_checks(why, [TableRow((Cell("a"),))])
    explore.show_found("1/1", why, [TableRow((Cell("a"),))], frozenset(), busy=False)
    for page in (data, prompt, checks, explore):
        qtbot.addWidget(page)
        page.resize(NARROW, 76)
        page.show()
        qtbot.wait(10)
        assert cut_off(page, elided_ok=True) == []
        assert min(table.height() for table in page.findChildren(Table)) >= 48
        assert page.verticalScrollBar().maximum() > 0
        page.resize(NARROW, 400)
        qtbot.wait(10)
        assert page.verticalScrollBar().maximum() == 0


def test_tables_of_a_prompt_stand_beside_each_other_where_there_is_no_prompt(qtbot: QtBot) -> None:
    page = RunPrompt(Theme(dark=False))
    qtbot.addWidget(page)
    page.resize(600, 160)
    page.show()
    page.show_prompt("No prompt", "", [], [])
    qtbot.wait(10)
    assert page.variable_table.height() == page.tried_table.height() > 100
    page.show_prompt("", "Do it", [], [])
    qtbot.wait(10)
    assert page.tried_table.mapTo(page, QPoint()).y() > page.variable_table.mapTo(page, QPoint()).y()


def test_a_table_that_goes_passes_the_keyboard_on(qtbot: QtBot) -> None:
    page = RunChecks(Theme(dark=False))
    qtbot.addWidget(page)
    page.show_checks("", [TableRow((Cell("a"),))])
    page.show()
    page.activateWindow()
    page.table.setFocus()
    qtbot.waitUntil(page.table.hasFocus)
    with qtbot.waitSignal(page.left):
        page.show_checks("Nothing to check", [])
    page.show_checks("Nothing to check", [])  # without the keyboard nothing is passed on


def test_a_value_that_is_too_long_ends_in_dots_until_it_is_written_in(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    field, other = FormLineEdit(), QPushButton()
    column = QVBoxLayout(page)
    for each in (field, other):
        column.addWidget(each)
    page.resize(110, 100)
    page.show()
    page.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    cut = [field.grab().toImage() for name in ("continuation.issue", "continuation.longer.issue") if shown(field, name)]
    assert cut[0] == cut[1]  # both read “continua…”
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    whole = [field.grab().toImage() for name in ("continuation.issue", "closure.issue") if shown(field, name)]
    assert whole[0] != whole[1]
    assert whole[0] != cut[0]


def shown(field: FormLineEdit, text: str) -> bool:
    """Show a text; whether it is too long for the field."""
    field.show_text(text)
    return field.fontMetrics().horizontalAdvance(text) > field.width() - 8


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_a_small_window_stays_small_with_tabs_and_shows_words_whole(
    qtbot: QtBot, tmp_path: Path, language: str
) -> None:
    make_application()
    messages.use_language(language)
    settings = Settings(tmp_path / "settings.ini")
    settings.language = language
    shell = Shell(settings, None, Silent)
    qtbot.addWidget(shell)
    shell.resize(800, 600)
    shell.show()
    qtbot.waitExposed(shell)
    for name in ("orders", "billing"):
        (registry,) = copy_example(into=tmp_path / name).rglob("steps_registry.json")
        assert shell.open(registry)
    settle(shell)
    assert shell.size().toTuple() == (800, 600)
    canvas = shell.current.canvas
    seen = canvas.mapToScene(canvas.viewport().rect()).boundingRect()
    for entry in canvas.graph.entries.values():
        assert seen.contains(entry.boundingRect())
    labels = [edge.label.sceneBoundingRect() for edge in canvas.graph.edges.values() if edge.label is not None]
    assert labels
    assert all(seen.left() <= label.left() and label.right() <= seen.right() for label in labels)
    shell.close()


def test_the_welcome_page_needs_room_only_while_it_is_shown(qtbot: QtBot) -> None:
    page = Welcome(Theme(dark=False))
    qtbot.addWidget(page)
    page.hide()
    assert page.minimumSizeHint().height() <= 0
    page.show()
    assert page.minimumSizeHint().height() > NARROW // 2


@pytest.mark.parametrize("dark", [False, True])
def test_every_number_field_shows_its_digits(qtbot: QtBot, dark: bool) -> None:
    make_application()
    pages = [RunSetupForm(), PieceSetup(GUIDE.name)]
    window = QMainWindow()
    qtbot.addWidget(window)
    body = QWidget()
    column = QVBoxLayout(body)
    for page in pages:
        column.addWidget(page)
    window.setCentralWidget(body)
    Theme(dark).dress(window)
    window.resize(700, 600)
    window.show()
    boxes = [*window.findChildren(QSpinBox), *window.findChildren(QDoubleSpinBox)]
    assert {*boxes} == {field for page in pages for field in (page.seed, page.most)}  # there are no others
    seen = 0
    for page in pages:
        for who in get_args(Who):
            page.show_setup(page.setup._replace(who=who))
            qtbot.wait(10)
            for field in (page.seed, page.most):
                if not field.isVisible():
                    continue
                seen += 1
                assert field.height() == page.who.height()
                shown = []
                for digit in (1, 8):
                    field.setValue(digit)
                    shown.append(field.grab().toImage())
                changed = [
                    x
                    for x in range(shown[0].width())
                    for y in range(shown[0].height())
                    if shown[0].pixel(x, y) != shown[1].pixel(x, y)
                ]
                assert changed, (type(page).__name__, who)
                assert min(changed) >= 8  # clear of the frame, as in other fields
    assert seen == 4  # a seed and a limit on each page
