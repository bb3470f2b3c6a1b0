"""The folder of a verbose run in the window: dropped on it, with the whole prompts."""

from pathlib import Path

from stepflow_gui.gui.runs.logs.log_control import LogControl
from tests.gui.runs.conftest import Bench
from tests.gui.runs.logs.conftest import read
from tests.gui.runs.logs.test_open_log import EXAMPLE, START, turn
from tests.run.logs.test_verbose_logs import Verbose


def test_whole_prompts_of_a_verbose_folder(bench: Bench, example: Path, tmp_path: Path) -> None:
    verbose = Verbose(tmp_path)
    verbose.turn(1, EXAMPLE[0], {"next_action": {"action": "next"}}, "x" * 300)
    verbose.turn(2, EXAMPLE[1], None)
    bench.open(example)
    assert not bench.window.runs.open_if_log(tmp_path)
    assert bench.window.runs.open_if_log(verbose.folder)
    read(bench)
    assert isinstance(bench.window.runs.shown, LogControl)
    assert bench.rows("trace")[1:] == [
        "2  initial.issue  next (computed)  1  2.5 s  $0.50  ◐ computed",
        "3  continuation.issue  no answer in the log  5  2.5 s  $0.50  ● log",
    ]
    panel = bench.panel
    assert panel.right.isTabEnabled(2)
    panel.trace.widget.looked.emit(2)
    panel.show_page(panel.prompt)
    assert panel.prompt.widget.text.toPlainText() == f"Do {EXAMPLE[0]}"
    assert not panel.prompt.widget.variable_table.isVisible()
    shown = bench.window.runs.shown
    assert isinstance(shown, LogControl)
    assert shown.header.runtimes.itemText(0) == "guide (default)"
    (verbose.folder / "002_prompt.md").unlink()
    panel.trace.widget.looked.emit(3)
    panel.trace.widget.looked.emit(2)
    assert "002_prompt.md" in panel.prompt.widget.source.text()


def test_a_log_without_a_folder_has_no_prompts(bench: Bench, example: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(START + turn(EXAMPLE[0], 1, "next", EXAMPLE[1]), "utf-8")
    bench.open(example)
    bench.window.runs.open_log(file)
    read(bench)
    assert not bench.panel.right.isTabEnabled(2)
