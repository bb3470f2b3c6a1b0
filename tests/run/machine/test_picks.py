"""What a person may pick at a step: every pick becomes an answer that the gate and the router read as it was meant."""

from pathlib import Path

import pytest

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.machine.choices import Choice, choices
from stepflow_gui.run.machine.gate import Interpretation, interpret
from stepflow_gui.run.machine.picks import Pick, PickRefusal, answer_for
from stepflow_gui.run.machine.route import EndRun
from stepflow_gui.run.machine.run_problem import RunError
from tests.run.flows import SIMPLE, Json, flow, registry, started, step

CONDITION: Json = {"condition": "status", "targets": {"ready": "b.ok", "done": None}}


def picks(content: Json, at: str) -> dict[Pick, Choice]:
    run = started(content, entry=at)
    return {choice.pick: choice for choice in run.choices()}


def test_choices_are_the_allowed_intents_and_abort() -> None:
    found = picks(SIMPLE, "continuation.issue")
    assert [pick.intent for pick in found] == ["next", "repeat", "handoff", "abort"]
    assert found[Pick("handoff")].next_step == "closure.issue"
    assert isinstance(found[Pick("abort")].transition, EndRun)


def test_a_condition_gives_a_choice_for_each_case_and_the_default() -> None:
    content = registry(step("a.a", gate={"handoffFields": ["x.status", "y.status"]}, next=CONDITION), step("b.ok"))
    found = picks(content, "a.a")
    assert found[Pick("next", "ready")].next_step == "b.ok"
    assert isinstance(found[Pick("next", "done")].transition, EndRun)
    assert isinstance(found[Pick("next", "default")].transition, EndRun)
    run = started(content)
    assert answer_for(run.machine.flow.steps["a.a"], Pick("next", "ready"), run.machine.era) == {
        "stepId": "a.a",
        "next_action": {"action": "next"},
        "y": {"status": "ready"},
    }


def test_a_condition_that_no_handoff_field_carries_is_refused_but_for_its_default() -> None:
    found = picks(registry(step("a.a", next=CONDITION), step("b.ok")), "a.a")
    refusal = found[Pick("next", "ready")].refusal
    assert refusal is not None
    assert "handoffFields" in refusal
    assert found[Pick("next", "default")].refusal is None


@pytest.mark.parametrize(
    "fields",
    [
        ["next_action.status", "next_action"],  # the condition's value would have to be an object
        ["next_action.action.status"],  # below the intent
        ["status", "next_action.action", "other.length.status"],
    ],
)
def test_every_choice_is_read_as_meant_or_refused(fields: list[str]) -> None:
    content = registry(step("a.a", gate={"handoffFields": fields}, next=CONDITION), step("b.ok"))
    for choice in picks(content, "a.a").values():
        assert (choice.transition is None) == (choice.refusal is not None)


def test_a_missing_array_is_made_where_the_path_needs_one() -> None:
    content = registry(
        step("a.a", gate={"intentField": "actions.0.kind", "handoffFields": ["actions.1.status"]}, next=CONDITION)
    )
    it = flow(content).steps["a.a"]
    answer = answer_for(it, Pick("next", "ready"), ERAS["guide"])
    assert answer == {"stepId": "a.a", "actions": [{"kind": "next"}, {"status": "ready"}]}


def test_a_jump_offers_every_step_but_sections() -> None:
    content = registry(
        step("a.a", gate={"targetField": "to"}, jump="b.b"), step("b.b"), {"stepId": "section.x", "c2": "section"}
    )
    found = picks(content, "a.a")
    assert [pick for pick in found if pick.intent == "jump"] == [
        Pick("jump", target="a.a"),
        Pick("jump", target="b.b"),
        Pick("jump"),
    ]
    assert found[Pick("jump")].next_step == "b.b"
    run = started(content)
    assert isinstance(run.choose(found[Pick("jump", target="b.b")]), tuple)
    assert run.state.step == "b.b"


def test_a_target_without_a_target_field_is_refused() -> None:
    it = flow(registry(step("a.a", jump="a.a"))).steps["a.a"]
    refusal = answer_for(it, Pick("jump", target="a.a"), ERAS["guide"])
    assert isinstance(refusal, PickRefusal)
    assert "targetField" in refusal.message


def test_a_broken_answer_is_offered_with_its_error() -> None:
    found = picks(registry(step("a.a", "work", next="ghost", closing=None)), "a.a")
    for pick in (Pick("next"), Pick("closing")):
        assert isinstance(found[pick].transition, RunError)


@pytest.mark.parametrize("gate", [{"intentField": 3}, {"allowedIntents": None}, {"intentField": "stepId"}])
def test_a_gate_that_reads_nothing_refuses(gate: Json) -> None:
    it = flow(registry(step("a.a", gate=gate, next="a.a"))).steps["a.a"]
    assert isinstance(answer_for(it, Pick("next"), ERAS["guide"]), PickRefusal)


def test_a_step_without_a_gate_offers_next() -> None:
    assert list(picks(registry({"stepId": "initial.a"}, step("continuation.a")), "initial.a")) == [Pick("next")]


def agents(corpus: Path) -> list[AgentFolder]:
    found = [open_agent(path.parent) for path in sorted(corpus.glob("climpt/*/*/steps_registry.json"))]
    return [agent for agent in found if isinstance(agent, AgentFolder)]


def test_picks_at_every_step_of_real_registries_are_read_as_meant(corpus: Path) -> None:
    seen = 0
    for agent in agents(corpus):
        for era in ERAS.values():
            for at, it in agent.flow.steps.items():
                for choice in choices(agent.flow, at, era):
                    if choice.refusal is not None or (era.closure_loop and it.kind == "closure"):
                        continue
                    answer = answer_for(it, choice.pick, era)
                    assert not isinstance(answer, PickRefusal)
                    read = interpret(it, answer, era)
                    assert isinstance(read, Interpretation)
                    assert read.intent == choice.intent
                    seen += 1
    assert seen > 1000
