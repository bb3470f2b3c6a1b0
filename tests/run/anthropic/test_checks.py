"""Steps and their checks answered by a model: both asked in words, the check's text read as upstream reads it."""

from pathlib import Path

import pytest

from stepflow_gui.api import StepFlowRunner, load_agent
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.responders.anthropic_agent import model_for
from stepflow_gui.run.responders.anthropic_responder import AnthropicResponder
from tests.run.anthropic.asking import SECRET
from tests.run.anthropic.messages_api import Api, says
from tests.run.checks.flows import placed

OK = says('All is well.\n```json\n{ "result": "ok", "message": "no errors" }\n```')
NG = says("Two tests fail. Result: NG")


@pytest.fixture
def agent(tmp_path: Path, api: Api, monkeypatch: pytest.MonkeyPatch) -> AgentFolder:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    return load_agent(placed(tmp_path)).source


def test_a_model_runs_the_steps_and_judges_them(agent: AgentFolder, api: Api) -> None:
    done = says("Done.")
    api.replies = [done, OK, done, NG, done, OK, done, OK, done, OK]
    model = model_for(agent, args={"topic": "auth"})
    assert isinstance(model, AnthropicResponder)
    result = StepFlowRunner(load_agent(agent.folder), model).run(args={"topic": "auth"})
    assert result.path == ("s_a8f3", "s_b2c1", "s_a8f3", "s_b2c1", "s_c9d4")
    assert result.success
    assert [entry.check_result.message for entry in result.history if entry.check_result][:2] == [
        "no errors",
        "Two tests fail. Result: NG",
    ]
    asked = [request["messages"][-1]["content"] for request in api.requests]
    assert asked[:3] == [
        "Look at auth: steps Code Analysis",
        "Look at auth: checks Code Analysis",
        "Look at auth: steps Implementation",
    ]
    assert all("output_config" not in request and "tools" not in request for request in api.requests)
    assert api.requests[1]["messages"][1]["content"] == "Done."  # the check goes on with the step's answer
    assert api.requests[0]["system"] == "You improve code."
