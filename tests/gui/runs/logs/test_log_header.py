"""The row over the entries of a log: another runtime, an earlier flow, and the search."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepflow_gui.gui.runs.logs.log_control import LogControl
from stepflow_gui.run.logs.earlier_flow import THEN
from tests.gui.runs.conftest import Bench
from tests.gui.runs.logs.test_open_log import EXAMPLE, FAILED, PATH, START, line, turn
from tests.run.logs.test_earlier_flow import commit

Opened = Callable[..., LogControl]


def pick(bench: Bench, control: LogControl, chooser: str, value: str | None) -> None:
    field = getattr(control.header, chooser)
    field.setCurrentIndex(field.findData(value))
    field.activated.emit(field.currentIndex())
    bench.qtbot.waitUntil(lambda: not control._again.is_busy)


def test_another_runtime_is_chosen(bench: Bench, opened: Opened) -> None:
    control = opened(START, PATH, FAILED)
    assert control.run is not None
    assert control.header.runtimes.currentText() == "climpt-2026-04-08 (detected)"
    pick(bench, control, "runtimes", "climpt-2026-04-20")
    assert control.run.compared.era == "climpt-2026-04-20"
    assert control.header.runtimes.currentData() == "climpt-2026-04-20"
    assert control.header.runtimes.itemText(0) == "climpt-2026-04-08 (detected)"
    again = opened(START, PATH, FAILED)  # the choice stays with the log
    assert again.run is not None
    assert again.run.compared.era == "climpt-2026-04-20"
    pick(bench, control, "runtimes", None)
    assert control.run.compared.era == "climpt-2026-04-08"


def test_the_flow_at_that_time(bench: Bench, example: Path, opened: Opened) -> None:
    root = example.parent.parent
    commit(root, "2026-04-19T10:00:00Z")
    registry = next(example.rglob("*registry*.json"))
    text = registry.read_text("utf-8")
    registry.write_text(text.replace('"target": "continuation.issue"', '"target": "closure.issue"', 1), "utf-8")
    control = opened(START, PATH, FAILED)
    assert control.run is not None
    assert control.run.compared.first_difference is not None
    pick(bench, control, "flows", THEN)
    assert control.run.compared.first_difference is None
    control.look_at(1)
    assert "the commit of that time" in bench.panel.trace.widget.explanation.toPlainText()


def test_no_earlier_flow_is_reported_and_undone(bench: Bench, opened: Opened) -> None:
    control = opened(START, PATH, FAILED)
    pick(bench, control, "flows", THEN)
    assert bench.window.desk.notices.text
    assert control.header.flows.currentData() is None


def test_words_are_searched_in_all_that_the_log_has(bench: Bench, opened: Opened) -> None:
    text = line("Assistant response", content="The Export is broken")
    control = opened(
        START, turn(EXAMPLE[0], 1, "next", EXAMPLE[1]), turn(EXAMPLE[1], 2, "repeat", EXAMPLE[1]) + text, FAILED
    )
    run = control.run
    assert run is not None
    bench.panel.trace.widget.table.setFocus()
    bench.qtbot.waitUntil(lambda: bench.window.focus_place.place == "run")
    bench.do("find")
    assert control.header.words.hasFocus()
    QTest.keyClicks(control.header.words, "export")
    QTest.keyClick(control.header.words, Qt.Key.Key_Return)
    assert run.position == 3
    control.header.words.setText(EXAMPLE[0])
    QTest.keyClick(control.header.words, Qt.Key.Key_Return)
    assert run.position == 1  # after the last entry it begins again
    QTest.keyClick(control.header.words, Qt.Key.Key_Return)
    assert run.position == 2
    QTest.keyClick(control.header.words, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert run.position == 1
    control.header.words.setText("nothing fits")
    bench.panel.trace.widget.table.setFocus()
    bench.qtbot.waitUntil(lambda: bench.window.focus_place.place == "run")
    bench.do("find-previous")
    assert run.position == 4
    control.header.words.setText("zzz")
    control.find(1)
    assert (run.position, control.header.found.text()) == (4, "No entry has “zzz”")
    QTest.keyClick(control.header.words, Qt.Key.Key_Escape)
    assert bench.panel.trace.widget.table.hasFocus()


def test_without_a_log_find_is_the_windows_own(bench: Bench, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.open(example)
    bench.do("run-step")
    bench.panel.trace.widget.table.setFocus()
    bench.qtbot.waitUntil(lambda: bench.window.focus_place.place == "run")
    assert bench.window.desk.actions.fits("find")
    found: list[str] = []
    spec = bench.window.desk.actions._specs["find"]
    monkeypatch.setitem(bench.window.desk.actions._specs, "find", spec._replace(run=lambda: found.append("find")))
    bench.window.desk.actions._run(bench.window.desk.actions._specs["find"])
    assert found == ["find"]
