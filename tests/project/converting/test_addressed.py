"""Agents for climpt 1.14 and for the one before, one made of the other."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import CLIMPT_1_14, CLIMPT_2026_04_20
from stepflow_gui.formats.climpt.whole_check import boot_faults
from stepflow_gui.formats.converting.addressed import from_addressed, to_addressed
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import Base, Example, changed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.converting.conversion import Conversion, convert
from stepflow_gui.project.converting.writing import notes_of, write_copy
from stepflow_gui.run.machine.loading import load
from stepflow_gui.text.document import ParsedFile, TextFile

STEP = {
    "stepId": "initial.issue",
    "name": "Begin",
    "stepKind": "work",
    "c2": "initial",
    "c3": "issue",
    "edition": "default",
    "uvVariables": [],
    "usesStdin": False,
}


def opened(tmp_path: Path, example: Example) -> AgentFolder:
    folder = tmp_path / ".agent" / "issue-flow"
    for name, text in files_of(example).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    return agent


def converted(agent: AgentFolder, target: str) -> Conversion:
    found = convert(agent, target)
    assert isinstance(found, Conversion), found
    return found


@pytest.mark.parametrize("base", ["c3l", "closing", "complete"])
def test_an_agent_of_before_is_one_that_climpt_1_14_starts(tmp_path: Path, base: Base) -> None:
    after = converted(opened(tmp_path, changed(base=base)), "adt-kind-address").after
    assert after.flow.format == "adt-kind-address"
    assert load(after, CLIMPT_1_14, None).error is None
    assert list(boot_faults(after.flow)) == []
    assert [found for found in lint(after) if found.severity == "error"] == []


def test_converting_back_gives_the_original_registry(tmp_path: Path) -> None:
    agent = opened(tmp_path, changed(base="c3l"))
    there = converted(agent, "adt-kind-address").after
    back = converted(there, "c3l").after
    assert load(back, CLIMPT_2026_04_20, None).error is None
    assert {key: step.raw for key, step in back.flow.steps.items()} == {
        key: step.raw for key, step in agent.flow.steps.items()
    }


def test_what_the_agent_may_do_stands_in_a_settings_file(tmp_path: Path) -> None:
    agent = opened(tmp_path, changed(base="c3l"))
    found = converted(agent, "adt-kind-address")
    path = tmp_path / ".agent" / "climpt" / "config" / "claude.settings.climpt.agents.issue-flow.json"
    assert path in found.edits
    settings = found.after.document(path)
    assert isinstance(settings, TextFile | ParsedFile)
    assert json.loads(settings.source.text) == {"permissions": {"allow": ["Read"], "defaultMode": "plan"}}
    assert found.after.agent_document is not None
    assert found.after.agent_document.tree.at("/runner/boundaries") is None
    again = converted(found.after, "c3l").after
    assert again.agent_document is not None
    boundaries = again.agent_document.tree.at("/runner/boundaries")
    assert boundaries is not None
    assert boundaries.value == {"allowedTools": ["Read"], "permissionMode": "plan"}


@pytest.mark.parametrize("home", ["", ".agent/issue-flow"])
def test_whether_a_copy_holds_the_settings_file_is_said(home: str, tmp_path: Path) -> None:
    folder = tmp_path / "project" / home
    for name, text in files_of(changed(base="c3l")).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    found = converted(agent, "adt-kind-address")
    written = write_copy(found, tmp_path / "copy")
    assert isinstance(written, list)
    held = any(path.name == "claude.settings.climpt.agents.issue-flow.json" for path in written)
    assert held is not bool(home)
    assert held is not any("not written" in note for note in notes_of(found, tmp_path / "copy"))
    copied = json.loads((tmp_path / "copy" / "agent.json").read_text("utf-8"))
    there = {"allowedTools": ["Read"], "permissionMode": "plan"}
    assert copied["runner"].get("boundaries") == (None if held else there)
    if home:  # so that the way back loses nothing
        again = open_agent(tmp_path / "copy")
        assert isinstance(again, AgentFolder)
        back = converted(again, "c3l")
        assert not [lost for lost in back.lost if lost.pointer == "/runner/boundaries"]
        assert back.after.agent_document is not None
        boundaries = back.after.agent_document.tree.at("/runner/boundaries")
        assert boundaries is not None
        assert boundaries.value == there


@pytest.mark.parametrize(("allow", "is_lost"), [(["Read"], False), (["Write"], True)])
def test_what_an_existing_settings_file_overrules_is_reported(allow: list[str], is_lost: bool, tmp_path: Path) -> None:
    agent = opened(tmp_path, changed(base="c3l"))
    path = tmp_path / ".agent" / "climpt" / "config" / "claude.settings.climpt.agents.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"permissions": {"allow": allow, "defaultMode": "plan"}}), "utf-8")
    lost = [each for each in converted(agent, "adt-kind-address").lost if each.pointer == "/runner/boundaries"]
    assert bool(lost) is is_lost
    assert not is_lost or '"Read"' in lost[0].what


@pytest.mark.parametrize("settings", [None, "{"])
def test_permissions_without_a_source_are_reported_as_lost(settings: str | None, tmp_path: Path) -> None:
    agent = opened(tmp_path, changed(base="adt-kind-address"))
    config = tmp_path / ".agent" / "climpt" / "config"
    for path in config.glob("claude.settings*"):
        path.unlink()
    if settings is not None:
        config.mkdir(parents=True, exist_ok=True)
        (config / "claude.settings.climpt.agents.json").write_text(settings, "utf-8")
    again = open_agent(agent.folder)
    assert isinstance(again, AgentFolder)
    assert [each.pointer for each in converted(again, "c3l").lost if each.file.name == "agent.json"] == [
        "/runner/boundaries"
    ]


def test_all_tools_cannot_be_kept(tmp_path: Path) -> None:
    agent = opened(tmp_path, changed({"agent.json#/runner/boundaries/allowedTools": ["*"]}, base="c3l"))
    lost = converted(agent, "adt-kind-address").lost
    assert any(part.pointer == "/runner/boundaries/allowedTools" for part in lost)


def registry(**step: Any) -> dict[str, Any]:
    return {"agentId": "a", "version": "1.0.0", "c1": "steps", "steps": {"initial.issue": STEP | step}}


def test_abort_goes_and_missing_rules_come() -> None:
    gate = {"allowedIntents": ["next", "repeat", "abort"], "fallbackIntent": "abort"}
    value = registry(structuredGate=gate, transitions={"next": {"target": "initial.issue"}, "abort": {"target": None}})
    made = to_addressed(value, None)
    step = made.value["steps"]["initial.issue"]
    assert step["structuredGate"] == {"allowedIntents": ["next", "repeat"]}
    assert step["transitions"] == {"next": {"target": "initial.issue"}, "repeat": {"target": "initial.issue"}}
    assert [lost.pointer for lost in made.lost] == [
        "/steps/initial.issue/transitions/abort",
        "/steps/initial.issue/structuredGate/allowedIntents",  # its repeats
    ]


@pytest.mark.parametrize(
    ("intents", "chain", "there", "back"),
    [
        (["next", "repeat"], None, True, True),
        (["next"], None, False, False),
        (["next", "repeat"], ["default", "again"], False, False),  # the chain itself is lost on the way back
    ],
)
def test_that_a_step_may_repeat_once_is_reported(
    intents: list[str], chain: list[str] | None, there: bool, back: bool
) -> None:
    repeats = "/steps/initial.issue/structuredGate/allowedIntents"
    fields = {"adaptationChain": chain} if chain else {}
    made = to_addressed(registry(structuredGate={"allowedIntents": intents}, transitions={}, **fields), None)
    assert (repeats in [lost.pointer for lost in made.lost]) is there
    assert (repeats in [lost.pointer for lost in from_addressed(made.value).lost]) is back


def test_steps_with_pairs_alone_were_never_limited() -> None:
    """No climpt loaded them."""
    value = registry(structuredGate={"allowedIntents": ["next", "repeat"]}, transitions={})
    assert from_addressed(value).lost == ()


def test_a_single_entry_is_the_pair_of_the_agents_verdict() -> None:
    value = registry() | {"entryStep": "initial.issue"}
    made = to_addressed(value, "poll:state").value
    pair = {"initial": "initial.issue", "continuation": "initial.issue"}
    assert made["entryStepMapping"] == {"poll:state": pair}
    assert "entryStep" not in made


def test_checks_are_split_and_joined_again() -> None:
    check: dict[str, Any] = {"stepId": "closure.polling", "name": "V", "c2": "retry", "c3": "issue"}
    check |= {"validationConditions": [{"validator": "v"}], "onFailure": {"action": "abort"}}
    value = registry() | {"validationSteps": {"closure.polling": check}, "validators": {"v": {"type": "command"}}}
    made = to_addressed(value, None).value
    split = made["validationSteps"]["closure.polling"]
    assert split["postLLMConditions"] == [{"validator": "v"}]
    assert split["preflightConditions"] == []
    assert split["onFailure"] == {"action": "retry", "maxAttempts": 1}
    assert split["address"] == {"c1": "steps", "c2": "retry", "c3": "issue", "edition": "failed"}
    assert made["validators"]["v"]["phase"] == "postllm"
    split["preflightConditions"] = [{"validator": "before"}]
    joined = from_addressed(made)
    conditions = joined.value["validationSteps"]["closure.polling"]["validationConditions"]
    assert conditions == [{"validator": "before"}, {"validator": "v"}]
    assert any(lost.pointer.endswith("preflightConditions") for lost in joined.lost)


def test_what_has_no_place_before_is_reported() -> None:
    value = registry() | {"steps": {}}
    address = {"c1": "dev", "c2": "initial", "c3": "issue", "edition": "default"}
    value["steps"]["initial.issue"] = {"kind": "work", "address": address, "adaptationChain": ["again"], "retry": {}}
    value["entryStepMapping"] = {"poll:state": {"initial": "initial.issue", "continuation": "other"}}
    made = from_addressed(value)
    assert made.value["steps"]["initial.issue"] == {
        "stepKind": "work",
        "c2": "initial",
        "c3": "issue",
        "edition": "default",
    }
    assert made.value["entryStepMapping"] == {"poll:state": "initial.issue"}
    pointers = {lost.pointer.rpartition("/")[2] for lost in made.lost}
    assert pointers == {"c1", "adaptationChain", "retry", "continuation"}
