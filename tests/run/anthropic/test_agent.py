"""A whole agent answered by a model, from its first step to its end, and where it can't begin."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.host.host import HostEvent
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.state import Start
from stepflow_gui.run.responders.anthropic_agent import model_for
from stepflow_gui.run.responders.anthropic_responder import AnthropicResponder
from stepflow_gui.run.responders.anthropic_settings import SettingsProblem
from tests.run.anthropic.asking import SECRET
from tests.run.anthropic.messages_api import Api, Handler, answers, fails


@pytest.fixture
def agent(checkout: Path, tmp_path: Path, api: Api, monkeypatch: pytest.MonkeyPatch) -> AgentFolder:
    """A copy of the example, and an environment in which the server is Anthropic."""
    root = tmp_path / "project"
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow", root)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    found = open_agent(root)
    assert isinstance(found, AgentFolder)
    return found


def sensible(handler: Handler, asked: dict[str, Any]) -> None:
    """An answer that follows the schema that the request holds."""
    from stepflow_gui.run.answer_form.starting import start_of

    schema = (
        asked["output_config"]["format"]["schema"] if "output_config" in asked else asked["tools"][0]["input_schema"]
    )
    value: Any = start_of(schema, schema)
    if value["stepId"] == "continuation.issue":
        value["next_action"]["action"] = "handoff"
    answers(value)(handler, asked)


def lead(agent: AgentFolder, model: AnthropicResponder) -> tuple[list[HostEvent], Any]:
    host = host_of(lambda _iteration: agent, needs_prompts=True)
    happened: list[HostEvent] = []
    ran = host.drive(Start(args={"issue": 7}), model, Simulated(), happened.append)
    return happened, ran


def test_a_model_answers_the_example_to_its_end(agent: AgentFolder, api: Api) -> None:
    api.replies = [sensible]
    model = model_for(agent)
    assert isinstance(model, AnthropicResponder)
    happened, ran = lead(agent, model)
    assert ran.outcome is not None
    assert ran.outcome.success
    assert [each.entry.step for each in happened if each.request] == [
        "initial.issue",
        "continuation.issue",
        "closure.issue",
    ]
    first = api.requests[0]
    assert first["system"].startswith("You work on one issue")
    assert "7" in first["messages"][0]["content"]
    assert len(api.requests[-1]["messages"]) == 5, "one conversation over all steps"
    assert model.spent.answers == 3
    assert model.spent.cost
    assert SECRET not in repr(happened)
    assert SECRET not in json.dumps(api.requests)


def test_a_failure_leaves_the_run_where_it_is_and_it_goes_on(agent: AgentFolder, api: Api) -> None:
    api.replies = [fails(401, "authentication_error"), sensible]
    model = model_for(agent)
    assert isinstance(model, AnthropicResponder)
    happened, ran = lead(agent, model)
    assert ran.unanswered.kind == "bad_key"
    assert ran.state.waits == "answer"
    assert ran.state.step == "initial.issue"
    host = host_of(lambda _iteration: agent, needs_prompts=True)
    led = host.carry_out(ran.state, happened[-1].effects[-1], model, Simulated())
    assert isinstance(led, tuple)


def test_the_system_prompt_has_the_agents_parameters(agent: AgentFolder, api: Api) -> None:
    api.replies = [sensible]
    prompt = agent.folder / "prompts" / "system.md"
    prompt.write_text("---\nname: x\n---\nYou look at issue {uv-issue}.\n", "utf-8")
    model = model_for(agent.reread([prompt]), args={"issue": 7})
    assert isinstance(model, AnthropicResponder)
    lead(agent, model)
    assert api.requests[0]["system"] == "You look at issue 7."


def test_a_system_prompt_that_is_missing_is_reported(agent: AgentFolder) -> None:
    (agent.folder / "prompts" / "system.md").unlink()
    again = open_agent(agent.folder)
    assert isinstance(again, AgentFolder)
    problem = model_for(again)
    assert isinstance(problem, SettingsProblem)
    assert "prompts/system.md" in problem.message


def test_settings_that_cant_be_used_are_reported(agent: AgentFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://evil.example")
    assert isinstance(model_for(agent), SettingsProblem)


def test_nothing_heavy_is_loaded_before_a_model_is_asked(checkout: Path) -> None:
    code = (
        "import sys, stepflow_gui.run.responders.anthropic_agent, stepflow_gui.run.responders.anthropic_process;"
        "print([name for name in ('anthropic', 'keyring', 'jsonschema', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=checkout, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"
