"""`stepflow run AGENT --log FILE`: what it prints, its JSON, its exit codes, and what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, Write

STEP = "initial.issue"
TIME = "2026-04-20T10:00:00.000Z"


@pytest.fixture
def agent(write_agent: Write) -> Path:
    """The example agent."""
    return write_agent()


def log(folder: Path, *lines: tuple[str, dict[str, Any] | None]) -> Path:
    file = folder / "run.jsonl"
    values = [
        {"timestamp": TIME, "level": "info", "message": message} | ({"metadata": data} if data else {})
        for message, data in lines
    ]
    file.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")
    return file


def answered(intent: str, cost: float = 0.5) -> tuple[str, dict[str, Any]]:
    return "SDK result", {
        "structuredOutput": {"next_action": {"action": intent}},
        "totalCostUsd": cost,
        "durationMs": 1500,
    }


@pytest.fixture
def same(tmp_path: Path) -> Path:
    return log(
        tmp_path,
        ("Starting agent: Issues", None),
        ("[FlowLoop] Enter", {"iteration": 1, "stepId": STEP}),
        answered("next"),
        ("[StepFlow] Interpreted intent: next", {"stepId": STEP}),
        ("[FlowLoop] Enter", {"iteration": 2, "stepId": "continuation.issue"}),
    )


def test_a_log_that_agrees(run: Run, agent: Path, same: Path) -> None:
    ran = run("run", agent, "--log", same, "--arg", "issue=1")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        f"climpt log of “Issues”, {TIME}, compared under climpt-2026-04-08 (climpt-2026-04-01 fits as well)",
        "line 2: 1. initial.issue – next → continuation.issue  1.5 s  $0.50",
        "line 5: 2. continuation.issue – no answer in the log",
        "The log has no end: the run goes on, or was killed  $0.50 in all",
        "No differences between the log and this flow",
    ]


def test_a_log_that_differs(run: Run, agent: Path, tmp_path: Path) -> None:
    file = log(
        tmp_path,
        ("[FlowLoop] Enter", {"iteration": 1, "stepId": STEP}),
        answered("next"),
        ("[StepFlow] Interpreted intent: repeat", {"stepId": STEP}),
        ("[FlowLoop] Enter", {"iteration": 2, "stepId": "somewhere.else"}),
    )
    ran = run("run", agent, "--log", file, "--quiet", "--arg", "issue=1", "--runtime", "climpt-2026-04-20")
    assert ran.code == 1
    assert "(the log points to climpt-2026-04-08)" in ran.out
    assert "climpt read the answer as “repeat”; the gate of initial.issue reads it as “next”." in ran.out
    assert "This flow has no step “somewhere.else”." in ran.out
    assert "2 differences between the log and this flow" in ran.out


def test_the_json(run: Run, agent: Path, same: Path) -> None:
    ran = run("run", agent, "--log", same, "--format", "json", "--arg", "issue=1")
    found = json.loads(ran.out)
    assert (found["version"], found["kind"], found["runtime"]) == (1, "climpt", "climpt-2026-04-08")
    assert (found["lines"], found["differences"], found["cost"]) == (5, 0, 0.5)
    first, second = found["turns"]
    assert (first["line"], first["step"], first["intent"], first["flowTo"]) == (2, STEP, "next", "continuation.issue")
    assert (second["known"], second["answer"]) == (None, None)


def test_what_is_not_a_log_is_a_usage_error(run: Run, agent: Path, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("{}\n", "utf-8")
    takt = tmp_path / "t"
    takt.write_text('{"type": "piece_start"}\n', "utf-8")
    for file, words in ((tmp_path / "x", "not a log"), (tmp_path / "gone", "can't be read"), (takt, "a log of TAKT")):
        ran = run("run", agent, "--log", file)
        assert (ran.code, ran.out) == (2, "")
        assert words in ran.err
        assert str(file) in ran.err


def test_a_piece_and_a_log_of_takt(run: Run, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "demo.yaml"
    piece.parent.mkdir(parents=True)
    rules = "    rules:\n      - condition: fine\n        next: COMPLETE\n"
    piece.write_text(f"name: demo\ninitial_movement: work\nmovements:\n  - name: work\n{rules}", "utf-8")
    file = tmp_path / "s.jsonl"
    done = {"type": "step_complete", "step": "work", "matchedRuleIndex": 0, "status": "done"}
    records = ({"type": "piece_start", "pieceName": "demo"}, done, {"type": "piece_complete"})
    file.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    ran = run("run", piece, "--log", file)
    assert ran.code == 0
    assert "line 2: 1. work – rule 1 (fine)" in ran.out
    assert run("run", piece, "--log", file, "--format", "json").code == 0
