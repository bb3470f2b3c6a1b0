"""`stepflow coverage`: what several logs went through, as a table, JSON and HTML; which files are counted."""

import json
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, Write
from tests.cli.run.test_log_options import ENDED, NEXT, Line, entered, said
from tests.cli.run.test_run_log import STEP, log
from tests.run.logs.test_earlier_flow import commit

FAILED: Line = ("Agent failed", {"error": "x", "code": "GATE_INTERPRETATION_ERROR"})
FIRST = entered(STEP, 1), said("next"), entered(NEXT, 2), said("handoff"), entered("closure.issue", 3), ENDED
SECOND = entered(STEP, 1), said("repeat"), entered(STEP, 2), said("next"), entered("somewhere.else", 3), FAILED
ARG = ("--arg", "issue=1")


@pytest.fixture
def agent(write_agent: Write) -> Path:
    return write_agent()


def logs(folder: Path) -> tuple[Path, Path]:
    for name in ("a", "b"):
        (folder / name).mkdir()
    return log(folder / "a", *FIRST), log(folder / "b", *SECOND)


def test_a_table_of_two_runs(run: Run, agent: Path, tmp_path: Path) -> None:
    ran = run("coverage", agent, *logs(tmp_path), *ARG)
    assert (ran.code, ran.err) == (0, "")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines[0] == "2 runs, 6.0 s, $2.00"
    assert "initial.issue 3 4.5 s $1.50 1" in lines
    assert "initial.issue – next 1" in lines
    assert "initial.issue: next → somewhere.else (no transition of this flow) 1" in lines
    assert "finished closure.issue 1" in lines
    assert "error [GATE_INTERPRETATION_ERROR] somewhere.else 1" in lines
    assert "never taken: " in lines[-1]


def test_json_and_a_page(run: Run, agent: Path, tmp_path: Path) -> None:
    both = logs(tmp_path)
    found = json.loads(run("coverage", agent, *both, *ARG, "--format", "json").out)
    assert (found["runs"], found["cost"]) == (2, 2.0)
    steps: dict[str, dict[str, Any]] = {each["step"]: each for each in found["steps"]}
    assert (steps[STEP]["visits"], steps["somewhere.else"]["differences"]) == (3, 1)
    assert found["notInFlow"] == [{"step": STEP, "answer": "next", "to": "somewhere.else", "taken": 1}]
    assert {each["kind"] for each in found["ends"]} == {"finished", "failed"}
    page = tmp_path / "page.html"
    assert run("coverage", agent, *both, *ARG, "--format", "html", "-o", page).code == 0
    text = page.read_text("utf-8")
    HTMLParser().feed(text)
    assert text.count("<table>") == text.count("</table>") == 3
    assert "somewhere.else" in text
    assert "http" not in text.replace("http-equiv", "")


def test_names_in_the_page_are_text(run: Run, agent: Path, tmp_path: Path) -> None:
    file = log(tmp_path, entered(STEP, 1), entered("<script>x", 2))
    assert "<script" not in run("coverage", agent, file, *ARG, "--format", "html").out


def test_the_agents_own_folder_others_and_worktrees(run: Run, write_agent: Write, tmp_path: Path) -> None:
    project = tmp_path / "project"
    agent = write_agent("project/.agent/demo")
    commit(project, "2026-04-19T10:00:00Z")
    subprocess.run(["git", "worktree", "add", "-q", str(tmp_path / "tree")], cwd=project, check=True)
    for at, place in enumerate((project / "logs", tmp_path / "tree" / "logs", tmp_path / "kept")):
        place.mkdir()
        log(place, *FIRST).rename(place / f"demo-{at}.jsonl")
        log(place, *FIRST).rename(place / f"other-{at}.jsonl")

    def runs(*words: object) -> int:
        return int(json.loads(run("coverage", agent, *words, *ARG, "--format", "json").out)["runs"])

    assert runs() == 1
    assert runs("--worktrees") == 2
    assert runs(project / "logs", tmp_path / "kept") == 2
    assert runs(tmp_path / "kept", tmp_path / "kept" / "other-2.jsonl") == 2


def test_what_cant_be_counted(run: Run, agent: Path, tmp_path: Path) -> None:
    ran = run("coverage", agent)
    assert (ran.code, ran.out) == (2, "")
    other = log(tmp_path, entered("x.y", 1))
    ran = run("coverage", agent, other, tmp_path / "gone.jsonl", tmp_path / "agent")
    assert (ran.code, ran.out) == (2, "")
    assert "none of its steps" in ran.err
    assert "can't be read" in ran.err
    assert "no log of a run" in ran.err
    (tmp_path / "good").mkdir()
    good = log(tmp_path / "good", *FIRST)
    assert run("coverage", agent, other, good, *ARG).code == 0
    assert run("coverage", agent, good, *ARG, "-o", tmp_path / "no" / "x").code == 2


def test_a_piece(run: Run, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "demo.yaml"
    piece.parent.mkdir(parents=True)
    rules = "    rules:\n      - condition: fine\n        next: COMPLETE\n      - condition: bad\n        next: ABORT\n"
    piece.write_text(f"name: demo\ninitial_movement: work\nmovements:\n  - name: work\n{rules}", "utf-8")
    folder = tmp_path / ".takt" / "logs"
    folder.mkdir()
    done = {"type": "step_complete", "step": "work", "matchedRuleIndex": 0, "status": "done"}
    records = ({"type": "piece_start", "pieceName": "demo"}, done, {"type": "piece_complete"})
    (folder / "s.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    lines = run("coverage", piece).out.splitlines()
    assert "work – fine  1" in lines
    assert "never taken: 1 of 2 transitions" in lines[-1]
