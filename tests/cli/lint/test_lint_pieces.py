"""`stepflow lint` over TAKT pieces: folders, `--since`, what a commit hands the hooks, and files other than pieces."""

import json
import re
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from stepflow_gui.cli import progress
from stepflow_gui.cli.main import main
from stepflow_gui.lint.examples.piece import PIECE, PIECE_FILES
from stepflow_gui.project.agent_folder import open_agent
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.files.store import ReadProblem
from tests.cli.conftest import Run
from tests.cli.lint.test_lint_jobs import Terminal
from tests.conftest import Git

BROKEN = PIECE.replace("next: implement", "next: implment", 1)


@pytest.fixture
def two(tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a broken piece in each of two projects, all committed; its top is the current folder."""
    for folder in ("a", "b b"):
        for name, text in PIECE_FILES.items():
            path = tmp_path / folder / ".takt" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(BROKEN if text is PIECE else text, "utf-8")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "two pieces")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def linted(run: Run, *arguments: str | Path) -> set[str]:
    code, out, err = run("lint", "--format", "json", *arguments)
    assert (code, err) in {(0, ""), (1, "")}
    return {Path(each["file"]).parts[0] for each in json.loads(out)["diagnostics"]}


def test_a_folder_is_searched_for_pieces(run: Run, two: Path) -> None:
    assert linted(run) == {"a", "b b"}
    assert linted(run, two / "a") == {"a"}
    assert linted(run, two / "a" / ".takt" / "pieces" / "issue-flow.yaml") == {"a"}


def test_progress_is_reported_while_pieces_are_read_and_while_they_are_checked(
    two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(progress, "_AFTER", 0)
    monkeypatch.setattr(progress, "_EVERY", 0)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["lint", "--exit-zero", str(two)]) == 0
    told = terminal.getvalue()
    assert 0 < told.index("2 of 2 read") < told.index("2 of 2 checked")
    assert told.endswith("\r\x1b[K")


@pytest.mark.parametrize("name", sorted(PIECE_FILES))
@pytest.mark.parametrize("how", ["changed", "gone", "renamed"])
def test_a_change_of_any_file_lints_its_piece(name: str, how: str, run: Run, two: Path, git: Git) -> None:
    path = two / "b b" / ".takt" / name
    if how == "changed":
        path.write_bytes(path.read_bytes() + b"\n")
    elif how == "renamed":
        git("mv", str(path), str(path.with_stem("other")))
    else:
        path.unlink()
    gone = how == "gone" and name.startswith("pieces/")
    assert linted(run, "--since", "HEAD") == (set() if gone else {"b b"})


def test_nothing_changed_and_what_is_no_part(run: Run, two: Path) -> None:
    (two / "a" / ".takt" / "personas" / "nobody.md").write_text("x", "utf-8")
    (two / "a" / "config.yaml").write_text("steps: 3\n", "utf-8")
    assert run("lint", "--since", "HEAD") == (0, "No registry has changed since HEAD\n", "")


def test_what_a_commit_hands_the_hooks(run: Run, two: Path, git: Git, checkout: Path) -> None:
    hook = YAML(typ="safe").load((checkout / ".pre-commit-hooks.yaml").read_text("utf-8"))[0]
    for name in ("a/.takt/policies/coding.md", "a/config.yaml", "a/notes.md"):
        (two / name).write_text("changed: 1\n", "utf-8")
    git("add", "-A")
    staged = git("diff", "--cached", "--name-only", "-z").strip("\0").split("\0")
    taken = [name for name in staged if re.search(hook["files"], name)]
    assert len(taken) == 3
    assert linted(run, *hook["entry"].split()[2:], *taken) == {"a"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "nothing"),
        ("# only this\n", "nothing"),
        ("- a\n- b\n", "a list"),
        ("hello\n", "a string"),
        ("5\n", "a single value"),
        ("{}\n", "an empty mapping"),
        ("name: x\nmovement:\n  - name: a\n", "the keys “name”, “movement”"),
        ("steps:\n  - run: make\n", "the key “steps”"),
        ("a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\n", "the keys “a”, “b”, “c”, “d”, “e”, “…”"),
        ("a: 1\nb: [1\n", "YAML with a mistake in line "),
        ("name: x\n---\nname: y\n", "YAML with a mistake in line 2"),
        ("n\0a\0m\0e\0:\0", "UTF-16 or UTF-32 instead of UTF-8"),
        ("x" * 40 + ": 1\n", "the key “" + "x" * 29 + "…”"),
    ],
)
def test_a_yaml_that_is_no_piece_shows_its_keys(text: str, told: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "other.yaml"
    file.write_text(text, "utf-8")
    code, out, err = run("lint", file)
    assert (code, out) == (2, "")
    assert f"other.yaml: not a TAKT piece (found {told}" in err
    assert "a piece has a “name” and a list “movements”" in err
    problem = open_agent(file)
    assert isinstance(problem, ReadProblem)
    assert f"other.yaml: not a TAKT piece (found {told}" in describe(problem)
    code, _out, err = run("--lang", "ja", "lint", file)
    assert code == 2
    assert "TAKT ピースではありません" in err
    assert "“" not in err
    assert run("lint", "--if-owned", file) == (0, "", "")


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_piece_that_isnt_utf_8_is_a_finding(encoding: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "pieces" / "odd.yaml"
    file.parent.mkdir()
    file.write_bytes(PIECE.replace("Done", "Erledigt für heute").encode(encoding))
    code, out, err = run("lint", file)
    assert (code, err) == (1, "")
    assert "SF003" in out


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("pieces/x.yaml", "name: x\nmovement:\n  - name: a\n", ["T025"]),
        ("pieces/x.yml", "- a\n", ["SF004"]),
        ("pieces/deeper/x.yaml", "hello\n", ["SF004"]),
        ("pieces/x.yaml", "", ["SF001"]),
        ("workflows/x.yaml", "name: x\nstep: []\n", ["T025"]),
        ("pieces/x.yaml", "name: x\nanswers: {}\n", ["T001", "T025"]),
        ("pieces/script.yaml", "answers:\n  plan: [1]\nexpect: {end: complete}\n", []),
        ("pieces/flow_tests/x.yaml", "hello\n", []),
        ("pieces/deeper/yet/x.yaml", "hello\n", []),
        ("config.yaml", "hello\n", []),
    ],
)
def test_where_pieces_lie_every_yaml_is_one(
    name: str, text: str, told: list[str], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".takt" / name
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    code, out, err = run("lint", "--format", "json", ".")
    assert code == (1 if told else 2)
    found = json.loads(out)["diagnostics"]
    assert sorted({each["code"] for each in found}) == told
    if name.startswith("workflows"):
        assert any("Did you mean “steps”?" in each["message"] for each in found)
    assert ("no registry found" in err) is not bool(told)


@pytest.mark.parametrize(
    ("config", "runtime", "origin"),
    [
        ("", None, "default"),
        ('runtime = "climpt-2026-03-14"', None, "default"),
        ('runtime = "takt-2026-08-23"', "takt-2026-08-23", "stepflow.toml:1"),
        ('runtime = "takt-0.8..0.11"', "takt-0.8..0.11", "stepflow.toml:1"),
    ],
)
def test_the_settings_name_the_runner_of_a_piece(
    config: str, runtime: str | None, origin: str, run: Run, two: Path
) -> None:
    (two / "stepflow.toml").write_text(config, "utf-8")
    piece = two / "a" / ".takt" / "pieces" / "issue-flow.yaml"
    told = json.loads(run("lint", "--show-settings", piece, "--format", "json").out)
    assert told["settings"]["runtime"] == {"value": runtime, "origin": origin}
    assert told["settings"]["format"]["value"] == "takt"
    around = {"value": "TAKT 0.9–0.11", "origin": "detected from the file and .takt/personas"}
    alone = {"value": "TAKT 0.8–0.11", "origin": "detected from the file"}
    assert told["settings"]["releases"] == (around if runtime is None else alone)


def test_the_report_for_programs_holds_the_releases_of_each_piece(run: Run, two: Path) -> None:
    (two / "a" / ".takt" / "pieces" / "issue-flow.yaml").write_text("name: [\n", "utf-8")
    report = json.loads(run("lint", "--format", "json").out)
    assert report["releases"] == {
        "a/.takt/pieces/issue-flow.yaml": "",
        "b b/.takt/pieces/issue-flow.yaml": "0.9.0-0.11.1",
    }


STEP = "{name: a, persona: p, edit: false, instruction: do, rules: [{condition: ok, next: COMPLETE}]}"


def test_a_runtime_narrows_findings_and_releases(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    piece = tmp_path / ".takt" / "pieces" / "x.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(f"name: x\nmax_movements: 5\nmovements:\n  - {STEP}\n", "utf-8")
    monkeypatch.chdir(tmp_path)

    def told(*options: str) -> tuple[set[str], dict[str, str]]:
        report = json.loads(run("lint", "--format", "json", *options).out)
        return {each["code"] for each in report["diagnostics"]}, report["releases"]

    assert "T025" not in told()[0]
    assert "T025" in told("--runtime", "takt-2026-02-07")[0]
    codes, releases = told("--runtime", "takt-0.27")
    assert codes.isdisjoint({"T025", "T030"})
    assert releases == {".takt/pieces/x.yaml": "0.27.0"}
    codes, releases = told("--runtime", "takt-latest")
    assert codes >= {"T025", "T030"}
    assert releases == {".takt/pieces/x.yaml": "0.12.0-0.35.4"}
    (tmp_path / "stepflow.toml").write_text('runtime = { takt = "takt-0.12..0.35" }\n', "utf-8")
    codes, releases = told()
    assert "T025" not in codes
    assert releases == {".takt/pieces/x.yaml": "0.12.0-0.35.4"}
    assert run("lint", "--runtime", "takt-x").code == 2


def test_a_release_that_isnt_known_yet_is_taken_for_the_newest_and_that_is_said(run: Run, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "workflows" / "x.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(f"name: x\nmax_steps: 5\nsteps:\n  - {STEP}\n", "utf-8")
    known = run("lint", piece, "--runtime", "takt-0.60", "--format", "concise")
    newer = run("lint", piece, "--runtime", "takt-0.63", "--format", "concise")
    told = [line for line in newer.out.splitlines() if "T030" in line]
    assert len(told) == 1
    assert "“takt-0.63”, which isn't known yet: findings are about TAKT 0.60" in told[0]
    assert "T030" not in known.out
