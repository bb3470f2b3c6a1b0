"""Mistakes that are told at their own place, not where something goes wrong because of them."""

from typing import Any

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Moved, changed
from stepflow_gui.lint.fixing import any_fixes, fix_all

from .conftest import Lint, Open

PROMPTS = ("initial", "continuation", "closure")
WITHOUT_PROMPTS = {f"prompts/steps/{phase}/issue/f_default.md": REMOVED for phase in PROMPTS} | {
    "prompts/system.md": REMOVED
}
PAIR = "/entryStepMapping/poll:state"


def of(found: list[Diagnostic], code: str) -> list[tuple[str | None, str]]:
    return [(each.pointer, each.file.name) for each in found if each.code == code]


def test_a_misspelt_step_is_told_at_the_step(lint_example: Lint) -> None:
    moved = {
        "/steps/continuaton.issue": Moved("/steps/continuation.issue"),
        "/steps/continuaton.issue/stepId": "continuaton.issue",
    }
    (found,) = lint_example(moved)
    assert found.pointer == "/steps/continuaton.issue"
    assert "/steps/initial.issue/transitions/next/target" in [each.pointer for each in found.related]


def test_a_misspelt_first_step_is_told_at_the_step(lint_example: Lint) -> None:
    moved = {"/steps/initail.issue": Moved("/steps/initial.issue"), "/steps/initail.issue/stepId": "initail.issue"}
    found = lint_example({**moved, "/steps/initail.issue/transitions/repeat/target": "initail.issue"})
    assert of(found, "SF402") == [("/steps/initail.issue", "steps_registry.json")]


def test_a_misspelt_variable_is_told_in_the_list(lint_example: Lint) -> None:
    found = lint_example({"/steps/initial.issue/uvVariables": ["isseu"]})
    assert of(found, "SF508") == [("/steps/initial.issue/uvVariables/0", "steps_registry.json")]
    assert [each.file.name for each in found[0].related] == ["f_default.md"]


def test_a_misspelt_parameter_is_told_at_the_parameter(open_example: Open) -> None:
    agent = open_example({"agent.json#/parameters/isseu": Moved("/parameters/issue")})
    found = lint(agent)
    assert {(each.pointer, each.file.name) for each in found} == {("/parameters/isseu", "agent.json")}
    (change,) = fix_all([agent], lint, any_fixes).changes
    assert '"issue": {' in change.after.text


@pytest.mark.parametrize(("name", "flag"), [("iterateMax", "--iterate-max"), ("dry_run", "--dry-run"), ("a", "--b")])
def test_names_may_have_their_flags_words_joined_otherwise(name: str, flag: str, lint_example: Lint) -> None:
    parameter = {"type": "string", "description": "One", "required": False, "cli": flag}
    assert of(lint_example({f"agent.json#/parameters/{name}": parameter}), "SF806") == []


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"/c1": "stpes"}, "/c1"),
        ({"/steps/initial.issue/edition": "defualt"}, "/steps/initial.issue/edition"),
        ({"/steps/initial.issue/c2": "inital"}, "/steps/initial.issue/c2"),
        ({"/steps/initial.issue/c3": "isue"}, "/steps/initial.issue/c3"),
        ({"/c1": "dev"}, None),
        ({"/steps/initial.issue/c3": "poll"}, None),
        ({"/steps/initial.issue/edition": "again"}, None),
    ],
)
@pytest.mark.parametrize("template", [False, True])
def test_parts_of_paths_where_there_are_no_prompts(
    changes: dict[str, Any], pointer: str | None, template: bool, lint_example: Lint
) -> None:
    more = {"/agentId": "{{AGENT_NAME}}", "agent.json#/name": "{{AGENT_NAME}}"} if template else {}
    found = lint_example(changed({**changes, **more}, base="c3l", texts=WITHOUT_PROMPTS))
    assert [each.pointer for each in found if each.code == "SF506" and each.severity != "info"] == (
        [pointer] if pointer else []
    )


def test_a_step_may_be_called_nearly_as_its_topic(lint_example: Lint) -> None:
    """Nothing else is called so: it isn't the word that the prompts' paths have."""
    moved = {"/steps/initial.issue2": Moved("/steps/initial.issue"), "/steps/initial.issue2/stepId": "initial.issue2"}
    found = lint_example(changed(moved, base="c3l", texts=WITHOUT_PROMPTS))
    assert [each.severity for each in found if each.code == "SF506"] == ["info"]


def test_a_section_is_told_only_of_a_slip(lint_example: Lint) -> None:
    section: dict[str, Any] = {
        "stepId": "section.more",
        "name": "More",
        "c2": "section",
        "c3": "more",
        "edition": "default",
    }
    section |= {"uvVariables": [], "usesStdin": False}
    texts = {"prompts/steps/section/more/f_default.md": "More\n"}
    near = changed({"/steps/section.more": {**section, "c3": "moer"}}, base="c3l", texts=texts)
    assert of(lint_example(near), "SF506") == [("/steps/section.more/c3", "steps_registry.json")]
    assert of(lint_example(changed({"/steps/section.more": {**section, "c3": "other"}}, base="c3l")), "SF506") == []


def test_the_c1_of_all_addresses_is_right(lint_example: Lint) -> None:
    addresses = {f"/steps/{phase}.issue/address/c1": "docs" for phase in PROMPTS}
    near = changed({**addresses, "/c1": "dosc"}, base="adt-kind-address", texts=WITHOUT_PROMPTS)
    assert of(lint_example(near), "SF516") == [("/c1", "steps_registry.json")]
    other = changed({**addresses, "/c1": "dev"}, base="adt-kind-address", texts=WITHOUT_PROMPTS)
    assert len(of(lint_example(other), "SF516")) == len(PROMPTS)


def test_a_prompt_that_was_missing_before_hides_no_misspelt_c1(lint_example: Lint) -> None:
    missing = {"prompts/steps/closure/issue/f_default.md": REMOVED}
    assert of(lint_example(changed({"/c1": "stpes"}, base="c3l", texts=missing)), "SF506") == [
        ("/c1", "steps_registry.json")
    ]


@pytest.mark.parametrize(("side", "other"), [("initial", "continuation"), ("continuation", "initial")])
def test_a_pair_without_a_side_among_flat_steps(side: str, other: str, lint_example: Lint) -> None:
    found = lint_example({"/entryStepMapping": {"poll:state": {other: "initial.issue"}}, "/entryStep": REMOVED})
    told = [each.message for each in found if each.code == "SF407" and each.pointer == PAIR]
    assert any(f"“{side}”" in message for message in told)


@pytest.mark.parametrize(("name", "told"), [("next_acton.action", True), ("more", False), ("summray", False)])
def test_a_field_that_an_open_schema_nearly_has(name: str, told: bool, lint_example: Lint) -> None:
    where = "/steps/initial.issue/structuredGate/handoffFields"
    found = lint_example({where: [name], "issue.schema.json#/initial.issue/additionalProperties": True})
    assert of(found, "SF214") == ([(f"{where}/0", "steps_registry.json")] if told else [])


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"intentField": "next_acton.action"}, "intentField"),
        ({"intentSchemaRef": "#/properties/next_action/properties/acton"}, "intentSchemaRef"),
        ({"intentField": "other.word"}, None),
    ],
)
def test_gates_without_a_schema_are_held_against_others(
    changes: dict[str, Any], at: str | None, lint_example: Lint
) -> None:
    gate = "/steps/initial.issue/structuredGate"
    without = {"/steps/initial.issue/outputSchemaRef": REMOVED}
    found = lint_example(changed({**without, **{f"{gate}/{key}": value for key, value in changes.items()}}, base="c3l"))
    assert of(found, "SF210") == ([(f"{gate}/{at}", "steps_registry.json")] if at else [])


def test_transitions_that_nothing_follows(lint_example: Lint) -> None:
    gates = {f"/steps/{step}.issue/structuredGate": REMOVED for step in PROMPTS}
    found = lint_example(changed(gates, base="adt-kind-address"))
    assert [pointer for pointer, _file in of(found, "SF204")] == [
        f"/steps/{step}.issue/transitions" for step in PROMPTS
    ]


def test_null_ends_a_flow_with_complete_silently(lint_example: Lint) -> None:
    where = "/steps/initial.issue/transitions/next/target"
    (found,) = (each for each in lint_example(changed({where: None}, base="complete")) if each.code == "SF306")
    assert (found.pointer, found.severity) == (where, "warning")
    assert "“complete”" in found.message
