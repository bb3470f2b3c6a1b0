"""Any field set and taken out by its pointer; entries, validators, failure patterns and validation steps added."""

import json
from pathlib import Path

import pytest

from stepflow_gui.formats.changes import (
    AddCondition,
    AddEntry,
    AddFailurePattern,
    AddValidationStep,
    AddValidator,
    Change,
    RemoveField,
    SetField,
)
from stepflow_gui.text.json.tree import JsonValue
from tests.formats.changes.conftest import Written
from tests.formats.changes.hand import Agent, Done, check_undo, new_findings

GATE = "/steps/verification.issue/structuredGate"


def value(agent: Agent, pointer: str) -> JsonValue:
    node = agent.folder.registry.tree.at(pointer)
    assert node is not None, pointer
    return node.value


@pytest.mark.parametrize(
    ("pointer", "new"),
    [
        ("/steps/verification.issue/name", "Check „it“"),
        ("/steps/verification.issue/uvVariables", ["issue", "remaining"]),
        ("/steps/verification.issue/usesStdin", True),
        ("/steps/verification.issue/model", "opus"),
        (f"{GATE}/failFast", False),
        (f"{GATE}/handoffFields", ["summary"]),
        ("/steps/closure.issue/runner/command", "make"),
        ("/steps/continuation.issue/inputs/size/default", {"any": [1, None]}),
        ("/steps/verification.issue/uvVariables/-", "issue"),
        ("/steps/initial.issue/uvVariables/1", "remaining"),
        ("/version", "2.0.0"),
        ("/entryStepMapping/detect:graph", "initial.issue"),
        ("/validationSteps/closure.issue/onFailure/maxAttempts", 1),
    ],
)
def test_a_field_takes_its_value(agent: Agent, pointer: str, new: JsonValue) -> None:
    done = agent.done(SetField(pointer, new))
    where = pointer[:-1] + "0" if pointer.endswith("-") else pointer
    assert value(done.agent, where) == new
    check_undo(agent, done)
    assert agent.done(SetField("/version", "1.0.0")).plan.edits == {}


def test_a_new_field_stands_where_its_neighbours_have_it(agent: Agent) -> None:
    after = agent.done(SetField("/steps/verification.again/description", "Twice")).agent
    assert list(after.steps["verification.again"])[-1] == "description"
    after = agent.done(SetField(f"{GATE}/failFast", False)).agent
    gate = list(after.steps["verification.issue"]["structuredGate"])
    assert gate.index("failFast") > gate.index("intentField")
    after = agent.done(SetField("/steps/verification.issue/inputs", {"size": {"from": "initial.issue.size"}})).agent
    keys = list(after.steps["verification.issue"])
    assert keys.index("inputs") == keys.index("usesStdin") + 1  # as in continuation.issue


@pytest.mark.parametrize(
    ("pointer", "wrong", "said"),
    [
        ("/steps/verification.issue/name", 1, "a string"),
        ("/steps/verification.issue/stepKind", "other", "work, verification, closure"),
        ("/steps/verification.issue/uvVariables", "issue", "a list"),
        ("/steps/verification.issue/uvVariables", [1], "uvVariables.0"),
        ("/steps/verification.issue/fallbackKey", "Not so", "form"),
        (f"{GATE}/failFast", "yes", "true or false"),
        (f"{GATE}/failfast", True, "no field"),
        (f"{GATE}/intentSchemaRef", "properties", "form"),
        ("/validationSteps/closure.issue/onFailure/maxAttempts", 0, "at least 1"),
        ("/validationSteps/closure.issue/onFailure/maxAttempts", 1.5, "whole number"),
        ("/steps/verification.issue/uvVariables/7", "x", "no element 7"),
        ("/steps/verification.issue/name/inner", "x", "no field"),
        ("steps", {}, "JSON Pointer"),
        ("/steps/verification.issue/context", float("nan"), "infinite"),
        ("/steps/verification.issue/name", None, "a string"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(agent: Agent, pointer: str, wrong: JsonValue, said: str) -> None:
    assert said in agent.refused(SetField(pointer, wrong)).reason


def test_unknown_fields_can_be_changed_but_not_made(written: Written) -> None:
    text = (written.folder / "steps_registry.json").read_text()
    written.write("steps_registry.json", text.replace('"c1": "steps",', '"c1": "steps",\n  "note": "mine",'))
    agent = written.open()
    assert value(agent.done(SetField("/note", ["ours"])).agent, "/note") == ["ours"]
    agent.refused(SetField("/notes", "x"))


def test_agent_json_and_schemas_are_set_too(agent: Agent, written: Written) -> None:
    path = written.folder / "agent.json"
    done = agent.done(SetField("/runner/verdict/config/maxIterations", 7, path))
    assert json.loads(done.agent.text(path))["runner"]["verdict"]["config"]["maxIterations"] == 7
    done = agent.done(SetField("/runner/logging/directory", "logs", path))
    assert json.loads(done.agent.text(path))["runner"]["logging"] == {"directory": "logs"}
    check_undo(agent, done)
    assert "must be" in agent.refused(SetField("/runner/verdict/type", "never", path)).reason
    schema = written.folder / "schemas/issue.schema.json"
    done = agent.done(SetField("/closure.issue/title", "Closing", schema))
    assert done.agent.schema("issue.schema.json")["closure.issue"]["title"] == "Closing"
    agent.refused(SetField("/a", 1, written.folder / "missing.json"))
    agent.refused(SetField("/a", 1, Path("/etc/passwd")))


def test_taking_fields_out(agent: Agent) -> None:
    done = agent.done(RemoveField("/steps/initial.issue/description"))
    assert "description" not in done.agent.steps["initial.issue"]
    check_undo(agent, done)
    refusal = agent.refused(RemoveField(f"{GATE}/allowedIntents"))
    assert refusal.options == ("force",)
    agent.done(RemoveField(f"{GATE}/allowedIntents", force=True))
    refusal = agent.refused(RemoveField("/validators/git-clean"))
    assert [place.pointer for place in refusal.places] == [
        "/validationSteps/closure.issue/validationConditions/0/validator"
    ]
    assert "git-clean" in agent.refused(RemoveField("/failurePatterns/git-dirty")).reason
    agent.done(RemoveField("/validators/git-clean", force=True))
    agent.refused(RemoveField("/nowhere"))
    agent.refused(RemoveField(""))
    agent.refused(RemoveField("x"))


def test_entries(agent: Agent) -> None:
    done = agent.done(AddEntry("detect:graph", "initial.issue"))
    assert value(done.agent, "/entryStepMapping") == {
        "poll:state": "initial.issue",
        "count:iteration": "continuation.issue",
        "detect:graph": "initial.issue",
    }
    check_undo(agent, done)
    done = agent.done(AddEntry("poll:state", "continuation.issue"))
    assert value(done.agent, "/entryStepMapping/poll:state") == "continuation.issue"
    bare = agent.done(RemoveField("/entryStepMapping")).agent
    again = bare.done(AddEntry("poll:state", "initial.issue")).agent
    keys = list(json.loads(again.registry))
    assert keys.index("entryStepMapping") == keys.index("entryStep") + 1
    agent.refused(AddEntry("poll:state", "nowhere"))
    agent.refused(AddEntry("poll", "initial.issue"))


def test_entry_pairs(corpus: Path) -> None:
    for path in sorted((corpus / "climpt" / "detailer").glob("*/steps_registry.json")):
        agent = Agent.open(path)
        if agent.folder.format not in {"entry-pair", "adt-kind-address"}:
            continue
        step = next(iter(agent.steps))
        done = agent.done(AddEntry("detect:graph", step))
        assert value(done.agent, "/entryStepMapping/detect:graph") == {"initial": step, "continuation": step}
        assert done.agent.folder.format == agent.folder.format
        return
    pytest.fail("no file has entry pairs")


def checked(agent: Agent) -> Done:
    """The agent with a pattern, a validator for it, and both used."""
    first = agent.done(AddFailurePattern("tests-failed", "A test fails", params=("failedTests",))).agent
    second = first.done(
        AddValidator("tests-pass", "make test", "tests-failed", extract=(("failedTests", "parseTestOutput"),))
    ).agent
    return second.done(AddCondition("closure.issue", "tests-pass"))


def test_checks_are_written_as_their_neighbours(agent: Agent) -> None:
    after = checked(agent).agent
    registry = json.loads(after.registry)
    assert registry["failurePatterns"]["tests-failed"] == {
        "description": "A test fails",
        "edition": "failed",
        "adaptation": "tests-failed",
        "params": ["failedTests"],
    }
    assert registry["validators"]["tests-pass"]["successWhen"] == "exitCode:0"
    conditions = registry["validationSteps"]["closure.issue"]["validationConditions"]
    assert conditions == [{"validator": "git-clean"}, {"validator": "tests-pass"}]
    assert '      "params": ["failedTests"]\n' in after.registry
    assert '"extractParams": { "failedTests": "parseTestOutput" }' in after.registry
    assert '[{ "validator": "git-clean" }, { "validator": "tests-pass" }]' in after.registry
    assert not {key for key in new_findings(agent, after) if key[0] != "SF608"}


def test_a_validation_step_by_step_or_verdict(agent: Agent) -> None:
    done = agent.done(AddValidationStep("closure.polling", ("git-clean",), name="Poll"))
    made = json.loads(done.agent.registry)["validationSteps"]["closure.polling"]
    assert made == {
        "stepId": "closure.polling",
        "name": "Poll",
        "c2": "retry",
        "c3": "polling",
        "validationConditions": [{"validator": "git-clean"}],
        "onFailure": {"action": "retry", "maxAttempts": 3},
    }
    check_undo(agent, done)
    bare = agent.done(RemoveField("/validationSteps")).agent
    again = bare.done(AddValidationStep("closure.issue", ("git-clean",), action="abort")).agent
    made = json.loads(again.registry)["validationSteps"]["closure.issue"]
    assert made["onFailure"] == {"action": "abort"}
    assert made["outputSchemaRef"] == {"file": "issue.schema.json", "schema": "closure.issue"}


@pytest.mark.parametrize(
    "change",
    [
        AddFailurePattern("git-dirty", "Again"),
        AddFailurePattern(" ", "No name"),
        AddValidator("git-clean", "true", "git-dirty"),
        AddValidator("new", "", "git-dirty"),
        AddValidator("new", "true", "nowhere"),
        AddValidator("new", "true", "git-dirty", success_when="always"),
        AddValidationStep("closure.issue", ("git-clean",)),
        AddValidationStep("closure.polling", ("nowhere",)),
        AddValidationStep("verification.issue", ("git-clean",)),
        AddValidationStep("nowhere", ("git-clean",)),
        AddValidationStep("closure.polling", ("git-clean",), max_attempts=0),
        AddCondition("closure.issue", "nowhere"),
        AddCondition("nowhere", "git-clean"),
    ],
)
def test_checks_that_make_no_sense(agent: Agent, change: Change) -> None:
    agent.refused(change)


def test_older_files_keep_their_names(corpus: Path) -> None:
    found = 0
    for path in sorted((corpus / "climpt").glob("*/*/steps_registry.json")):
        agent = Agent.open(path)
        registry = json.loads(agent.registry)
        if "completionPatterns" not in registry or "completionSteps" not in registry:
            continue
        after = agent.done(AddFailurePattern("fresh", "Fresh")).agent
        assert "fresh" in json.loads(after.registry)["completionPatterns"]
        assert "failurePatterns" not in json.loads(after.registry)
        step = next(iter(registry["completionSteps"]))
        name = next(iter(registry["validators"]))
        after = agent.done(AddCondition(step, name)).agent
        assert json.loads(after.registry)["completionSteps"][step]["completionConditions"][-1]["validator"] == name
        found += 1
    assert found > 10
