"""Runs in the window whose prompts can't be made: ended where the runtime needs them, else noted."""

from pathlib import Path

from PySide6.QtWidgets import QPushButton

from tests.gui.runs.conftest import Bench
from tests.gui.shown import in_run

NEWEST = "climpt-2026-04-20"


def run_offers(bench: Bench) -> list[str]:
    return [button.text() for button in in_run(bench.panel, QPushButton) if button.isVisible()]


def without_prompt(bench: Bench, example: Path) -> None:
    (example / ".agent/issue-flow/prompts/steps/continuation/issue/f_default.md").unlink()
    bench.open(example)


def test_by_hand_a_missing_prompt_ends_the_run_where_the_runtime_needs_it(bench: Bench, example: Path) -> None:
    without_prompt(bench, example)
    bench.setup(era=NEWEST, args="issue=1")
    bench.do("run-start")
    assert bench.run.state.error is None
    bench.press("next")
    error = bench.run.state.error
    assert error is not None
    assert (error.code, error.step) == ("PR-C3L-004", "continuation.issue")
    assert bench.title == "The run can't go on from here"
    assert run_offers(bench) == ["Show Problem", "Reconfigure"]


def test_without_prompts_it_goes_on(bench: Bench, example: Path) -> None:
    without_prompt(bench, example)
    bench.setup(era=NEWEST, args="issue=1", prompts=False)
    assert bench.panel.setup_form.widget.no_prompts.isChecked()
    bench.do("run-start")
    bench.press("next")
    assert bench.run.state.error is None
    assert bench.run.state.step == "continuation.issue"


def test_by_the_guide_it_is_a_note(bench: Bench, example: Path) -> None:
    without_prompt(bench, example)
    bench.do("run-start")
    bench.press("next")
    assert bench.run.state.error is None
    assert bench.note.startswith("SF506: ")
