"""A new file appears whole or not at all, and never over another."""

import os
from pathlib import Path

import pytest

from stepflow_gui.text.files.new_file import create
from stepflow_gui.text.files.store import ChangedOnDisk, Saved, SaveFailed
from stepflow_gui.text.source import Source


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_file_and_its_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "prompts" / "steps" / "f_default.md"
    assert create(path, Source("# あ\n")) == Saved(path)
    assert path.read_bytes() == "# あ\n".encode()
    assert names(path.parent) == ["f_default.md"]


def test_nothing_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "there.md"
    path.write_text("mine", "utf-8")
    assert create(path, Source("other")) == ChangedOnDisk(path, removed=False)
    assert path.read_text("utf-8") == "mine"
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert isinstance(create(tmp_path / "nowhere", Source("other")), ChangedOnDisk)
    assert names(tmp_path) == ["nowhere", "there.md"]


def test_what_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    for path in (tmp_path / "file" / "below.md", tmp_path / "new" / ("x" * 300)):
        assert isinstance(create(path, Source("a")), SaveFailed)
    assert isinstance(create(tmp_path / "new" / "half", Source("\ud800")), SaveFailed)
    assert names(tmp_path) == ["file"]


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_old: Path, _new: Path) -> None:
        raise OSError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "file.md"
    assert create(path, Source("a")) == Saved(path)
    assert isinstance(create(path, Source("b")), ChangedOnDisk)
    assert (names(tmp_path), path.read_text("utf-8")) == (["file.md"], "a")
