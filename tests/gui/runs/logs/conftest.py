"""Logs opened in a window."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stepflow_gui.gui.runs.logs.log_control import LogControl
from tests.gui.runs.conftest import Bench


def read(bench: Bench) -> None:
    logs = bench.window.runs._logs
    assert logs is not None
    bench.qtbot.waitUntil(lambda: not logs.reading.is_busy)


@pytest.fixture
def opened(bench: Bench, example: Path, tmp_path: Path) -> Callable[..., LogControl]:
    """Opens a log of these texts on the example."""

    def make(*texts: str, name: str = "run.jsonl") -> LogControl:
        file = tmp_path / name
        file.write_text("".join(texts), "utf-8")
        if bench.window.document is None:
            bench.open(example)
        bench.window.runs.open_log(file)
        read(bench)
        shown = bench.window.runs.shown
        assert isinstance(shown, LogControl), bench.window.desk.notices.text
        return shown

    return make
