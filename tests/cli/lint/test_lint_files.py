"""Which registries `stepflow lint` takes for the files it is given; unreadable ones among many; the hooks' entries."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.cli.conftest import ALIASES, Ran, Run, Write
from tests.conftest import Git

BROKEN = {"/steps/initial.issue/transitions/next/target": "continuation.isue"}


@pytest.fixture
def broken(write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_agent("a", BROKEN)


def files_with_errors(out: str) -> list[str]:
    return [each["file"] for each in json.loads(out)["diagnostics"] if each["severity"] == "error"]


def test_many_parts_of_a_registry_lint_it_once(run: Run, broken: Path, tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text("", "utf-8")
    parts = sorted(path for path in broken.rglob("*") if path.is_file())
    assert len(parts) > 4
    code, out, err = run("lint", "--format", "json", *parts)
    assert (code, err) == (1, "")
    assert files_with_errors(out) == ["a/steps_registry.json"]


def test_a_schema_of_two_registries_lints_both(run: Run, broken: Path, write_agent: Write, tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text("", "utf-8")
    other = write_agent("b", BROKEN)
    schema = min(other.rglob("*.schema.json"))
    shared = broken / schema.relative_to(other)
    registry = other / "steps_registry.json"
    agent = json.loads((other / "steps_registry.json").read_text("utf-8"))
    agent["schemasBase"] = f"a/{schema.parent.relative_to(other).as_posix()}"
    registry.write_text(json.dumps(agent), "utf-8")
    code, out, _err = run("lint", "--format", "json", "--select", "SF301", shared)
    assert code == 1
    assert files_with_errors(out) == ["a/steps_registry.json", "b/steps_registry.json"]


def test_files_of_no_registry_are_passed_over_on_request(run: Run, broken: Path, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("x", "utf-8")
    (tmp_path / "package.json").write_text("{}", "utf-8")
    (tmp_path / "pyproject.toml").write_text("[project]\n", "utf-8")
    names = ("README.md", "package.json", "pyproject.toml")
    assert run("lint", "--if-owned", *names) == (0, "", "")
    assert run("lint", "README.md").code == 2
    assert run("lint", "--if-owned", "--select", "SF301", *names, min(broken.rglob("*.md"))).code == 1


def test_an_unreadable_file_among_many_is_reported_and_the_others_are_linted(
    run: Run, broken: Path, write_agent: Write, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (write_agent("c") / "steps_registry.json").write_bytes(b"\xff\xfe\x00")
    code, out, err = run("lint", "--format", "json", "a", "gone.json", "pipe.json", "c")
    assert code == 2
    assert set(files_with_errors(out)) == {"a/steps_registry.json", "c/steps_registry.json"}
    assert err.splitlines() == [
        "stepflow lint: gone.json: no such file or folder",
        "stepflow lint: pipe.json: can't be read (neither a file nor a folder)",
    ]


# Hooks


def hooks(checkout: Path) -> list[dict[str, object]]:
    found = YAML(typ="safe").load((checkout / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert isinstance(found, list)
    return found


def test_the_hooks_let_all_parts_through_and_run_once(checkout: Path, broken: Path, tmp_path: Path) -> None:
    parts = [path.relative_to(tmp_path).as_posix() for path in broken.rglob("*") if path.is_file()]
    for hook in hooks(checkout):
        assert hook["require_serial"] is True
        assert "additional_dependencies" not in hook  # the base install, which has no Qt
        pattern = re.compile(str(hook["files"]))
        parts += ["stepflow.toml", "x/.stepflow.toml", "pyproject.toml", ".takt/pieces/a.yaml", ".takt/pieces/a.yml"]
        assert all(pattern.search(name) for name in parts)
        assert not any(pattern.search(name) for name in ("a.py", "my-stepflow.toml", "x.mdx", "setup.toml"))


@pytest.mark.parametrize(("number", "code"), [(0, 1), (1, 1)])
def test_the_entries_run_as_written(
    number: int, code: int, checkout: Path, run: Run, broken: Path, tmp_path: Path
) -> None:
    entry = str(hooks(checkout)[number]["entry"]).split()
    assert entry[0] == "stepflow"
    assert run(*entry[1:], min(broken.rglob("*.md")), min(broken.rglob("*.schema.json"))).code == code


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_a_commit_hands_the_hooks_is_linted_and_fixed(
    checkout: Path, spawn: Run, broken: Path, write_agent: Write, git: Git, tmp_path: Path
) -> None:
    """As pre-commit does it: the staged files, by `files` and `types: [file]`, after the words of the entry."""
    lint, fix = hooks(checkout)

    def ran(hook: dict[str, object]) -> Ran:
        names = git("diff", "--cached", "--name-only", "-z").split("\0")
        pattern = re.compile(str(hook["files"]))
        taken = [name for name in names if pattern.search(name) and not (tmp_path / name).is_symlink()]
        assert taken
        return spawn(*str(hook["entry"]).split()[1:], *taken, cwd=tmp_path)

    (tmp_path / "package.json").write_text("{}", "utf-8")
    (tmp_path / "notes.md").write_text("no prompt of anything\n", "utf-8")
    (tmp_path / "link.json").symlink_to(broken / "steps_registry.json")
    git("init", "-q")
    git("add", "package.json", "notes.md", "link.json")
    assert ran(lint) == (0, "", "")

    registry = write_agent("f", ALIASES) / "steps_registry.json"
    git("add", "f")
    before = registry.read_bytes()
    assert "SF207" in ran(lint).out
    assert registry.read_bytes() == before
    assert ran(fix).code == 0
    assert registry.read_bytes() != before  # for which pre-commit fails
    assert ran(lint).code == 0

    git("add", "a")
    code, out, err = ran(lint)
    assert (code, err) == (1, "")
    assert "a/steps_registry.json" in out
    assert "SF301" in out


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pre-commit") is None, reason="pre-commit isn't installed")
def test_pre_commit_runs_the_hook(checkout: Path, broken: Path, tmp_path: Path) -> None:
    """With the environment of the tests in place of an installation, which would need a network."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    program = bin_folder / "stepflow"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{checkout}" exec "{sys.executable}" -m stepflow_gui "$@"\n', "utf-8")
    program.chmod(0o755)
    hook = {**hooks(checkout)[0], "language": "system"}
    (tmp_path / ".pre-commit-config.yaml").write_text(json.dumps({"repos": [{"repo": "local", "hooks": [hook]}]}))
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
    }
    prompt = min(broken.rglob("*.md")).relative_to(tmp_path)

    def ran(*command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert ran("git", "init", "-q").returncode == 0
    ran("git", "add", str(prompt))
    done = ran("pre-commit", "run", "stepflow-lint")
    assert done.returncode == 1
    assert "SF301" in done.stdout
