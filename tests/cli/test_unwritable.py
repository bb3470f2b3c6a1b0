"""Nothing can be written: every command names the file and the reason, and leaves all as it was."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stepflow_gui.lint.examples.piece import PIECE
from tests.cli.conftest import ALIASES, Run, Write
from tests.full_disk import REASON, full_disk
from tests.permissions import permissions_that_bind

OVER = [  # commands that write over what is there, with the file that each names
    (("lint", "--fix", "agent"), "issue.schema.json"),
    (("lint", "--unsafe-fixes", "--fix-only", "agent"), "issue.schema.json"),
    (("convert", "agent", "--to", "c3l", "--write"), "steps_registry.json"),
    (("convert", ".takt/pieces/p.yaml", "--write"), "p.yaml"),
    (("export", "agent", "-o", "old.mmd", "--force"), "old.mmd"),
]
BESIDE = [
    (("lint", "agent", "--write-baseline", "new.json"), "new.json"),
    (("convert", "agent", "--to", "c3l", "--output", "other"), "other"),
    (("convert", ".takt/pieces/p.yaml", "--output", "new.yaml"), "new.yaml"),
    (("new", "issue-flow", "zed"), "zed"),
    (("export", "agent", "-o", "new.mmd"), "new.mmd"),
    (("export", "agent", "-o", "new.svg"), "new.svg"),
    (("export", "agent", "-o", "new.json"), "new.json"),
]


@pytest.fixture
def project(tmp_path: Path, write_agent: Write, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    shutil.move(write_agent("agent", ALIASES), folder / "agent")
    piece = folder / ".takt" / "pieces" / "p.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(PIECE, "utf-8")
    assert run("export", "agent", "-o", "old.mmd").code == 0
    return folder


def held(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() if file.is_file() else b"" for file in sorted(folder.rglob("*"))}


@contextmanager
def read_only(project: Path, *, folders: bool) -> Iterator[None]:
    """Its folders, so nothing can be put there, or its files, so that none can be written over."""
    closed = [each for each in (project, *project.rglob("*")) if each.is_dir() == folders]
    modes = {each: each.stat().st_mode for each in closed}
    with permissions_that_bind(project.parent):
        for each, mode in modes.items():
            each.chmod(mode & 0o555)
        try:
            yield
        finally:
            for each, mode in modes.items():
                each.chmod(mode)


def refused(run: Run, arguments: tuple[str, ...], named: str, reason: str) -> None:
    code, _out, err = run(*arguments)
    assert code == 2
    (line,) = [each for each in err.splitlines() if "can't be written" in each]
    assert named in line
    assert reason in line
    assert "Traceback" not in err


@pytest.mark.parametrize(("arguments", "named"), [*OVER, *BESIDE])
def test_on_a_full_disk(arguments: tuple[str, ...], named: str, project: Path, run: Run) -> None:
    before = held(project)
    with full_disk():
        refused(run, arguments, named, REASON)
    assert held(project) == before


@pytest.mark.parametrize(("arguments", "named"), [*OVER, *BESIDE])
def test_in_folders_that_are_read_only(arguments: tuple[str, ...], named: str, project: Path, run: Run) -> None:
    before = held(project)
    with read_only(project, folders=True):
        refused(run, arguments, named, "Permission denied")
    assert held(project) == before


@pytest.mark.parametrize(("arguments", "named"), OVER)
def test_over_files_that_are_read_only(arguments: tuple[str, ...], named: str, project: Path, run: Run) -> None:
    before = held(project)
    with read_only(project, folders=False):
        refused(run, arguments, named, "Permission denied")
    assert held(project) == before


def test_a_trace_that_cant_be_written_names_its_file_and_the_run_goes_on(project: Path, run: Run) -> None:
    script = project / "answers.jsonl"
    script.write_text('{"intent": "repeat"}\n', "utf-8")
    plain = run("run", "agent", "--script", script)
    with full_disk():
        code, out, err = run("run", "agent", "--script", script, "--trace", "t.jsonl")
    assert (code, out) == (plain.code, plain.out)
    assert f"t.jsonl: the rest of the trace can't be written ({REASON})" in err
