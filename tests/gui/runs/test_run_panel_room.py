"""In little room the pages of the run panel still show what they are about."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from stepflow_gui import messages
from stepflow_gui.gui.runs.panel.now import AnswerOffer, ChoiceRow, RunNow
from stepflow_gui.gui.widgets.controls import push_button
from stepflow_gui.gui.widgets.table import Cell, Rows, Table, TableRow
from tests.gui.looks.cutoff import cut_off
from tests.gui.runs.conftest import Bench, Write
from tests.gui.runs.test_run_points import TWO


@pytest.fixture
def bench(own_bench: Bench) -> Bench:
    """A new window for each test: its size and language are what is tried."""
    return own_bench


@pytest.mark.takes_turns("language")
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (800, 600)])
def test_no_heading_is_cut_off(bench: Bench, write: Write, language: str, width: int, height: int) -> None:
    bench.window.set_language(language)
    bench.window.resize(width, height)
    bench.open(write(TWO))
    bench.do("run-start")
    panel = bench.panel
    bench.do("show-breakpoints")
    for page in (panel.trace, panel.data, panel.prompt, panel.checks, panel.breakpoints):
        panel.show_page(page)
        bench.qtbot.wait(20)
        for table in page.findChildren(Table):
            header = table.horizontalHeader()
            fixed = [
                at for at in range(header.count()) if header.sectionResizeMode(at) is not header.ResizeMode.Stretch
            ]
            for column in fixed:
                assert header.sectionSize(column) >= header.sectionSizeHint(column)
    messages.use_language("en")


def test_columns_yield_to_the_one_that_takes_the_rest(bench: Bench) -> None:
    rows = Rows(3, bench.window.theme)
    rows.set_headings("A", "B", "C")
    rows.show_all([TableRow((Cell("a"), Cell("b"), Cell("c")))])
    table = Table(rows, (200, 0, 60))
    bench.qtbot.addWidget(table)
    table.resize(300, 100)
    table.show()
    assert table.columnWidth(0) < 200
    assert table.columnWidth(1) > 90
    assert table.columnWidth(2) == 60
    table.horizontalHeader().resizeSection(0, 150)  # as a person draws it
    table.resize(280, 100)
    assert table.columnWidth(0) == 150
    table.resize(800, 100)
    assert table.columnWidth(0) == 150


def test_fields_keep_their_height_where_a_problem_is_reported(bench: Bench, write: Write) -> None:
    bench.window.resize(500, 600)
    bench.open(write(TWO))
    bench.do("show-breakpoints")
    page = bench.panel.breakpoints.widget
    page.show_text("It can't be read, and why this is so takes two lines of text at least in such a small window.")
    bench.qtbot.wait(20)
    fields: tuple[QWidget, ...] = page.fields
    assert min(field.height() for field in fields) >= 24
    assert page.condition.y() > page.step.y()
    assert page.verticalScrollBar().isVisible() or page.table.height() >= 48


def test_the_chooser_of_runs_has_room_for_their_names(bench: Bench, write: Write) -> None:
    bench.window.resize(800, 600)
    bench.open(write(TWO))
    bench.do("run-start")
    bench.window.desk.show_output(bench.panel)
    bench.do("run-fork")
    bench.qtbot.wait(20)
    box = bench.panel.bar.branches
    assert box.isVisible()
    assert box.width() - 40 >= box.fontMetrics().horizontalAdvance(box.currentText())


def test_a_long_choice_ends_in_dots_and_keeps_its_digit_in_sight(bench: Bench) -> None:
    now = RunNow()
    bench.qtbot.addWidget(now)
    now.resize(400, 300)
    now.show()
    long = "Open “a-workflow-with-a-very-long-name” and run the steps that are in it, one after the other"
    now.show_offers([AnswerOffer(1, long, part="choice"), AnswerOffer(2, "next  →  b", part="choice")])
    bench.qtbot.wait(20)
    rows = now.findChildren(ChoiceRow)
    assert len({row.width() for row in rows}) == 1
    for row in rows:
        assert row.mapTo(now, row.rect().topRight()).x() < now.width()
    assert cut_off(now, elided_ok=True) == []


def test_a_button_without_room_for_its_words_ends_in_dots_and_shows_them_in_its_tip(bench: Bench) -> None:
    button = push_button()
    bench.qtbot.addWidget(button)
    button.setText("The user asks a question && wants no implementation")
    button.resize(120, 26)
    button.show()
    place = button.rect().center()
    QApplication.sendEvent(button, QHelpEvent(QEvent.Type.ToolTip, place, button.mapToGlobal(place)))
    assert QToolTip.text() == "The user asks a question & wants no implementation"
    QToolTip.hideText()
