"""The newest log is followed: what a runner adds appears, the step it asks is marked, and silence is shown."""

from pathlib import Path

import pytest

from stepflow_gui.gui.runs.logs.log_control import LogControl
from stepflow_gui.project.creating.example import copy_example
from tests.gui.runs.conftest import Bench
from tests.gui.runs.logs.test_log_list import listed, write
from tests.gui.runs.logs.test_open_log import EXAMPLE, FAILED, PATH, START, turn


def test_a_log_grows_in_the_window(bench: Bench, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.open(example)
    logs, _rows = listed(bench)
    document = bench.window.document
    assert document is not None
    name = document.last_valid.folder.name
    logs.page.follow.setChecked(True)
    bench.qtbot.waitUntil(lambda: logs.page.summary.text() == "Waiting for a log …")
    file = write(bench, f"{name}-1.jsonl", START + turn(EXAMPLE[0], 1, "next", EXAMPLE[1]), 0)
    bench.qtbot.waitUntil(lambda: isinstance(bench.window.runs.shown, LogControl), timeout=20_000)
    assert len(bench.rows("trace")) == 2
    assert bench.title == f"Following {name}-1.jsonl"
    assert bench.window.canvas.graph.run.active == {EXAMPLE[1]}
    with file.open("a", encoding="utf-8") as opened:
        opened.write(turn(EXAMPLE[1], 2, "handoff", EXAMPLE[2]))
    bench.qtbot.waitUntil(lambda: len(bench.rows("trace")) == 3, timeout=20_000)
    assert bench.window.canvas.graph.run.active == {EXAMPLE[2]}
    monkeypatch.setattr("stepflow_gui.gui.runs.logs.log_following.SILENT", 0.0)
    bench.qtbot.waitUntil(lambda: "no new line for" in bench.title, timeout=20_000)
    with file.open("a", encoding="utf-8") as opened:
        opened.write(FAILED)
    bench.qtbot.waitUntil(lambda: bench.title == "The run has failed", timeout=20_000)
    assert file.read_text("utf-8") == START + PATH + FAILED
    bench.do("run-stop")
    assert not logs.page.follow.isChecked()
    assert not logs.following.is_on
    assert bench.window.runs.shown is bench.control


def test_another_agent_is_opened_while_a_log_is_followed(bench: Bench, example: Path, tmp_path: Path) -> None:
    bench.open(example)
    logs, _rows = listed(bench)
    document = bench.window.document
    assert document is not None
    write(bench, f"{document.last_valid.folder.name}-1.jsonl", START + PATH, 0)
    logs.page.follow.setChecked(True)
    bench.qtbot.waitUntil(lambda: isinstance(bench.window.runs.shown, LogControl), timeout=20_000)
    bench.open(copy_example(into=tmp_path / "another"))
    assert bench.window.runs.shown is bench.control
    assert not logs.following.is_on
    assert not logs.listing.is_busy
    assert bench.rows("trace") == []
