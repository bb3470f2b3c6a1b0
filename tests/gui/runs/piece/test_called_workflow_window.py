"""In the window: a workflow that a step calls is opened in the run; a run is compared with another release."""

from pathlib import Path

from stepflow_gui.gui.app.window import MainWindow
from tests.gui.runs.piece.conftest import PieceBench
from tests.run.takt.test_called_workflows import CHILD, PARENT, SUBS

ORDERED = """\
name: p
steps:
  - name: both
    parallel:
      - {name: one, persona: a, rules: [{condition: ok}]}
      - {name: two, persona: a, rules: [{condition: ok}]}
    rules: [{condition: other, next: ABORT}, {condition: 'all("ok")', next: COMPLETE}]
"""


def _workflow(window: MainWindow, folder: Path, text: str = PARENT) -> PieceBench:
    home = folder / ".takt" / "workflows"
    home.mkdir(parents=True)
    (home / "child.yaml").write_text(CHILD)
    (home / "p.yaml").write_text(text)
    assert window.open(home / "p.yaml")
    return PieceBench(window)


def test_a_called_workflow_is_opened_and_returns(window: MainWindow, tmp_path: Path) -> None:
    bench = _workflow(window, tmp_path)
    bench.do("run-start")
    bench.press("planned")
    assert bench.offered()[0] == "Open “child” and run its steps"
    bench.press("Open “child” and run its steps")
    assert bench.title == "review-part / plan"
    assert window.canvas.graph.run.active == {"delegate"}
    bench.press("looked")
    assert bench.title == "review-part / check"
    rows = bench.panel.trace.widget.rows
    assert rows.row(rows.rowCount() - 1).cells[1].text == "review-part / plan"
    bench.press("good")
    assert bench.title == "The workflow is complete."
    assert window.canvas.graph.run.step_visits == {"plan": 1, "delegate": 1}
    bench.do("run-back")
    assert bench.title == "review-part / check"


def test_what_it_returns_can_be_chosen_instead(window: MainWindow, tmp_path: Path) -> None:
    bench = _workflow(window, tmp_path)
    bench.do("run-start")
    bench.press("planned")
    bench.press("ok")
    assert bench.title == "The workflow is complete."


def test_a_run_is_compared_with_another_release(window: MainWindow, tmp_path: Path) -> None:
    bench = _workflow(window, tmp_path, ORDERED)
    bench.setup(era="takt-0.52", shadow="takt-0.53")
    assert bench.control.setup.widget.shadow.currentText() == "takt-0.53"
    bench.do("run-start")
    assert not bench.control.setup.widget.shadow.isEnabled()
    bench.press("one: ok")
    assert bench.note == ""
    bench.press("two: ok")
    said = "takt-0.53 differs at “both”, after 1 step: Aborted: a rule of both goes to ABORT."
    assert bench.note.startswith(said)
    rows = bench.panel.trace.widget.rows
    last = rows.row(rows.rowCount() - 1)
    assert last.cells[2].text.endswith("◇ takt-0.53")
    assert last.tip.startswith(said)
    bench.do("run-back")
    assert bench.note == ""
    assert "◇" not in rows.row(rows.rowCount() - 1).cells[2].text


def test_a_release_that_refuses_the_piece_isnt_compared_with(window: MainWindow, tmp_path: Path) -> None:
    bench = _workflow(window, tmp_path, ORDERED)
    bench.setup(shadow="takt-0.20")
    bench.do("run-start")
    assert "TAKT 0.20.1 refuses to load the file" in bench.note


def test_each_sub_step_opens_what_it_calls(window: MainWindow, tmp_path: Path) -> None:
    bench = _workflow(window, tmp_path, SUBS)
    bench.do("run-start")
    assert [each for each in bench.named() if "Open" in each] == [
        f"{name}: Open “child” and run its steps" for name in ("one", "two")
    ]
    bench.press("two: Open “child” and run its steps")
    assert bench.title == "review-part / plan"
    bench.press("looked")
    bench.press("good")
    assert bench.title == "review"
    assert [each for each in bench.named() if "Open" in each] == ["one: Open “child” and run its steps"]
    bench.press("one: retry_plan")
    bench.press("own: fine")
    assert window.canvas.graph.run.step_visits["review"] == 2
