"""The end of a run: what stands in the Answer tab, what is kept of its validators, and the test that it becomes."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepflow_gui.gui.runs.panel.now import ChoiceRow
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
    detail = bench.panel.now.detail.text()
    assert "3 answers" in detail
    assert "steps 3/3" in detail
    bench.press("Run Again")
    assert bench.run.state.outcome is None
    assert bench.run.state.step == "initial.issue"
    assert len(bench.control.debugger.branches) == 2  # the one that is over is kept


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

    form = bench.panel.setup_form
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
    bench.panel.now.focus_offers()
    QTest.keyClick(rows[0], Qt.Key.Key_1)
    assert bench.run.state.step == "continuation.issue"
