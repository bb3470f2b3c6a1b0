"""Free keys renamed with what names them, elements of lists moved; nothing else in the file changes."""

import json
from pathlib import Path

import pytest

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import MoveItem, RenameKey, RenameStep
from stepflow_gui.formats.edits import Plan, Refusal
from tests.formats.changes.hand import Agent


def renamed(agent: Agent, pointer: str, new: str) -> str:
    before = agent.registry
    found = plan(agent.folder, RenameKey(pointer, new))
    assert isinstance(found, Plan)
    after = agent.done(RenameKey(pointer, new)).agent.registry
    assert len(before.split("\n")) == len(after.split("\n"))
    return after


def test_conditions_follow_a_renamed_validator(agent: Agent) -> None:
    after = json.loads(renamed(agent, "/validators/git-clean", "clean-tree"))
    assert list(after["validators"]) == ["clean-tree"]
    assert after["validationSteps"]["closure.issue"]["validationConditions"] == [{"validator": "clean-tree"}]


def test_validators_follow_a_renamed_failure_pattern(agent: Agent) -> None:
    after = json.loads(renamed(agent, "/failurePatterns/git-dirty", "dirty"))
    assert after["validators"]["git-clean"]["failurePattern"] == "dirty"
    assert after["failurePatterns"]["dirty"]["adaptation"] == "git-dirty"


def test_a_validation_step_knows_its_own_key(agent: Agent) -> None:
    after = json.loads(renamed(agent, "/validationSteps/closure.issue", "closure.polling"))
    assert after["validationSteps"]["closure.polling"]["stepId"] == "closure.polling"
    assert "closure.issue" in after["steps"]


def test_a_step_is_renamed_as_a_step_is(agent: Agent) -> None:
    by_key = plan(agent.folder, RenameKey("/steps/initial.issue", "initial.one"))
    assert by_key == plan(agent.folder, RenameStep("initial.issue", "initial.one"))


@pytest.mark.parametrize(
    ("pointer", "new", "why"),
    [
        ("/validators/nowhere", "x", "nothing"),
        ("/validators/git-clean", "", "empty"),
        ("/entryStepMapping/poll:state", "count:iteration", "already"),
        ("validators", "x", "nothing"),
        ("", "x", "nothing"),
    ],
)
def test_what_cannot_be_renamed_is_reported(agent: Agent, pointer: str, new: str, why: str) -> None:
    found = plan(agent.folder, RenameKey(pointer, new))
    assert isinstance(found, Refusal)
    assert why in found.reason


def test_an_element_is_moved_with_its_text(agent: Agent) -> None:
    where = "/steps/initial.issue/structuredGate/allowedIntents"
    node = agent.folder.registry.tree.at(where)
    assert node is not None
    before = list(node.value)
    assert len(before) > 1
    after = agent.done(MoveItem(f"{where}/0", 1)).agent
    moved = after.folder.registry.tree.at(where)
    assert moved is not None
    assert moved.value == [before[1], before[0], *before[2:]]


@pytest.mark.parametrize("change", [MoveItem("/validators/git-clean", 0), MoveItem("/failurePatterns/x/params/0", 1)])
def test_what_is_no_element_is_not_moved(agent: Agent, change: MoveItem) -> None:
    assert isinstance(plan(agent.folder, change), Refusal)


def test_renaming_every_validator_of_real_files_leaves_no_name_behind(corpus: Path) -> None:
    count = 0
    for registry in sorted((corpus / "climpt" / "iterator").rglob("steps_registry.json"))[-3:]:
        agent = Agent.open(registry)
        for name in list(json.loads(agent.registry).get("validators", {})):
            if isinstance(plan(agent.folder, RenameKey(f"/validators/{name}", "other-name")), Refusal):
                continue
            after = agent.done(RenameKey(f"/validators/{name}", "other-name")).agent.registry
            assert f'"validator": "{name}"' not in after
            count += 1
    assert count
