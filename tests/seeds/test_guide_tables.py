"""The tables of the steps registry guide: kinds, intents, aliases, keys and paths are as listed there."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.fields import GATE, PATTERN, REGISTRY, STEP, VALIDATOR
from stepflow_gui.formats.climpt.lookup import path_of_fields
from stepflow_gui.formats.climpt.vocabulary import ALIASES, INTENTS, INTENTS_OF_KIND
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.read import read_flow
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.seeds import guide
from tests.seeds.conftest import Write

INTENT_TABLE = {
    "next": {"work", "verification"},
    "repeat": {"work", "verification", "closure"},
    "jump": {"work", "verification"},
    "handoff": {"work"},
    "closing": {"closure"},
    "escalate": {"verification"},
    "abort": set[str](),  # all, always allowed; upstream refuses to load it, and the linter reports so (SF223)
}
KIND_TABLE = {
    "work": ("next", "repeat", "jump", "handoff"),
    "verification": ("next", "repeat", "jump", "escalate"),
    "closure": ("closing", "repeat"),
}
PREFIX_TABLE = {"initial": "work", "continuation": "work", "verification": "verification", "closure": "closure"}
ALIAS_TABLE = {
    "continue": "next",
    "retry": "repeat",
    "wait": "repeat",
    "done": "closing",
    "finished": "closing",
    "pass": "next",
    "fail": "repeat",
}
PAIRS = ("iterate", "issue", "issue_label_only", "project", "keyword", "manual", "structured_signal")
SINGLE_KEYS = (
    "continuation_project_preparation",
    "continuation_project_processing",
    "continuation_project_review",
    "issue_closure_default",
    "project_closure_default",
    "polling_closure_default",
    "review_closure_default",
    "iteration_closure_default",
    "facilitation_closure_default",
    "project_continuation_closure_default",
    "statuscheck_continuation_default",
    "system",
)
REGISTRY_TABLE = {
    "agentId": True,
    "version": True,
    "c1": True,
    "userPromptsBase": False,
    "schemasBase": False,
    "pathTemplate": False,
    "pathTemplateNoAdaptation": False,
    "entryStep": False,
    "entryStepMapping": False,
    "failurePatterns": False,
    "validators": False,
    "validationSteps": False,
    "steps": True,
}
GATE_TABLE = {
    "allowedIntents": True,
    "intentSchemaRef": True,
    "intentField": True,
    "targetField": False,
    "handoffFields": False,
    "targetMode": False,
    "failFast": False,
    "fallbackIntent": False,
}
VALIDATOR_TABLE = {
    "type": True,
    "command": True,
    "successWhen": True,
    "failurePattern": True,
    "extractParams": False,
}
PATTERN_TABLE = {"description": True, "edition": True, "adaptation": False, "params": False}


def test_there_are_seven_intents() -> None:
    assert set(INTENTS) == set(INTENT_TABLE)
    assert {kind: tuple(intents) for kind, intents in INTENTS_OF_KIND.items()} == KIND_TABLE
    for intent, kinds in INTENT_TABLE.items():
        assert {kind for kind, intents in INTENTS_OF_KIND.items() if intent in intents} == kinds


@pytest.mark.parametrize("intent", INTENT_TABLE)
@pytest.mark.parametrize("kind", KIND_TABLE)
def test_an_intent_of_another_kind_is_an_error(kind: str, intent: str, write: Write) -> None:
    registry = json.loads(json.dumps(guide.CONTRACT))
    changed = guide.step("initial.issue", kind, "initial_issue", {"repeat": "initial.issue", intent: "closure.issue"})
    registry["steps"]["initial.issue"] = changed
    allowed = intent in KIND_TABLE[kind]
    found = {each.code for each in lint(write(registry)) if each.code in {"SF205", "SF206", "SF223"}}
    assert found == (set() if allowed else {"SF223" if intent == "abort" else "SF206"})


def test_an_intent_of_ones_own_is_an_error(write: Write) -> None:
    registry = json.loads(json.dumps(guide.CONTRACT))
    registry["steps"]["initial.issue"] = guide.step(
        "initial.issue", "work", "initial_issue", {"next": "continuation.issue", "publish": "closure.issue"}
    )
    assert {"SF205"} == {each.code for each in lint(write(registry)) if each.severity == "error"}


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("transitions", {"next": {"target": "continuation.issue"}}),
        (
            "transitions",
            {"next": {"target": "continuation.issue"}, "repeat": {"target": "a"}, "handoff": {"target": "a"}},
        ),
    ],
)
def test_the_enum_and_the_keys_of_the_transitions_have_to_be_the_same(place: str, value: Any, write: Write) -> None:
    registry = json.loads(json.dumps(guide.CONTRACT))
    registry["steps"]["initial.issue"][place] = value
    assert "SF201" in {each.code for each in lint(write(registry)) if each.step == "initial.issue"}


@pytest.mark.parametrize("prefix", PREFIX_TABLE)
def test_a_missing_kind_is_inferred_from_c2(prefix: str) -> None:
    value = {"steps": {f"{prefix}.issue": {"c2": prefix, "structuredGate": {}}}}
    flow = read_flow(ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(value))), "closing")
    assert flow.steps[f"{prefix}.issue"].kind == PREFIX_TABLE[prefix]


def test_section_steps_need_no_gate(write: Write) -> None:
    section = {"stepId": "section.projectcontext", "name": "Project Context", "c2": "section", "c3": "projectcontext"}
    steps = {**copy.deepcopy(guide.CONTRACT["steps"]), "section.projectcontext": {**section, "edition": "default"}}
    agent = write({**guide.CONTRACT, "steps": steps})
    assert agent.flow.steps["section.projectcontext"].is_section
    assert "SF107" not in {each.code for each in lint(agent)}
    del steps["continuation.issue"]["structuredGate"]
    (found,) = [each for each in lint(write({**guide.CONTRACT, "steps": steps})) if each.code == "SF107"]
    assert (found.step, found.severity) == ("continuation.issue", "error")


def test_the_aliases() -> None:
    assert ALIASES == ALIAS_TABLE


def test_the_fallback_keys() -> None:
    listed = {f"{phase}_{name}" for phase in ("initial", "continuation") for name in PAIRS} | set(SINGLE_KEYS)
    assert FALLBACK_KEYS - listed == {"issue_initial_default"}  # of the example of a step
    assert listed <= FALLBACK_KEYS


@pytest.mark.parametrize("key", sorted(FALLBACK_KEYS))
def test_every_listed_key_is_well_formed(key: str, write: Write) -> None:
    registry = json.loads(json.dumps(guide.SIMPLE))
    registry["steps"]["initial.issue"]["fallbackKey"] = key
    assert "SF501" not in {each.code for each in lint(write(registry))}


@pytest.mark.parametrize(
    ("shape", "table"),
    [(REGISTRY, REGISTRY_TABLE), (GATE, GATE_TABLE), (VALIDATOR, VALIDATOR_TABLE), (PATTERN, PATTERN_TABLE)],
)
def test_fields_are_required_as_in_the_guide(shape: Shape, table: dict[str, bool]) -> None:
    needs = {field.name: field.need != "no" for field in shape.fields if field.known_in("closing")}
    assert {name: needs.get(name) for name in table} == table


def test_every_field_of_the_examples_is_known() -> None:
    known = {field.name for field in STEP.fields if field.known_in("closing")}
    assert set(guide.STEP) <= known
    gate = {field.name for field in GATE.fields if field.known_in("closing")}
    assert set(guide.GATE) <= gate


def test_the_path_templates_resolve_as_shown(write: Write) -> None:
    agent = write(guide.CONTRACT)
    folder = agent.root / ".agent" / "iterator" / "prompts" / "steps"
    assert (
        agent.prompt_candidates(agent.flow.steps["initial.issue"])[0] == folder / "initial" / "issue" / "f_default.md"
    )
    failed = {key: guide.FAILURE_PATTERN["git-dirty"][key] for key in ("edition", "adaptation")}
    for phase in ("initial", "closure"):
        fields = agent.flow.steps[f"{phase}.issue"].raw | failed
        assert path_of_fields(agent.flow, fields) == f"steps/{phase}/issue/f_failed_git-dirty.md"
