"""A run as a person controls it: choosing, stepping back, starting again, being watched."""

from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.machine.verdict import Verdict, verdict_of
from stepflow_gui.run.session import Run, TakenTransition
from tests.run.flows import SIMPLE, flow, registry, say, started, step, validated


def test_stepping_back_gives_the_state_before() -> None:
    run = started(SIMPLE)
    states = [run.state]
    for word in ("next", "sideways", "handoff", "closing"):
        say(run, word)
        states.append(run.state)
    for state in reversed(states):
        assert run.state == state
        went = run.back()
        assert went is (state is not states[0])
    assert not run.can_go_back
    assert run.taken == {}
    assert run.visits == {"initial.issue": 1}


def test_a_step_back_over_the_end_goes_on() -> None:
    run = started(SIMPLE)
    say(run, "abort")
    assert run.choices() == []
    run.back()
    say(run, "next", "handoff", "closing")
    assert run.state.outcome is not None
    assert run.state.outcome.success


def test_restart_begins_where_the_run_began() -> None:
    run = started(SIMPLE, entry="continuation.issue")
    say(run, "next", "handoff")
    run.restart()
    assert (run.state.step, run.state.iteration, len(run.trace)) == ("continuation.issue", 1, 1)
    run.start()
    assert run.state.step == "initial.issue"


def test_visits_and_transitions_are_counted() -> None:
    run = started(SIMPLE)
    say(run, "next", "next", "next", "handoff", "closing")
    assert run.visits == {"initial.issue": 1, "continuation.issue": 3, "closure.issue": 1}
    assert run.taken[TakenTransition("continuation.issue", "next", None, "continuation.issue")] == 2
    assert run.last_taken == TakenTransition("closure.issue", "closing", None, None)


def test_a_closing_counts_as_gone_when_its_validators_have_passed() -> None:
    run = started(validated())
    say(run, "handoff", "closing")
    assert run.last_taken is None
    run.validated(passed=True)
    run.validated(passed=True)
    assert run.last_taken == TakenTransition("closure.issue", "closing", None, None)


def test_listeners_hear_every_change_until_they_leave() -> None:
    run = Run(flow(SIMPLE))
    heard: list[str | None] = []
    leave = run.on_change(lambda: heard.append(run.state.step))
    run.start()
    say(run, "next")
    run.validated(passed=True)  # not waited for: nothing changes
    run.back()
    leave()
    say(run, "next")
    assert heard == ["initial.issue", "continuation.issue", "initial.issue"]


def test_a_corrected_registry_goes_on_from_the_break() -> None:
    run = started(registry(step("initial.a", "work", next="ghost"), step("initial.b", "work", next="initial.b")))
    say(run, "next")
    assert run.state.error is not None
    run.use(flow(registry(step("initial.a", "work", next="initial.b"), step("initial.b", "work"))), Verdict())
    say(run, "next")
    assert run.state.step == "initial.b"


def test_an_external_verdict_is_entered_by_the_person() -> None:
    run = started(SIMPLE, Verdict("poll:state"))
    assert run.machine.verdict.is_external
    run.choose(run.choices()[0], verdict_reached=True)
    assert run.state.outcome is not None
    assert (run.state.outcome.success, run.state.outcome.kind) == (True, "verdict")


def test_ten_thousand_steps_share_what_they_have_in_common() -> None:
    run = started(SIMPLE, Verdict("poll:state", {"maxIterations": 20_000}))
    say(run, "next", *["next"] * 10_000)
    assert len(run.trace) == 10_002
    first, second = run.states[-2:]
    assert first.context["initial.issue"] is second.context["initial.issue"]
    while run.back():
        pass
    assert run.visits == {"initial.issue": 1}


@pytest.mark.parametrize(
    ("folder", "entry", "words"),
    [
        ("iterator/031-06e570d", "initial.issue", ["next", "handoff", "closing"]),
        ("iterator/035-f09af8b", "initial.issue", ["next", "handoff", "closing"]),
    ],
)
def test_real_flows_run_to_their_end(corpus: Path, folder: str, entry: str, words: list[str]) -> None:
    agent = open_agent(corpus / "climpt" / folder)
    assert isinstance(agent, AgentFolder)
    run = Run(agent.flow, verdict_of(agent.agent))
    run.start(entry)
    for word in words:
        choice = next(choice for choice in run.choices() if choice.intent == word)
        run.choose(choice)
        while run.state.waits == "validator":
            run.validated(passed=True)
    assert run.state.error is None
    assert run.state.outcome is not None
    assert run.state.outcome.success
