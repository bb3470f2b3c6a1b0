"""A piece given the replies of a logged run of TAKT: its own machine decides, and where that differs from the log."""

from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.logs.logged_run import ComparedRun
from stepflow_gui.run.logs.takt_comparing import compare_with_piece
from stepflow_gui.run.logs.takt_replay import continued_piece
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.scripts.scripted import path_of
from tests.run.logs.test_takt_logs import PIECE, read, record, step

PARALLEL = """\
name: p
initial_movement: reviews
max_movements: 3
movements:
  - name: reviews
    parallel:
      - name: one
        rules:
          - condition: approved
          - condition: needs_fix
      - name: two
        rules:
          - condition: approved
          - condition: needs_fix
    rules:
      - condition: all("approved")
        next: COMPLETE
      - condition: any("needs_fix")
        next: fix
  - name: fix
    rules:
      - condition: fixed
        next: reviews
"""


def opened(folder: Path, text: str) -> AgentFolder:
    file = folder / ".takt" / "pieces" / "p.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    agent = open_agent(file)
    assert isinstance(agent, AgentFolder)
    return agent


def phase(name: str, number: int, content: str) -> str:
    return record("phase_complete", step=name, phase=number, status="done", content=content)


def movement(name: str, rule: int | None, at: int, *phases: str, **fields: object) -> str:
    started, done = step(name, rule, at, **fields).splitlines(keepends=True)
    return "".join((started, *phases, done))


def subs(first: int, second: int) -> tuple[str, ...]:
    works = phase("one", 1, "I read it."), phase("two", 1, "I, too.")
    return (*works, phase("two", 3, f"[TWO:{second}]"), phase("one", 3, f"[ONE:{first}]"))


def compared(folder: Path, text: str, *records: str) -> ComparedRun:
    found = compare_with_piece(opened(folder, text), read(folder, *records), "guide")
    assert isinstance(found, ComparedRun)
    return found


def differences(folder: Path, text: str, *records: str) -> list[str | None]:
    return [each.difference for each in compared(folder, text, *records).turns]


def test_sub_steps_decide_by_their_own_tags(tmp_path: Path) -> None:
    log = (
        movement("reviews", 1, 1, *subs(1, 2), matchedRuleMethod="aggregate"),
        movement("fix", 0, 2),
        movement("reviews", 0, 3, *subs(1, 1)),
    )
    assert differences(tmp_path, PARALLEL, *log, record("piece_complete")) == [None] * 3
    changed = PARALLEL.replace('condition: any("needs_fix")', 'condition: any("rejected")')
    assert differences(tmp_path, changed, *log, record("piece_complete"))[0] == (
        'TAKT matched rule 2 of reviews (“any("rejected")”) by its sub-steps; with the same replies the AI judge is'
        " asked in this piece."
    )
    swapped = PARALLEL.replace(
        "condition: approved\n          - condition: needs_fix",
        "condition: needs_fix\n          - condition: approved",
        1,
    )
    found = compared(tmp_path, swapped, *log, record("piece_complete"))
    assert found.turns[2].difference == (
        'TAKT matched rule 1 of reviews (“all("approved")”); with the same replies rule 2 (“any("needs_fix")”)'
        " matches in this piece."
    )


def test_a_rule_that_the_log_lacks_is_computed(tmp_path: Path) -> None:
    (turn,) = compared(tmp_path, PARALLEL, movement("reviews", None, 1, *subs(2, 2))).turns
    assert (turn.mark, turn.intent, turn.to) == ("computed", 'any("needs_fix")', "fix")


def test_the_limit_of_this_piece(tmp_path: Path) -> None:
    log = *(step("reviews", 1, 1), step("fix", 0, 2)), *(step("reviews", 1, 3), step("fix", 0, 4))
    assert differences(tmp_path, PARALLEL, *log) == [
        *(None, None),
        "TAKT went on with fix after reviews; this piece ends there: the limit of 3 iterations is reached.",
        None,
    ]


def test_monitors_that_fire_only_on_one_side(tmp_path: Path) -> None:
    turns = step("plan", 0), step("work", 1, 2), step("plan", 0, 3), step("work", 1, 4), step("plan", 1, 5)
    assert differences(tmp_path, PIECE, *turns)[3] == (
        "TAKT went on with plan after work; the judge _loop_judge_plan_work intervenes there in this piece."
    )
    judged = step("plan", 0), step("work", 1, 2), step("_loop_judge_plan_work", 0, 3), step("plan", 1, 4)
    assert differences(tmp_path, PIECE, *judged)[1] == (
        "TAKT ran the judge _loop_judge_plan_work after work; no loop monitor intervenes there in this piece."
    )
    right = *turns[:4], step("_loop_judge_plan_work", 0, 5), step("plan", 1, 6)
    assert differences(tmp_path, PIECE, *right) == [None] * 6


def test_blocked_and_asked_again(tmp_path: Path) -> None:
    blocked = step("plan", None, 1, status="blocked", content="Which one?")
    assert (
        differences(tmp_path, PIECE, blocked, step("plan", 0, 2), step("work", 0, 3), record("piece_complete"))
        == [None] * 3
    )


def test_it_is_gone_on_with_as_a_simulated_run(tmp_path: Path) -> None:
    log = (
        movement("reviews", 1, 1, *subs(1, 2), matchedRuleMethod="aggregate"),
        movement("fix", 0, 2),
        movement("reviews", 0, 3, *subs(1, 1)),
    )
    agent = opened(tmp_path, PARALLEL)
    found = compared(tmp_path, PARALLEL, *log, record("piece_complete"))
    runner = runner_of(agent, found.era)
    piece = piece_in(agent, runner)
    assert not isinstance(piece, PieceRefusal)
    run, done = continued_piece(PieceMachine(piece, runner), found, 3)
    assert done == 3
    assert path_of(run) == ("reviews", "fix", "reviews")
    assert run.state.end is not None
    assert run.state.end.kind == "complete"
    assert path_of(continued_piece(PieceMachine(piece, runner), found, 1)[0]) == ("reviews", "fix")


@pytest.mark.parametrize("phases", [[phase("one", 3, "?")], [phase("nobody", 1, "x")], [phase("reviews", 2, "")]])
def test_phases_that_fit_nothing_leave_the_rule_of_the_log(phases: list[str], tmp_path: Path) -> None:
    (turn,) = compared(tmp_path, PARALLEL, movement("reviews", 1, 1, *phases)).turns
    assert (turn.intent, turn.to) == ('any("needs_fix")', "fix")
