"""Names in use are written down while they are, and only what they name is removed after a program was killed."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.text.files import temporary
from stepflow_gui.text.files.locking import hold
from stepflow_gui.text.files.new_files import make_files
from stepflow_gui.text.files.save_journal import SaveJournal
from stepflow_gui.text.files.store import Saved, save
from stepflow_gui.text.source import Source


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(temporary, "_record", temporary._Record())
    folder = tmp_path / "saves"
    temporary.record_in(folder)
    yield folder
    assert temporary._record.names == set()


def test_what_is_in_use_is_written_down_and_nothing_else_is(records: Path, tmp_path: Path) -> None:
    first, second = temporary.beside(tmp_path / "a\n"), temporary.beside(tmp_path / "b")
    (record,) = records.iterdir()
    assert [json.loads(line) for line in record.read_bytes().splitlines()] == [str(first), str(second)]
    first.write_text("half")
    temporary.clear_left(records)
    assert first.exists()  # this program runs
    temporary.end(first)
    assert len(list(records.iterdir())) == 1
    temporary.end(second)
    assert list(records.iterdir()) == []


def test_saves_that_end_leave_no_record(records: Path, tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert save(path, Source("one"), None) == Saved(path)
    assert save(path, Source("two"), Source("one")) == Saved(path)
    make_files({tmp_path / "new" / "a": b"", tmp_path / "new" / "b": b""})
    make_files({tmp_path / "new" / "a": b""})  # which is there
    assert list(records.iterdir()) == []


def test_only_names_of_ours_and_empty_folders_go(records: Path, tmp_path: Path) -> None:
    records.mkdir()
    folder, ours = tmp_path / "project", ".a.json.0123456789ab"
    for name in ("full/file", "theirs.tmp", f"{ours}.tmp", f"{ours}.old.tmp", f".new.{'0' * 12}.tmp/in/file"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    (folder / "empty" / "below").mkdir(parents=True)
    (folder / f".link.{'0' * 12}.tmp").symlink_to(folder / "full")
    names = [str(path) for path in folder.rglob("*")]
    odd = ["relative", f"../.a.{'0' * 12}.tmp", "/nul\0", 1, None, ["x"]]
    lines = [*map(json.dumps, [*names, *odd]), "[" * 100_000, '"cut o']
    (records / "left.names").write_text("\n".join(lines))
    temporary.clear_left(records)
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*")} == {"full", "full/file", "theirs.tmp"}
    assert list(records.iterdir()) == []


def test_odd_records_hinder_no_other(records: Path, tmp_path: Path) -> None:
    records.mkdir()
    left = tmp_path / f".a.{'0' * 12}.tmp"
    left.write_text("half")
    os.mkfifo(records / "0.names")
    (records / "1.names").symlink_to("/dev/zero")
    (records / "2.names").write_text(json.dumps(str(left)))
    temporary.clear_left(records)
    assert not left.exists()


def test_one_of_two_programs_that_start_at_once_settles(records: Path, tmp_path: Path) -> None:
    records.mkdir()
    left = tmp_path / f".a.{'0' * 12}.tmp"
    left.write_text("half")
    (records / "0.names").write_text(json.dumps(str(left)))
    with (tmp_path / "saves.lock").open("wb") as lock:
        assert hold(lock)
        assert SaveJournal(records).settle() == []
        assert left.exists()
    assert SaveJournal(records).settle() == []
    assert not left.exists()
