"""No subcommand writes through a link out of the project, and each reports so."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import ALIASES, Run, Write

WHY = "it lies outside the project, through a link"
UNREAD = "not read, because the link “"  # and so isn't even read
PIECE = """\
piece_name: demo
initial_movement: plan
movements:
  - name: plan
    rules:
      - condition: done
        next: COMPLETE
"""


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture
def project(write_agent: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "stepflow.toml").write_text("", "utf-8")
    write_agent("project/a", ALIASES)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def snapshot(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def moved_out(path: Path, outside: Path) -> Path:
    """Move a file or folder out of the project, and leave a link to it."""
    shutil.move(path, outside / path.name)
    path.symlink_to(outside / path.name)
    return outside / path.name


@pytest.mark.parametrize("option", ["--fix", "--unsafe-fixes"])
@pytest.mark.parametrize("linked", ["a", "a/steps_registry.json"])
def test_fixes_of_files_outside_are_refused(run: Run, project: Path, outside: Path, option: str, linked: str) -> None:
    moved_out(project / linked, outside)
    before = snapshot(outside)
    code, _out, err = run("lint", "--fix", option, "a/steps_registry.json")
    assert code == 2
    assert UNREAD in err
    assert "a/steps_registry.json" in err
    assert snapshot(outside) == before


def test_a_project_that_is_reached_by_a_link_is_fixed(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(project)
    monkeypatch.chdir(tmp_path / "link")
    before = snapshot(project)
    _code, _out, err = run("lint", "--fix", "a")
    assert WHY not in err
    assert snapshot(project) != before


def test_an_agent_outside_is_not_converted(run: Run, project: Path, outside: Path) -> None:
    moved_out(project / "a" / "steps_registry.json", outside)
    before = snapshot(outside)
    code, _out, err = run("convert", "a", "--to", "c3l", "--write")
    assert (code, UNREAD in err) == (2, True)
    assert snapshot(outside) == before


@pytest.mark.parametrize("output", ["in place", "--output"])
def test_a_piece_outside_is_not_converted(run: Run, project: Path, outside: Path, output: str) -> None:
    (outside / "piece.yaml").write_text(PIECE, "utf-8")
    (project / "out.yaml").symlink_to(outside / "out.yaml")
    (project / "piece.yaml").symlink_to(outside / "piece.yaml")
    before = snapshot(outside)
    end = ["--write"] if output == "in place" else ["--output", "out.yaml"]
    code, _out, err = run("convert", "piece.yaml", "--to", "workflow", *end)
    assert (code, UNREAD in err) == (2, True)
    assert snapshot(outside) == before


@pytest.mark.parametrize(
    "words",
    [
        ("export", "a", "--output", "out/a.svg", "--force"),
        ("convert", "a", "--to", "c3l", "--output", "out/new"),
        ("lint", "a", "--output", "out/report.txt"),
        ("lint", "a", "--write-baseline", "out/known.json"),
        ("run", "a", "--explore", "--write-scripts", "out/scripts"),
        ("run", "a", "--random", "1", "--trace", "out/trace.jsonl"),
        ("new", "minimal", "out/new-agent"),
    ],
)
def test_what_is_asked_for_is_not_written_outside(
    run: Run, project: Path, outside: Path, words: tuple[str, ...]
) -> None:
    (project / "out").symlink_to(outside)
    code, out, err = run(*words)
    assert code != 0
    assert WHY in err or "is a link" in err, (out, err)
    assert snapshot(outside) == {}
    assert list(outside.iterdir()) == []


def test_a_file_that_is_named_outside_is_written(run: Run, project: Path, outside: Path) -> None:
    assert run("export", "a", "--output", outside / "a.svg").code == 0
    assert [path.name for path in outside.iterdir()] == ["a.svg"]


def test_a_save_that_was_cut_off_is_completed_at_the_next_start(
    run: Run, spawn: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    die = (
        "import os, signal; from stepflow_gui.cli.main import main\n"
        "from stepflow_gui.text.files.staging import Staged\n"
        "commit, left = Staged.commit, [1]\n"
        "def dying(staged):\n"
        "    if not left: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    left.pop(); commit(staged)\n"
        "Staged.commit = dying; main(['lint', '--fix', 'a'])"
    )
    clean = tmp_path / "clean"
    shutil.copytree(project, clean)
    monkeypatch.chdir(clean)
    run("lint", "--fix", "a")
    assert spawn(code=die, cwd=project).code < 0
    assert snapshot(project).keys() != snapshot(clean).keys()
    monkeypatch.chdir(project)
    code, out, err = run("rules", "--format", "json")
    assert code == 0
    assert json.loads(out)
    assert "A save that was interrupted has been completed" in err
    assert {path.relative_to(project): data for path, data in snapshot(project).items()} == {
        path.relative_to(clean): data for path, data in snapshot(clean).items()
    }
    assert run("rules", "--format", "json").err == ""
