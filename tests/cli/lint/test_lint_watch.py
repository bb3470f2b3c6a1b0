"""`stepflow lint --watch`: lints again after changes, deletions and new agents, and ends with Ctrl-C."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.cli.conftest import Run, Write

BROKEN = {"/steps/initial.issue/transitions/next/target": "continuation.isue"}
UNTIL = "Watching for changes; press Ctrl-C to stop"


class Watcher:
    """A running `stepflow lint --watch`, its output line by line."""

    def __init__(self, folder: Path, checkout: Path, *options: str) -> None:
        command = [sys.executable, "-u", "-m", "stepflow_gui", "lint", "--watch", "--format", "concise", *options]
        environment = {**os.environ, "PYTHONPATH": str(checkout), "STEPFLOW_LANG": "en"}
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.lines: queue.Queue[str] = queue.Queue()
        assert self.process.stdout
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.lines.put(line)

    def report(self, seconds: float = 60) -> str:
        """All output until it waits again."""
        said = ""
        while UNTIL not in said:
            said += self.lines.get(timeout=seconds)
        return said

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=60)
        assert self.process.stdout
        return code


@pytest.fixture
def watcher(tmp_path: Path, checkout: Path, write_agent: Write, ctrl_c: None) -> Iterator[Watcher]:
    write_agent("a", BROKEN)
    found = Watcher(tmp_path, checkout)
    yield found
    found.process.kill()
    found.process.wait()
    assert found.process.stdout
    found.process.stdout.close()


def test_changes_are_linted_and_ctrl_c_ends(watcher: Watcher, write_agent: Write, tmp_path: Path) -> None:
    assert "SF301" in watcher.report()
    write_agent("a")
    assert "SF301" not in watcher.report()
    registry = tmp_path / "a" / "steps_registry.json"
    text = registry.read_bytes()
    registry.unlink()
    (tmp_path / "a" / "agent.json").rename(tmp_path / "agent.away")
    assert "no registry found" in watcher.report()
    (tmp_path / "agent.away").rename(tmp_path / "a" / "agent.json")
    registry.write_bytes(text)
    assert "No problems in 1 file" in watcher.report()
    write_agent("new/b", BROKEN)
    assert "new/b/steps_registry.json" in watcher.report()
    (tmp_path / "stepflow.toml").write_text('ignore = ["SF3"]\n', "utf-8")
    assert "No problems in 2 files" in watcher.report()
    min((tmp_path / "a").rglob("*.schema.json")).unlink()
    assert "SF701" in watcher.report()
    assert watcher.stop() == 130
    assert watcher.lines.empty()


def test_what_does_not_matter_is_not_linted_again(watcher: Watcher, tmp_path: Path) -> None:
    watcher.report()
    (tmp_path / "notes.txt").write_text("x", "utf-8")
    time.sleep(1)
    assert watcher.lines.empty()


@pytest.mark.parametrize("options", [["-"], ["--fix"], ["--diff"], ["--write-baseline", "x"]])
def test_watching_goes_with_reading_alone(options: list[str], run: Run) -> None:
    code, out, err = run("lint", "--watch", *options)
    assert (code, out) == (2, "")
    assert err.startswith("stepflow lint: --watch can't be used with ")
