"""Adding, copying and removing steps of a small agent."""

import json
from pathlib import Path

import pytest

from stepflow_gui.formats.changes import AddStep, DuplicateStep, RemoveStep, StepKind, TransitionKey
from tests.formats.changes.conftest import Written
from tests.formats.changes.hand import Agent, check_undo, new_findings, unconnected

PATH = ["properties", "next_action", "properties", "action", "enum"]


def enum_at(schema: dict[str, object], *path: str) -> object:
    at: object = schema
    for key in path or PATH:
        assert isinstance(at, dict)
        at = at[key]
    return at


def test_a_new_step_takes_after_its_neighbour(agent: Agent, written: Written) -> None:
    done = agent.done(AddStep("initial.ticket", "work", name="Begin a ticket"))
    body = done.agent.steps["initial.ticket"]
    assert list(body) == [key for key in agent.steps["initial.issue"] if key != "description"]
    assert (body["name"], body["c2"], body["c3"], body["fallbackKey"]) == (
        "Begin a ticket",
        "initial",
        "ticket",
        "initial_ticket",
    )
    assert body["structuredGate"]["allowedIntents"] == ["next", "repeat"]
    assert body["transitions"]["repeat"] == {"target": "initial.ticket"}
    assert list(done.agent.steps)[1] == "initial.ticket"
    schema = done.agent.schema("issue.schema.json")["initial.ticket"]
    assert schema["properties"]["stepId"]["const"] == "initial.ticket"
    assert enum_at(schema) == ["next", "repeat"]
    assert "plan" not in schema["properties"]
    assert schema["required"] == ["stepId", "next_action"]
    assert new_findings(agent, done.agent).keys() <= unconnected
    check_undo(agent, done)


def test_a_step_drawn_from_a_port_is_one_change(agent: Agent) -> None:
    change = AddStep("closure.other", "closure", incoming=TransitionKey("continuation.issue", "handoff"))
    done = agent.done(change)
    assert done.agent.steps["continuation.issue"]["transitions"]["handoff"]["target"] == "closure.other"
    assert enum_at(done.agent.schema("issue.schema.json")["closure.other"]) == ["closing", "repeat"]
    check_undo(agent, done)
    case = AddStep("verification.size", "verification", incoming=TransitionKey("initial.issue", "next", "large"))
    done = agent.done(case)
    assert done.agent.steps["initial.issue"]["transitions"]["next"]["targets"]["large"] == "verification.size"
    assert new_findings(agent, done.agent).keys() <= unconnected


def test_a_port_that_may_not_go_there_refuses(agent: Agent) -> None:
    refusal = agent.refused(AddStep("closure.other", "closure", incoming=TransitionKey("initial.issue", "repeat")))
    assert "handoff" in refusal.reason
    agent.refused(AddStep("closure.other", "closure", incoming=TransitionKey("nowhere", "repeat")))
    agent.refused(AddStep("closure.other", "closure", incoming=TransitionKey("continuation.issue", "handoff", "large")))


def test_a_shared_schema_serves_the_new_step_too(agent: Agent) -> None:
    done = agent.done(AddStep("verification.third", "verification"))
    body = done.agent.steps["verification.third"]
    assert body["outputSchemaRef"] == {"file": "common.schema.json", "schema": "check"}
    assert body["structuredGate"]["allowedIntents"] == ["next", "repeat"]
    ids = done.agent.schema("common.schema.json")["definitions"]["answer"]["properties"]["stepId"]["enum"]
    assert ids == ["verification.issue", "verification.again", "verification.third"]
    assert new_findings(agent, done.agent).keys() <= unconnected
    check_undo(agent, done)


def test_where_it_stands_is_asked(agent: Agent) -> None:
    done = agent.done(AddStep("initial.ticket", "work", like="continuation.issue", after="closure.issue"))
    assert list(done.agent.steps)[-1] == "initial.ticket"
    assert "handoff" in done.agent.steps["initial.ticket"]["transitions"]
    agent.refused(AddStep("initial.ticket", "work", like="nowhere"))
    agent.refused(AddStep("initial.ticket", "work", after="nowhere"))


@pytest.mark.parametrize("gone", ["missing", "broken"])
def test_a_schema_file_out_of_reach(written: Written, gone: str) -> None:
    schema = written.folder / "schemas/issue.schema.json"
    if gone == "broken":
        schema.write_text(schema.read_text()[:-20])
        assert "issue.schema.json" in written.open().refused(AddStep("initial.ticket", "work")).reason
        return
    schema.unlink()
    done = written.open().done(AddStep("initial.ticket", "work"))
    assert list(done.plan.edits) == [written.folder / "steps_registry.json"]
    assert any("Only the registry changes" in note for note in done.plan.notes)


def test_the_first_step_of_a_registry(written: Written) -> None:
    path = written.write("empty/steps_registry.json", '{\n  "agentId": "demo",\n  "steps": {}\n}\n')
    agent = Agent.open(path)
    done = agent.done(AddStep("initial.issue", "work"))
    body = done.agent.steps["initial.issue"]
    assert body["stepKind"] == "work"
    assert body["structuredGate"]["allowedIntents"] == list(body["transitions"])
    assert any("issue.schema.json" in note for note in done.plan.notes)
    check_undo(agent, done)
    second = done.agent.done(AddStep("closure.issue", "closure"))
    assert second.agent.steps["closure.issue"]["transitions"]["closing"] == {"target": None}


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("initial.issue", "work"),
        ("a b", "work"),
        ("section.x", "work"),
        ("x.section", "section"),
    ],
)
def test_steps_that_cannot_be(agent: Agent, step: str, kind: StepKind) -> None:
    agent.refused(AddStep(step, kind))


def test_complete_has_its_own_ends(corpus: Path) -> None:
    agent = Agent.open(corpus / "climpt" / "iterator" / "018-20beede" / "steps_registry.json")
    assert agent.folder.format == "complete"
    done = agent.done(AddStep("complete.fresh", "closure"))
    assert "complete" in done.agent.steps["complete.fresh"]["structuredGate"]["allowedIntents"]
    agent.refused(AddStep("verification.fresh", "verification"))
    agent.refused(AddStep("complete.fresh", "work"))
    agent.refused(AddStep("fresh.end", "closure"))


def test_a_copy_has_its_own_schema_and_loops(agent: Agent) -> None:
    done = agent.done(DuplicateStep("initial.issue", "initial.copy"))
    body = done.agent.steps["initial.copy"]
    expected = json.loads(json.dumps(agent.steps["initial.issue"]))
    expected |= {"stepId": "initial.copy", "name": "Begin 2"}
    expected["outputSchemaRef"]["schema"] = "initial.copy"
    expected["transitions"]["repeat"]["target"] = "initial.copy"
    assert body == expected
    schema = done.agent.schema("issue.schema.json")
    assert list(schema)[1] == "initial.copy"
    assert schema["initial.copy"]["properties"]["stepId"]["const"] == "initial.copy"
    assert new_findings(agent, done.agent).keys() <= unconnected
    check_undo(agent, done)


def test_a_copy_is_written_as_its_original(agent: Agent) -> None:
    after = agent.done(DuplicateStep("verification.again", "verification.third", name="Third")).agent.registry
    start = agent.registry.index('    "verification.again": {')
    block = agent.registry[start : agent.registry.index('    "closure.issue": {', start)]
    own = block.replace("verification.again", "verification.third").replace('"Check again"', '"Third"')
    assert own in after


def test_a_copy_of_a_shared_schema_shares_it(agent: Agent) -> None:
    done = agent.done(DuplicateStep("verification.again", "verification.third"))
    assert "verification.third" in json.dumps(done.agent.schema("common.schema.json"))
    assert any("same schema" in note for note in done.plan.notes)
    agent.refused(DuplicateStep("verification.again", "verification.issue"))
    agent.refused(DuplicateStep("nowhere", "verification.third"))


def test_removing_what_nothing_needs(agent: Agent) -> None:
    done = agent.done(RemoveStep("verification.again"))
    assert "verification.again" not in done.agent.steps
    assert "check" in done.agent.schema("common.schema.json")["definitions"]
    check_undo(agent, done)


def test_removing_what_others_need_lists_them(agent: Agent) -> None:
    refusal = agent.refused(RemoveStep("initial.issue"))
    assert refusal.options == ("retarget_to", "force")
    assert refusal.steps == ("continuation.issue",)
    assert sorted({place.pointer for place in refusal.places}) == [
        "/entryStep",
        "/entryStepMapping/poll:state",
        "/runner/verdict/config/entryStep",
        "/steps/continuation.issue/inputs/size/from",
        "/steps/continuation.issue/transitions/next/fallback",
    ]


def test_removing_by_force_leaves_it_dangling(agent: Agent) -> None:
    done = agent.done(RemoveStep("continuation.issue", force=True))
    assert done.agent.steps["initial.issue"]["transitions"]["next"]["targets"]["default"] == "continuation.issue"
    assert "continuation.issue" not in done.agent.schema("issue.schema.json")
    assert any("have no target now" in note for note in done.plan.notes)
    check_undo(agent, done)


def test_a_schema_that_another_refers_to_stays(agent: Agent) -> None:
    done = agent.done(RemoveStep("initial.issue", force=True))
    assert "initial.issue" in done.agent.schema("issue.schema.json")
    assert any("stays" in note for note in done.plan.notes)


def test_another_step_takes_over(agent: Agent) -> None:
    done = agent.done(RemoveStep("verification.issue", retarget_to="verification.again"))
    assert done.agent.steps["initial.issue"]["transitions"]["next"]["targets"]["large"] == "verification.again"
    assert new_findings(agent, done.agent).keys() <= {("SF513", "info")}  # its prompt file is left over
    check_undo(agent, done)
    layout = agent.folder.layout_file
    assert "verification.issue" not in done.agent.text(layout)


def test_who_takes_over_must_be_allowed_to(agent: Agent) -> None:
    refusal = agent.refused(RemoveStep("closure.issue", retarget_to="verification.again"))
    assert refusal.options == ("force",)
    agent.refused(RemoveStep("verification.issue", retarget_to="verification.issue"))
    agent.refused(RemoveStep("verification.issue", retarget_to="nowhere"))
    forced = agent.done(RemoveStep("closure.issue", retarget_to="verification.again", force=True))
    assert forced.agent.steps["continuation.issue"]["transitions"]["handoff"]["target"] == "verification.again"


def test_inputs_cannot_be_retargeted(agent: Agent) -> None:
    refusal = agent.refused(RemoveStep("initial.issue", retarget_to="continuation.issue"))
    assert refusal.options == ("force",)


def test_a_closure_step_takes_its_checks_along(agent: Agent) -> None:
    done = agent.done(RemoveStep("closure.issue", force=True))
    assert json.loads(done.agent.registry)["validationSteps"] == {}
    assert "closure.issue" not in done.agent.schema("issue.schema.json")
    check_undo(agent, done)


def test_checks_that_runners_look_for_by_verdict_stay(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    written.write("steps_registry.json", text.replace("closure.issue", "closure.polling"))
    done = written.open().done(RemoveStep("closure.polling", force=True))
    assert "closure.polling" in json.loads(done.agent.registry)["validationSteps"]
    assert any("verdict type" in note for note in done.plan.notes)
