"""What a new agent needs of the configuration, and what is left alone."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.runtime_setting import Setting, setting_for
from stepflow_gui.project.creating.new_agent import NewAgentPlan, want
from stepflow_gui.project.creating.templates import template_of


def setting(folder: Path, template_id: str = "complete-flow") -> Setting:
    template = template_of(template_id)
    assert template is not None
    wanted = want(template, folder, "mine")
    assert isinstance(wanted, NewAgentPlan)
    return setting_for(wanted)


ADDED = '[[per-path]]\npaths = [".agent/mine/**"]\nruntime = "guide"\n'


def test_a_project_without_one_gets_one(tmp_path: Path) -> None:
    edit = setting(tmp_path).edit
    assert edit is not None
    assert (edit.path, edit.before) == (tmp_path / "stepflow.toml", None)
    assert edit.text.endswith('\nruntime = { complete = "guide" }\n')


@pytest.mark.parametrize("text", ['runtime = "guide"\n', 'runtime = { complete = "guide" }\n'])
def test_one_that_has_it_already_is_left(tmp_path: Path, text: str) -> None:
    (tmp_path / "stepflow.toml").write_text(text)
    assert setting(tmp_path) == Setting()


def test_the_default_of_a_format_needs_no_word(tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text("strict = true\n")
    assert setting(tmp_path, "issue-flow") == Setting()


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("", ADDED),
        ("# a mark", "\n\n" + ADDED),
        ("strict = true\n", "\n" + ADDED),
        ("strict = true\r\n", "\r\n" + ADDED.replace("\n", "\r\n")),
        ('runtime = "climpt-2026-04-20"\n[[per-path]]\npaths = ["a"]\n', "\n" + ADDED),
    ],
)
def test_another_gets_a_table_for_the_agent_alone(tmp_path: Path, text: str, added: str) -> None:
    (tmp_path / "stepflow.toml").write_bytes(text.encode())
    edit = setting(tmp_path).edit
    assert edit is not None
    assert edit.text == text + added


def test_a_pyproject_gets_it_under_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.stepflow]\nstrict = true\n")
    edit = setting(tmp_path).edit
    assert edit is not None
    assert "[[tool.stepflow.per-path]]\n" in edit.text


@pytest.mark.parametrize("text", ["per-path = []\n", "not toml", 'per-path = [{paths = ["a"], runtime = "guide"}]\n'])
def test_one_that_cannot_be_changed_is_left_and_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "stepflow.toml").write_text(text)
    found = setting(tmp_path)
    assert found.edit is None
    assert found.hint is not None
    assert "“guide”" in found.hint


def test_one_above_the_folder_is_left(tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text("strict = true\n")
    found = setting(tmp_path / "part")
    assert found.edit is None
    assert str(tmp_path / "stepflow.toml") in (found.hint or "")
