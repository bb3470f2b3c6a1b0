"""A run written down as a test of its flow expects what happened: its path, and its end or where it stopped."""

from pathlib import Path

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import guide_for
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.run.agent_run import RunOptions
from stepflow_gui.run.exploring.recorded import recorded
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.scripts.flow_tests import run_flow_test
from stepflow_gui.run.session import Run
from tests.run.flows import flow, registry, step


def answered(read: Flow, words: list[str], machine: Machine | None = None) -> Run:
    run = Run(read, machine=machine or Machine(read))
    run.start()
    for word in words:
        run.choose(next(choice for choice in run.choices() if choice.intent == word))
    return run


def test_a_run_becomes_a_test_that_passes(tmp_path: Path) -> None:
    agent = open_agent(copy_example(into=tmp_path))
    assert isinstance(agent, AgentFolder)
    machine = host_of(lambda _iteration: agent, guide_for(agent.flow.format)).machine
    run = Run(agent.flow, machine=machine)
    run.start()
    for word in ("repeat", "next", "handoff", "closing"):
        run.choose(next(choice for choice in run.choices() if choice.intent == word))
    run.validated(passed=False, error="M a.txt")
    assert run.state.retry is not None
    for word in ("handoff", "closing"):
        run.choose(next(choice for choice in run.choices() if choice.intent == word))
    while run.validator is not None:
        run.validated(passed=True)
    assert run.state.outcome is not None
    file = tmp_path / "recorded.jsonl"
    file.write_text(recorded(run.machine, run.states).text, "utf-8")
    tested = run_flow_test(agent, file, Simulated(), RunOptions())
    assert tested.failures == ()
    assert tested.title == f"{run.state.outcome.kind} at closure.issue"
    assert tested.path == tuple(entry.step for entry in run.trace if entry.is_visit)
    text = file.read_text("utf-8").replace('"initial.issue", "initial.issue"', '"initial.issue"', 1)
    file.write_text(text, "utf-8")
    assert run_flow_test(agent, file, Simulated(), RunOptions()).failures


def test_a_run_that_stops_or_goes_on_says_so() -> None:
    content = registry(step("initial.a", "work", next="continuation.b", jump="nowhere"), step("continuation.b", "work"))
    read = flow(content)
    script = recorded(Machine(read), answered(read, ["next"]).states)
    assert script.settings["title"] == "Up to continuation.b"
    assert script.settings["expect"] == {"path": ["initial.a"]}
    stopped = answered(read, ["jump"])
    assert stopped.state.error is not None
    script = recorded(stopped.machine, stopped.states)
    expected = script.settings["expect"]
    assert isinstance(expected, dict)
    assert expected["end"] == {"error": stopped.state.error.kind}
