"""The page of real runs: the logs of the open agent, the newest first, opened by a double click."""

import os
from pathlib import Path

from stepflow_gui.gui.runs.logs.log_control import LogControl
from stepflow_gui.gui.runs.logs.opened_logs import OpenedLogs
from tests.gui.runs.conftest import Bench
from tests.gui.runs.logs.conftest import read
from tests.gui.runs.logs.test_open_log import FAILED, PATH, START


def listed(bench: Bench) -> tuple[OpenedLogs, list[str]]:
    bench.do("show-logs")
    logs = bench.window.runs._logs
    assert logs is not None
    bench.qtbot.waitUntil(lambda: not logs.listing.is_busy)
    rows = logs.page.rows
    return logs, ["  ".join(cell.text for cell in rows.row(at).cells) for at in range(rows.rowCount())]


def write(bench: Bench, name: str, text: str, age: int) -> Path:
    document = bench.window.document
    assert document is not None
    folder = document.last_valid.root / "logs"
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(text, "utf-8")
    os.utime(file, (1_000_000 - age, 1_000_000 - age))
    return file


def test_the_newest_first_and_opened_by_a_double_click(bench: Bench, example: Path) -> None:
    bench.open(example)
    logs, rows = listed(bench)
    assert rows == []
    document = bench.window.document
    assert document is not None
    name = document.last_valid.folder.name
    write(bench, f"{name}-1.jsonl", START + PATH + FAILED, 20)
    write(bench, f"{name}-2.jsonl", START + PATH, 10)
    write(bench, "another-3.jsonl", START + PATH, 0)
    logs, rows = listed(bench)
    assert [row.partition("  ")[2] for row in rows] == [
        f"no end  2  $0.20  {name}-2.jsonl",
        f"error [GATE_INTERPRETATION_ERROR]  3  $0.20  {name}-1.jsonl",
    ]
    assert "logs" in logs.page.summary.text()
    logs.page.table.activated.emit(logs.page.rows.index(1, 0))
    read(bench)
    assert isinstance(bench.window.runs.shown, LogControl)
    assert bench.title == "The run has failed"
    assert bench.panel.pages.currentWidget() is bench.panel.traces
