"""A flow with checks stepped through in the window: what is offered, shown and counted."""

from pathlib import Path

import pytest

from tests.gui.runs.conftest import Bench
from tests.run.checks.flows import placed


@pytest.fixture
def checked(bench: Bench, tmp_path: Path) -> Bench:
    """A window with the guide's example, prompts and all."""
    bench.open(placed(tmp_path))
    return bench


def badge(bench: Bench) -> str | None:
    counts = bench.window.canvas.graph.run_layer.counts
    return None if counts is None else counts.text


def test_a_run_by_hand_asks_for_each_step_and_its_check(checked: Bench) -> None:
    checked.do("run-start")
    assert (checked.title, badge(checked)) == ("Code Analysis", "run 1 of 3")
    assert checked.panel.now.widget.detail.text() == "Iteration 1 of 100 · run 1 of 3"
    checked.press("Has Run")
    assert (checked.title, badge(checked)) == ("Code Analysis: does its check pass?", "check · run 1 of 3")
    checked.panel.show_page(checked.panel.prompt)
    assert checked.panel.prompt.widget.text.toPlainText() == "Look at {topic}: checks Code Analysis"

    checked.panel.now.widget._wrote.setText("2 test failures")
    checked.press("NG  →  Code Analysis")
    assert badge(checked) == "run 2 of 3 · retry 1"
    assert checked.panel.now.widget.wrote == ""
    assert checked.rows("trace")[-1].endswith("check failed  →  s_a8f3 (retry)")
    checked.panel.show_page(checked.panel.trace)
    assert "It says: 2 test failures" in checked.panel.trace.widget.explanation.toPlainText()

    checked.do("run-back")
    assert badge(checked) == "check · run 1 of 3"
    checked.press("OK  →  Implementation")
    assert (checked.title, badge(checked)) == ("Implementation", "run 1")
    for _ in range(2):
        checked.press("Has Run")
        checked.press("OK")
    assert checked.title == "The run has reached its end"
    assert badge(checked) is None


def test_the_form_fills_in_the_answer_to_a_check(checked: Bench) -> None:
    checked.do("run-start")
    form = checked.control._answers.form.widget
    assert not form.isVisible()
    checked.press("Has Run")
    checked.press("Fill In…")
    draft = form._draft
    assert draft is not None
    assert draft.value == {"result": "ok"}
    draft.set("/result", "ng")
    draft.set("/message", "not yet")
    assert form._will.whole == "The check fails. s_a8f3 is asked again."
    form._answer.click()
    last = checked.run.state.last
    assert last is not None
    assert last.judged is not None
    assert (last.judged.answer.passed, last.judged.answer.message, last.judged.transition) == (
        False,
        "not yet",
        "retry",
    )


def test_runs_by_chance_go_to_their_end_and_a_breakpoint_pauses_them(checked: Bench) -> None:
    checked.setup(who="random", seed=3)
    checked.control.toggle_breakpoint("s_c9d4")
    checked.do("run-start")
    checked.wait()
    assert (checked.run.state.step, checked.run.state.waits) == ("s_c9d4", "answer")  # not once more at its check
    while checked.run.state.outcome is None:
        checked.do("run-start")
        checked.wait()
    assert checked.run.state.outcome is not None
    assert checked.rows("trace")[-1].endswith("check passed  →  end")
    assert badge(checked) is None


def test_an_era_that_knows_no_checks_reports_it(checked: Bench) -> None:
    checked.setup(era="climpt-2026-04-20")
    checked.do("run-start")
    assert checked.title == "The run can't go on from here"
    assert "not checks" in checked.panel.now.widget.detail.text()
