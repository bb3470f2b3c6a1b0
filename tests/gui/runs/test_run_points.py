"""Breakpoints and watches: kept between two starts, and unknown names are reported."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.runs.stored_breakpoints import StoredBreakpoints
from stepflow_gui.run.debugging.breakpoints import Breakpoint
from tests.gui.runs.conftest import Bench, Write
from tests.gui.silent import Silent
from tests.run.flows import registry, step

TWO = registry(
    step("initial.a", "work", next="continuation.b", repeat="initial.a"),
    step("continuation.b", "work", next="initial.a"),
    validators={"git-clean": {"type": "command", "command": "git status"}},
)


@pytest.fixture
def bench(own_bench: Bench) -> Bench:
    """A new window for each test: what is kept between two starts is read and written."""
    return own_bench


def typed(field: QLineEdit, text: str) -> None:
    field.setText(text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def again(bench: Bench, qtbot: QtBot, tmp_path: Path) -> Bench:
    """The same person's window at the next start of the program."""
    window = MainWindow(Settings(tmp_path / "settings.ini"), Silent())
    qtbot.addWidget(window)
    window.resize(1280, 800)  # the screen of tests is narrow
    window.show()
    return Bench(qtbot, window)


def test_breakpoints_and_watches_are_there_at_the_next_start(
    bench: Bench, qtbot: QtBot, write: Write, tmp_path: Path
) -> None:
    folder = write(TWO)
    bench.open(folder)
    bench.do("show-breakpoints")
    page = bench.panel.breakpoints.widget
    page.step.setText("continuation.b")
    typed(page.condition, "visit >= 2")
    page.step.setText("initial.a")
    typed(page.intent, "repeat")
    page.table.setCurrentIndex(page.rows.index(1, 1))
    QTest.keyClick(page.table, Qt.Key.Key_Space)
    typed(bench.panel.data.widget.path, "visit")
    bench.window.close()
    after = again(bench, qtbot, tmp_path)
    after.open(folder)
    after.window.desk.show_output(after.panel)
    after.do("show-breakpoints")
    assert after.rows("breakpoints") == ["●  continuation.b if visit >= 2", "○  initial.a · repeat"]
    assert after.window.canvas.graph.run_layer.breakpoints == {"continuation.b": True, "initial.a": False}
    after.panel.show_page(after.panel.data)
    assert after.rows("watches") == ["visit  "]
    after.do("run-start")
    for _round in range(2):
        after.press("next")
        after.press("next")
    after.setup(who="random", seed=4)
    after.do("run-start")
    after.wait()
    assert "Paused at a breakpoint: continuation.b if visit >= 2" in after.note
    after.window.close()


def test_f9_is_kept_and_taken_away_for_good(bench: Bench, qtbot: QtBot, write: Write, tmp_path: Path) -> None:
    folder = write(TWO)
    bench.open(folder)
    bench.control.toggle_breakpoint("initial.a")
    settings, registry_file = Settings(tmp_path / "settings.ini"), folder / "steps_registry.json"
    bench.window.settings.sync()
    assert StoredBreakpoints(settings, registry_file).breakpoints == [Breakpoint("initial.a")]
    bench.control.toggle_breakpoint("initial.a")
    bench.window.settings.sync()
    assert StoredBreakpoints(Settings(tmp_path / "settings.ini"), registry_file).breakpoints == []


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"x": 3}', '{"FILE": {"breakpoints": [3, {}, {"condition": "("}]}}'])
def test_what_can_t_be_read_counts_as_nothing(tmp_path: Path, kept: str) -> None:
    settings, file = Settings(tmp_path / "s.ini"), tmp_path / "steps_registry.json"
    settings.run_points = kept.replace("FILE", str(file))
    found = StoredBreakpoints(settings, file)
    assert (found.breakpoints, found.watches) == ([], [])
    found.keep([Breakpoint("a", enabled=False)], ["visit"])
    found = StoredBreakpoints(settings, file)
    assert (found.breakpoints, found.watches) == ([Breakpoint("a", enabled=False)], ["visit"])


def test_those_of_a_hundred_agents_are_kept(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "s.ini")
    for number in range(101):
        StoredBreakpoints(settings, tmp_path / str(number)).keep([], ["visit"])
    assert StoredBreakpoints(settings, tmp_path / "0").watches == []
    assert StoredBreakpoints(settings, tmp_path / "1").watches == ["visit"]


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("intent", "nxt", "No step has an intent “nxt”"),
        ("condition", "vist >= 2", "“vist” can't be used in a condition"),
        ("validator", "*", None),
        ("intent", "abort", None),
        ("condition", "initial.a.title contains x and context.gone is missing", None),
    ],
)
def test_what_no_run_could_pause_at_is_reported(
    bench: Bench, write: Write, field: str, text: str, said: str | None
) -> None:
    bench.open(write(TWO))
    page = bench.panel.breakpoints.widget
    bench.window.desk.show_output(bench.panel)
    bench.panel.show_page(page)
    typed(getattr(page, field), text)
    assert len(bench.rows("breakpoints")) == (0 if said else 1)
    assert (said or "") in page.problem.text()


def test_a_breakpoint_whose_step_is_gone_reports_it(bench: Bench, write: Write, tmp_path: Path) -> None:
    folder = write(TWO)
    StoredBreakpoints(bench.window.settings, folder / "steps_registry.json").keep([Breakpoint("gone")], [])
    bench.open(folder)
    bench.window.desk.show_output(bench.panel)
    bench.do("show-breakpoints")
    row = bench.panel.breakpoints.widget.rows.row(0)
    assert row.cells[1].token == "warning"
    assert "There is no step “gone”" in row.tip
