"""Random runs: the same from the same seed, and everywhere the flow can go."""

from pathlib import Path

from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.effects import NoAnswer, ResponderQuery
from stepflow_gui.run.host.host import HostEvent
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.state import Answered, Query, Start, Validated
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.prompts.prompt_result import PromptResult
from stepflow_gui.run.responders.random_answers import RandomResponder
from stepflow_gui.run.session import Run
from tests.run.flows import flow, registry, step, validated

CASES = registry(
    step(
        "initial.a",
        "work",
        gate={"handoffFields": ["status"]},
        next={"condition": "status", "targets": {"ready": "initial.a", "done": "continuation.a"}},
        handoff="closure.a",
    ),
    step("continuation.a", "work", next="initial.a", handoff="closure.a"),
    step("closure.a", "closure", closing=None, repeat="initial.a"),
)


LONG = Verdict("count:iteration", {"maxIterations": 30})


def config(seed: int, verdict: Verdict = LONG) -> list[str]:
    """The answers of a run and where it goes."""
    run = Run(flow(CASES), verdict)
    run.start()
    responder = RandomResponder(run.machine, seed, Simulated())
    said = []
    while run.state.waits == "answer" and run.state.error is None:
        event = responder.answer(None, run.state)
        assert isinstance(event, Answered)
        run.send(event)
        last = run.state.last
        assert last is not None
        assert last.interpretation is not None
        case = getattr(last.transition, "case", None)
        said.append(f"{last.step} {last.interpretation.raw} {case} {last.to} {event.verdict_reached}")
    return said


def test_a_seed_gives_the_same_run_each_time_and_on_each_machine() -> None:
    assert config(7) == config(7)
    assert config(7) != config(8)
    assert config(3)[:3] == [
        "initial.a continue ready initial.a False",
        "initial.a handoff None closure.a False",
        "closure.a repeat None initial.a False",
    ]


def test_every_message_appears_sooner_or_later() -> None:
    said = {line.rpartition(" ")[0] for seed in range(120) for line in config(seed)}
    words = {line.split()[1] for line in said}
    assert words >= {"next", "continue", "pass", "handoff", "closing", "done", "finished", "abort", "repeat", "retry"}
    assert {line.split()[2] for line in said} == {"None", "ready", "done"}


def test_validators_fail_now_and_then() -> None:
    results = set()
    for seed in range(20):
        run = Run(flow(validated()))
        run.start("closure.issue")
        run.answer({"next_action": {"action": "closing"}})
        waiting = run.validator
        assert waiting is not None
        found = RandomResponder(run.machine, seed, Simulated()).preset_result(waiting, run.state)
        assert isinstance(found, Validated)
        results.add(found.passed)
        steady = RandomResponder(run.machine, seed, Simulated(), fails=False).preset_result(waiting, run.state)
        assert steady == Validated(passed=True)
    assert results == {True, False}


def test_what_is_outside_holds_now_and_then() -> None:
    told = {line.rpartition(" ")[2] for seed in range(30) for line in config(seed, Verdict("poll:state"))}
    assert told == {"True", "False"}


def test_real_registries_are_gone_through(corpus: Path) -> None:
    found = sorted(corpus.rglob("steps_registry.json"))[:40]
    ended = 0
    for path in found:
        agent = open_agent(path)
        if not isinstance(agent, AgentFolder) or agent.format not in GATE_FORMATS:
            continue

        def agents(_iteration: int, agent: AgentFolder = agent) -> AgentFolder:
            return agent

        host = host_of(agents)
        history: list[HostEvent] = []
        responder = RandomResponder(host.machine, 3, Simulated())
        ran = host.drive(Start(), responder, responder, history.append)
        assert not isinstance(ran.unanswered, NoAnswer) or ran.unanswered.message
        ended += ran.outcome is not None
    assert ended > 0


def test_what_the_output_schema_rules_out_is_left_out() -> None:
    run = Run(flow(CASES), LONG)
    run.start()
    action = {"type": "object", "properties": {"other": {"type": "string"}}, "additionalProperties": False}
    schema = {"type": "object", "properties": {"next_action": action}, "additionalProperties": False}
    step = run.state.step
    assert step is not None
    asked = ResponderQuery(Query(step, 1, None), PromptResult("", "file"), schema, "opus", "plan")
    event = RandomResponder(run.machine, 3, Simulated()).answer(asked, run.state)
    assert isinstance(event, Answered)
    assert event.answer == {"stepId": step, "next_action": {}}
