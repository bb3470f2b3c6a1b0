"""Agents run from Python, as a program sees it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.api import Agent, AgentError, Question, StepFlowRunner, load_agent, load_script
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.traces.trace import Trace, read_trace
from tests.run.flows import SIMPLE, validated
from tests.run.traces.test_trace import opened

HAPPY = [{"intent": "next"}, {"intent": "handoff"}, {"intent": "closing"}]


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    opened(tmp_path, SIMPLE)
    return load_agent(tmp_path)


def saying(**words: str) -> Any:
    """A function that returns one word at each step."""
    return lambda question: {"next_action": {"action": words[question.step.partition(".")[0]]}}


def test_a_function_answers_and_the_result_has_the_path(agent: Agent) -> None:
    asked: list[Question] = []

    def answer(question: Question) -> dict[str, Any]:
        asked.append(question)
        said: dict[str, Any] = saying(initial="next", continuation="handoff", closure="done")(question)
        return said

    result = StepFlowRunner(agent, answer).run(args={"topic": "auth"})
    assert result.success
    assert (result.final_step, result.end, result.iterations) == ("closure.issue", "closing", 3)
    assert "closure.issue closed it" in result.completion_reason
    assert result.path == ("initial.issue", "continuation.issue", "closure.issue")
    assert [(entry.step, entry.transition, entry.to) for entry in result.history] == [
        ("initial.issue", "next", "continuation.issue"),
        ("continuation.issue", "handoff", "closure.issue"),
        ("closure.issue", "closing", None),
    ]
    assert asked[0].prompt == "Look at it."
    assert asked[0].intents[0] == "next"
    assert asked[0].iteration == 1


def test_agents_are_reported(agent: Agent) -> None:
    assert (agent.name, agent.format) == ("demo", "c3l")
    assert agent.steps[0] == "initial.issue"


def test_an_agent_may_be_named_as_the_files_call_it(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_agent("demo").folder == agent.folder


def test_scripts_answer_as_lists_and_as_files(agent: Agent, tmp_path: Path) -> None:
    assert StepFlowRunner(agent, HAPPY).run().success
    file = tmp_path / "happy.yaml"
    file.write_text("answers: [{intent: next}, {intent: handoff}, {intent: closing}]")
    runner = StepFlowRunner(agent, load_script(file))
    assert runner.run().success
    assert runner.run().success  # nothing is kept between runs


def test_checks_stand_with_the_step_that_they_were_run_for(tmp_path: Path) -> None:
    opened(tmp_path, validated(maxAttempts=1))
    once: list[dict[str, Any]] = [{"intent": "handoff"}, {"intent": "closing"}, {"passed": False, "error": " M a"}]
    script = once * 2
    result = StepFlowRunner(load_agent(tmp_path), script).run()
    assert not result.success
    assert result.end == "validation"
    entry = result.history[1]
    assert (entry.step, entry.transition, entry.to) == ("closure.issue", "closing", "continuation.issue")
    assert entry.check_result is not None
    assert (entry.check_result.name, entry.check_result.passed, entry.check_result.message) == (
        "git-clean",
        False,
        " M a",
    )


def test_validators_run_only_where_the_program_wants_it(tmp_path: Path) -> None:
    content = validated(maxAttempts=1)
    content["validators"]["git-clean"] |= {"command": "touch ran; cat answer.txt", "successWhen": "contains:yes"}
    content["validators"]["type-check"] |= {"command": "true", "successWhen": "exitCode:0"}
    opened(tmp_path, content)
    work = tmp_path / "work"
    work.mkdir()
    (work / "answer.txt").write_text("yes")
    agent = load_agent(tmp_path)
    script = [{"intent": "handoff"}, {"intent": "closing"}]
    assert StepFlowRunner(agent, script).run(cwd=work).success
    assert not (work / "ran").exists()
    assert StepFlowRunner(agent, script, run_commands=True).run(cwd=work).success
    assert (work / "ran").exists()
    failed = StepFlowRunner(agent, script, failing={"git-clean": "dirty"}).run()
    assert failed.history[1].checks[0].message == "dirty"


def test_what_goes_wrong_in_a_run_is_in_its_result(agent: Agent) -> None:
    result = StepFlowRunner(agent, HAPPY[:1]).run()
    assert (result.success, result.end, result.error_code) == (False, "unanswered", "ended")
    assert "continuation.issue" in result.completion_reason
    result = StepFlowRunner(agent, saying(initial="dance")).run()
    assert (result.end, result.error_code, result.final_step) == (
        "error",
        "GATE_INTERPRETATION_ERROR",
        "initial.issue",
    )
    assert result.history[0].error == result.completion_reason
    result = StepFlowRunner(agent, HAPPY).run(entry="nowhere")
    assert result.end == "error"
    assert result.history == ()
    result = StepFlowRunner(agent, lambda _question: NoAnswer("busy", "Not today.")).run()
    assert (result.end, result.completion_reason) == ("unanswered", "Not today.")


def test_what_is_wrong_with_the_program_itself_is_raised(agent: Agent) -> None:
    with pytest.raises(AgentError, match="Line 1"):
        StepFlowRunner(agent, [5]).run()  # type: ignore[list-item]
    with pytest.raises(AgentError, match="no validator “nope”"):
        StepFlowRunner(agent, HAPPY, failing={"nope": "x"}).run()

    def broken(_question: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        StepFlowRunner(agent, broken).run()


def test_eras_shadows_and_limits(agent: Agent) -> None:
    result = StepFlowRunner(agent, saying(initial="repeat"), max_iterations=4).run()
    assert (result.end, result.iterations, result.error_code) == ("limit", 4, "AGENT_MAX_ITERATIONS")
    result = StepFlowRunner(agent, saying(initial="abort"), shadow="climpt-2026-03-14").run()
    assert result.end == "abort"
    assert result.shadow is not None
    assert "climpt-2026-03-14" in result.shadow
    with pytest.raises(AgentError, match="at least 1"):
        StepFlowRunner(agent, HAPPY, max_iterations=0)
    with pytest.raises(AgentError, match="climpt-2026-04-20"):
        StepFlowRunner(agent, HAPPY, era="climpt-1999")


@pytest.mark.parametrize("value", [object(), {1, 2}, float("nan"), {"a": b"bytes"}])
def test_what_is_no_json_is_raised_and_not_lost_in_the_machine(agent: Agent, value: Any) -> None:
    answering = StepFlowRunner(agent, lambda _question: {"next_action": {"action": value}})
    with pytest.raises(AgentError, match=r"“initial\.issue” is not a JSON value"):
        answering.run()
    with pytest.raises(AgentError, match="“topic” is not a JSON value"):
        StepFlowRunner(agent, HAPPY).run(args={"topic": value})


def test_answers_are_taken_as_json_has_them(agent: Agent) -> None:
    result = StepFlowRunner(agent, lambda _question: {"next_action": {"action": "abort"}, "files": ("a", "b")}).run()
    assert result.history[0].answer == {"next_action": {"action": "abort"}, "files": ["a", "b"]}


def test_steps_are_reported_as_they_end(agent: Agent) -> None:
    told: list[str] = []
    result = StepFlowRunner(agent, HAPPY).run(on_step=lambda entry: told.append(entry.step))
    assert tuple(told) == result.path


def test_a_run_is_written_down_if_wished(agent: Agent, tmp_path: Path) -> None:
    StepFlowRunner(agent, HAPPY).run(trace=tmp_path / "t.jsonl")
    found = read_trace(tmp_path / "t.jsonl")
    assert isinstance(found, Trace)
    assert [event.to for event in found.events] == ["initial.issue", "continuation.issue", "closure.issue", None]
    with pytest.raises(AgentError, match=r"no.t\.jsonl"):
        StepFlowRunner(agent, HAPPY).run(trace=tmp_path / "no" / "t.jsonl")


def test_what_can_not_be_used_is_reported(tmp_path: Path, agent: Agent) -> None:
    with pytest.raises(AgentError, match="no such file"):
        load_agent(tmp_path / "nowhere")
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(AgentError, match="no registry"):
        load_agent(tmp_path / "x.json")
    with pytest.raises(AgentError, match=r"none\.yaml"):
        load_script(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("- {intent: 3}")
    with pytest.raises(AgentError, match=r"bad\.yaml:1: Line 1"):
        load_script(tmp_path / "bad.yaml")
    with pytest.raises(AgentError, match="Line 2"):
        StepFlowRunner(agent, [{"intent": "next"}, {"intnt": "next"}]).run()


def test_the_defaults_of_parameters_reach_the_prompts(tmp_path: Path) -> None:
    folder = opened(tmp_path, SIMPLE).folder
    definition = json.loads((folder / "agent.json").read_text())
    definition["parameters"] = {"topic": {"type": "string", "description": "", "default": "locks"}}
    (folder / "agent.json").write_text(json.dumps(definition))
    (folder / "prompts/steps/initial/issue/f_default.md").write_text("About {uv-topic}.")
    prompts: list[str | None] = []

    def answer(question: Question) -> dict[str, Any]:
        prompts.append(question.prompt)
        return {"next_action": {"action": "abort"}}

    runner = StepFlowRunner(load_agent(tmp_path), answer)
    runner.run()
    runner.run(args={"topic": "keys"})
    assert prompts == ["About locks.", "About keys."]


def test_the_api_loads_neither_window_nor_models(checkout: Path) -> None:
    code = "import sys, stepflow_gui.api\nprint({name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, check=True)
    for heavy in ("PySide6", "anthropic", "networkx", "jsonschema", "pydantic", "ruamel"):
        assert f"'{heavy}'" not in done.stdout
