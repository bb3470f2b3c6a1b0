"""New files appear all or not at all, and write over nothing."""

import os
from pathlib import Path

import pytest

from stepflow_gui.text.files import new_files
from stepflow_gui.text.files.new_files import FilesCreated, FilesNotCreated, make_files
from tests.permissions import permissions_that_bind


def below(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_files_and_folders_are_made_in_new_and_old_folders(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    wanted = {tmp_path / "old" / "a.txt": b"a", tmp_path / "new" / "deep" / "b.txt": b"b", tmp_path / "new" / "c": b"c"}
    assert make_files(wanted) == FilesCreated(tuple(wanted))
    assert below(tmp_path) == {"old/a.txt": "a", "new/deep/b.txt": "b", "new/c": "c"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "old"]


@pytest.mark.parametrize("there", ["a.txt", "z.txt"])
def test_nothing_is_written_over_and_then_nothing_is_made(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    result = make_files({tmp_path / "a.txt": b"a", tmp_path / "new" / "b.txt": b"b", tmp_path / "z.txt": b"z"})
    assert result == FilesNotCreated(tmp_path / there, os.strerror(17))
    assert below(tmp_path) == {there: "mine"}
    assert [path.name for path in tmp_path.iterdir()] == [there]


def test_a_file_that_comes_meanwhile_is_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "b.txt"
    place = new_files._place

    def late(beside: Path, piece: Path) -> None:
        if piece == target:
            link = os.link
            monkeypatch.setattr(os, "link", lambda *ends: (target.write_text("theirs"), link(*ends)))
        place(beside, piece)

    monkeypatch.setattr(new_files, "_place", late)
    result = make_files({tmp_path / "new" / "a.txt": b"a", target: b"b"})
    assert isinstance(result, FilesNotCreated)
    assert result.path == target
    assert below(tmp_path) == {"b.txt": "theirs"}


def test_without_links_the_file_is_renamed_into_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_ends: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    assert isinstance(make_files({tmp_path / "a.txt": b"a"}), FilesCreated)
    assert below(tmp_path) == {"a.txt": "a"}


def test_a_folder_that_may_not_be_written_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    with permissions_that_bind(tmp_path):
        locked.chmod(0o500)
        try:
            result = make_files({tmp_path / "new" / "a.txt": b"a", locked / "b.txt": b"b"})
        finally:
            locked.chmod(0o700)
    assert isinstance(result, FilesNotCreated)
    assert result.path == locked / "b.txt"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["locked"]


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = make_files({tmp_path / "file" / "a.txt": b"a"})
    assert isinstance(result, FilesNotCreated)
    assert below(tmp_path) == {"file": ""}
