"""A run and its shadow in another era: they go together until the eras differ, and then the reason is reported."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt import eras
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import START, Answered, Event, Start, State, Validated
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from stepflow_gui.run.shadow import Shadow, ShadowRun, shadow_machine
from tests.run.flows import PROJECT, SIMPLE, Json, flow, registry, step, validated

GRAPH = Verdict("detect:graph", {"maxIterations": 12})


def say(word: str) -> Answered:
    return Answered({"next_action": {"action": word}}, ("text",))


def shadowed(machine: Machine, era: Era, *events: Event) -> tuple[Shadow, State]:
    """A run of these events with its shadow, which is not asked to load the registry."""
    run = ShadowRun(machine, Machine(machine.flow, machine.verdict, era))
    shadow, state = Shadow(), START
    for event in (Start(), *events):
        state, _effects = machine.step(state, event)
        shadow = run.follow(shadow, event, state)
    return shadow, state


def guide(content: Json, verdict: Verdict = GRAPH) -> Machine:
    return Machine(flow(content), verdict)


@pytest.mark.parametrize("era", [eras.CLIMPT_2026_03_14, eras.CLIMPT_2026_04_01, eras.CLIMPT_2026_04_20])
def test_the_simple_flow_runs_the_same_everywhere(era: Era) -> None:
    shadow, state = shadowed(guide(SIMPLE), era, *map(say, ("repeat", "next", "next", "handoff", "closing")))
    assert state.outcome is not None
    assert state.outcome.success
    assert shadow.parting is None
    assert shadow.state.outcome is not None


def test_repeat_parts_where_only_the_guide_follows_its_transition() -> None:
    shadow, state = shadowed(guide(PROJECT), eras.CLIMPT_2026_04_20, say("handoff"), say("repeat"), say("next"))
    parting = shadow.parting
    assert parting is not None
    assert (parting.step, parting.iteration) == ("initial.project.review", 2)
    assert parting.why == "“repeat” never leaves the step there."
    assert "initial.project.again" in parting.first
    assert parting.message.startswith("climpt-2026-04-20 diverges here: it goes on at initial.project.review")
    assert state.step == "continuation.project.again"  # the run itself goes on


def case(content: Json, era: Era, *events: Event, verdict: Verdict = GRAPH) -> str | None:
    shadow, _state = shadowed(guide(content, verdict), era, *events)
    assert shadow.parting is not None
    return shadow.parting.why


def test_each_parting_has_its_reason() -> None:
    closing = (say("handoff"), say("closing"))
    by_step, by_verdict = validated(), validated("closure.graph")
    assert case(by_step, eras.CLIMPT_2026_04_08, *closing) == (
        "It looks for validators by the verdict type and finds none."
    )
    assert case(by_verdict, eras.CLIMPT_2026_03_14, say("handoff"), say("done")) == (
        "It runs validators only where next_action.action is “closing” or “complete” as written."
    )
    assert case(by_verdict, eras.CLIMPT_2026_04_20, say("handoff")) == (
        "It runs the validators before it asks closure.issue as well."
    )
    failed = Validated(passed=False)
    assert case(by_verdict, eras.CLIMPT_2026_03_14, *closing, failed) == (
        "It doesn't read onFailure: it tries again until the limit."
    )
    assert case(SIMPLE, eras.CLIMPT_2026_04_01, say("next"), say("handoff"), say("done"), say("done")) is not None
    aborting = registry(step("initial.a", None, next="initial.a", abort=None) | {"c2": "odd"})
    assert case(aborting, eras.CLIMPT_2026_04_20, say("abort")) == "It treats “abort” as a normal end."


def test_a_closure_that_answers_by_an_alias_parts() -> None:
    why = case(SIMPLE, eras.CLIMPT_2026_04_01, say("next"), say("handoff"), say("done"))
    assert why == "Closures pass neither gate nor router there: only “closing” and “repeat” as written count."


def test_another_limit_is_reported() -> None:
    repeats = [say("repeat")] * 10
    assert case(SIMPLE, eras.CLIMPT_2026_04_01, *repeats, verdict=Verdict("detect:graph")) == (
        "Its limit is 10 iterations."
    )


def test_what_the_shadow_s_loader_refuses_parts_at_the_start(tmp_path: Path) -> None:
    content: dict[str, Any] = SIMPLE | {"agentId": ""}
    path = tmp_path / ".agent" / "demo" / "steps_registry.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content), "utf-8")
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    first = Machine(agent.flow, GRAPH)
    run = ShadowRun(first, shadow_machine(agent, eras.CLIMPT_2026_04_20, GRAPH))
    state, _effects = first.step(START, Start())
    shadow = run.follow(Shadow(), Start(), state)
    assert shadow.parting is not None
    assert shadow.parting.why == "The registry has no “agentId”."


def test_stepping_back_takes_the_shadow_back_as_well() -> None:
    machine = guide(PROJECT)
    run = Run(machine.flow, GRAPH, shadow=Machine(machine.flow, GRAPH, eras.CLIMPT_2026_04_20))
    run.start()
    for word in ("handoff", "repeat"):
        run.answer({"next_action": {"action": word}})
    assert run.parting is not None
    run.back()
    assert run.parting is None
    run.answer({"next_action": {"action": "next"}})
    assert run.parting is None
    run.use(machine.flow, GRAPH)
    run.restart()
    assert run.parting is None
