"""The step flow design with checks, run: its programmatic example, prompts, traces, exploring and the shadow."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stepflow_gui.api import Question, StepFlowRunner, load_agent
from stepflow_gui.export.overlay import coverage_overlay
from stepflow_gui.formats.climpt.eras import guide_for
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.agent_run import AgentRun, RunOptions
from stepflow_gui.run.effects import ResponderQuery
from stepflow_gui.run.exploring.entries import explore_from
from stepflow_gui.run.exploring.scripts import scripts_of
from stepflow_gui.run.exploring.search import explore
from stepflow_gui.run.host.host import Ran
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.state import Answered, Start, State
from stepflow_gui.run.responders.random_answers import RandomResponder
from stepflow_gui.run.responders.replay import ReplayResponder
from stepflow_gui.run.scripts.script_file import Script, read_script_file
from stepflow_gui.run.scripts.scripted import run_script
from stepflow_gui.run.traces.trace import Trace, read_trace
from tests.seeds.conftest import Write
from tests.seeds.documents import CHECKS, CHECKS_AGENT

CLIMPT = "climpt-2026-01-09"
FENCED = '```json\n{{ "result": "{result}", "message": "{message}" }}\n```'


@pytest.fixture
def agent(write: Write) -> AgentFolder:
    return write(CHECKS, CHECKS_AGENT)


def failing_at(step: str, times: int = 1) -> Callable[[Question], str | None]:
    """Answers as the document shows them; the check of one step fails at first."""
    left = times

    def answer(question: Question) -> str | None:
        nonlocal left
        if not question.check:
            return None
        if question.step == step and left:
            left -= 1
            return FENCED.format(result="ng", message="2 test failures in test/auth.test.ts")
        return FENCED.format(result="ok", message="All tests pass, no errors")

    return answer


def test_the_programmatic_example(agent: AgentFolder) -> None:
    """`runner.run({args})`, then success, finalStepId, completionReason and the history with its messages."""
    definition = load_agent(agent.folder)
    runner = StepFlowRunner(definition, failing_at("s_b2c1"))
    result = runner.run(args={"topic": "Refactoring authentication module"})
    assert result.success
    assert result.final_step == "s_c9d4"
    assert "s_c9d4 was its last step" in result.completion_reason
    history = [
        (entry.step, entry.transition, entry.check_result.message if entry.check_result else None)
        for entry in result.history
    ]
    passed = "All tests pass, no errors"
    assert history == [
        ("s_a8f3", "next", passed),
        ("s_b2c1", "fallback", "2 test failures in test/auth.test.ts"),
        ("s_a8f3", "next", passed),
        ("s_b2c1", "next", passed),
        ("s_c9d4", "complete", passed),
    ]


def test_used_up_retries_end_the_programs_run_as_a_failure(agent: AgentFolder) -> None:
    result = StepFlowRunner(load_agent(agent.folder), failing_at("s_a8f3", times=9)).run()
    assert (result.success, result.end, result.final_step, result.iterations) == (False, "check", "s_a8f3", 3)
    assert [(entry.transition, entry.run, entry.retries) for entry in result.history] == [
        ("retry", 1, 0),
        ("retry", 2, 1),
        (None, 3, 2),
    ]
    assert "2 test failures" in result.completion_reason


def test_where_climpt_parts_from_the_document_is_reported(agent: AgentFolder) -> None:
    result = StepFlowRunner(load_agent(agent.folder), failing_at("s_a8f3", times=9), shadow=CLIMPT).run()
    assert result.shadow is not None
    assert "treats a failed check without a next step as a normal end" in result.shadow


@pytest.mark.parametrize("said", [True, "pass", "Well, result: ok", {"result": "ok"}])
def test_a_function_may_answer_a_check_with_any_value(agent: AgentFolder, said: object) -> None:
    runner = StepFlowRunner(load_agent(agent.folder), lambda question: said if question.check else "done")
    assert runner.run().path == ("s_a8f3", "s_b2c1", "s_c9d4")


def test_a_runner_of_gates_refuses_the_registry_and_one_of_checks_others(agent: AgentFolder) -> None:
    result = StepFlowRunner(load_agent(agent.folder), [], era="climpt-2026-04-20").run()
    assert (result.success, result.end, result.error_code) == (False, "error", "not_imitated")


# Prompts


def asked_of(agent: AgentFolder, *, needs_prompts: bool = True) -> tuple[list[tuple[bool, str | None]], Ran]:
    """All that is asked until the end, or what stops it."""
    found: list[tuple[bool, str | None]] = []

    class Passing(Simulated):
        name, costs_money = "", False

        def answer(self, asked: ResponderQuery, _state: State) -> Answered:
            found.append((asked.query.check, asked.prompt.text))
            return Answered({"result": "ok"} if asked.query.check else None)

    passing = Passing()
    run = AgentRun(agent, RunOptions(args={"topic": "auth", "deep": None}, needs_prompts=needs_prompts))
    return found, run.drive(passing, passing)


def test_steps_and_checks_are_asked_with_their_files_and_the_parameters(agent: AgentFolder) -> None:
    prompts = agent.folder / "prompts"
    text = "{{topic}} {topic} {uv-topic} {other} {uv-deep} {{ topic }}"
    (prompts / "steps/phase/analyze/f_default.md").write_text(text, "utf-8")
    found, _ran = asked_of(agent)
    assert found[:3] == [
        (False, "auth auth auth {other} {uv-deep} {{ topic }}"),
        (True, "Is it done?\n"),
        (False, "Go on.\n"),
    ]


@pytest.mark.parametrize(("missing", "queries"), [("steps/phase/implement", 2), ("checks/step/implement", 3)])
def test_a_prompt_that_is_missing_ends_the_run_before_it_is_asked(
    agent: AgentFolder, missing: str, queries: int
) -> None:
    (agent.folder / "prompts" / missing / "f_default.md").unlink()
    found, ran = asked_of(agent)
    assert len(found) == queries
    assert ran.stopped is not None
    assert (ran.stopped.error.kind, ran.stopped.step) == ("prompt", "s_b2c1")
    assert asked_of(agent, needs_prompts=False)[1].outcome is not None  # by hand it goes on


# Traces, chance, exploring


@pytest.mark.parametrize("era", ["guide", CLIMPT])
def test_runs_by_chance_are_written_down_and_gone_through_again(agent: AgentFolder, tmp_path: Path, era: str) -> None:
    paths = set()
    for seed in range(10):
        run = AgentRun(agent, RunOptions(era=era))
        chance = RandomResponder(run.machine, seed, Simulated())
        trace = tmp_path / "trace.jsonl"
        result = StepFlowRunner(load_agent(agent.folder), chance, era=era).run(trace=trace)
        paths.add(result.path)
        read = read_trace(trace)
        assert isinstance(read, Trace)
        replay = ReplayResponder(read, agent.flow)
        ran = AgentRun(agent, RunOptions(era=era)).drive(replay, replay, replay.watch)
        assert ran.outcome is not None
        assert (ran.outcome.success, ran.state.iteration) == (result.success, result.iterations)
        assert (replay.parting, replay.notes, replay.left) == (None, [], 0)
    assert len(paths) > 3


def test_a_trace_explains_each_check(agent: AgentFolder, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    StepFlowRunner(load_agent(agent.folder), failing_at("s_a8f3")).run(trace=trace)
    read = read_trace(trace)
    assert isinstance(read, Trace)
    first, check, again = read.events[1:4]
    assert (first.step, first.check) == ("s_a8f3", None)
    assert check.check is not None
    assert (check.check.passed, check.check.transition, check.intent) == (False, "retry", "retry")
    assert check.check.message.startswith("2 test failures")
    assert (again.step, again.iteration) == ("s_a8f3", 2)
    overlay = coverage_overlay([read])
    assert overlay.visits == {"s_a8f3": 2, "s_b2c1": 1, "s_c9d4": 1}
    assert overlay.taken["s_a8f3", "retry", None] == overlay.taken["s_a8f3", "pass", None] == 1


@pytest.mark.parametrize(
    ("era", "ends"),
    [
        ("guide", {("complete", "s_c9d4"), ("check", "s_a8f3"), ("limit", "s_b2c1")}),
        (CLIMPT, {("complete", "s_c9d4"), ("check", "s_a8f3"), ("limit", "s_b2c1")}),
    ],
)
def test_exploring_finds_every_path_and_its_scripts_follow_them(
    agent: AgentFolder, era: str, ends: set[tuple[str, str]]
) -> None:
    run = AgentRun(agent, RunOptions(era=era))
    found = explore_from(run.host, [Start()]).each[0]
    assert found.complete
    assert (found.coverage.missing_steps, found.coverage.missing_edges, found.unreached) == ([], [], ())
    assert {(end.kind, end.outcome.step) for end in found.ends} == ends
    assert (found.loops, found.dead_ends) == ((), ())
    generated = scripts_of(found.graph)
    assert (generated.coverage.missing_edges, generated.rest) == ([], ())
    for script in generated.scripts:
        read = read_script_file(script.text)
        assert isinstance(read, Script)
        assert read.expected is not None
        result = run_script(agent.flow, read.lines, era=run.machine.era)
        assert result.outcome is not None
        assert (result.outcome.kind, result.unused) == (read.expected.kind, 0)
        path = tuple(entry.step for entry in result.trace if entry.is_visit)
        assert path == read.expected.path


def test_a_retry_that_never_ends_is_found_as_a_loop(write: Write) -> None:
    for_ever = {**CHECKS, "steps": {**CHECKS["steps"]}}
    stuck = {**CHECKS["steps"]["s_b2c1"]["check"], "onPass": {"retry": True}, "onFail": {"retry": True}}
    for_ever["steps"]["s_b2c1"] = {**CHECKS["steps"]["s_b2c1"], "check": stuck}
    host = host_of(lambda _iteration: write(for_ever, CHECKS_AGENT))
    assert host.machine.era == guide_for("checks")
    found = explore_from(host, [Start()]).each[0]
    assert [(loop.steps, loop.ended_by) for loop in found.loops] == [(("s_b2c1",), "limit")]
    assert {each.step for each in found.out_of_reach} == {"s_c9d4"}
    assert explore(host.machine).cut is None
