"""The GitHub Action: its steps run in bash with the environment that it declares, whatever the inputs hold."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from ruamel.yaml import YAML

from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import changed

BROKEN = {"/steps/initial.issue/transitions/next/target": "continuation.isue"}
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


class Ended(NamedTuple):
    """The exit code of a step, what it printed, and its outputs."""

    code: int
    out: str
    outputs: dict[str, str]


@pytest.fixture
def action(checkout: Path) -> dict[str, Any]:
    found = YAML(typ="safe").load((checkout / "packaging" / "github-action" / "action.yml").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.fixture
def program(tmp_path: Path, checkout: Path) -> Path:
    """A `stepflow` that runs the checkout."""
    path = tmp_path / "bin" / "stepflow"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{checkout}" exec "{sys.executable}" -m stepflow_gui "$@"\n', "utf-8")
    path.chmod(0o755)
    return path


def write_agent(folder: Path, changes: dict[str, Any] | None = None) -> None:
    for file, text in files_of(changed(changes)).items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, "utf-8")


def lint(action: dict[str, Any], program: Path, folder: Path, **inputs: str) -> Ended:
    """Run the step as a runner does: inputs put into `env`, outputs read from a file."""
    (step,) = (step for step in action["runs"]["steps"] if step["id"] == "lint")
    values = {f"inputs.{name}": given["default"] for name, given in action["inputs"].items()}
    values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
    values["steps.install.outputs.program"] = str(program)
    declared = {name: EXPRESSION.sub(lambda found: values[found[1]], text) for name, text in step["env"].items()}
    outputs = folder.parent / "outputs"
    outputs.write_text("", "utf-8")
    temporary = folder.parent / "runner temp"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, **declared, "GITHUB_OUTPUT": str(outputs), "RUNNER_TEMP": str(temporary)}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = outputs.read_text("utf-8").splitlines()
    return Ended(done.returncode, done.stdout + done.stderr, dict(line.split("=", 1) for line in lines))


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    write_agent(folder / "good")
    write_agent(folder / "bad one", BROKEN)
    return folder


def test_findings_are_annotations_and_fail_the_step(action: dict[str, Any], program: Path, work: Path) -> None:
    ended = lint(action, program, work)
    assert ended.code == 1
    assert "::error file=bad one/steps_registry.json," in ended.out
    assert ended.outputs["exit-code"] == "1"
    assert int(ended.outputs["findings"]) >= 1


def test_clean_files_pass(action: dict[str, Any], program: Path, work: Path) -> None:
    ended = lint(action, program, work, paths="\ngood\n\n")
    assert (ended.code, ended.outputs) == (0, {"exit-code": "0", "findings": "0"})


def test_what_can_not_be_looked_at_is_2(action: dict[str, Any], program: Path, work: Path) -> None:
    ended = lint(action, program, work, paths="good\ngone")
    assert (ended.code, ended.outputs["exit-code"]) == (2, "2")
    assert "gone: no such file or folder" in ended.out


def test_options_and_sarif(action: dict[str, Any], program: Path, work: Path) -> None:
    ended = lint(
        action, program, work, args="--ignore=SF3\n--strict", sarif_file="out file.sarif", paths="good\nbad one"
    )
    assert ended.outputs["exit-code"] == str(ended.code)
    assert "SF301" not in ended.out
    assert '"version": "2.1.0"' in (work / "out file.sarif").read_text("utf-8")


@pytest.mark.parametrize("name", ["paths", "since", "args", "sarif_file"])
@pytest.mark.parametrize(
    "evil", ["$(touch ran)", "`touch ran`", '"; touch ran; "', "'; touch ran; '", "x && touch ran", "* ; touch ran"]
)
def test_no_input_runs_anything(name: str, evil: str, action: dict[str, Any], program: Path, work: Path) -> None:
    lint(action, program, work, **{name: evil})
    assert not list(work.parent.rglob("ran"))


def test_scripts_hold_no_expressions_and_outputs_exist(action: dict[str, Any]) -> None:
    steps = action["runs"]["steps"]
    assert all("${{" not in step["run"] and step["shell"] == "bash" for step in steps)
    written = {found for step in steps for found in re.findall(r"([\w-]+)=%s", step["run"])}
    for given in action["outputs"].values():
        assert EXPRESSION.fullmatch(given["value"])
        assert given["value"].rpartition(".")[2].removesuffix(" }}") in written
    used = {
        found
        for step in steps
        for text in [*step["env"].values(), step.get("working-directory", "")]
        for found in re.findall(r"inputs\.([\w-]+)", text)
    }
    assert used == set(action["inputs"])


def test_the_read_me_names_every_input_and_output(action: dict[str, Any], checkout: Path) -> None:
    text = (checkout / "packaging" / "github-action" / "README.md").read_text("utf-8")
    assert [name for name in [*action["inputs"], *action["outputs"]] if f"| `{name}` |" not in text] == []
