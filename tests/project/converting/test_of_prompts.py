"""Older shapes without gates in the current form: the order of their prompts becomes transitions."""

from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.conversion import OF_PROMPTS, TARGETS, Conversion
from stepflow_gui.project.converting.writing import write_copy
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.files.store import ReadProblem
from tests.project.converting.agents import Json, converted, errors, on_disk, opened

AGENT: Json = {
    "version": "1.0.0",
    "name": "demo",
    "displayName": "Demo",
    "description": "",
    "behavior": {
        "systemPromptPath": "prompts/system.md",
        "completionType": "externalState",
        "completionConfig": {"maxIterations": 9},
        "allowedTools": ["Read"],
        "permissionMode": "plan",
    },
    "parameters": {"issue": {"type": "number", "description": "", "required": True, "cli": "--issue"}},
    "prompts": {"registry": "steps_registry.json", "fallbackDir": "prompts/"},
    "logging": {"directory": "logs", "format": "jsonl"},
}


def step(step_id: str, c2: str, c3: str, **more: object) -> Json:
    key = f"{c3}_{c2}_default" if "promptPath" not in more else step_id
    place: Json = {} if "promptPath" in more else {"c2": c2, "c3": c3, "edition": "default"}
    return {"stepId": step_id, "name": step_id, **place, "fallbackKey": key, "uvVariables": ["issue"], **more}


FIRST, LATER = step("initial.issue", "initial", "issue"), step("continuation.issue", "continuation", "issue")
OTHER = step("initial.iterate", "initial", "iterate")
CHECKS: Json = {
    "completionPatterns": {"dirty": {"description": "", "edition": "failed", "adaptation": "dirty", "params": []}},
    "validators": {
        "clean": {
            "type": "command",
            "command": "git status --porcelain",
            "successWhen": "empty",
            "failurePattern": "dirty",
            "extractParams": {},
        }
    },
    "completionSteps": {
        "complete.issue": {
            "stepId": "complete.issue",
            "name": "Check",
            "c2": "retry",
            "c3": "issue",
            "completionConditions": [{"validator": "clean"}],
            "onFailure": {"action": "retry", "maxAttempts": 3},
        }
    },
}


def registry(steps: list[Json], **more: object) -> Json:
    return {"agentId": "demo", "version": "1.0.0", "c1": "steps", **more, "steps": {s["stepId"]: s for s in steps}}


BY_PATH = [
    step("initial.issue", "initial", "issue", promptPath="initial/issue.md"),
    step("continuation.issue", "continuation", "issue", promptPath="continuation/issue.md"),
]
LISTED = [
    FIRST,
    step("work", "initial", "issue"),
    step("validate", "validate", "issue", context={"validators": ["clean"]}),
    step("complete", "complete", "issue"),
]
SHAPES: dict[str, Json] = {
    "prompt-path": registry(BY_PATH),
    "flow-array": registry(LISTED, flow={"issue": ["work", "validate", "none", "complete"]}),
    "c3l-completion": registry([FIRST, LATER], **CHECKS),
    "c3l-flat": registry([FIRST, LATER, OTHER]),
}


def agent_of(shape: str, folder: Path) -> AgentFolder:
    prompts = {"prompts/system.md": "You are careful."}
    for each in SHAPES[shape]["steps"].values():
        path = f"steps/{each['c2']}/{each['c3']}/f_default.md" if "c2" in each else each["promptPath"]
        prompts[f"prompts/{path}"] = f"{each['stepId']}: {{uv-issue}}"
    found = on_disk(folder, SHAPES[shape], AGENT, prompts)
    assert found.format == shape
    return found


def errors_of_handlers(found: Conversion, target: str) -> set[str]:
    """In `closing` the verdict's handler shows its prompt at verification steps, and none continues an entry “work”."""
    checked = [step.id for step in found.after.flow.steps.values() if step.kind == "verification"]
    reported = [part.what for part in found.lost if "verdict's handler" in part.why]
    assert reported == [f"the prompt of {each}" for each in checked if target == "closing"]
    return {"SF506"} if reported else set()


def rules(found: Conversion) -> dict[str, dict[str, str | None]]:
    steps = found.after.flow.steps.values()
    return {s.id: {intent: rule["target"] for intent, rule in s.raw["transitions"].items()} for s in steps}


def lost(found: Conversion) -> set[str]:
    return {part.pointer for part in found.lost if part.file == found.before.registry.path}


def test_each_older_shape_is_known() -> None:
    assert set(SHAPES) == set(OF_PROMPTS)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_converted_agent_has_no_error(shape: str, target: str, tmp_path: Path) -> None:
    found = converted(agent_of(shape, tmp_path), target)
    copy = tmp_path / ".agent" / "copy" / "demo"
    copy.parent.mkdir()
    write_copy(found, copy)
    again = opened(copy)
    assert again.format == target
    assert errors(again) == errors_of_handlers(found, target)


def test_prompts_of_a_pair_end_in_a_closure_step(tmp_path: Path) -> None:
    found = converted(agent_of("c3l-flat", tmp_path))
    assert rules(found) == {
        "initial.issue": {"next": "continuation.issue", "repeat": "initial.issue"},
        "continuation.issue": {"handoff": "closure.issue", "repeat": "continuation.issue"},
        "initial.iterate": {"handoff": "closure.iterate", "repeat": "initial.iterate"},
        "closure.issue": {"closing": None, "repeat": "closure.issue"},
        "closure.iterate": {"closing": None, "repeat": "closure.iterate"},
    }
    entries = {entry.key: entry.target.value for entry in found.after.flow.entries if entry.target}
    assert entries == {"poll:state": "initial.issue", "count:iteration": "initial.iterate"}
    assert {"/steps", "/steps/initial.issue"} <= lost(found)


def test_a_list_of_steps_is_their_order_and_its_last_one_closes(tmp_path: Path) -> None:
    found = converted(agent_of("flow-array", tmp_path))
    assert rules(found)["work"] == {"next": "validate", "repeat": "work"}
    assert rules(found)["validate"] == {"next": "complete", "repeat": "validate"}
    assert rules(found)["complete"] == {"closing": None, "repeat": "complete"}
    assert [found.after.flow.steps[each].kind for each in LISTED_IDS] == ["work", "verification", "closure"]
    assert {entry.target.value for entry in found.after.flow.entries if entry.target} == {"work"}
    assert "flow" not in found.after.registry.source.text.partition('"steps"')[0]
    assert {"/flow/issue", "/steps/validate/context"} <= lost(found)


LISTED_IDS = ("work", "validate", "complete")


def test_prompts_go_where_their_steps_look_for_them_now(tmp_path: Path) -> None:
    agent = agent_of("prompt-path", tmp_path)
    found = converted(agent)
    raw = found.after.flow.steps["continuation.issue"].raw
    assert (raw["c2"], raw["c3"], raw["edition"], raw.get("promptPath")) == ("continuation", "issue", "default", None)
    assert agent.folder / "prompts" / "continuation" / "issue.md" in found.unused
    moved = found.after.text(agent.folder / "prompts/steps/continuation/issue/f_default.md")
    assert "continuation.issue: {uv-issue}" in content(moved)


def test_the_checks_at_the_end_have_their_names_of_today(tmp_path: Path) -> None:
    found = converted(agent_of("c3l-completion", tmp_path))
    root = found.after.registry.root
    assert root is not None
    assert list(root.value["validationSteps"]) == ["closure.issue"]
    assert root.value["validationSteps"]["closure.issue"]["validationConditions"] == [{"validator": "clean"}]
    assert list(root.value["failurePatterns"]) == ["dirty"]


def test_two_paths_never_become_one(tmp_path: Path) -> None:
    paths = ("initial/a_b.md", "initial/a-b.md", "steps/initial/a-b/f_default.md", "alone.md", "initial/a/b/c.md")
    listed = [step(f"initial.x{n}", "", "", promptPath=path) for n, path in enumerate(paths)]
    found = converted(on_disk(tmp_path, registry(listed), AGENT, {f"prompts/{path}": path for path in paths}))
    places = [found.after.prompt_candidates(each)[0] for each in found.after.flow.steps.values()][: len(paths)]
    assert len(set(places)) == len(paths)
    assert [content(found.after.text(place)) for place in places] == list(paths)


def test_entries_that_are_there_stay(tmp_path: Path) -> None:
    given = registry([FIRST, LATER, OTHER], entryStepMapping={"issue": "initial.iterate"})
    found = converted(on_disk(tmp_path, given, AGENT))
    entries = {entry.key: entry.target.value for entry in found.after.flow.entries if entry.target}
    assert entries == {"poll:state": "initial.iterate"}


def test_a_key_with_dots_is_replaced(tmp_path: Path) -> None:
    found = converted(on_disk(tmp_path, registry([{**FIRST, "fallbackKey": "initial.issue"}, LATER]), AGENT))
    assert found.after.flow.steps["initial.issue"].raw["fallbackKey"] == "initial_issue"
    assert "/steps/initial.issue/fallbackKey" in lost(found)


def test_a_step_of_two_lists_has_one_that_follows(tmp_path: Path) -> None:
    steps = [step(name, "initial", name) for name in ("a", "b", "c", "d")]
    found = converted(on_disk(tmp_path, registry(steps, flow={"one": ["a", "b", "c"], "two": ["b", "d"]}), AGENT))
    assert rules(found)["b"] == {"handoff": "c", "repeat": "b"}
    assert "/flow/two" in lost(found)


@pytest.mark.parametrize("odd", [{}, [], 5, "", None, "plan"])
def test_a_kind_that_is_none_counts_for_nothing(odd: object, tmp_path: Path) -> None:
    found = converted(on_disk(tmp_path, registry([{**FIRST, "stepKind": odd}, LATER]), AGENT))
    assert found.after.flow.steps["initial.issue"].kind == "work"


def test_what_stands_there_and_is_none_of_the_shape_is_kept_or_listed(tmp_path: Path) -> None:
    gate = {"allowedIntents": ["next"], "intentField": "action"}
    given = registry([{**FIRST, "structuredGate": gate}, LATER, OTHER], flow={"notes": "mine"})
    found = converted(on_disk(tmp_path, given, AGENT))
    assert '"notes": "mine"' in found.after.registry.source.text
    assert "/steps/initial.issue/structuredGate" in lost(found)


def content(file: TextFile | ReadProblem) -> str:
    """What a file of a conversion holds."""
    assert isinstance(file, TextFile), file
    return file.source.text
