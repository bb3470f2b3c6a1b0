"""Intents added to and taken out of gate, enum and transitions together."""

from pathlib import Path

import pytest

from stepflow_gui.formats.changes import AddIntent, Connect, RemoveIntent, SetIntents
from tests.formats.changes.conftest import Written
from tests.formats.changes.hand import Agent, check_undo, new_findings


def intents(agent: Agent, step: str) -> tuple[list[str], list[str], list[str]]:
    """allowedIntents, enum and transitions of a step."""
    body = agent.folder.flow.steps[step]
    assert body.gate
    enum = [str(value.value) for value in agent.folder.schema(body).enum]
    return [text.value for text in body.gate.intents], enum, [rule.intent for rule in body.transitions]


def test_an_intent_comes_to_all_three(agent: Agent) -> None:
    done = agent.done(AddIntent("continuation.issue", "jump", "verification.issue"))
    expected = ["next", "repeat", "handoff", "jump"]
    assert intents(done.agent, "continuation.issue") == (expected, expected, expected)
    assert done.agent.steps["continuation.issue"]["transitions"]["jump"] == {"target": "verification.issue"}
    assert len(done.plan.edits) == 2
    assert not new_findings(agent, done.agent)
    check_undo(agent, done)


def test_it_leaves_all_three(agent: Agent) -> None:
    done = agent.done(RemoveIntent("continuation.issue", "next"))
    expected = ["repeat", "handoff"]
    assert intents(done.agent, "continuation.issue") == (expected, expected, expected)
    check_undo(agent, done)
    added = agent.done(AddIntent("continuation.issue", "jump", "verification.issue"))
    back = added.agent.done(RemoveIntent("continuation.issue", "jump"))
    assert all(back.agent.text(path) == agent.text(path) for path in added.plan.edits)


def test_what_is_there_already_is_not_added_twice(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    written.write("steps_registry.json", text.replace('["next", "repeat", "handoff"]', '["next", "repeat"]'))
    agent = written.open()
    done = agent.done(AddIntent("continuation.issue", "handoff"))
    assert list(done.plan.edits) == [agent.folder.registry.path]
    assert intents(done.agent, "continuation.issue")[0] == ["next", "repeat", "handoff"]


def test_some_intents_know_where_they_go(written: Written) -> None:
    agent = written.open()
    bare = agent.done(RemoveIntent("continuation.issue", "repeat")).agent
    again = bare.done(AddIntent("continuation.issue", "repeat")).agent
    assert again.steps["continuation.issue"]["transitions"]["repeat"] == {"target": "continuation.issue"}
    bare = agent.done(RemoveIntent("closure.issue", "closing")).agent
    again = bare.done(AddIntent("closure.issue", "closing")).agent
    assert again.steps["closure.issue"]["transitions"]["closing"] == {"target": None}
    assert agent.refused(AddIntent("continuation.issue", "jump")).options == ("target",)


def test_a_shared_enum_is_asked_about(agent: Agent) -> None:
    refusal = agent.refused(AddIntent("verification.issue", "escalate", "continuation.issue"))
    assert refusal.options == ("shared",)
    assert refusal.steps == ("verification.again",)
    assert "verification.again" in refusal.reason
    done = agent.done(AddIntent("verification.issue", "escalate", "continuation.issue", shared=True))
    schema = done.agent.schema("common.schema.json")["definitions"]["action"]
    assert schema["properties"]["action"]["enum"] == ["next", "repeat", "escalate"]
    check_undo(agent, done)
    assert agent.refused(RemoveIntent("verification.issue", "next")).options == ("shared",)
    agent.done(RemoveIntent("verification.issue", "next", shared=True))


@pytest.mark.parametrize(
    ("step", "intent", "target"),
    [
        ("continuation.issue", "closing", None),  # of closure steps
        ("continuation.issue", "NEXT", "verification.issue"),
        ("continuation.issue", "complete", None),  # of another format
        ("continuation.issue", "jump", "closure.issue"),
        ("continuation.issue", "jump", "nowhere"),
        ("continuation.issue", "abort", None),  # runners refuse it in a gate
        ("nowhere", "next", None),
    ],
)
def test_intents_that_do_not_fit(agent: Agent, step: str, intent: str, target: str | None) -> None:
    agent.refused(AddIntent(step, intent, target))


def test_the_last_intent_stays(agent: Agent) -> None:
    one = agent.done(RemoveIntent("closure.issue", "repeat")).agent
    assert "only intent" in one.refused(RemoveIntent("closure.issue", "closing")).reason
    agent.refused(RemoveIntent("closure.issue", "next"))
    agent.refused(RemoveIntent("nowhere", "next"))


def test_the_fallback_goes_with_its_intent(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    gate = '"allowedIntents": ["next", "repeat", "handoff"],'
    written.write("steps_registry.json", text.replace(gate, f'{gate}\n        "fallbackIntent": "next",'))
    agent = written.open()
    done = agent.done(RemoveIntent("continuation.issue", "next"))
    assert "fallbackIntent" not in done.agent.registry
    assert done.plan.notes
    check_undo(agent, done)


def test_without_a_schema_file_the_registry_changes(written: Written) -> None:
    (written.folder / "schemas/issue.schema.json").unlink()
    done = written.open().done(AddIntent("continuation.issue", "jump", "verification.issue"))
    assert list(done.plan.edits) == [written.folder / "steps_registry.json"]
    assert any("no schema file" in note for note in done.plan.notes)


def test_a_schema_outside_the_project_is_left_alone(written: Written, tmp_path: Path) -> None:
    schema = written.folder / "schemas/issue.schema.json"
    away = tmp_path.parent / f"{tmp_path.name}.away.json"
    schema.rename(away)
    schema.symlink_to(away)
    done = written.open().done(AddIntent("continuation.issue", "jump", "verification.issue"))
    assert list(done.plan.edits) == [written.folder / "steps_registry.json"]
    assert any("outside" in note for note in done.plan.notes)


def test_a_broken_schema_file_is_fixed_first(written: Written) -> None:
    schema = written.folder / "schemas/issue.schema.json"
    written.write("schemas/issue.schema.json", schema.read_text()[:-10])
    refusal = written.open().refused(AddIntent("continuation.issue", "jump", "verification.issue"))
    assert "issue.schema.json" in refusal.reason


def test_connecting_offers_to_allow_the_intent(agent: Agent) -> None:
    refusal = agent.refused(Connect("initial.issue", "handoff", "closure.issue"))
    assert refusal.options == ("allow",)
    done = agent.done(Connect("initial.issue", "handoff", "closure.issue", allow=True))
    expected = ["next", "repeat", "handoff"]
    assert intents(done.agent, "initial.issue") == (expected, expected, expected)
    check_undo(agent, done)
    agent.refused(Connect("initial.issue", "closing", None, allow=True))
    agent.refused(Connect("initial.issue", "fly", "verification.issue", allow=True))
    assert agent.refused(Connect("verification.issue", "jump", "verification.again", allow=True)).options == ("shared",)


def test_an_alias_in_the_enum_goes_with_its_intent(written: Written) -> None:
    schema = (written.folder / "schemas/issue.schema.json").read_text()
    aliased = schema.replace('["next", "repeat", "handoff"]', '["next", "retry", "repeat", "handoff"]')
    written.write("schemas/issue.schema.json", aliased)
    done = written.open().done(RemoveIntent("continuation.issue", "repeat"))
    assert intents(done.agent, "continuation.issue")[1] == ["next", "handoff"]


@pytest.mark.parametrize(
    "wanted", [("next", "repeat"), ("handoff",), ("repeat", "jump"), ("jump",), ("next", "jump", "handoff")]
)
def test_all_three_are_made_to_agree(agent: Agent, wanted: tuple[str, ...]) -> None:
    done = agent.done(SetIntents("continuation.issue", wanted, (("jump", "verification.issue"),)))
    assert all(sorted(column) == sorted(wanted) for column in intents(done.agent, "continuation.issue"))
    assert not {key for key in new_findings(agent, done.agent) if key[0].startswith("SF2")}
    check_undo(agent, done)


def test_a_mismatch_is_settled_in_the_chosen_direction(written: Written) -> None:
    schema = (written.folder / "schemas/issue.schema.json").read_text()
    written.write(
        "schemas/issue.schema.json", schema.replace('["next", "repeat", "handoff"]', '["next", "wait", "jump"]')
    )
    agent = written.open()
    done = agent.done(SetIntents("continuation.issue", ("next", "repeat", "handoff")))  # as in gate and transitions
    assert list(done.plan.edits) == [written.folder / "schemas/issue.schema.json"]
    assert intents(done.agent, "continuation.issue")[1] == ["next", "repeat", "handoff"]
    refusal = agent.refused(SetIntents("continuation.issue", ("next", "jump")))  # as in the enum
    assert refusal.options == ("targets",)
    done = agent.done(SetIntents("continuation.issue", ("next", "jump"), (("jump", "verification.issue"),)))
    assert intents(done.agent, "continuation.issue") == (["next", "jump"],) * 3
    check_undo(agent, done)


def test_agreeing_has_its_limits(agent: Agent) -> None:
    agent.refused(SetIntents("continuation.issue", ()))
    agent.refused(SetIntents("continuation.issue", ("next", "closing")))
    agent.refused(SetIntents("continuation.issue", ("next", "other")))
    agent.refused(SetIntents("continuation.issue", ("next", "abort")))
    agent.refused(SetIntents("nowhere", ("next",)))
    assert agent.refused(SetIntents("verification.issue", ("next",))).options == ("shared",)
    assert agent.done(SetIntents("verification.issue", ("next", "repeat"))).plan.edits == {}
