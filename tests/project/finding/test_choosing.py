"""Which agent is meant, and why none can be: each refusal names the file, the line and what is to be done."""

from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.choosing import NotChosen, choose_agent

SOUND = '{"agentId": "a", "version": "1.0.0", "steps": {"initial.a": {"stepId": "initial.a", "c2": "initial"}}}'


def refused(path: Path) -> str:
    found = choose_agent(path)
    assert isinstance(found, NotChosen)
    return found.message


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "syntax error"),
        ("\n\n", 3, "syntax error"),
        ("null", 1, "an object of steps"),
        ("[]", 1, "an object of steps"),
        ('{"agentId": "a"}', 1, "an object of steps"),
        ('{\n  "agentId": "a",\n  "steps": null\n}', 3, "an object of steps"),
        ('{\n  "steps": [{"stepId": "initial.a"}]\n}', 2, "an object of steps"),
    ],
)
def test_a_registry_that_is_none_is_reported_with_its_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    path = tmp_path / "steps_registry.json"
    path.write_text(text, "utf-8")
    for named in (tmp_path, path):
        message = refused(named)
        assert message.startswith(f"{path}:{line}: ")
        assert why in message


def test_other_files_are_no_registry(tmp_path: Path) -> None:
    path = tmp_path / "package.json"
    path.write_text('{"name": "a"}', "utf-8")
    assert refused(path).startswith(f"{path}: no registry found here")
    assert "no such file" in refused(tmp_path / "gone")


def test_a_link_that_has_no_target_is_reported(tmp_path: Path) -> None:
    link = tmp_path / "steps_registry.json"
    link.symlink_to(link.name)
    assert refused(tmp_path).startswith(f"{link}: can't be read")


def test_a_folder_a_file_and_a_name_are_found(tmp_path: Path) -> None:
    path = tmp_path / ".agent" / "a" / "steps_registry.json"
    path.parent.mkdir(parents=True)
    path.write_text(SOUND, "utf-8")
    for found in (choose_agent(path), choose_agent(path.parent), choose_agent("a", tmp_path)):
        assert isinstance(found, AgentFolder)
        assert found.registry.path == path
