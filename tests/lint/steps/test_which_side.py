"""Of two names that a slip parts the misspelt one is mended, whichever it is; where nothing tells, none is in bulk."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Moved, changed
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.project.agent_folder import AgentFolder
from tests.lint.conftest import Open

INITIAL, CLOSURE = "/steps/initial.issue", "/steps/closure.issue"


def of(code: str, found: list[Diagnostic]) -> list[Diagnostic]:
    return [each for each in found if each.code == code]


def misspelt(agent: AgentFolder, right: str, wrong: str, *, count: int = -1) -> AgentFolder:
    source = agent.registry.source
    assert right in source.text
    return agent.with_buffers({agent.registry.path: source.with_text(source.text.replace(right, wrong, count))})


def is_restored(wrong: AgentFolder, right: AgentFolder) -> bool:
    """Whether the fixes leave what they leave of the sound file."""
    return texts_after_fixes(wrong) == texts_after_fixes(right)


def texts_after_fixes(agent: AgentFolder) -> dict[Path, str]:
    path, source = agent.registry.path, agent.registry.source
    changes = fix_all([agent], lint, any_fixes, {path: source}).changes
    return {path: source.text, **{each.path: each.after.text for each in changes}}


@pytest.mark.parametrize("wrong", ["stpes", "stes", "sps", "Steps"])
@pytest.mark.parametrize("beside", ["stepsV3", "oldSteps", "my_steps", None])
def test_a_word_joined_to_others_is_not_the_misspelt_one(wrong: str, beside: str | None, open_example: Open) -> None:
    changes: dict[str, Any] = {f"/{beside}": {"complete.issue": {}}} if beside else {}
    agent = open_example(changed(changes))
    assert is_restored(misspelt(agent, '"steps": {', f'"{wrong}": {{'), agent)


def test_of_two_keys_that_are_as_near_none_is_chosen(open_example: Open) -> None:
    agent = misspelt(open_example(changed({"/stps": {}})), '"steps": {', '"step": {')
    (found,) = [each for each in lint(agent) if "no “steps”" in each.message]
    assert found.fixes == ()


@pytest.mark.parametrize(
    "wrong", ["FallbackKey", "fallbackkey", "fallback_key", "fallback-key", "FALLBACKKEY", "fallBackKey", "fallbckKey"]
)
@pytest.mark.parametrize("count", [1, -1])
def test_a_fallback_key_in_other_letters_is_renamed_and_no_prompt_begun(
    wrong: str, count: int, open_example: Open
) -> None:
    agent = open_example(changed(texts={"prompts/steps/initial/issue/f_default.md": REMOVED}))
    wrongly = misspelt(agent, '"fallbackKey"', f'"{wrong}"', count=count)
    (found, *_others) = [each for each in lint(wrongly) if each.code == "SF005"]
    assert [edit.file.suffix for fix in found.fixes for edit in fix.edits] == [".json"]
    if count < 0:
        begun = [each for each in of("SF506", lint(wrongly)) if each.fixes]
        assert begun == []
    unsaved = {wrongly.registry.path: wrongly.registry.source}
    fixed = fix_all([wrongly], lint, any_fixes, unsaved)
    assert {each.path: each.after.text for each in fixed.changes}[agent.registry.path] == agent.registry.source.text


def test_no_finding_suggests_the_misspelt_name_of_a_step(open_example: Open) -> None:
    agent = open_example(checked({"/validationSteps/closure.issue": Moved("/validationSteps/closure.polling")}))
    right = '"closure.issue": {\n      "stepId": "closure.issue"'
    wrong = misspelt(agent, right, right.replace("issue", "isuse"), count=1)
    found = lint(wrong)
    assert [each.message for each in found if "Did you mean “closure.isuse”" in each.message] == []
    assert is_restored(wrong, agent)


_MAGI = """name: magi
initial_movement: melchior
personas:
  melchior: ../personas/melchior.md
  balthasar: ../personas/balthasar.md
movements:
  - name: melchior
    persona: melchior
    instruction: |
      Ask BALTHASAR, and BALTHASAR again: `[BALTHASAR:APPROVE]`.
    rules:
      - {condition: ok, next: balthasar}
  - name: balthasar
    persona: balthasar
    instruction: do
    rules:
      - {condition: ok, next: COMPLETE}
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("next: balthasar", "next: BALTHASAR"),
        ("next: balthasar", "next: balthazar"),
        ("  - name: balthasar", "  - name: balthazar"),
        ("  - name: balthasar", "  - name: BALTHASAR"),
        ("initial_movement: melchior", "initial_movement: melchoir"),
        ("  - name: melchior", "  - name: melchoir"),
    ],
)
def test_a_movement_is_called_as_its_persona(right: str, wrong: str, open_example: Open) -> None:
    agent = open_example(whole_piece(_MAGI))
    assert is_restored(misspelt(agent, right, wrong), agent)


def test_where_nothing_tells_which_name_is_right_none_is_changed_in_bulk(open_example: Open) -> None:
    text = "name: x\ninitial_movement: ab\nmovements:\n"
    text += "".join(
        f"  - {{name: {name}, persona: p, edit: false, rules: [{{condition: ok, next: {to}}}]}}\n" for name, to in STEPS
    )
    agent = open_example(whole_piece(text))
    (found,) = of("T004", lint(agent))
    assert [fix.guess for fix in found.fixes] == [True]
    assert texts_after_fixes(agent)[agent.registry.path] == text


STEPS = (("ab", "kxk"), ("kqk", "COMPLETE"))


@pytest.mark.parametrize("key", [True, False])
@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("section.project.preparationempty", {"c2": "section", "c3": "project", "edition": "preparationempty"}),
        ("section.issue.issue", {"c2": "section", "c3": "other", "edition": "default"}),
    ],
)
def test_key_and_step_id_are_told_apart_by_address_and_words(
    name: str, address: dict[str, str], key: bool, open_example: Open
) -> None:
    step = {"stepId": name, "name": "Section", **address, "uvVariables": [], "usesStdin": False}
    prompt = {f"prompts/steps/section/{address['c3']}/f_{address['edition']}.md": "Text\n"}
    agent = open_example(changed({f"/steps/{name}": step}, texts=prompt))
    slip = name.replace("project", "porject").replace("issue.issue", "issue.isue")
    right, wrong = (f'"{name}": {{', f'"{slip}": {{') if key else (f'"stepId": "{name}"', f'"stepId": "{slip}"')
    assert is_restored(misspelt(agent, right, wrong), agent)


def test_a_dot_in_the_wrong_place_is_no_phase(open_example: Open) -> None:
    step = {"stepId": "sectio.nissue", "name": "S", "uvVariables": [], "usesStdin": False, "edition": "default"}
    found = lint(open_example(changed({"/steps/sectio.nissue": {**step, "c2": "section", "c3": "issue"}})))
    assert "Did you mean “section.issue”?" in of("SF102", found)[0].message
    found = lint(open_example(changed({"/steps/sectio.nissue": {**step, "c2": "a", "c3": "b"}})))
    assert [fix for each in of("SF102", found) for fix in each.fixes] == []


def test_what_no_release_read_below_a_misspelt_key_is_read_again(open_example: Open) -> None:
    text = (
        "name: x\ninitial_step: a\nsubworkflow: {callable: true}\nsteps:\n"
        "  - name: a\n    parallel:\n"
        "      - {name: one, kind: workflow_call, call: b, rules: [{condition: COMPLETE}, {condition: needs_fix}]}\n"
        '    rules: [{condition: any("COMPLETE"), next: COMPLETE}, {condition: any("needs_fix"), next: ABORT}]\n'
    )
    agent = open_example(whole_piece(text))
    for wrong in ("paralel", "pxrallel", "paaallel"):
        assert is_restored(misspelt(agent, "parallel:", f"{wrong}:"), agent)


@pytest.mark.parametrize("wrong", ["prompts/systm.md", "promtps/system.md", "prompt/system.md"])
@pytest.mark.parametrize("known", [True, False])
def test_the_usual_path_of_the_system_prompt_is_meant(wrong: str, known: bool, open_example: Open) -> None:
    gone = {} if known else {f"prompts/steps/{name}/issue/f_default.md": REMOVED for name in _PHASES}
    texts: dict[str, Any] = {"prompts/system.md": REMOVED, **gone}
    agent = open_example(changed({"agent.json#/runner/flow/systemPromptPath": wrong}, texts=texts))
    (found,) = of("SF807", lint(agent))
    assert [edit.text for edit in found.fixes[0].edits] == ['"prompts/system.md"']


_PHASES = ("initial", "continuation", "closure")


@pytest.mark.parametrize("wrong", ["eview", "reviw"])
def test_a_key_with_a_slip_says_nothing_of_the_c3(wrong: str, open_example: Open) -> None:
    prompts: dict[str, Any] = {f"prompts/steps/{name}/issue/f_default.md": REMOVED for name in _PHASES}
    text = json.dumps(open_example(changed()).registry.root.value).replace("issue", "review")  # type: ignore[union-attr]
    whole = open_example(changed(texts={**prompts, "steps_registry.json": text}))
    agent = misspelt(whole, '"closure.review": {"stepId"', f'"closure.{wrong}": {{"stepId"')
    assert [each.message for each in lint(agent) if each.pointer and each.pointer.endswith("/c3")] == []
    assert is_restored(agent, whole)


def test_a_c3_is_not_rewritten_in_bulk_where_its_prompt_would_be_lost(open_example: Open) -> None:
    texts: dict[str, Any] = {"prompts/steps/initial/issueState/f_default.md": "Issue {uv-issue}\n"}
    agent = open_example(changed({f"{INITIAL}/c3": "issueState"}, texts=texts))
    assert [fix.guess for each in of("SF106", lint(agent)) for fix in each.fixes] == [True]
    texts = {"prompts/steps/initial/issue-state/f_default.md": "Issue {uv-issue}\n"}
    agent = open_example(changed({f"{INITIAL}/c3": "issueState"}, texts=texts))
    assert [fix.guess for each in of("SF106", lint(agent)) for fix in each.fixes] == [False]
