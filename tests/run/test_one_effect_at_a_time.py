"""A run controlled from outside, one effect at a time: an unanswered effect leaves it where it is."""

import threading
from pathlib import Path

import pytest

from stepflow_gui.run.effects import Cancellable, Commands, NoAnswer, Responder, ResponderQuery
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.host.real_commands import RealCommands
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.state import Answered, NotAsked, Query, RunValidator, State, Validated
from stepflow_gui.run.responders.scripted import ScriptResponder
from stepflow_gui.run.session import Run
from tests.run.flows import SIMPLE, validated
from tests.run.traces.test_trace import opened


class Silent:
    """A responder that has no answer, until it is given one."""

    name = "silent"
    costs_money = False

    def __init__(self) -> None:
        self.answers: list[Answered] = []

    def answer(self, _asked: ResponderQuery, _state: State) -> Answered | NoAnswer:
        return self.answers.pop(0) if self.answers else NoAnswer("network", "No network.", retryable=True)


def led(host: Host) -> Run:
    run = Run(host.machine.flow, machine=host.machine)
    run.start()
    return run


def test_without_an_answer_the_run_stays_and_goes_on_later(tmp_path: Path) -> None:
    agent = opened(tmp_path, SIMPLE)
    host = host_of(lambda _iteration: agent)
    run, responder = led(host), Silent()
    assert isinstance(responder, Responder)
    assert not isinstance(responder, Cancellable)
    before = run.state
    query = Query("initial.issue", 1, None)
    found = host.carry_out(before, query, responder, Simulated())
    assert found == NoAnswer("network", "No network.", retryable=True)
    assert run.state is before
    responder.answers.append(Answered({"next_action": {"action": "next"}}))
    found = host.carry_out(before, query, responder, Simulated())
    assert not isinstance(found, NoAnswer)
    event, asked = found
    assert asked is not None
    assert asked.prompt.text == "Look at it."
    run.send(event)
    assert run.state.step == "continuation.issue"
    run.back()
    assert run.state == before


def test_where_prompts_are_needed_a_missing_one_is_an_event(tmp_path: Path) -> None:
    agent = opened(tmp_path, SIMPLE)
    host = host_of(lambda _iteration: agent, needs_prompts=True)
    run = led(host)
    run.answer({"next_action": {"action": "next"}})
    found = host.carry_out(run.state, Query("continuation.issue", 2, None), Silent(), Simulated())
    assert not isinstance(found, NoAnswer)
    event, asked = found
    assert isinstance(event, NotAsked)
    assert (event.why, asked) == ("prompt", None)


@pytest.mark.parametrize("real", [False, True])
def test_a_validator_that_is_itself_wrong_ends_the_run_in_simulation_too(tmp_path: Path, real: bool) -> None:
    content = validated()
    del content["validators"]["git-clean"]["command"]
    agent = opened(tmp_path, content)
    host = host_of(lambda _iteration: agent)
    run = led(host)
    for word in ("handoff", "closing"):
        run.answer({"next_action": {"action": word}})
    waiting = run.validator
    assert isinstance(waiting, RunValidator)
    commands: Commands = RealCommands(tmp_path) if real else Simulated()
    found = host.carry_out(run.state, waiting, Silent(), commands)
    assert not isinstance(found, NoAnswer)
    assert isinstance(found[0], Validated)
    assert found[0].fault is not None
    assert "has no command" in found[0].fault


def test_a_failure_described_in_text_is_matched_as_a_real_one(tmp_path: Path) -> None:
    content = validated()
    content["validators"]["git-clean"]["extractParams"] = {"files": "parseChangedFiles", "text": "errorOutput"}
    agent = opened(tmp_path, content)
    host = host_of(lambda _iteration: agent)
    run = led(host)
    for word in ("handoff", "closing"):
        run.answer({"next_action": {"action": word}})
    waiting = run.validator
    assert waiting is not None
    found = host.carry_out(run.state, waiting, Silent(), Simulated({"git-clean": " M a.ts\n M b.ts"}))
    assert not isinstance(found, NoAnswer)
    event = found[0]
    assert isinstance(event, Validated)
    assert event.params["files"] == ["a.ts", "b.ts"]
    assert not event.passed


def test_a_command_that_is_cancelled_leaves_the_run(tmp_path: Path) -> None:
    content = validated()
    content["validators"]["git-clean"] |= {"command": "sleep 100"}
    agent = opened(tmp_path, content)
    host = host_of(lambda _iteration: agent)
    run = led(host)
    for word in ("handoff", "closing"):
        run.answer({"next_action": {"action": word}})
    before, waiting = run.state, run.validator
    assert waiting is not None
    commands = RealCommands(tmp_path)
    assert isinstance(commands, Cancellable)
    timer = threading.Timer(0.2, commands.cancel)
    timer.start()
    found = host.carry_out(before, waiting, Silent(), commands)
    timer.join()
    assert isinstance(found, NoAnswer)
    assert (found.kind, found.retryable) == ("cancelled", True)
    script = ScriptResponder((), host.machine.flow, host.machine.era, Simulated())
    passed = host.carry_out(before, waiting, script, script)
    assert not isinstance(passed, NoAnswer)
    run.send(passed[0])
    assert run.state.last is not None
    assert run.state.last.validator == "git-clean"
