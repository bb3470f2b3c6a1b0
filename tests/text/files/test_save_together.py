"""Saving several files: all or none, and never half a file, whenever the process dies."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stepflow_gui.text.files import staging
from stepflow_gui.text.files.save_journal import SaveJournal, SettledSave
from stepflow_gui.text.files.save_together import PartlySaved, Removal, SavedTogether, Write, save_together
from stepflow_gui.text.files.store import ChangedOnDisk, Saved, SaveFailed, save
from stepflow_gui.text.source import Source
from tests.full_disk import REASON, full_disk

OLD, NEW = "old\n", "new, and longer than that\n"


def writes_in(folder: Path, count: int = 3) -> list[Write]:
    paths = [folder / f"{number}.json" for number in range(count)]
    for path in paths:
        path.write_text(OLD)
    return [Write(path, Source(NEW), Source(OLD)) for path in paths]


def names(folder: Path) -> list[str]:
    return sorted(child.name for child in folder.iterdir())


def texts(folder: Path) -> list[str]:
    return [(folder / name).read_text() for name in names(folder)]


def test_all_are_written_and_nothing_is_left_beside(tmp_path: Path) -> None:
    writes = writes_in(tmp_path)
    added = Write(tmp_path / "added.json", Source(NEW, bom=True), None)
    assert save_together([*writes, added]) == SavedTogether((*(write.path for write in writes), added.path))
    assert names(tmp_path) == ["0.json", "1.json", "2.json", "added.json"]
    assert texts(tmp_path)[:3] == [NEW] * 3
    assert added.path.read_bytes() == b"\xef\xbb\xbf" + NEW.encode()


def test_none_is_written_where_one_changed_meanwhile(tmp_path: Path) -> None:
    writes = writes_in(tmp_path)
    writes[2].path.write_text("theirs")
    assert save_together(writes) == ChangedOnDisk(writes[2].path, removed=False)
    assert texts(tmp_path) == [OLD, OLD, "theirs"]
    writes[2].path.unlink()
    assert save_together(writes) == ChangedOnDisk(writes[2].path, removed=True)
    assert texts(tmp_path) == [OLD, OLD]


def test_none_is_written_on_a_full_disk_and_nothing_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    writes = writes_in(folder)
    with full_disk():
        assert save_together(writes) == SaveFailed(writes[0].path, REASON)
    assert names(folder) == ["0.json", "1.json", "2.json"]
    assert texts(folder) == [OLD] * 3


def test_a_change_during_the_save_is_still_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes = writes_in(tmp_path)
    keep_old = staging.Staged.keep_old

    def meanwhile(staged: staging.Staged) -> None:
        keep_old(staged)
        if staged.target == writes[1].path:
            writes[0].path.write_text("theirs")

    monkeypatch.setattr(staging.Staged, "keep_old", meanwhile)
    assert save_together(writes) == ChangedOnDisk(writes[0].path, removed=False)
    assert texts(tmp_path) == ["theirs", OLD, OLD]


@pytest.fixture
def unswappable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that can't swap two files: they are renamed."""
    monkeypatch.setattr(staging, "swap", lambda _one, _other: False)


def failing_at(number: int, original: Callable[..., object]) -> Callable[..., object]:
    calls = iter(range(1000))

    def call(*arguments: object, **named: object) -> object:
        if next(calls) == number:
            raise OSError(28, "No space left on device")
        return original(*arguments, **named)

    return call


@pytest.mark.usefixtures("unswappable")
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("stage", ["fsync", "replace", "open"])
def test_a_failure_anywhere_leaves_all_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, number: int
) -> None:
    writes = writes_in(tmp_path)
    if stage == "replace":
        monkeypatch.setattr(Path, "replace", failing_at(number, Path.replace))
    elif stage == "fsync":
        monkeypatch.setattr(os, "fsync", failing_at(number, os.fsync))
    else:
        monkeypatch.setattr(staging, "_written", failing_at(number, staging._written))
    result = save_together(writes)
    monkeypatch.undo()
    assert result == SaveFailed(writes[number].path, "No space left on device")
    assert texts(tmp_path) == [OLD] * 3


@pytest.mark.usefixtures("unswappable")
@pytest.mark.parametrize("number", range(1, 3))
def test_old_files_come_back_where_there_are_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    writes = writes_in(tmp_path)
    writes[0].path.chmod(0o640)
    monkeypatch.setattr(os, "link", failing_at(0, failing_at(0, failing_at(0, os.link))))
    monkeypatch.setattr(Path, "replace", failing_at(number, Path.replace))
    assert isinstance(save_together(writes), SaveFailed)
    assert texts(tmp_path) == [OLD] * 3
    assert writes[0].path.stat().st_mode & 0o777 == 0o640


@pytest.mark.usefixtures("unswappable")
def test_a_file_that_was_not_there_goes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes = [Write(tmp_path / "added.json", Source(NEW), None), *writes_in(tmp_path, 1)]
    monkeypatch.setattr(Path, "replace", failing_at(1, Path.replace))
    assert isinstance(save_together(writes), SaveFailed)
    assert names(tmp_path) == ["0.json"]


@pytest.mark.usefixtures("unswappable")
def test_what_could_not_be_put_back_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes = writes_in(tmp_path)

    def stuck(_staged: staging.Staged) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(staging.Staged, "restore", stuck)
    monkeypatch.setattr(Path, "replace", failing_at(2, Path.replace))
    result = save_together(writes)
    assert result == PartlySaved((writes[0].path, writes[1].path), (writes[2].path,), "No space left on device")
    assert texts(tmp_path) == [NEW, NEW, OLD]


def test_two_texts_for_one_file_are_a_mistake(tmp_path: Path) -> None:
    (write,) = writes_in(tmp_path, 1)
    link = tmp_path / "link.json"
    link.symlink_to(write.path)
    with pytest.raises(ValueError, match="one file"):
        save_together([write, write._replace(path=link)])


def test_what_killed_processes_left_is_swept_up_and_what_living_ones_write_is_not(tmp_path: Path) -> None:
    write, other = writes_in(tmp_path, 2)
    left = [".0.json.0123456789ab.tmp", ".0.json.0123456789ab.old.tmp", ".1.json.0123456789ab.tmp"]
    kept = [".0.json.notes.tmp", ".gone.json.0123456789ab.tmp", "0.json", "1.json"]
    for name in (*left, *kept[:2]):
        (tmp_path / name).write_text("half")
    living = staging.Staged(other.path, b"new")
    living.keep_old()
    assert isinstance(save_together([write]), SavedTogether)
    assert living.backup is not None
    assert names(tmp_path) == sorted([living.beside.name, living.backup.name, *kept])
    living.commit()
    assert isinstance(save_together([write._replace(read_as=None)]), SavedTogether)
    assert names(tmp_path) == sorted([living.backup.name, *kept])
    living.discard()
    assert names(tmp_path) == sorted(kept)


@pytest.mark.usefixtures("unswappable")
def test_a_change_between_two_renamings_takes_back_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes = writes_in(tmp_path)
    replace = Path.replace

    def meanwhile(path: Path, target: Path) -> Path:
        if target == writes[0].path:
            writes[1].path.write_text("theirs")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", meanwhile)
    assert save_together(writes) == ChangedOnDisk(writes[1].path, removed=False)
    assert texts(tmp_path) == [OLD, "theirs", OLD]


@pytest.mark.usefixtures("unswappable")
@pytest.mark.parametrize("single", [True, False])
def test_a_change_in_the_very_last_moment_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, single: bool
) -> None:
    writes = writes_in(tmp_path)
    replace = Path.replace

    def meanwhile(path: Path, target: Path) -> Path:
        if target == writes[0].path and "new" in path.read_text():
            writes[0].path.write_text("theirs")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", meanwhile)
    done = save(writes[0].path, Source(NEW), Source(OLD)) if single else save_together(writes)
    assert done == ChangedOnDisk(writes[0].path, removed=False)
    assert texts(tmp_path) == ["theirs", OLD, OLD]


def test_a_link_that_points_outside_is_not_followed(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (write, other) = writes_in(outside, 2)
    (project / "0.json").symlink_to(write.path)
    (project / "folder").symlink_to(outside)
    (tmp_path / "again").symlink_to(project)
    for named in (project / "0.json", project / "folder" / "0.json", tmp_path / "again" / "0.json"):
        reason = "it lies outside the project, through a link"
        assert save_together([Write(named, Source(NEW), Source(OLD), project)]) == SaveFailed(named, reason)
        assert save(named, Source(NEW), Source(OLD), tmp_path / "again") == SaveFailed(named, reason)
    assert texts(outside) == [OLD, OLD]
    assert save(other.path, Source(NEW), Source(OLD), project) == Saved(other.path)  # it was named itself
    (project / "own.json").write_text(OLD)
    (project / "link.json").symlink_to("own.json")
    assert isinstance(save(project / "link.json", Source(NEW), Source(OLD), project), Saved)
    assert (project / "own.json").read_text() == NEW


# Dies before the n-th thing that it does to the file system.
SAVE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from stepflow_gui.text.files.save_journal import SaveJournal
from stepflow_gui.text.files.save_together import Removal, Write, save_together
from stepflow_gui.text.files.temporary import record_in
from stepflow_gui.text.source import Source
from stepflow_gui.text.files.store import save

folder, left, old, new, journal = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], Path(sys.argv[5])
watched = {"open", "os.rename", "os.remove", "os.link", "os.chmod", "os.chown", "os.listdir", "os.scandir"}

def count(event="", _arguments=()):
    global left
    if event in watched:
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

fsync = os.fsync
def counted(handle):
    count("open")
    fsync(handle)
    count("open")

files = sorted(path for path in folder.rglob("*") if path.is_file())
removals = [Removal(file, Source(old), folder, folder) for file in files if "gone" in file.name]
writes = [Write(file, Source(new), Source(old)) for file in files if "gone" not in file.name]
if removals:
    writes.append(Write(folder / "made" / "below" / "new.json", Source(new), None, new=True))
record_in(journal)
os.fsync = counted
sys.addaudithook(count)
if len(files) == 1:
    save(files[0], Source(new), Source(old))
else:
    save_together(writes, SaveJournal(journal), removals)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
@pytest.mark.parametrize("count", [1, 2])
def test_a_process_killed_at_any_stage_leaves_whole_files_and_all_of_them_or_none(tmp_path: Path, count: int) -> None:
    outcomes, journal = [], SaveJournal(tmp_path / "saves")
    settled: list[SettledSave] = []
    for stage in range(200):
        folder = tmp_path / str(stage)
        folder.mkdir()
        paths = [write.path for write in writes_in(folder, count)]
        command = [sys.executable, "-c", SAVE_AND_DIE, str(folder), str(stage), OLD, NEW, str(journal.folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        found = [path.read_text() for path in paths]
        assert all(text in (OLD, NEW) for text in found)
        outcomes.append(found)
        settled += journal.settle()
        assert list(journal.folder.glob("*")) == []
        assert len({path.read_text() for path in paths}) == 1
        assert names(folder) == [path.name for path in paths]
        if done.returncode == 0:
            break
    assert outcomes[0] == [OLD] * count
    assert outcomes[-1] == [NEW] * count
    assert len(outcomes) >= 6
    between = sum(len(set(found)) > 1 for found in outcomes)
    assert (1 <= between <= 2 * count) is (count > 1)
    assert [done.outcome for done in settled] == ["completed"] * between


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_removals_and_new_folders_are_done_or_undone_with_the_rest(tmp_path: Path) -> None:
    journal = SaveJournal(tmp_path / "saves")
    before = {"0.json": OLD, "in": None, "in/gone.json": OLD, "in/here": None, "in/here/gone.json": OLD}
    after = {"0.json": NEW, "made": None, "made/below": None, "made/below/new.json": NEW}
    cut = []
    for stage in range(300):
        folder = tmp_path / str(stage)
        for name, text in before.items():
            if text is not None:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text)
        command = [sys.executable, "-c", SAVE_AND_DIE, str(folder), str(stage), OLD, NEW, str(journal.folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        killed = tree(folder)
        settled = journal.settle()
        assert list(journal.folder.glob("*")) == []
        assert tree(folder) == (after if tree(folder).get("made") is None and "made" in tree(folder) else before)
        cut += [killed] if settled else []
        if done.returncode == 0:
            break
    assert killed == after
    assert [each for each in cut if each in (before, after)] == []
    assert any("in/gone.json" not in each and "in/here/gone.json" in each for each in cut)


def tree(folder: Path) -> dict[str, str | None]:
    paths = sorted(folder.rglob("*"))
    return {path.relative_to(folder).as_posix(): path.read_text() if path.is_file() else None for path in paths}


def removal_in(folder: Path) -> Removal:
    path = folder / "in" / "here" / "gone.json"
    path.parent.mkdir(parents=True)
    path.write_text(OLD)
    return Removal(path, Source(OLD), folder, folder)


def test_a_removal_takes_the_folders_that_it_empties_along(tmp_path: Path) -> None:
    writes, removal = writes_in(tmp_path), removal_in(tmp_path)
    (tmp_path / "in" / "other").write_text("")
    assert isinstance(save_together(writes, None, [removal]), SavedTogether)
    assert names(tmp_path) == ["0.json", "1.json", "2.json", "in"]
    assert names(tmp_path / "in") == ["other"]


def test_a_removal_that_is_refused_leaves_all_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes, removal = writes_in(tmp_path), removal_in(tmp_path)
    before = tree(tmp_path)
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path == removal.path:
            raise PermissionError(13, "Permission denied")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    assert save_together(writes, None, [removal]) == SaveFailed(removal.path, "Permission denied")
    monkeypatch.undo()
    assert tree(tmp_path) == before
    removal.path.write_text("theirs")
    assert save_together(writes, None, [removal]) == ChangedOnDisk(removal.path, removed=False)
    assert removal.path.read_text() == "theirs"
    removal.path.unlink()
    assert save_together(writes, None, [removal]) == ChangedOnDisk(removal.path, removed=True)
    assert [write.path.read_text() for write in writes] == [OLD] * 3


def test_a_removal_that_another_program_writes_to_at_the_last_moment_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes, removal = writes_in(tmp_path), removal_in(tmp_path)
    unlink = Path.unlink

    def meanwhile(path: Path, missing_ok: bool = False) -> None:
        if path == removal.path:
            path.write_text("theirs")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", meanwhile)
    assert save_together(writes, None, [removal]) == ChangedOnDisk(removal.path, removed=False)
    assert removal.path.read_text() == "theirs"
    assert [write.path.read_text() for write in writes] == [OLD] * 3


def test_a_removal_behind_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (outside / "gone.json").write_text(OLD)
    (project / "in").symlink_to(outside)
    removal = Removal(project / "in" / "gone.json", Source(OLD), project, project)
    assert isinstance(save_together([], None, [removal]), SaveFailed)
    assert (outside / "gone.json").read_text() == OLD
