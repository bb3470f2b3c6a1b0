"""The end of a run: what stands in the Answer tab, what is kept of its validators, and the test that it becomes."""

import json
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from stepflow_gui.gui.canvas.marks import RunMarks, TransitionRef
from stepflow_gui.gui.runs.panel.now import ChoiceRow
from stepflow_gui.gui.runs.run_text import ends_left
from stepflow_gui.run.machine.state import Answered
from tests.flow.flows import flow_of
from tests.gui.runs.conftest import Bench
from tests.gui.shown import in_run


def to_the_end(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    for pick in ("next", "handoff", "closing"):
        bench.press(pick)
    while bench.run.validator is not None:
        bench.press("Passes")


def test_a_run_that_is_over_says_what_it_came_through_and_begins_again(bench: Bench, example: Path) -> None:
    to_the_end(bench, example)
    assert bench.title == "The run has reached its end"
    detail = bench.panel.now.widget.detail.text()
    assert "3 answers" in detail
    assert "steps 3/3" in detail
    shown = [button.text() for button in in_run(bench.panel, QPushButton) if button.text().startswith("Explore ")]
    assert shown == []  # its only end is the one that was reached
    bench.press("Run Again")
    assert bench.run.state.outcome is None
    assert bench.run.state.step == "initial.issue"
    assert len(bench.control.debugger.branches) == 2  # the one that is over is kept


def test_the_ends_of_a_step_that_are_one_are_counted_once() -> None:
    flow = flow_of({"a": {"next": "b", "closing": None, "abort": None}, "b": {"closing": None}})
    assert ends_left(flow, []) == 2
    abort = RunMarks(move_visits={TransitionRef("a", "abort"): 1})
    assert ends_left(flow, [abort]) == 1
    assert ends_left(flow, [abort, RunMarks(move_visits={TransitionRef("b", "closing"): 3})]) == 0


def test_the_validators_results_stay_until_the_next_run(bench: Bench, example: Path) -> None:
    to_the_end(bench, example)
    bench.window.canvas.choose_step("closure.issue")
    card = bench.window.canvas.graph.run_layer.card
    assert card is not None
    assert [check.state for check in card.sign.checks] == ["passed", "passed"]
    bench.panel.show_page(bench.panel.checks)
    assert [row.split("  ")[1] for row in bench.rows("checks")] == ["passed", "passed"]
    bench.press("Run Again")
    bench.window.canvas.choose_step("closure.issue")
    card = bench.window.canvas.graph.run_layer.card
    assert card is not None
    assert [check.state for check in card.sign.checks] == ["", ""]


def test_a_run_is_saved_as_a_test(bench: Bench, example: Path) -> None:
    to_the_end(bench, example)
    asked: list[Path] = []

    def answer(proposed: Path) -> Path | None:
        asked.append(proposed)
        return proposed if len(asked) > 1 else None

    form = bench.panel.setup_form.widget
    before, form.ask_test_file = form.ask_test_file, answer
    bench.press("Save as Test")
    bench.press("Save as Test")
    form.ask_test_file = before
    assert len(asked) == 2
    assert asked[0].parent.name == "flow_tests"
    assert "closure.issue" in asked[0].name
    assert '"path": ["initial.issue", "continuation.issue", "closure.issue"]' in asked[1].read_text("utf-8")
    assert asked[1].name in bench.window.status.text


def test_digits_pick_among_the_choices(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    rows = [row for row in in_run(bench.panel, ChoiceRow) if row.isVisible()]
    assert [row.key for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    own = next(row for row in rows if row.text().startswith("repeat"))
    assert own.sign == "↻"
    assert {row.width() for row in rows} == {rows[0].width()}
    bench.panel.now.widget.focus_offers()
    QTest.keyClick(rows[0], Qt.Key.Key_1)
    assert bench.run.state.step == "continuation.issue"


def test_rows_say_what_is_special_about_an_answer(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    for pick in ("next", "handoff"):
        bench.press(pick)
    signs = {row.text().split("  →  ")[0]: row.sign for row in in_run(bench.panel, ChoiceRow) if row.isVisible()}
    assert signs["closing"] == "validators first"
    assert signs["repeat"] == "↻"


def test_a_case_taken_by_default_is_marked(bench: Bench, example: Path) -> None:
    path = next(example.rglob("steps_registry.json"))
    registry = json.loads(path.read_text("utf-8"))
    targets = {"passed": "continuation.issue", "default": "initial.issue"}
    registry["steps"]["initial.issue"]["transitions"]["next"] = {"condition": "outcome", "targets": targets}
    registry["steps"]["initial.issue"]["structuredGate"]["handoffFields"] = ["analysis.outcome"]
    path.write_text(json.dumps(registry, indent=2), "utf-8")
    bench.open(example)
    bench.do("run-start")
    signs = {row.text().split("  →  ")[0]: row.sign for row in in_run(bench.panel, ChoiceRow) if row.isVisible()}
    assert signs["next · default"].split("  ")[0] == "by default"
    assert "by default" not in signs["next · passed"]


def test_answers_that_cant_be_used_stand_apart_and_are_no_rows(bench: Bench, example: Path) -> None:
    for name in ("Nothing", "Broken JSON", "Unknown Intent"):
        bench.open(example)
        bench.do("run-start")
        now = bench.panel.now.widget
        buttons = {button.text(): button for button in now._buttons}
        rows = [row for row in in_run(bench.panel, ChoiceRow) if row.isVisible()]
        assert buttons[name] not in rows
        assert buttons[name].mapTo(now, QPoint()).y() > max(row.mapTo(now, QPoint()).y() for row in rows)
        before = bench.run.length
        buttons[name].click()
        last = bench.run.state.last
        assert bench.run.length == before + 1
        assert last is not None
        assert isinstance(last.event, Answered)
        assert (last.event.answer is None) == (name != "Unknown Intent")


def test_tabs_and_rows_stay_where_they_are_through_a_run(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    tabs = bench.panel.right.tabBar()
    places = set()
    rows = set()
    rest = ["next", "handoff", "closing"]

    def look() -> None:
        places.add(tuple(tabs.tabRect(at).getRect() for at in range(tabs.count()) if tabs.isTabVisible(at)))
        shown = [row for row in in_run(bench.panel, ChoiceRow) if row.isVisible()]
        if shown:
            rows.add(tuple(row.mapTo(bench.panel.right, QPoint()).toTuple() for row in shown[:2]))

    look()
    for pick in ("next", "handoff", "closing", "Fails"):  # asked, a validator
        bench.press(pick)
        look()
    assert bench.run.state.retry is not None
    while bench.run.state.outcome is None:  # the retry, validators, the end
        bench.press("Passes" if bench.run.validator is not None else rest.pop(0))
        look()
    assert len(places) == 1
    assert len(next(iter(places))) == 5
    assert len(rows) == 1
