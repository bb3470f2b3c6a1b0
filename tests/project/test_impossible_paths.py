"""Paths that no file can have, named by files and by people, are those of files that don't exist."""

import re
from pathlib import Path

import pytest

from stepflow_gui.cli.main import COMMANDS
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.files.presence import exists, is_file, is_folder
from stepflow_gui.text.files.store import ReadProblem

LONG = "a" * 300
FAR = "/".join(["a" * 200] * 30)


def linted(path: Path) -> list[Diagnostic]:
    found = lint_as_configured(path)
    assert not isinstance(found, ReadProblem)
    return found


@pytest.mark.parametrize("name", [LONG, FAR, "a\0b", "\ud800"])
def test_nothing_is_there(name: str, tmp_path: Path) -> None:
    for asked in (exists, is_file, is_folder):
        assert asked(tmp_path / name) is False
        assert asked(tmp_path / name / "b") is False


def test_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    assert (exists(tmp_path / "x"), is_file(tmp_path / "x"), is_folder(tmp_path / "x")) == (True, True, False)
    assert (exists(tmp_path), is_file(tmp_path), is_folder(tmp_path)) == (True, False, True)


def test_a_folder_that_may_not_be_looked_into(tmp_path: Path, permissions_bind: None) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed").chmod(0)
    assert exists(tmp_path / "closed" / "a") is False
    (tmp_path / "closed").chmod(0o700)


def test_a_piece_that_names_them(tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "x.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(
        f"name: x\npersonas:\n  one: ../{LONG}.md\nmax_iterations: 3\ninitial_movement: a\n"
        f"movements:\n  - name: a\n    persona: ../{FAR}.md\n    instruction_template: ../b/{LONG}.md\n"
        "    rules:\n      - condition: done\n        next: COMPLETE\n",
        "utf-8",
    )
    assert {"T014"} <= {each.code for each in linted(piece)}


@pytest.mark.parametrize("name", [LONG, FAR])
def test_an_agent_and_settings_that_name_them(name: str, tmp_path: Path) -> None:
    registry = copy_example(into=tmp_path)
    home = registry if registry.is_dir() else registry.parent
    agent = next(home.rglob("agent.json"))
    text = agent.read_text("utf-8")
    for field in ("prompts/system.md", "schemas", ".agent/"):
        agent.write_text(text.replace(field, f"{name}/{field}"), "utf-8")
        assert linted(agent)
    agent.write_text(text, "utf-8")
    root = agent.parents[2]
    (root / "stepflow.toml").write_text(f'baseline = "{name}.json"\n[[per-path]]\npaths = ["{name}/x"]\nselect = []\n')
    assert [each.code for each in linted(agent)] != []
    (root / "stepflow.toml").write_text('baseline = "b.json"\n')
    finding = f'{{"file": "{name}", "code": "SF101"}}'
    (root / "b.json").write_text(f'{{"version": 1, "findings": [{finding}]}}')
    linted(agent)


def test_an_export_of_an_agent_that_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    registry = next(copy_example(into=tmp_path).rglob("steps_registry.json"))
    text = registry.read_text("utf-8")
    registry.write_text(text.replace('"f_{edition}.md"', '"a\\u0000b"').replace("/f_{edition}", "/\\u0000"), "utf-8")
    assert COMMANDS["export"].run([str(registry), "--output", str(tmp_path / "x.svg")]) == 0
    assert (tmp_path / "x.svg").is_file()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["lint", "run", "test", "export", "convert", "diff"])
def test_a_person_who_names_them(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = {"export": ["--output", "x.svg"], "convert": ["--to", "c3l"], "diff": [LONG]}.get(command, [])
    assert COMMANDS[command].run([LONG, *more]) == 2
    assert LONG[:100] in capsys.readouterr().err


def test_rules_and_formats_ask_for_presence(checkout: Path) -> None:
    """By the functions that never raise: what they ask about is named by files."""
    asking = re.compile(r"\.(is_file|is_dir|exists)\(\)")
    package = checkout / "stepflow_gui"
    files = [file for room in ("lint", "formats") for file in (package / room).rglob("*.py")]
    assert [file.name for file in files if asking.search(file.read_text("utf-8"))] == []
