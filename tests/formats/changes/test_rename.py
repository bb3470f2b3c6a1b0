"""Renaming a step: what follows, what is offered, what is refused."""

import json
import re
from pathlib import Path

import pytest

from stepflow_gui.formats.changes import RenameStep
from tests.formats.changes.conftest import Written
from tests.formats.changes.hand import Agent, check_undo, new_findings

HANDLER = {
    ("SF506", "error"): 2
}  # both verification steps show what continues the entry: no continuation.ticket exists


def test_every_reference_follows(agent: Agent, written: Written) -> None:
    done = agent.done(RenameStep("initial.issue", "initial.ticket"))
    after = done.agent
    registry = json.loads(after.registry)
    assert next(iter(registry["steps"])) == "initial.ticket"
    assert registry["entryStep"] == registry["entryStepMapping"]["poll:state"] == "initial.ticket"
    body = registry["steps"]["initial.ticket"]
    assert body["stepId"] == body["outputSchemaRef"]["schema"] == body["transitions"]["repeat"]["target"]
    other = registry["steps"]["continuation.issue"]
    assert other["transitions"]["next"]["fallback"] == "initial.ticket"
    assert other["inputs"]["size"]["from"] == "initial.ticket.size"
    schema = after.schema("issue.schema.json")
    assert list(schema) == ["initial.ticket", "continuation.issue", "closure.issue"]
    assert schema["initial.ticket"]["properties"]["stepId"]["const"] == "initial.ticket"
    assert schema["continuation.issue"]["properties"]["plan"]["$ref"] == "#/initial.ticket/properties/plan"
    assert after.schema("other.schema.json")["plan"]["$ref"] == "issue.schema.json#/initial.ticket/properties/plan"
    agent_json = json.loads(after.text(written.folder / "agent.json"))
    assert agent_json["runner"]["verdict"]["config"]["entryStep"] == "initial.ticket"
    layout = written.folder / ".stepflow" / "steps_registry.layout.json"
    assert '    "initial.ticket": [0, 0],\n' in after.text(layout)
    assert len(done.plan.edits) == 5
    assert new_findings(agent, after) == HANDLER
    assert any("looks for “continuation.ticket” now" in note for note in done.plan.notes)
    check_undo(agent, done)
    back = after.done(RenameStep("initial.ticket", "initial.issue"))
    assert all(back.agent.text(path) == agent.text(path) for path in done.plan.edits)


def test_cases_validation_steps_and_shared_enums_follow(agent: Agent) -> None:
    after = agent.done(RenameStep("verification.issue", "verification.first")).agent
    targets = after.steps["initial.issue"]["transitions"]["next"]["targets"]
    assert targets == {"large": "verification.first", "default": "continuation.issue"}
    enum = after.schema("common.schema.json")["definitions"]["answer"]["properties"]["stepId"]["enum"]
    assert enum == ["verification.first", "verification.again"]
    after = agent.done(RenameStep("closure.issue", "closure.ticket")).agent
    checks = json.loads(after.registry)["validationSteps"]
    assert checks["closure.ticket"]["stepId"] == "closure.ticket"
    assert checks["closure.ticket"]["outputSchemaRef"]["schema"] == "closure.ticket"


def test_only_the_lines_that_name_it_change(agent: Agent) -> None:
    done = agent.done(RenameStep("verification.again", "verification.third"))
    for path in done.plan.edits:
        before, after = agent.text(path).split("\n"), done.agent.text(path).split("\n")
        for old, new in zip(before, after, strict=True):
            assert old == new or "verification.again" in old


def test_a_schema_that_others_use_keeps_its_name(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    written.write("steps_registry.json", text.replace('"schema": "check" }', '"schema": "verification.issue" }'))
    common = (written.folder / "schemas/common.schema.json").read_text()
    written.write("schemas/common.schema.json", common.replace('"check": {', '"verification.issue": {'))
    agent = written.open()
    done = agent.done(RenameStep("verification.issue", "verification.first"))
    assert "verification.issue" in done.agent.schema("common.schema.json")["definitions"]
    assert any("keeps its name" in note and "verification.again" in note for note in done.plan.notes)
    assert not new_findings(agent, done.agent)


def test_a_schema_name_that_is_taken_is_kept(written: Written) -> None:
    schema = (written.folder / "schemas/issue.schema.json").read_text()
    written.write("schemas/issue.schema.json", schema.replace("{\n", '{\n  "initial.ticket": {},\n', 1))
    done = written.open().done(RenameStep("initial.issue", "initial.ticket"))
    assert any("has a “initial.ticket” already" in note for note in done.plan.notes)
    assert done.agent.steps["initial.ticket"]["outputSchemaRef"]["schema"] == "initial.issue"


@pytest.mark.parametrize(
    ("name", "path"),
    [("#/definitions/", "#/definitions/"), ("/definitions/", "#/definitions/"), ("#/$defs/", "#/$defs/"), ("", "#/")],
)
def test_names_written_as_pointers_follow(written: Written, name: str, path: str) -> None:
    holder = path.strip("#/")
    schema = json.loads((written.folder / "schemas/issue.schema.json").read_text())
    held = {holder: schema} if holder else schema
    text = json.dumps(held, indent=2).replace("#/initial.issue", f"{path}initial.issue")
    written.write("schemas/issue.schema.json", text)
    registry = (written.folder / "steps_registry.json").read_text()
    for step in schema:
        registry = registry.replace(f'"schema": "{step}"', f'"schema": "{name}{step}"')
    written.write("steps_registry.json", registry)
    written.write("schemas/other.schema.json", json.dumps({"plan": {"$ref": f"issue.schema.json{path}initial.issue"}}))
    agent = written.open()
    done = agent.done(RenameStep("initial.issue", "initial.ticket"))
    assert done.agent.steps["initial.ticket"]["outputSchemaRef"]["schema"] == f"{name}initial.ticket"
    assert done.agent.schema("other.schema.json")["plan"]["$ref"] == f"issue.schema.json{path}initial.ticket"
    assert new_findings(agent, done.agent) == HANDLER
    check_undo(agent, done)


def test_descriptions_follow_only_when_asked(agent: Agent, written: Written) -> None:
    done = agent.done(RenameStep("closure.issue", "closure.ticket"))
    assert any("1 description mentions" in note for note in done.plan.notes)
    assert "Works until closure.issue" in done.agent.text(written.folder / "agent.json")
    done = agent.done(RenameStep("closure.issue", "closure.ticket", texts=True))
    assert "Works until closure.ticket" in done.agent.text(written.folder / "agent.json")
    assert "closure.issue.extra" in done.agent.registry  # another name
    check_undo(agent, done)


def test_the_prompt_s_folder_is_offered(agent: Agent, written: Written) -> None:
    prompts = written.folder / "prompts" / "steps"
    done = agent.done(RenameStep("initial.issue", "initial.ticket"))
    assert [tuple(move) for move in done.plan.moves] == [(prompts / "initial/issue", prompts / "initial/ticket")]
    assert done.agent.steps["initial.ticket"]["c3"] == "issue"
    done = agent.done(RenameStep("initial.issue", "initial.ticket", prompts=True))
    assert done.agent.steps["initial.ticket"]["c3"] == "ticket"
    assert done.plan.moves
    check_undo(agent, done)


def test_a_prompt_in_a_folder_with_others_moves_alone(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    again = text.replace('"c3": "again",\n      "edition": "default"', '"c3": "issue",\n      "edition": "again"')
    written.write("steps_registry.json", again)
    prompts = written.folder / "prompts" / "steps" / "verification"
    written.write("prompts/steps/verification/issue/f_again.md", "Again\n")
    agent = written.open()
    step = agent.folder.flow.steps["verification.issue"]
    assert step.c2
    moves = agent.done(RenameStep("verification.issue", "verification.ticket")).plan.moves
    assert [tuple(move) for move in moves] == [(prompts / "issue/f_default.md", prompts / "ticket/f_default.md")]
    assert not agent.done(
        RenameStep("verification.again", "verification.once")
    ).plan.moves  # its address doesn't contain the id


def test_a_prompt_that_another_step_uses_stays(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    written.write("steps_registry.json", text.replace('"c3": "again"', '"c3": "issue"'))
    done = written.open().done(RenameStep("verification.issue", "verification.ticket"))
    assert not done.plan.moves
    assert any("use it too" in note and "verification.again" in note for note in done.plan.notes)


def test_no_prompt_no_offer(agent: Agent, written: Written) -> None:
    (written.folder / "prompts/steps/initial/issue/f_default.md").unlink()
    assert not written.open().done(RenameStep("initial.issue", "initial.ticket")).plan.moves


def test_the_key_of_a_verdict_type_is_reported(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    written.write("steps_registry.json", text.replace("closure.issue", "closure.polling"))
    done = written.open().done(RenameStep("closure.polling", "closure.other"))
    assert any("poll:state" in note for note in done.plan.notes)


def test_another_registry_named_in_agent_json_is_left_alone(written: Written) -> None:
    text = (written.folder / "agent.json").read_text()
    named = text.replace('"entryStep":', '"registryPath": "other/registry.json", "entryStep":')
    written.write("agent.json", named)
    done = written.open().done(RenameStep("initial.issue", "initial.ticket"))
    assert written.folder / "agent.json" not in done.plan.edits
    written.write("agent.json", named.replace("other/registry.json", "steps_registry.json"))
    done = written.open().done(RenameStep("initial.issue", "initial.ticket"))
    assert written.folder / "agent.json" in done.plan.edits


def test_what_cannot_be_renamed(agent: Agent, written: Written) -> None:
    assert "already" in agent.refused(RenameStep("initial.issue", "verification.issue")).reason
    assert "no step" in agent.refused(RenameStep("nowhere", "verification.issue")).reason
    assert agent.done(RenameStep("initial.issue", "initial.issue")).plan.edits == {}
    text = (written.folder / "steps_registry.json").read_text()
    doubled = text.replace('    "verification.again": {', '    "verification.issue": {', 1)
    written.write("steps_registry.json", doubled)
    assert "twice" in written.open().refused(RenameStep("verification.issue", "verification.first")).reason
    written.write("steps_registry.json", text.replace('"c1": "steps",', '"c1": "steps"'))
    assert "syntax error" in written.open().refused(RenameStep("verification.issue", "verification.first")).reason


def test_a_broken_schema_file_is_fixed_first(written: Written) -> None:
    schema = written.folder / "schemas/common.schema.json"
    written.write("schemas/common.schema.json", schema.read_text().replace('"string" }', '"string" '))
    refusal = written.open().refused(RenameStep("verification.issue", "verification.first"))
    assert "common.schema.json" in refusal.reason


@pytest.mark.parametrize("gone", ["missing", "outside"])
def test_a_schema_file_out_of_reach_is_reported(written: Written, tmp_path: Path, gone: str) -> None:
    schema = written.folder / "schemas/issue.schema.json"
    if gone == "outside":
        away = tmp_path.parent / f"{tmp_path.name}.away.json"
        schema.rename(away)
        schema.symlink_to(away)
    else:
        schema.unlink()
    agent = written.open()
    done = agent.done(RenameStep("initial.issue", "initial.ticket"))
    assert schema not in done.plan.edits
    assert done.agent.steps["initial.ticket"]["outputSchemaRef"]["schema"] == "initial.issue"
    assert any("keeps its name" in note for note in done.plan.notes)


def test_escapes_and_line_ends_are_the_file_s(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    escaped = text.replace('"name": "Begin"', '"name": "\\u958b\\u59cb"').replace("\n", "\r\n")
    path = written.folder / "steps_registry.json"
    path.write_bytes(escaped.encode())
    agent = written.open()
    done = agent.done(RenameStep("initial.issue", "initial.課題"))
    assert '"entryStep": "initial.\\u8ab2\\u984c"' in done.agent.registry
    assert not re.search(r"(?<!\r)\n", done.agent.registry)
    back = done.agent.done(RenameStep("initial.課題", "initial.issue"))
    assert back.agent.registry == escaped
