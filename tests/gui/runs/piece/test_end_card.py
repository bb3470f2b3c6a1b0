"""What a run of a piece shows once it is over: how it ended, how much it came through, and what can be done next."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.takt.scripts.piece_tests import files_of, run_piece_test
from tests.gui.runs.piece.conftest import PieceBench, opened

PIECE = """\
name: p
max_iterations: 5
movements:
  - name: plan
    persona: planner
    instruction_template: Plan.
    output_contracts: {report: [{Plan: plan.md}]}
    rules: [{condition: ready, next: build}, {condition: unclear, next: ABORT}]
  - name: build
    persona: coder
    instruction_template: Build.
    rules: [{condition: done, next: COMPLETE}, {condition: again, next: plan}]
"""
CARD = ["Run Again", "Save as Test…", "Save Trace…"]


def _ended(bench: PieceBench, *rules: str) -> str:
    bench.do("run-start")
    for rule in rules:
        bench.press(rule)
    assert bench.run.state.end is not None
    assert bench.offered()[:3] == CARD
    return bench.panel.now.widget.detail.text()


@pytest.mark.parametrize(
    ("rules", "title", "facts"),
    [
        (
            ("ready", "done"),
            "The piece is complete.",
            "2 answers · 2 iterations · movements 2/2 · rules 2/4 · 1 report",
        ),
        (
            ("unclear",),
            "Aborted: a rule of plan goes to ABORT.",
            "1 answer · 1 iteration · movements 1/2 · rules 1/4 · 1 report",
        ),
    ],
)
def test_the_end_is_told_with_its_reason_and_counts(
    window: MainWindow, tmp_path: Path, rules: tuple[str, ...], title: str, facts: str
) -> None:
    bench = opened(window, tmp_path, PIECE)
    assert _ended(bench, *rules) == facts
    assert bench.title == title


def test_a_workflow_has_its_steps_counted(window: MainWindow, tmp_path: Path) -> None:
    text = PIECE.replace("movements:", "steps:").replace("max_iterations", "max_steps")
    text = text.replace("instruction_template", "instruction").replace("{Plan: plan.md}", "{name: plan.md, format: x}")
    bench = opened(window, tmp_path, text)
    assert "steps 2/2" in _ended(bench, "ready", "done")


def test_it_is_run_again(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, PIECE)
    _ended(bench, "ready", "done")
    bench.press("Run Again")
    assert bench.title == "plan"
    assert bench.run.state.iteration == 1


def test_it_is_saved_as_a_test_that_passes(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, PIECE)
    path = window.document.path if window.document is not None else Path()
    kept: list[Path] = []

    def ask(proposed: Path) -> Path | None:
        kept.append(proposed)
        return proposed

    bench.panel.setup_form.widget.ask_test_file = ask
    _ended(bench, "ready", "again", "ready", "done")
    bench.press("Save as Test…")
    bench.do("run-save-test")
    assert [file.name for file in kept] == ["complete-build.json", "complete-build-2.json"]
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    _folder, files = files_of(path)
    assert files == sorted(kept)
    for file in files:
        tested = run_piece_test(agent, file)
        assert tested.failures == ()
        assert tested.end is not None
        assert tested.end.kind == "complete"


def test_a_trace_of_it_is_saved(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, PIECE)
    kept = tmp_path / "kept.jsonl"
    bench.panel.setup_form.widget.ask_trace_file = lambda: kept
    _ended(bench, "ready", "done")
    bench.press("Save Trace…")
    assert kept.is_file()


def test_answers_of_a_script_that_were_of_no_use_are_listed(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    bench = opened(window, tmp_path, PIECE)
    script = tmp_path / "s.json"
    script.write_text('{"answers": {"plan": "unclear", "build": "done"}, "expect": {"end": "complete"}}')
    bench.setup(who="script", file=script)
    bench.do("run-start")
    qtbot.waitUntil(lambda: not bench.control.busy)
    _counts, *lines = bench.panel.now.widget.detail.text().splitlines()
    assert lines == [
        "Otherwise than the script expects:",
        "expected as end: complete; it was abort_transition",
        "The answers for “build” weren't used: the run never asked it.",
    ]
    assert bench.offered()[:3] == CARD


def test_ends_that_no_run_has_come_to_are_counted_and_explored(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, PIECE)
    _ended(bench, "ready", "done")
    assert bench.offered() == [*CARD, "Explore 1 End Not Seen Yet"]
    bench.press("Explore 1 End Not Seen Yet")
    assert bench.panel.explore.isVisible()
    bench.do("run-restart")
    bench.press("unclear")
    assert bench.offered() == CARD  # both have been seen, in two runs
