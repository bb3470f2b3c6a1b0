"""Saves that were cut off between two files: completed, or undone, and never over what another program wrote."""

import json
import os
from pathlib import Path

import pytest

from stepflow_gui.text.files import staging, temporary
from stepflow_gui.text.files.save_journal import SaveJournal, SettledSave
from stepflow_gui.text.files.staging import Staged
from stepflow_gui.text.files.store import ChangedOnDisk, save
from stepflow_gui.text.source import Source

NAMES = ("0.json", "1.json", "new.json")


class Cut:
    """A save of two files that are there and one that isn't, cut off after some of them."""

    def __init__(self, folder: Path, done: int) -> None:
        self.journal = SaveJournal(folder / "saves")
        self.files = [folder / "project" / name for name in NAMES]
        self.files[0].parent.mkdir()
        for file in self.files[:2]:
            file.write_text("old")
        self.staged = [Staged(file, b"new") for file in self.files]
        for each in self.staged:
            each.keep_old()
        entry = self.journal.begin(self.staged)
        assert entry is not None
        assert self.journal.settle() == []  # it is in progress
        for each in self.staged[:done]:
            each.commit()
        entry._file.close()  # as when it is killed
        for each in self.staged:
            each._held.close()
            for path in (each.beside, each.backup):
                if path is not None:
                    temporary.end(path)

    def texts(self) -> list[str | None]:
        """What the files hold, and that nothing is left beside them."""
        assert list(self.journal.folder.iterdir()) == []
        assert {path.name for path in self.files[0].parent.iterdir()} <= {*NAMES}
        return [file.read_text() if file.exists() else None for file in self.files]


@pytest.fixture(params=[1, 2])
def cut(tmp_path: Path, request: pytest.FixtureRequest) -> Cut:
    return Cut(tmp_path, request.param)


def test_the_rest_is_put_in_its_place(cut: Cut) -> None:
    assert cut.journal.settle() == [SettledSave("completed", tuple(cut.files))]
    assert cut.texts() == ["new", "new", "new"]
    assert cut.journal.settle() == []


def test_where_the_rest_is_lost_the_old_files_come_back(cut: Cut) -> None:
    cut.staged[2].beside.write_text("ne")
    assert cut.journal.settle() == [SettledSave("undone", tuple(cut.files))]
    assert cut.texts() == ["old", "old", None]


def test_what_another_program_wrote_since_is_left_alone(cut: Cut) -> None:
    cut.files[2].write_text("theirs")
    before = [file.read_text() for file in cut.files]
    assert cut.journal.settle() == [SettledSave("kept", tuple(cut.files))]
    assert cut.texts() == before


@pytest.mark.parametrize("done", [0, 3])
def test_a_save_that_had_not_begun_or_was_done_is_nothing_to_speak_of(tmp_path: Path, done: int) -> None:
    cut = Cut(tmp_path, done)
    assert cut.journal.settle() == []
    assert cut.texts() == (["new"] * 3 if done else ["old", "old", None])


def entry(**changes: object) -> bytes:
    """An entry of a removal, with changes."""
    file = {"file": "/none", "beside": None, "backup": None, "new": None, "old": "0", **changes}
    return json.dumps({"version": 1, "files": [file, {**file, "file": "/none either"}]}).encode()


@pytest.mark.parametrize(
    "damage",
    [
        *(
            b"",
            b"{",
            b"[" * 100_000,
            b'{"version": 1}',
            b'{"version": 9}',
            b'{"version": 1, "files": 1}',
            b"\xff",
            None,
        ),
        *(entry(file="/a\0b"), entry(backup="/a\0b"), entry(beside="/a\0b"), entry(file="relative"), entry(file=1)),
        *(entry(file=None), entry(file="/" + "a" * 5_000), entry(file="/\ud800"), entry(backup=["/a"]), entry(old=1)),
    ],
)
def test_a_damaged_entry_hides_no_other(tmp_path: Path, damage: bytes | None) -> None:
    cut = Cut(tmp_path, 1)
    odd = cut.journal.folder / "0.json"
    if damage is None:
        os.mkfifo(odd)
    else:
        odd.write_bytes(damage)
    assert [done.outcome for done in cut.journal.settle()] == ["completed"]
    odd.unlink(missing_ok=damage is not None)
    assert cut.texts() == ["new"] * 3


def test_an_entry_removes_nothing_but_temporary_files(tmp_path: Path) -> None:
    cut = Cut(tmp_path, 1)
    (kept := tmp_path / "kept").write_text("theirs")
    (cut.journal.folder / "0.json").write_bytes(entry(backup=str(kept)))
    cut.journal.settle()
    assert kept.read_text() == "theirs"
    assert cut.texts() == ["new"] * 3


def test_a_journal_that_cant_be_written_stops_no_save(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = SaveJournal(tmp_path / "file" / "saves")
    assert journal.begin([]) is None
    assert journal.settle() == []


def test_a_file_that_another_program_writes_while_ours_is_flushed_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_text("base")
    commit = staging.Staged.commit

    def meanwhile(staged: Staged) -> None:
        path.write_text("theirs")
        commit(staged)

    monkeypatch.setattr(staging.Staged, "commit", meanwhile)
    assert save(path, Source("ours"), Source("base")) == ChangedOnDisk(path, removed=False)
    assert path.read_text() == "theirs"

    def gone(staged: Staged) -> None:
        path.unlink()
        commit(staged)

    monkeypatch.setattr(staging.Staged, "commit", gone)
    assert save(path, Source("ours"), Source("theirs")) == ChangedOnDisk(path, removed=True)
    assert list(tmp_path.iterdir()) == []
