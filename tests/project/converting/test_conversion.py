"""What a conversion makes of each part of an agent, what it lists as lost, and what it refuses."""

import json
import shutil
from pathlib import Path

import pytest

from stepflow_gui.formats.edits import Refusal
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.conversion import Conversion, convert
from stepflow_gui.project.converting.writing import changes_of, notes_of, write_copy
from stepflow_gui.text.files.store import SaveFailed
from tests.project.converting.agents import Json, converted, errors, from_template, on_disk, opened, value
from tests.seeds.documents import CHECKS

CLOSURE = ".agent/demo/prompts/steps/closure/issue/f_default.md"


@pytest.fixture
def complete(tmp_path: Path, checkout: Path) -> AgentFolder:
    return from_template(tmp_path, checkout, "complete-flow")


@pytest.fixture
def checks(tmp_path: Path, checkout: Path) -> AgentFolder:
    return from_template(tmp_path, checkout, "check-flow")


def edited(agent: AgentFolder, change: str, file: str = "steps_registry.json", by: str = "") -> AgentFolder:
    path = agent.folder / file
    text = path.read_text("utf-8")
    assert change in text
    path.write_text(text.replace(change, by), "utf-8")
    return opened(agent.folder)


def lost(found: Conversion) -> dict[str, str]:
    return {part.pointer: part.what for part in found.lost}


def test_complete_becomes_handoff_into_closure_steps(complete: AgentFolder) -> None:
    found = converted(complete)
    registry = value(found.after)
    assert list(registry["steps"]) == ["initial.issue", "continuation.issue", "closure.issue"]
    first, last = registry["steps"]["initial.issue"], registry["steps"]["closure.issue"]
    assert first["stepKind"] == "work"
    assert first["transitions"]["handoff"] == {"target": "closure.issue"}
    assert first["structuredGate"]["allowedIntents"] == ["next", "repeat", "handoff"]
    assert first["structuredGate"]["intentSchemaRef"] == "#/properties/next_action/properties/action"
    assert first["outputSchemaRef"]["schema"] == "initial.issue"
    assert (last["stepId"], last["stepKind"], last["c2"]) == ("closure.issue", "closure", "closure")
    assert last["structuredGate"]["allowedIntents"] == ["repeat", "closing"]
    assert registry["entryStepMapping"] == {"poll:state": "initial.issue"}
    assert errors(found.after) == set()


def test_schemas_agent_file_and_prompts_follow(complete: AgentFolder) -> None:
    found = converted(complete)
    files = {change.path.relative_to(complete.root).as_posix(): change for change in changes_of(found)}
    schema = json.loads(files[".agent/demo/schemas/issue.schema.json"].after.text)["definitions"]
    assert set(schema) == {"initial.issue", "continuation.issue", "closure.issue"}
    assert schema["closure.issue"]["properties"]["stepId"] == {"const": "closure.issue"}
    assert schema["closure.issue"]["properties"]["next_action"]["properties"]["action"]["enum"] == ["repeat", "closing"]
    agent = json.loads(files[".agent/demo/agent.json"].after.text)
    assert agent["runner"]["verdict"] == {"type": "poll:state", "config": {"maxIterations": 20}}
    assert files[CLOSURE].before is None
    assert [path.name for path in found.unused] == ["f_default.md"]
    assert any("complete" in part.what and part.file.suffix == ".md" for part in found.lost)  # prompts still contain it


def test_what_is_unchanged_keeps_its_text(complete: AgentFolder) -> None:
    found = converted(complete)
    before, after = complete.registry.source.text.split("\n"), found.after.registry.source.text.split("\n")
    assert '      "uvVariables": ["issue"],' in after
    assert len(set(before) - set(after)) < 20


def test_a_schema_that_others_share_is_left_to_them(corpus: Path, tmp_path: Path) -> None:
    from tests.lint.prompts.test_corpus import laid_out

    agent = laid_out(corpus / "climpt" / "iterator" / "018-20beede", tmp_path)
    found = converted(agent)
    changed = {path.name for path in found.edits}
    assert "common.schema.json" not in changed  # where the enum of all answers stands
    for step in found.after.flow.steps.values():
        if step.gate is not None:
            assert {each.value for each in found.after.schema(step).enum} == {text.value for text in step.gate.intents}


def test_abort_and_what_has_no_target_are_reported(complete: AgentFolder) -> None:
    registry = value(complete)
    step = registry["steps"]["initial.issue"]
    step["structuredGate"]["allowedIntents"].append("abort")
    step["transitions"] = {"complete": {"target": None}, "abort": {"target": "complete.issue"}}
    complete.registry.path.write_text(json.dumps(registry), "utf-8")
    found = converted(opened(complete.folder))
    told = lost(found)
    assert told["/steps/initial.issue/transitions/abort"] == "“abort” of initial.issue"
    assert told["/steps/initial.issue/transitions/complete"] == "“complete” of initial.issue"
    assert value(found.after)["steps"]["initial.issue"]["transitions"] == {
        "handoff": {"target": "closure.issue"},
        "next": {"target": "continuation.issue"},  # which the router made up
    }


def test_a_conditional_complete_uses_an_intent_that_may_have_a_condition(complete: AgentFolder) -> None:
    registry = value(complete)
    rule = {"condition": "kind", "targets": {"bug": "complete.issue", "default": "complete.issue"}}
    registry["steps"]["initial.issue"]["transitions"]["complete"] = rule
    complete.registry.path.write_text(json.dumps(registry), "utf-8")
    found = converted(opened(complete.folder))
    rules = value(found.after)["steps"]["initial.issue"]["transitions"]
    assert rules["jump"]["targets"] == {"bug": "closure.issue", "default": "closure.issue"}
    assert "handoff" not in rules


def test_a_closing_step_can_always_close(complete: AgentFolder) -> None:
    registry = value(complete)
    registry["steps"]["complete.issue"]["structuredGate"]["allowedIntents"] = ["abort"]
    complete.registry.path.write_text(json.dumps(registry), "utf-8")
    found = converted(opened(complete.folder))
    assert value(found.after)["steps"]["closure.issue"]["structuredGate"]["allowedIntents"] == ["closing"]
    assert "/steps/complete.issue/structuredGate/allowedIntents" in lost(found)


@pytest.mark.parametrize("target", ["closing", "c3l"])
def test_keys_of_the_files_own_stay(complete: AgentFolder, target: str) -> None:
    registry = value(complete)
    step = registry["steps"]["initial.issue"]
    for holder in (registry, step, step["structuredGate"], step["transitions"]["complete"]):
        holder |= {"x-ours": 1, "unheard": "of"}
    complete.registry.path.write_text(json.dumps(registry), "utf-8")
    now = value(converted(opened(complete.folder), target).after)
    step = now["steps"]["initial.issue"]
    for holder in (now, step, step["structuredGate"], step["transitions"]["handoff"]):
        assert (holder["x-ours"], holder["unheard"]) == (1, "of")


def test_a_check_becomes_a_verification_step(checks: AgentFolder) -> None:
    found = converted(checks)
    steps = value(found.after)["steps"]
    assert found.steps["s_9d27"] == ("continuation.implement", "verification.implement")
    check = steps["verification.implement"]
    assert (check["stepKind"], check["c2"]) == ("verification", "verification")
    assert check["transitions"] == {"next": {"target": "continuation.review"}, "jump": {"target": "initial.analyze"}}
    assert steps["verification.analyze"]["transitions"]["jump"] == {"target": "initial.analyze", "x-maxRetries": 2}
    assert "/steps/s_4c1e/check/onFail/maxRetries" in lost(found)
    assert steps["verification.final"]["transitions"]["next"] == {"target": "closure.graph"}
    old = checks.folder / "prompts/checks/step/analyze/f_default.md"
    texts = {change.path: change.after.text for change in changes_of(found)}
    assert texts[checks.folder / "prompts/steps/verification/analyze/f_default.md"] == old.read_text("utf-8")
    agent = found.after.agent
    assert agent is not None
    limit = agent.document.tree.at("/runner/verdict/config/maxIterations")
    assert limit is not None
    assert limit.value == 201


def test_or_an_enum_of_the_step(checks: AgentFolder) -> None:
    found = converted(checks, checks="enum")
    steps = value(found.after)["steps"]
    assert set(steps) == {"initial.analyze", "continuation.implement", "continuation.review", "closure.graph"}
    assert steps["initial.analyze"]["transitions"]["repeat"] == {"target": "initial.analyze", "x-maxRetries": 2}
    assert steps["continuation.review"]["transitions"] == {
        "handoff": {"target": "closure.graph"},
        "jump": {"target": "continuation.implement"},
    }
    asked = (checks.folder / "prompts/checks/step/analyze/f_default.md").read_text("utf-8")
    texts = {change.path: change.after.text for change in changes_of(found)}
    assert texts[checks.folder / "prompts/steps/phase/analyze/f_default.md"].endswith(asked)


def test_all_keys_of_a_check_are_kept_or_reported(tmp_path: Path) -> None:
    registry: Json = json.loads(json.dumps(CHECKS))
    step = registry["steps"]["s_a8f3"]
    step |= {"x-a": 1, "odd": 2, "iterations": {"min": 2, "max": 3}}
    step["check"] |= {"x-b": 3, "other": 4}
    step["check"]["onFail"]["x-c"] = 5
    found = converted(on_disk(tmp_path, registry))
    ran, judged = (value(found.after)["steps"][step_id] for step_id in found.steps["s_a8f3"])
    assert (ran["x-a"], ran["odd"], ran["x-iterations"]) == (1, 2, {"min": 2, "max": 3})
    assert (judged["x-b"], judged["other"], judged["transitions"]["jump"]["x-c"]) == (3, 4, 5)
    told = lost(found)
    for pointer in ("odd", "iterations/min", "iterations/max", "check/other", "check/onFail/maxRetries"):
        assert f"/steps/s_a8f3/{pointer}" in told


def test_the_conversion_to_c3l_names_the_prompts_that_are_missing(complete: AgentFolder) -> None:
    (complete.folder / "prompts/steps/initial/issue/f_default.md").unlink()
    found = converted(opened(complete.folder), "c3l")
    assert found.after.flow.format == "c3l"
    assert "fallbackKey" not in found.after.registry.source.text
    assert "userPromptsBase" not in value(found.after)
    named = [part for part in found.lost if part.what.startswith("the prompt")]
    assert [part.pointer for part in named] == ["/steps/initial.issue/fallbackKey"]
    assert ".agent/demo/prompts/steps/initial/issue/f_default.md" in named[0].what


def test_prompts_and_schemas_that_only_a_base_led_to_are_moved(complete: AgentFolder) -> None:
    for folder in ("prompts/steps", "schemas"):
        (complete.folder / folder).rename(complete.root / folder.rpartition("/")[2])
    registry = value(complete) | {"userPromptsBase": "", "schemasBase": "schemas"}
    registry["userPromptsBase"] = "."
    complete.registry.path.write_text(json.dumps(registry), "utf-8")
    found = converted(opened(complete.folder), "c3l")
    assert errors(found.after) == set()
    assert complete.root / "schemas/issue.schema.json" in found.unused


def test_there_and_back_again(complete: AgentFolder) -> None:
    there = converted(complete, "c3l")
    for change in changes_of(there):
        change.path.parent.mkdir(parents=True, exist_ok=True)
        change.path.write_text(change.after.text, "utf-8")
    agent = opened(complete.folder)
    assert agent.flow.format == "c3l"
    back = converted(agent, "closing")
    registry = value(back.after)
    assert (registry["userPromptsBase"], registry["schemasBase"]) == (".agent/demo/prompts", ".agent/demo/schemas")
    keys = {step_id: step.get("fallbackKey") for step_id, step in registry["steps"].items()}
    assert keys["initial.issue"] == "initial_issue"
    assert keys["closure.issue"] == "issue_closure_default"
    assert converted(back.after, "closing").edits == {}


def test_what_agent_json_has_no_place_for_is_kept_apart(complete: AgentFolder) -> None:
    agent = edited(complete, '"permissionMode"', "agent.json", '"preClose": {"a": 1}, "permissionMode"')
    found = converted(agent)
    document = found.after.agent_document
    assert document is not None
    assert document.root is not None
    assert document.root.value["x-behavior"] == {"preClose": {"a": 1}}
    assert ("/behavior/preClose", "“behavior.preClose”") in lost(found).items()
    assert "SF804" not in errors(found.after)


@pytest.mark.parametrize(
    ("file", "change", "by", "reason"),
    [
        ("steps_registry.json", '"steps": {', '"steps": {,', "“steps_registry.json” has a syntax error in line"),
        ("agent.json", '"name"', '"name" "name"', "“agent.json” has a syntax error in line"),
        (
            "schemas/issue.schema.json",
            '"definitions": {',
            '"definitions": {,',
            "“issue.schema.json” has a syntax error",
        ),
        ("steps_registry.json", '"version"', '"agentId": "x", "version"', "“/agentId” appears twice"),
        ("steps_registry.json", '"steps": {', '"steps": { "a": 1,', "“/steps/a” is not an object"),
    ],
)
def test_broken_files_are_refused_with_the_place(
    complete: AgentFolder, file: str, change: str, by: str, reason: str
) -> None:
    found = convert(edited(complete, change, file, by), "closing")
    assert isinstance(found, Refusal)
    assert reason in found.reason


def test_other_formats_are_refused(tmp_path: Path) -> None:
    agent = on_disk(tmp_path, {"agentId": "demo", "version": "1.0.0", "c1": "steps", "steps": {"a": {"c2": "initial"}}})
    found = convert(agent, "closing")
    assert isinstance(found, Refusal)
    assert found.reason == (
        "climpt steps without gates: there is no conversion to climpt steps with fallbackKey, whose steps have gates."
        " Add gates to the steps first, or convert to climpt 1.14 (pre-release)"
    )


@pytest.mark.parametrize("way", ["verification", "enum"])
def test_what_prompts_use_is_listed_by_their_steps(checks: AgentFolder, way: str) -> None:
    for name, text in (
        ("steps/phase/analyze", "On {uv-topic}, {uv-when}.\n"),
        ("checks/step/analyze", "{input_text}\n"),
    ):
        (checks.folder / "prompts" / name / "f_default.md").write_text(text, "utf-8")
    found = converted(opened(checks.folder), checks=way)
    steps = value(found.after)["steps"]
    asked = steps["verification.analyze" if way == "verification" else "initial.analyze"]
    assert steps["initial.analyze"]["uvVariables"] == ["topic", "when"]
    assert asked["usesStdin"] is True
    assert "SF508" not in errors(found.after)


def test_parameters_in_braces_alone_are_reported(checks: AgentFolder) -> None:
    prompt = checks.folder / "prompts/steps/phase/analyze/f_default.md"
    prompt.write_text("On {topic} as {{topic}}, {uv-topic}, {else}.\n", "utf-8")
    told = [part for part in converted(opened(checks.folder)).lost if part.file == prompt]
    assert [part.what for part in told] == ["“{{topic}}” in the prompt"]
    assert "“{uv-topic}”" in told[0].why


def test_a_prompt_of_several_steps_is_reported_once(complete: AgentFolder) -> None:
    registry = value(complete)
    registry["steps"]["continuation.issue"] |= {"c2": "initial", "c3": "issue"}
    complete.registry.path.write_text(json.dumps(registry))
    told = [part for part in converted(opened(complete.folder)).lost if part.file.name == "f_default.md"]
    assert len(told) == len(set(told)) == 2


def test_new_words_are_added_to_the_patterns_of_the_prompt_engine(complete: AgentFolder) -> None:
    config = complete.root / ".agent/climpt/config/demo-steps-user.yml"
    before = config.read_text("utf-8")
    found = converted(complete)
    texts = {change.path: change.after.text for change in changes_of(found)}
    assert texts[config] == before.replace("|complete)", "|complete|closure)")
    assert found.beside == {config}
    assert notes_of(found)[0].startswith("The patterns of .agent/climpt/config/demo-steps-user.yml")
    config.write_text(texts[config], "utf-8")
    assert not converted(opened(complete.folder)).beside


def test_a_copy_leaves_the_configuration_of_the_prompt_engine_alone(complete: AgentFolder, tmp_path: Path) -> None:
    config = complete.root / ".agent/climpt/config/demo-steps-user.yml"
    before = config.read_text("utf-8")
    found = converted(complete)
    written = write_copy(found, tmp_path / "copy")
    assert not isinstance(written, SaveFailed)
    assert not any(path.suffix == ".yml" and "config" in path.parts for path in written)
    assert config.read_text("utf-8") == before
    assert "not written" in notes_of(found, tmp_path / "copy")[0]


def test_a_word_is_missing_where_the_pattern_is_no_plain_list(complete: AgentFolder) -> None:
    config = complete.root / ".agent/climpt/config/demo-steps-user.yml"
    config.write_text(config.read_text("utf-8").replace("|complete)", "|comp[l]ete)+"), "utf-8")
    found = converted(opened(complete.folder))
    told = [(part.file.name, part.what) for part in found.lost if part.file.suffix == ".yml"]
    assert told == [("demo-steps-user.yml", "directiveType: “closure” is missing")]
    assert config not in found.edits


def test_what_no_runner_of_checks_has_read_means_nothing_afterwards(checks: AgentFolder) -> None:
    registry = {**value(checks), "entryStepMapping": ["s_4c1e"], "userPromptsBase": "elsewhere"}
    checks.registry.path.write_text(json.dumps(registry))
    found = converted(opened(checks.folder))
    made = value(found.after)
    assert (made["x-entryStepMapping"], made["x-userPromptsBase"]) == (["s_4c1e"], "elsewhere")
    assert made["userPromptsBase"] == ".agent/demo/prompts"
    assert {"/entryStepMapping", "/userPromptsBase"} <= set(lost(found))
    assert errors(found.after) == set()


def test_gates_that_no_runner_of_checks_has_read_are_kept_apart(checks: AgentFolder) -> None:
    registry = value(checks)
    registry["steps"]["s_4c1e"] |= {"structuredGate": {"allowedIntents": ["complete"]}, "stepKind": "x", "c2": "y"}
    checks.registry.path.write_text(json.dumps(registry))
    found = converted(opened(checks.folder))
    step = value(found.after)["steps"]["initial.analyze"]
    assert step["structuredGate"]["allowedIntents"] == ["next"]
    assert step["x-structuredGate"] == {"allowedIntents": ["complete"]}
    assert (step["stepKind"], step["x-stepKind"], step["c2"], step["x-c2"]) == ("work", "x", "phase", "y")
    assert errors(found.after) == set()
    assert lost(found)["/steps/s_4c1e/structuredGate"] == "“structuredGate”"


@pytest.mark.parametrize("step", ["initial.issue", "complete.issue"])
def test_words_that_no_gate_looks_for_are_reported_and_gone(complete: AgentFolder, step: str) -> None:
    registry = value(complete)
    registry["steps"][step]["structuredGate"]["allowedIntents"] += ["escalate", "wait", "ready"]
    complete.registry.path.write_text(json.dumps(registry))
    found = converted(opened(complete.folder))
    listed = value(found.after)["steps"][found.steps[step][0]]["structuredGate"]["allowedIntents"]
    assert not {"escalate", "wait", "ready"} & set(listed)
    told = {part.what for part in found.lost if part.pointer == f"/steps/{step}/structuredGate/allowedIntents"}
    assert told == {f"“{word}” of {found.steps[step][0]}" for word in ("escalate", "wait", "ready")}
    assert errors(found.after) == set()


def test_prompts_that_were_not_there_are_named(checks: AgentFolder) -> None:
    prompt = "checks/step/analyze/f_default.md"
    (checks.folder / "prompts" / prompt).unlink()
    assert [part.what for part in converted(opened(checks.folder)).lost if part.pointer == "/steps/s_4c1e"] == [
        "the prompt “.agent/demo/prompts/steps/verification/analyze/f_default.md”",
        "the prompt of verification.analyze",  # which isn't shown there in any case
    ]


def test_a_built_in_prompt_stands_in_for_one_that_was_not_there(complete: AgentFolder) -> None:
    shutil.rmtree(complete.folder / "prompts")
    assert not any("the prompt “" in part.what for part in converted(opened(complete.folder)).lost)
    edited(complete, '"fallbackKey": "initial_issue"', by='"fallbackKey": "initial_demo"')
    named = {part.pointer: part.what for part in converted(opened(complete.folder)).lost}
    assert named["/steps/initial.issue"] == "the prompt “.agent/demo/prompts/steps/initial/issue/f_default.md”"


def test_a_check_among_gates_is_reported(complete: AgentFolder) -> None:
    registry = value(complete)
    registry["steps"]["s_4c1e"] = {"id": "s_4c1e", "check": {"onPass": {"complete": True}}}
    complete.registry.path.write_text(json.dumps(registry))
    found = converted(opened(complete.folder))
    assert lost(found)["/steps/s_4c1e/check"] == "the check of s_4c1e"
    assert value(found.after)["steps"]["s_4c1e"] == registry["steps"]["s_4c1e"]


AGENT_OF_TODAY = {"name": "demo", "runner": {"verdict": {"type": "externalState", "config": {}}}}


@pytest.mark.parametrize("target", ["closing", "c3l"])
@pytest.mark.parametrize("layout", ["older", "today"])
def test_entries_and_the_verdict_have_one_name(target: str, layout: str, complete: AgentFolder) -> None:
    """Also where nothing else of the flow changes."""
    for change in changes_of(converted(complete)):
        change.path.parent.mkdir(parents=True, exist_ok=True)
        change.path.write_text(change.after.text, "utf-8")
    agent = edited(opened(complete.folder), '"poll:state": "initial.issue"', by='"externalState": "initial.issue"')
    held = {"name": "demo", "behavior": {"completionType": "externalState"}} if layout == "older" else AGENT_OF_TODAY
    (agent.folder / "agent.json").write_text(json.dumps(held), "utf-8")
    found = converted(edited(agent, '"entryStep": "initial.issue",'), target)
    assert value(found.after)["entryStepMapping"] == {"poll:state": "initial.issue"}
    assert found.after.agent is not None
    assert found.after.agent.verdict_type is not None
    assert found.after.agent.verdict_type.value == "poll:state"
    assert not {"SF403", "SF404"} & errors(found.after)


def test_prompts_of_the_closing_action_are_named_where_the_plain_one_is_missing_too(complete: AgentFolder) -> None:
    agent = json.loads((complete.folder / "agent.json").read_text("utf-8"))
    agent["actions"] = {"defaultClosureAction": "label-only"}
    agent["runner"] = {"integrations": {"github": {"defaultClosureAction": "label-only"}}}
    (complete.folder / "agent.json").write_text(json.dumps(agent), "utf-8")

    def told() -> list[str]:
        return [part.what for part in converted(opened(complete.folder), "c3l").lost if "f_default_" in part.what]

    assert told() == []
    (complete.folder / "prompts/steps/complete/issue/f_default.md").unlink()
    assert told() == ["the prompt “.agent/demo/prompts/steps/closure/issue/f_default_label-only.md”"]


@pytest.mark.parametrize("target", ["closing", "c3l"])
def test_nothing_is_left_that_a_safe_fix_would_settle(target: str, complete: AgentFolder) -> None:
    path = complete.folder / "agent.json"
    agent = json.loads(path.read_text("utf-8"))
    agent["behavior"]["completionConfig"] = {"type": "issueClose", "issueParam": "issue", "maxIterations": 9}
    path.write_text(json.dumps(agent), "utf-8")
    found = converted(opened(complete.folder), target)
    assert {part.pointer for part in found.lost if part.file == path} >= {
        "/runner/verdict/config/type",
        "/runner/verdict/config/issueParam",
    }
    before = {each.code for each in lint(found.before)}
    settled = [each for each in lint(found.after) if each.code not in before and any(fix.safe for fix in each.fixes)]
    assert settled == []
