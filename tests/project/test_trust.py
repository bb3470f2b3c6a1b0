"""Trust in folders: given, taken back, lost by moving."""

import json
from pathlib import Path

import pytest

from stepflow_gui.project.trust import Trust, TrustProblem


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    return Trust(tmp_path / "config" / "trust.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "project"
    (found / "below").mkdir(parents=True)
    return found


def test_nothing_is_trusted_at_first(trust: Trust, folder: Path) -> None:
    assert not trust.trusts(folder)
    assert trust.folders() == []


def test_a_folder_and_what_is_below_it_are_trusted_until_taken_back(trust: Trust, folder: Path) -> None:
    assert trust.add(folder) is None
    assert trust.trusts(folder)
    assert trust.trusts(folder / "below")
    assert not trust.trusts(folder.parent)
    assert trust.add(folder) is None  # twice is once
    known = trust.folders()
    assert isinstance(known, list)
    assert [each.path for each in known] == [folder.resolve()]
    assert trust.remove(folder / "below") is None
    assert not trust.trusts(folder)


def test_a_moved_folder_is_not_trusted_nor_another_in_its_place(trust: Trust, folder: Path) -> None:
    trust.add(folder)
    moved = folder.rename(folder.parent / "moved")
    assert not trust.trusts(moved)
    assert not trust.trusts(folder)
    folder.mkdir()
    assert not trust.trusts(folder)


def test_links_are_followed(trust: Trust, folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    trust.add(link)
    assert trust.trusts(folder)
    link.unlink()
    other = tmp_path / "other"
    other.mkdir()
    link.symlink_to(other)
    assert not trust.trusts(link)
    (folder / "away").symlink_to(other)
    assert not trust.trusts(folder / "away")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"stepflow-trust": 2, "folders": []}', '{"stepflow-trust": 1}'])
def test_a_broken_file_trusts_nothing_and_is_left_as_it_is(
    trust: Trust, folder: Path, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "config" / "trust.json"
    file.parent.mkdir()
    file.write_text(text)
    assert not trust.trusts(folder)
    problem = trust.add(folder)
    assert isinstance(problem, TrustProblem)
    assert str(file) in problem.message
    assert file.read_text() == text


def test_what_is_no_folder_can_not_be_trusted(trust: Trust, folder: Path) -> None:
    problem = trust.add(folder / "nowhere")
    assert isinstance(problem, TrustProblem)
    assert "nowhere" in problem.message


def test_a_file_that_can_not_be_written_is_told(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    problem = Trust(tmp_path / "file" / "trust.json").add(folder)
    assert isinstance(problem, TrustProblem)


def test_the_file_holds_what_other_programs_can_read(trust: Trust, folder: Path, tmp_path: Path) -> None:
    trust.add(folder)
    content = json.loads((tmp_path / "config" / "trust.json").read_text("utf-8"))
    assert content["stepflow-trust"] == 1
    assert content["folders"] == [{"path": str(folder.resolve()), "number": folder.stat().st_ino}]
