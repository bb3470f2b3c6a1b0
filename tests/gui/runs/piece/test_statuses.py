"""A step of the first releases of TAKT is run by hand: also by a status that it has no transition for."""

from pathlib import Path

from stepflow_gui.gui.app.window import MainWindow
from tests.gui.runs.piece.conftest import PieceBench
from tests.lint.takt.generations import FILES


def test_a_result_without_a_transition_can_be_picked(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "workflows" / "flow.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(FILES["t0.1"].replace("condition: done", "condition: blocked").replace("COMPLETE", "ABORT"))
    assert window.open(file)
    bench = PieceBench(window)
    bench.do("run-start")
    ends = ["blocked  →  ABORT", "on_no_status  →  COMPLETE", "other_status  →  COMPLETE"]
    assert bench.offered() == [*ends, "Undecided"]
    bench.press("other_status")
    assert bench.title == "The workflow is complete."
    assert window.canvas.graph.run.ended
    bench.do("run-back")
    bench.press("on_no_status")
    assert bench.title == "The workflow is complete."
