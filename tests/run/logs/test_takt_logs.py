"""Session logs of TAKT, of pieces and of workflows: movements, rules, ends, calls, and what the piece says now."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.logs.logged_run import ComparedRun, LoggedRun
from stepflow_gui.run.logs.opening import read_log
from stepflow_gui.run.logs.takt_comparing import compare_with_piece

PIECE = """\
name: review
initial_movement: plan
movements:
  - name: plan
    rules:
      - condition: clear
        next: work
      - condition: unclear
        next: ABORT
  - name: work
    rules:
      - condition: done
        next: COMPLETE
      - condition: unclear
        next: plan
loop_monitors:
  - cycle: [plan, work]
    threshold: 2
    judge:
      rules:
        - condition: go on
          next: plan
        - condition: stop
          next: ABORT
"""


def record(kind: str, **fields: Any) -> str:
    return json.dumps({"type": kind, "timestamp": "2026-02-07T10:10:11.000Z", **fields}) + "\n"


def step(name: str, rule: int | None, at: int = 1, **fields: Any) -> str:
    rest = {} if rule is None else {"matchedRuleIndex": rule}
    done = record("step_complete", step=name, **{"status": "done", "content": "text", **rest, **fields})
    return record("step_start", step=name, persona="p", iteration=at) + done


def read(folder: Path, *records: str) -> LoggedRun:
    file = folder / "session.jsonl"
    file.write_text("".join(records), "utf-8")
    run = read_log(file)
    assert isinstance(run, LoggedRun), run
    return run


@pytest.fixture
def piece(tmp_path: Path) -> AgentFolder:
    file = tmp_path / ".takt" / "pieces" / "review.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(PIECE, "utf-8")
    agent = open_agent(file)
    assert isinstance(agent, AgentFolder)
    return agent


def differences(piece: AgentFolder, run: LoggedRun) -> list[str | None]:
    compared = compare_with_piece(piece, run)
    assert isinstance(compared, ComparedRun)
    return [each.difference for each in compared.turns]


def test_a_session_of_a_piece(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        record("piece_start", task="Mend it", pieceName="review"),
        record("step_start", step="plan", persona="p", iteration=1),
        record("phase_start", step="plan", phase=1, phaseName="execute"),
        record("phase_complete", step="plan", phase=3, phaseName="judge", status="done", content="[PLAN:1]"),
        record("step_complete", step="plan", status="done", content="The plan", matchedRuleIndex=0),
        step("work", None, 2, status="blocked", error="no key"),
        record("piece_abort", iterations=2, reason="Movement blocked"),
    )
    first, second = run.turns
    assert (run.kind, run.name, run.task) == ("takt", "review", "Mend it")
    assert (first.step, first.intent, first.to, first.texts) == ("plan", "0", "work", ("The plan",))
    assert [(each.phase, each.content, each.line) for each in first.phases] == [(3, "[PLAN:1]", 4)]
    assert (second.step, second.intent) == ("work", None)
    assert [(each.kind, each.text) for each in second.notes] == [("blocked", "no key")]
    assert (run.end.kind, run.end.text) == ("failed", "Movement blocked")


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        (record("workflow_complete", iterations=1), "finished"),
        (record("workflow_abort", iterations=1, reason="Max iterations reached"), "limit"),
        (record("workflow_abort", iterations=1, reason="Maximum steps (10) exceeded"), "limit"),
        (record("workflow_abort", iterations=1, reason="aborted by step transition"), "failed"),
        ("", "unfinished"),
    ],
)
def test_ends_of_workflows(ending: str, kind: str, tmp_path: Path) -> None:
    assert read(tmp_path, record("workflow_start", workflowName="w"), step("plan", 0), ending).end.kind == kind


def test_steps_of_a_called_workflow_stand_below_it(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        record("workflow_start", workflowName="w"),
        record("step_start", step="call", iteration=1),
        record("workflow_call_start", workflow="w", step="call", childWorkflow="peer"),
        step("check", 1),
        record("workflow_call_complete", workflow="w", step="call", status="done"),
        record("step_complete", step="call", status="done", matchedRuleIndex=2),
        step("after", 0, 2),
    )
    assert [(turn.step, turn.intent) for turn in run.turns] == [("call", "2"), ("peer/check", "1"), ("after", "0")]


def test_the_piece_follows_the_same_rules(piece: AgentFolder, tmp_path: Path) -> None:
    run = read(tmp_path, step("plan", 0), step("work", 1, 2), step("plan", 1, 3), record("piece_abort", reason="x"))
    assert differences(piece, run) == [None] * 3


def test_a_judge_of_a_monitor_comes_between(piece: AgentFolder, tmp_path: Path) -> None:
    run = read(
        tmp_path,
        step("plan", 0),
        step("work", 1, 2),
        step("plan", 0, 3),
        step("work", 1, 4),
        step("_loop_judge_plan_work", 1, 5),
        record("piece_abort", reason="x"),
    )
    assert differences(piece, run) == [None] * 5


def test_what_has_changed_since_is_one_sentence(piece: AgentFolder, tmp_path: Path) -> None:
    run = read(tmp_path, step("plan", 1), step("work", 5, 2), step("gone", 0, 3), record("piece_complete"))
    assert differences(piece, run) == [
        "TAKT went on with work; rule 2 of plan (“unclear”) goes to ABORT in this piece.",
        "The log has rule 6 of work; there are 2 in this piece.",
        "The piece has no movement “gone”.",
    ]
    run = read(tmp_path, step("plan", 0), record("piece_complete"))
    assert differences(piece, run) == ["The logged run ended after plan; rule 1 (“clear”) goes to work in this piece."]


def test_odd_records_mean_nothing(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        record("piece_start", pieceName=3, task=None),
        record("step_start", step=7, iteration="x"),
        record("step_complete", step="a", status=[], matchedRuleIndex=True, content=4),
        record("phase_complete", step="a", phase="1", content={}),
        record("workflow_call_complete", workflow="w"),
        record("unheard_of", step="a"),
    )
    assert [(turn.step, turn.intent) for turn in run.turns] == [(None, None), ("a", None)]


def test_a_rule_before_the_first_is_none(piece: AgentFolder, tmp_path: Path) -> None:
    run = read(tmp_path, step("plan", -1))
    assert run.turns[0].intent is None
    assert differences(piece, run) == [None]
