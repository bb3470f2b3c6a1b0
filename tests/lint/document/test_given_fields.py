"""Fields that steps with kind and address lack: what the file or the format says is filled in, and nothing else."""

from typing import Any

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Base, changed
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder
from tests.lint.conftest import Open

STEP = "/steps/initial.issue"
BASE: Base = "adt-kind-address"


def _agent(open_example: Open, changes: dict[str, Any]) -> AgentFolder:
    return open_example(changed(changes, base=BASE))


@pytest.mark.parametrize(
    "place",
    [
        f"{STEP}/address/c1",
        f"{STEP}/address/edition",
        f"{STEP}/kind",
        f"{STEP}/stepId",
        f"{STEP}/uvVariables",
        "/steps/closure.issue/kind",
        "/c1",
    ],
)
def test_what_decides_fills_it_in(place: str, open_example: Open) -> None:
    sound = _agent(open_example, {}).registry.root
    assert sound is not None
    expected = sound.value
    changes: dict[str, Any] = {place: REMOVED}
    if place == f"{STEP}/kind":  # no other kind may emit it
        handoff = {f"{STEP}/structuredGate/allowedIntents": ["next", "repeat", "handoff"]}
        expected = _agent(open_example, handoff).registry.tree.root
        assert expected is not None
        expected, changes = expected.value, {**handoff, **changes}
    agent = _agent(open_example, changes)
    assert [each.code for each in lint(agent) if each.severity == "error" and each.code == "SF004"] == ["SF004"]
    fixed = fix_all([agent], lint, lambda found: any_fixes(found) if found.code == "SF004" else [])
    root = fixed.agents[0].registry.root
    assert root is not None
    if place == f"{STEP}/uvVariables":
        expected["steps"]["initial.issue"]["uvVariables"] = []
    assert root.value == expected


def test_a_kind_that_the_prompt_alone_suggests_is_a_guess(open_example: Open) -> None:
    agent = _agent(open_example, {f"{STEP}/kind": REMOVED, f"{STEP}/structuredGate/allowedIntents": ["next", "repeat"]})
    (found,) = [each for each in lint(agent) if each.code == "SF004"]
    assert [(fix.guess, [edit.text.strip(" ,\n") for edit in fix.edits]) for fix in found.fixes] == [
        (True, ['"kind": "work"'])
    ]


def test_a_name_is_for_the_author(open_example: Open) -> None:
    agent = _agent(open_example, {f"{STEP}/name": REMOVED, f"{STEP}/usesStdin": REMOVED})
    (found,) = [each for each in lint(agent) if each.code == "SF004"]
    assert found.fixes == ()


@pytest.mark.parametrize(("wrong", "right"), [("try again", "try-again"), ("a/b", "a-b"), (7, "7"), ("..", None)])
def test_an_element_of_a_chain_is_put_into_its_form(wrong: object, right: str | None, open_example: Open) -> None:
    (found,) = [
        each for each in lint(_agent(open_example, {f"{STEP}/adaptationChain": [wrong]})) if each.code == "SF231"
    ]
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ([f'"{right}"'] if right else [])


@pytest.mark.parametrize(
    ("file", "plain"),
    [
        ("../schemas/issue.schema.json", "issue.schema.json"),
        ("sub/../issue.schema.json", "issue.schema.json"),
        ("../issue.schema.json", None),
    ],
)
def test_a_path_with_dots_is_written_without_them_where_the_file_is(
    file: str, plain: str | None, open_example: Open
) -> None:
    agent = _agent(open_example, {f"{STEP}/outputSchemaRef/file": file})
    found = [each for each in lint(agent) if each.code == "SF707"]
    assert [edit.text for each in found for fix in each.fixes for edit in fix.edits] == (
        [f'"{plain}"'] if plain else []
    )


def test_the_entry_step_alone_becomes_the_pair_of_the_verdict(open_example: Open) -> None:
    agent = _agent(open_example, {"/entryStepMapping": REMOVED, "/entryStep": "initial.issue"})
    (found,) = [each for each in lint(agent) if each.code == "SF404"]
    assert [fix.guess for fix in found.fixes] == [False]
    (change,) = fix_all([agent], lint, lambda each: any_fixes(each) if each.code == "SF404" else []).changes
    assert '"poll:state": {"initial": "initial.issue", "continuation": "continuation.issue"}' in " ".join(
        change.after.text.split()
    ).replace("{ ", "{").replace(" }", "}")
