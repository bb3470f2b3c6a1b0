"""A logged run to be stepped through: moments, visits, moves, breakpoints, and what was read later."""

import json
from pathlib import Path
from typing import Any

from stepflow_gui.run.debugging.branches import ON, ONE
from stepflow_gui.run.debugging.breakpoints import Breakpoint, Breakpoints, breakpoint_of
from stepflow_gui.run.logs.log_runs import LogHistory, LogMove, LogRuns, compare_logs
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LoggedRun
from stepflow_gui.run.logs.opening import read_log


def line(message: str, **data: Any) -> str:
    return json.dumps({"timestamp": "2026-04-20T10:00:00.000Z", "message": message, "metadata": data}) + "\n"


def turn(step: str, iteration: int, intent: str, to: str) -> str:
    entered = line("[FlowLoop] Enter", stepId=step, iteration=iteration)
    read = line(f"[StepFlow] Interpreted intent: {intent}", stepId=step)
    return entered + read + line(f"[StepFlow] Routing decision: {step} -> {to}")


START = line("Starting agent: Demo")
TWO = turn("a", 1, "next", "b") + turn("b", 2, "repeat", "b")
END = line("Agent completed after 3 iteration(s): done")


def history(folder: Path, *texts: str) -> LogHistory:
    return LogHistory(compared(folder, *texts))


def compared(folder: Path, *texts: str) -> ComparedRun:
    file = folder / "run.jsonl"
    file.write_text("".join(texts), "utf-8")
    run = read_log(file)
    assert isinstance(run, LoggedRun), run
    return ComparedRun(run, "climpt-2026-04-20", tuple(ComparedTurn(each) for each in run.turns))


def test_it_is_stepped_through_like_a_simulated_run(tmp_path: Path) -> None:
    run = history(tmp_path, START, TWO, turn("b", 3, "next", "c"), END)
    assert run.length == run.position == 5  # the beginning, three turns, the end
    assert run.moment.end is not None
    assert run.moment.line == 11
    run.restart()
    assert (run.moment.step, dict(run.visits), dict(run.taken)) == ("a", {"a": 1}, {})
    run.go_to(2)
    assert (run.moment.step, run.moment.line) == ("b", 2)
    assert dict(run.taken) == {LogMove("a", "next", "b"): 1}
    run.go_to(4)
    assert dict(run.visits) == {"a": 1, "b": 2}
    assert run.moment.step == "c"  # where the log says it went
    assert run.back()
    assert dict(run.visits) == {"a": 1, "b": 2}


def test_what_is_read_later_goes_on_for_who_stood_at_the_end(tmp_path: Path) -> None:
    run = history(tmp_path, START, TWO)
    assert run.position == run.length == 3
    run.show(compared(tmp_path, START, TWO, turn("b", 3, "next", "c")))
    assert run.position == run.length == 4
    run.go_to(2)
    run.show(compared(tmp_path, START, TWO, turn("b", 3, "next", "c"), END))
    assert (run.position, run.length) == (2, 5)
    assert dict(run.visits) == {"a": 1, "b": 1}


def test_breakpoints_pause_in_it(tmp_path: Path) -> None:
    point = breakpoint_of("b", "", "", "visit = 2")
    assert isinstance(point, Breakpoint)
    runs = LogRuns(Breakpoints([point]))
    run = history(tmp_path, START, TWO, turn("b", 3, "next", "c"), END)
    run.restart()
    runs.open(run)
    paused = runs.replay(ON)
    assert paused is not None
    assert (paused.why, run.position) == ("breakpoint", 3)
    assert runs.replay(ONE) is not None
    assert run.position == 4
    paused = runs.replay(ON)
    assert paused is not None
    assert paused.why == "ended"
    assert runs.replay(ON) is None


def test_two_are_compared(tmp_path: Path) -> None:
    first = history(tmp_path, START, TWO, turn("b", 3, "next", "c"), END)
    second = history(tmp_path, START, TWO, turn("b", 3, "repeat", "b"), END)
    assert compare_logs(first, first).same
    assert compare_logs(first, second).common == 3
