"""Reading and saving files."""

import os
import time
from pathlib import Path

import pytest

from stepflow_gui.text.files import staging
from stepflow_gui.text.files.new_file import create
from stepflow_gui.text.files.output import write_output
from stepflow_gui.text.files.store import MOST_BYTES, ChangedOnDisk, ReadProblem, Saved, SaveFailed, read, save
from stepflow_gui.text.source import Source
from tests.full_disk import REASON, full_disk


def _source(path: Path) -> Source:
    source = read(path)
    assert isinstance(source, Source)
    return source


def test_saving_what_was_read_gives_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes('\ufeff{\r\n "é😀": 1}\r'.encode())
    before = path.read_bytes()
    source = _source(path)
    assert save(path, source, source) == Saved(path)
    assert path.read_bytes() == before


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    source = _source(path)
    path.write_text('{"theirs": 1}')
    assert save(path, source.with_text('{"mine": 1}'), source) == ChangedOnDisk(path, removed=False)
    assert path.read_text() == '{"theirs": 1}'
    path.unlink()
    assert save(path, source, source) == ChangedOnDisk(path, removed=True)
    assert not path.exists()
    assert save(path, source, None) == Saved(path)


def test_what_took_the_files_place_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    source = _source(path)
    path.write_bytes(b"\xff")
    assert save(path, source, source) == ChangedOnDisk(path, removed=False)
    path.unlink()
    path.mkdir()
    assert save(path, source, source) == SaveFailed(path, "it is a folder")


def test_links_are_followed_and_permissions_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("{}")
    real.chmod(0o640)
    link.symlink_to(real)
    source = _source(link)
    assert save(link, source.with_text("[]"), source) == Saved(link)
    assert link.is_symlink()
    assert real.read_text() == "[]"
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(child.name for child in tmp_path.iterdir()) == ["link.json", "real.json"]


@pytest.mark.parametrize("stage", ["fsync", "replace", "write"])
def test_a_failure_at_any_stage_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    source = _source(path)

    def fail(*_arguments: object, **_named: object) -> None:
        raise OSError(28, "No space left on device")

    if stage == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    elif stage == "replace":
        monkeypatch.setattr(staging, "swap", fail)
    else:
        monkeypatch.setattr(staging, "_take_on", fail)
    assert save(path, source.with_text("[1]"), source) == SaveFailed(path, "No space left on device")
    assert path.read_text() == "{}"
    assert [child.name for child in tmp_path.iterdir()] == ["a.json"]


def test_a_disk_that_is_full_keeps_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    source = _source(path)
    with full_disk():
        assert save(path, source.with_text("[1]"), source) == SaveFailed(path, REASON)
        assert save(path, source.with_text("[1]" * 100_000), source) == SaveFailed(path, REASON)
        assert create(tmp_path / "b.json", source) == SaveFailed(tmp_path / "b.json", REASON)
        assert write_output(tmp_path / "c.json", b"[]") == SaveFailed(tmp_path / "c.json", REASON)
    assert path.read_text() == "{}"
    assert [child.name for child in tmp_path.iterdir()] == ["a.json"]


def test_a_text_that_is_no_unicode_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    result = save(path, Source('"\ud800"'), None)
    assert isinstance(result, SaveFailed)
    assert "U+D800" in result.reason
    assert path.read_text() == "{}"


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    assert read(pipe) == ReadProblem("unreadable", pipe, "not a regular file")
    assert read(tmp_path) == ReadProblem("folder", tmp_path)
    assert read(tmp_path / "none") == ReadProblem("missing", tmp_path / "none")
    unnamable = read(tmp_path / "a\0b")
    assert isinstance(unnamable, ReadProblem)
    assert unnamable.kind == "unreadable"
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')
    assert read(tmp_path / "latin.json") == ReadProblem("not-utf8", tmp_path / "latin.json", "7")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_is_no_file_keeps_its_place(tmp_path: Path) -> None:
    """A device that a file takes the place of is gone for the whole system."""
    pipe, link, folder = tmp_path / "pipe", tmp_path / "link", tmp_path / "folder"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    folder.mkdir()
    assert save(pipe, Source("{}"), None) == SaveFailed(pipe, "not a regular file")
    assert save(link, Source("{}"), None) == SaveFailed(link, "not a regular file")
    assert save(folder, Source("{}"), None) == SaveFailed(folder, "Is a directory")
    assert pipe.is_fifo()
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "link", "folder"}


@pytest.mark.usefixtures("permissions_bind")
def test_a_read_only_file_or_folder_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    path.chmod(0o400)
    assert isinstance(save(path, Source("[]"), None), SaveFailed)
    path.chmod(0o600)
    tmp_path.chmod(0o500)
    assert isinstance(save(path, Source("[]"), None), SaveFailed)
    tmp_path.chmod(0o700)
    assert path.read_text() == "{}"


@pytest.mark.parametrize("name", ["設" * 83 + ".json", "a" * 250 + ".json"])
def test_the_longest_names_are_saved(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text("{}")
    assert isinstance(save(file, Source("[]"), Source("{}")), Saved)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_file_beyond_measure_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)  # takes no room on the disk
    began = time.process_time()
    assert read(path) == ReadProblem("unreadable", path, "it has 64 MB; files over 64 MB aren't read")
    assert time.process_time() - began < 0.5
