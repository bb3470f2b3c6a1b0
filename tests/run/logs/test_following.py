"""The newest log is followed: whole lines that were added, through truncation, rotation and newer files."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stepflow_gui.run.logs import following, opening
from stepflow_gui.run.logs.climpt_log import ClimptLogReader
from stepflow_gui.run.logs.following import LogFollower
from tests.run.logs.test_log_files import agent_in, log
from tests.run.logs.test_log_runs import END, START, TWO, turn

MORE = turn("b", 3, "next", "c")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The time, which passes when a test says so."""
    now = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(following, "time", SimpleNamespace(monotonic=lambda: now.seconds))
    return now


def add(file: Path, text: str) -> None:
    with file.open("a", encoding="utf-8") as opened:
        opened.write(text)


def turns(found: following.Followed) -> int | None:
    return None if found.run is None else len(found.run.turns)


def test_only_what_was_added_is_read(tmp_path: Path, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = agent_in(tmp_path)
    follower = LogFollower(agent)
    assert follower.look() == (None, None, 0.0, "")
    file = log(tmp_path / "logs", "demo-1.jsonl", START, TWO)
    clock.seconds = 2
    found = follower.look()
    assert (found.path, turns(found)) == (file, 2)
    assert follower.look().run is None
    seen: list[int] = []
    take = ClimptLogReader.take

    def counted(reader: Any, line: Any) -> None:
        seen.append(line.number)
        take(reader, line)

    monkeypatch.setattr(ClimptLogReader, "take", counted)
    add(file, MORE[:-5])  # its last line is cut
    assert turns(follower.look()) == 3
    assert follower.look().run is None
    add(file, MORE[-5:] + END)
    found = follower.look()
    assert found.run is not None
    assert found.run.end.kind == "finished"
    assert seen == [8, 9, 10, 11]


def test_silence_is_counted_from_the_last_line(tmp_path: Path, clock: SimpleNamespace) -> None:
    agent = agent_in(tmp_path)
    file = log(tmp_path / "logs", "demo-1.jsonl", START, TWO)
    follower = LogFollower(agent)
    assert follower.look().silent == 0
    clock.seconds = 95
    assert follower.look().silent == 95
    add(file, MORE)
    assert follower.look().silent == 0


def test_truncated_rewritten_and_rotated_files_are_read_again(tmp_path: Path, clock: SimpleNamespace) -> None:
    agent = agent_in(tmp_path)
    file = log(tmp_path / "logs", "demo-1.jsonl", START, TWO, MORE)
    follower = LogFollower(agent)
    assert turns(follower.look()) == 3
    file.write_text(START + MORE, "utf-8")
    assert turns(follower.look()) == 1
    file.write_text(" " + START + TWO + MORE, "utf-8")  # longer, and another text
    assert turns(follower.look()) == 3
    file.unlink()
    assert follower.look().run is None
    log(tmp_path / "logs", "demo-1.jsonl", START, TWO)
    assert turns(follower.look()) == 2
    clock.seconds = 5
    newer = log(tmp_path / "logs", "demo-2.jsonl", START)
    os.utime(newer, (2_000_000_000, 2_000_000_000))
    assert turns(follower.look()) == 0
    add(newer, TWO)
    assert turns(follower.look()) == 2


def test_a_file_that_isnt_a_log_is_said(
    tmp_path: Path, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    del clock
    monkeypatch.setattr(opening, "_FIRST", 3)
    log(tmp_path / "logs", "demo-1.jsonl", '{"a": 1}\n' * 9)
    assert "demo-1.jsonl" in LogFollower(agent_in(tmp_path)).look().problem
