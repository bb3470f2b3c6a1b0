"""What the messages of a climpt log mean, era by era, by the documents' own lines."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.logs.logged_run import LoggedRun, LogProblem
from stepflow_gui.run.logs.opening import open_log, read_log

Line = tuple[str, str, dict[str, Any] | None]


def line(message: str, data: dict[str, Any] | None = None, level: str = "info", key: str = "metadata") -> str:
    value: dict[str, Any] = {"timestamp": "2026-04-20T10:00:00.000Z", "level": level, "message": message}
    return json.dumps(value | ({key: data} if data is not None else {})) + "\n"


def read(folder: Path, *lines: str) -> LoggedRun:
    file = folder / "run.jsonl"
    file.write_text("".join(lines), "utf-8")
    run = read_log(file)
    assert isinstance(run, LoggedRun), run
    return run


ANSWER = {"stepId": "initial.a", "next_action": {"action": "next"}}


def test_a_turn_of_the_newest_release(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        line("Starting agent: Issue flow"),
        line("=== Iteration 1 ==="),
        line("[FlowLoop] Enter", {"iteration": 1, "stepId": "initial.a"}),
        line("Assistant response", {"content": "I am done."}, "debug"),
        line(
            "SDK result", {"structuredOutput": ANSWER, "totalCostUsd": 0.12, "numTurns": 4, "durationMs": 8900}, "debug"
        ),
        line("[StepFlow] Interpreted intent: next", {"stepId": "initial.a", "usedFallback": True}),
        line("[StepFlow] Routing decision: initial.a -> closure.a", {"intent": "next", "signalClosing": False}),
        line("=== Iteration 2 ==="),
        line("[FlowLoop] Enter", {"iteration": 2, "stepId": "closure.a"}),
        line("[CompletionLoop] Iteration enter", {"stepId": "closure.a", "iteration": 2}),
        line("Pre-flight state validation for step: closure.polling"),
        line("All validation conditions passed"),
        line("[CompletionLoop] Closure step structured signal: closing"),
        line("Validating conditions for step: closure.polling"),
        line("Validation failed: pattern=git-dirty", None, "warn"),
    )
    first, second = run.turns
    assert (run.name, run.era.name) == ("Issue flow", "climpt-2026-04-20")
    assert (first.step, first.answer, first.answer_line, first.texts) == ("initial.a", ANSWER, 5, ("I am done.",))
    assert (first.intent, first.used_fallback, first.to, first.closes) == ("next", True, "closure.a", False)
    assert (first.cost, first.model_turns, first.seconds, first.texts_mark) == (0.12, 4, 8.9, "seen")
    assert (second.step, second.answer, second.closes, second.intent) == ("closure.a", ABSENT, True, "closing")
    assert [(each.passed, each.pattern) for each in second.checks] == [(True, None), (False, "git-dirty")]
    assert run.end.kind == "unfinished"
    assert run.cost == 0.12


def test_a_turn_of_2026_01_18_has_data_and_a_completion_signal(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        line("=== Iteration 1 ==="),
        line("SDK result", {"structuredOutput": ANSWER}, "debug", "data"),
        line("[StepFlow] Interpreted intent: next", {"target": "b", "usedFallback": False}, key="data"),
        line("[StepFlow] Routing decision: initial.a -> b", {"signalCompletion": False, "reason": "x"}, key="data"),
        line("=== Iteration 2 ==="),
        line("[StepFlow] Routing decision: b -> b", {"signalCompletion": True, "reason": "x"}, key="data"),
        line("Agent completed after 2 iteration(s): done"),
    )
    assert run.era.name == "climpt-2026-01-18"
    assert [(turn.step, turn.to, turn.closes) for turn in run.turns] == [("initial.a", "b", False), ("b", "b", True)]
    assert (run.end.kind, run.end.text, run.end.line) == ("finished", "2 iteration(s): done", 7)


def test_a_flow_with_checks_names_its_steps_alone(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        line("Starting step flow: Review"),
        line("=== Step: Analyze (s_4c1e) - Iteration 1 ==="),
        line("Retrying step s_4c1e (attempt 2)"),
        line("=== Step: Analyze (s_4c1e) - Iteration 2 ==="),
        line("Falling back from s_4c1e to s_0001", None, "warn"),
        line("=== Step: Plan (s_0001) - Iteration 1 ==="),
        line("Step flow completed successfully"),
    )
    assert run.era.name == "climpt-2026-01-09"
    assert [(turn.step, turn.to) for turn in run.turns] == [
        ("s_4c1e", "s_4c1e"),
        ("s_4c1e", "s_0001"),
        ("s_0001", None),
    ]
    assert run.end.kind == "finished"


@pytest.mark.parametrize(
    ("lines", "era", "others"),
    [
        ([line("=== Iteration 1 ==="), line("SDK result", {})], "climpt-2026-03-14", ()),
        ([line("[FlowLoop] Enter", {"stepId": "a"})], "climpt-2026-04-08", ("climpt-2026-04-01",)),
        ([line("[FlowLoop] Enter", {"stepId": "a"}), line("[SubprocessRunner] Exit 0")], "climpt-2026-04-20", ()),
        ([line("=== Iteration 1 ===")], None, ()),
    ],
)
def test_the_release_is_told_from_the_lines(
    lines: list[str], era: str, others: tuple[str, ...], tmp_path: Path
) -> None:
    run = read(tmp_path, *lines)
    assert (run.era.name, run.era.other) == (era, others)


@pytest.mark.parametrize(
    ("ending", "kind", "code"),
    [
        (
            line("Agent failed", {"error": "no rule", "code": "FAILED_STEP_ROUTING"}, "error"),
            "failed",
            "FAILED_STEP_ROUTING",
        ),
        (line("Maximum iterations (5) reached", {}, "warn"), "limit", None),
        (line("Agent completed"), "finished", None),
        (line("Step flow failed", {"error": "x"}, "error"), "failed", None),
        ("", "unfinished", None),
    ],
)
def test_how_a_run_ends(ending: str, kind: str, code: str | None, tmp_path: Path) -> None:
    run = read(tmp_path, line("=== Iteration 1 ==="), ending)
    assert (run.end.kind, run.end.code) == (kind, code)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("[StructuredOutput] Recovered structured output from assistant text response for step: a", "recovered"),
        ('[StructuredOutput] No structured output returned for iteration 1 on step "a". x', "no answer"),
        ('[StructuredOutput] Aborting iteration: schema resolution failed for step "a"', "schema"),
        ('[StepFlow] stepId corrected: "b" -> "a" (x)', "wrong id"),
        ('[StepFlow] No intent produced for iteration 1 on step "a". x', "no intent"),
        ("Rate limit hit, waiting 500ms before the next try", "retry"),
        ("Query execution failed", "query"),
    ],
)
def test_what_else_a_turn_reports_is_kept_with_its_line(message: str, kind: str, tmp_path: Path) -> None:
    run = read(tmp_path, line("=== Iteration 1 ==="), line(message, {}, "warn"))
    (note,) = run.turns[0].notes
    assert (note.kind, note.line, note.text) == (kind, 2, message)


def test_a_closure_with_a_program_has_its_exit_code(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        line("[FlowLoop] Enter", {"iteration": 1, "stepId": "closure.a"}),
        line("[CompletionLoop] Subprocess runner enter", {"stepId": "closure.a", "command": "x"}),
        line("[SubprocessRunner] Spawn", {}),
        line("[SubprocessRunner] Non-zero exit", {"exitCode": 3}),
    )
    assert run.turns[0].program == 3


def test_a_flat_line_is_a_path_without_answers(tmp_path: Path) -> None:
    flat = {"level": "info", "msg": "[FlowLoop] Enter", "iteration": 1, "stepId": "initial.a"}
    run = read(tmp_path, json.dumps(flat) + "\n", json.dumps({**flat, "iteration": 2, "stepId": "b"}) + "\n")
    assert [(turn.step, turn.to) for turn in run.turns] == [("initial.a", "b"), ("b", None)]


def test_the_folder_with_whole_texts_is_named(tmp_path: Path) -> None:
    run = read(tmp_path, line("=== Iteration 1 ==="), line("[Verbose] Verbose logging enabled", {"logPath": "tmp/v"}))
    assert run.verbose == "tmp/v"


def test_a_log_is_read_on_as_it_grows(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(line("=== Iteration 1 ===") + line("[FlowLoop] Enter", {"stepId": "a"})[:20], "utf-8")
    log = open_log(file)
    assert not isinstance(log, LogProblem)
    first = log.read()
    assert isinstance(first, LoggedRun)
    assert (first.is_cut, len(first.turns), first.turns[0].step) == (True, 1, None)
    with file.open("a", encoding="utf-8") as more:
        more.write(line("[FlowLoop] Enter", {"stepId": "a"})[20:] + line("Agent completed"))
    then = log.read()
    log.close()
    assert isinstance(then, LoggedRun)
    assert (then.is_cut, then.turns[0].step, then.end.kind) == (False, "a", "finished")


def test_reading_can_be_cancelled(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(line("=== Iteration 1 ===") * 10_000, "utf-8")
    seen: list[int] = []

    def stop(offset: int) -> bool:
        seen.append(offset)
        return len(seen) < 2

    run = read_log(file, stop)
    assert isinstance(run, LoggedRun)
    assert (run.lines, len(seen)) == (4_000, 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no complete line"),
        ('{"a": 1}\n', "not a log of climpt or TAKT"),
        ('{"stepflow-trace": 1}\n', "use --replay"),
        ('{"timestamp":"x","level":"info","message":"Session started","step":4}\n', "not a log of climpt or TAKT"),
        ("\x00\x01\x02\n" * 300, "not a log of climpt or TAKT"),
    ],
)
def test_other_files_are_refused_with_a_reason(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "x.log"
    file.write_text(text, "utf-8")
    found = read_log(file)
    assert isinstance(found, LogProblem)
    assert words in found.message
    assert str(file) in found.message


def test_a_folder_or_a_missing_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone"):
        found = read_log(path)
        assert isinstance(found, LogProblem)
        assert "can't be read" in found.message


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e300", "true", '"3"', "[]"])
def test_odd_numbers_count_as_none(number: str, tmp_path: Path) -> None:
    odd = line("SDK result", {"totalCostUsd": 0, "numTurns": 1, "durationMs": 2}, "debug")
    run = read(
        tmp_path, line("=== Iteration 1 ==="), odd.replace(": 0,", f": {number},").replace(": 1,", f": {number},")
    )
    assert (run.turns[0].cost, run.turns[0].model_turns, run.turns[0].seconds) == (None, None, 0.002)


def test_a_log_that_is_cut_off_at_its_head_shows_late_what_it_is(tmp_path: Path) -> None:
    tools = [line("Tool use", {"tool": "Read"}, "debug")] * 1_000
    run = read(tmp_path, *tools, line("[StepFlow] Routing decision: initial.a -> closure.a"))
    assert [(turn.step, turn.to) for turn in run.turns] == [("initial.a", "closure.a")]
