"""What goes with `stepflow run --log`: following, an earlier flow, another log, and a test of it without secrets."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.cli.run import follow_log
from tests.cli.conftest import Run, Write
from tests.cli.run.test_run_log import STEP, answered, log
from tests.run.logs.test_earlier_flow import commit

CANARY = "ghp_" + "C4nary" * 6
NEXT = "continuation.issue"
Line = tuple[str, dict[str, Any] | None]


def entered(step: str, at: int) -> Line:
    return "[FlowLoop] Enter", {"iteration": at, "stepId": step}


def said(intent: str, **more: Any) -> Line:
    message, data = answered(intent)
    return message, {**data, "structuredOutput": {**data["structuredOutput"], **more}}


ENDED: Line = ("Agent completed after 2 iteration(s): done", None)


@pytest.fixture
def agent(write_agent: Write) -> Path:
    return write_agent()


def test_an_earlier_flow(run: Run, agent: Path, tmp_path: Path) -> None:
    file = log(tmp_path, entered(STEP, 1), said("next"), entered(NEXT, 2))
    top = tmp_path
    commit(top, "2026-04-19T10:00:00Z")
    registry = next(agent.rglob("steps_registry.json")) if agent.is_dir() else agent
    text = registry.read_text("utf-8")
    registry.write_text(text.replace(f'"target": "{NEXT}"', '"target": "closure.issue"', 1), "utf-8")
    assert run("run", agent, "--log", file, "--arg", "issue=1").code == 1
    ran = run("run", agent, "--log", file, "--arg", "issue=1", "--at", "then")
    assert ran.code == 0, ran.out
    assert "the commit of that time" in ran.out
    found = json.loads(run("run", agent, "--log", file, "--arg", "issue=1", "--at", "HEAD", "--format", "json").out)
    assert found["flow"].startswith("HEAD (")
    assert run("run", agent, "--log", file, "--at", "nowhere").code == 2


def test_another_log(run: Run, agent: Path, tmp_path: Path) -> None:
    first = log(tmp_path, entered(STEP, 1), said("next"), entered(NEXT, 2))
    (tmp_path / "b").mkdir()
    second = log(tmp_path / "b", entered(STEP, 1), said("repeat"), entered(STEP, 2))
    ran = run("run", agent, "--log", first, "--with-log", second)
    assert ran.code == 1
    assert ran.out.splitlines()[-3:] == [
        f"{first}: line 1: 1. initial.issue – next (computed) → continuation.issue  1.5 s  $0.50",
        f"{second}: line 1: 1. initial.issue – repeat (computed) → initial.issue  1.5 s  $0.50",
        "The runs differ after 0 turns",
    ]
    found = json.loads(run("run", agent, "--log", first, "--with-log", second, "--format", "json").out)
    assert (found["same"], found["commonTurns"], [each["line"] for each in found["runs"]]) == (False, 0, [1, 1])
    same = run("run", agent, "--log", first, "--with-log", first)
    assert (same.code, same.out) == (0, "No differences between the two runs.\n")
    shorter = log(tmp_path / "b", entered(STEP, 1), said("next"), entered(NEXT, 2))
    first = log(tmp_path, entered(STEP, 1), said("next"), entered(NEXT, 2), ENDED)
    assert "no more entries" in run("run", agent, "--log", shorter, "--with-log", first).out


def test_a_test_of_a_log_has_no_secrets(run: Run, agent: Path, tmp_path: Path) -> None:
    text: Line = ("Assistant response", {"content": f"I used {CANARY}"})
    file = log(
        tmp_path,
        *(entered(STEP, 1), text, said("next", note=f"token={CANARY}", apiKey=CANARY, home="/home/someone/x")),
        *(entered(NEXT, 2), said("handoff", list=[CANARY])),
        entered("closure.issue", 3),
    )
    made = tmp_path / "new" / "paid.jsonl"
    words = ("run", agent, "--log", file, "--arg", "issue=1", "--arg", f"token={CANARY}", "--save-test", made)
    ran = run(*words)
    assert ran.out == f"{made}: a test of 2 of 3 turns\n"
    assert ran.code == 1  # the log has no answer of the third
    written = made.read_text("utf-8")
    assert "C4nary" not in written
    assert "someone" not in written
    assert "[removed]" in written
    assert json.loads(written.splitlines()[0])["expect"]["path"] == [STEP, NEXT]
    assert run("run", agent, "--script", made).code == 0
    again = run(*words)
    assert (again.code, again.out) == (2, "")
    assert "already exists" in again.err
    empty = log(tmp_path, entered(STEP, 1))
    assert (
        "no answer for a test"
        in run("run", agent, "--log", empty, "--arg", "issue=1", "--save-test", tmp_path / "x").err
    )


def test_a_test_of_a_log_of_takt(run: Run, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "demo.yaml"
    piece.parent.mkdir(parents=True)
    rules = "    rules:\n      - condition: fine\n        next: COMPLETE\n      - condition: bad\n        next: ABORT\n"
    piece.write_text(f"name: demo\ninitial_movement: work\nmovements:\n  - name: work\n{rules}", "utf-8")
    file = tmp_path / "s.jsonl"
    started = {"type": "piece_start", "pieceName": "demo", "task": f"Use {CANARY}"}
    done = {
        "type": "step_complete",
        "step": "work",
        "matchedRuleIndex": 1,
        "status": "done",
        "content": f"It is {CANARY}",
    }
    file.write_text("".join(json.dumps(each) + "\n" for each in (started, done, {"type": "piece_abort"})), "utf-8")
    made = tmp_path / "made.json"
    ran = run("run", piece, "--log", file, "--save-test", made)
    assert (ran.code, ran.out) == (0, f"{made}: a test of 1 of 1 turns\n")
    written = made.read_text("utf-8")
    assert "C4nary" not in written
    found = json.loads(written)
    assert (found["expect"]["end"], found["answers"]["work"][0]["rule"]) == ("abort_transition", 2)
    assert run("run", piece, "--script", made).code == 0


def test_a_log_is_followed_to_its_end(run: Run, agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[Line] = [entered(STEP, 1), said("next"), entered(NEXT, 2), said("handoff"), ENDED]
    file = log(tmp_path, *lines[:1])
    looks = iter(range(2, len(lines) + 1))
    monkeypatch.setattr(follow_log, "_sleep", lambda _seconds: log(tmp_path, *lines[: next(looks)]))
    ran = run("run", agent, "--log", file, "--follow", "--arg", "issue=1")
    assert ran.out.splitlines()[1:] == [
        "line 1: 1. initial.issue …",
        "line 1: 1. initial.issue – next (computed) → continuation.issue  1.5 s  $0.50",
        "line 3: 2. continuation.issue …",
        "line 3: 2. continuation.issue – handoff (computed)  1.5 s  $0.50",
        "    The logged run ended after continuation.issue; this flow goes on with closure.issue.",
        "line 5: finished: 2 iteration(s): done  $1.00 in all",
        "1 difference between the log and this flow",
    ]
    assert ran.code == 1


def test_the_newest_log_is_waited_for(run: Run, agent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def end(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(follow_log, "_sleep", end)
    ran = run("run", agent, "--follow")
    assert "Waiting for a log" in ran.err


@pytest.mark.parametrize(
    "words",
    [
        ("--follow", "--random", "1"),
        ("--follow", "--format", "json"),
        ("--at", "then"),
        ("--with-log", "x"),
        ("--save-test", "x"),
        ("--follow", "--log", "x", "--save-test", "y"),
        ("--follow", "--trace", "x"),
    ],
)
def test_what_doesnt_go_together(words: tuple[str, ...], run: Run, agent: Path) -> None:
    ran = run("run", agent, *words)
    assert ran.code == 2
    assert "--" in ran.err
