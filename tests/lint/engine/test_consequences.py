"""One slip, one finding: what follows from another finding waits for it and is a place of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import INFO, Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.project.converting.agents import from_template

Change = Callable[[dict[str, Any]], None]

REGISTRY, AGENT, SCHEMA = "steps_registry.json", "agent.json", "schemas/issue.schema.json"
FIRST, SECOND = "initial.issue", "continuation.issue"


def step(name: str, **fields: Any) -> Change:
    return lambda registry: registry["steps"][name].update(fields)


def within(*keys: str, value: Any) -> Change:
    def change(content: Any) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1] if isinstance(content, dict) else int(keys[-1])] = value

    return change


def renamed(name: str, old: str, new: str) -> Change:
    def change(registry: dict[str, Any]) -> None:
        fields = registry["steps"][name]
        registry["steps"][name] = {new if key == old else key: value for key, value in fields.items()}

    return change


NO_DEFAULT = {"condition": "understanding", "targets": {"default": None}}
_GATE = ("steps", FIRST, "structuredGate")
CASES: dict[str, tuple[str, Change, str]] = {
    "a schema in the way": (SCHEMA, within(FIRST, "properties", value=None), "SF703"),
    "a part of a schema": (
        SCHEMA, lambda schema: schema[FIRST]["properties"].pop("analysis"), "SF214"),
    "a list of intents": (REGISTRY, within(*_GATE, "allowedIntents", value=3), "SF004"),
    "an intent replaced": (
        REGISTRY, within(*_GATE, "allowedIntents", "0", value="zzqx"), "SF205"),
    "an offer replaced": (
        SCHEMA,
        within(FIRST, "properties", "next_action", "properties", "action", "enum", "0", value="zzqx"),
        "SF205"),
    "a list of variables": (REGISTRY, step(FIRST, uvVariables=3), "SF004"),
    "no variables": (REGISTRY, step(SECOND, uvVariables=[]), "SF508"),
    "a variable replaced": (REGISTRY, step(FIRST, uvVariables=["zzqx"]), "SF510"),
    "a schema that is a text": (REGISTRY, step(FIRST, outputSchemaRef=""), "SF107"),
    "transitions of a wrong type": (REGISTRY, step(SECOND, transitions=3), "SF004"),
    "no transitions": (
        REGISTRY, lambda registry: registry["steps"][SECOND].pop("transitions"), "SF107"),
    "empty transitions": (REGISTRY, step(SECOND, transitions={}), "SF201"),
    "an empty gate": (REGISTRY, step(FIRST, structuredGate={}), "SF208"),
    "a key replaced": (REGISTRY, renamed(FIRST, "outputSchemaRef", "zzqx"), "SF005"),
    "a target under another key": (
        REGISTRY,
        within("steps", FIRST, "transitions", "next", value={"to": SECOND}),
        "SF005",
    ),
    "a c3 in capitals": (REGISTRY, step(FIRST, c3="Issue"), "SF106"),
    "a transition to null": (
        REGISTRY, within("steps", FIRST, "transitions", "next", "target", value=None), "SF306"),
    "a default of null": (
        REGISTRY,
        within("steps", FIRST, "transitions", "next", value=NO_DEFAULT),
        "SF320"),
    "an agent's name": (AGENT, within("name", value="zzqx"), "SF808"),
    "a name in capitals": (AGENT, within("name", value="Issue-flow"), "SF004"),
    "a parameter's type": (AGENT, within("parameters", "issue", "type", value=""), "SF801"),
    "a path template": (REGISTRY, within("pathTemplateNoAdaptation", value="zzqx"), "SF507"),
    "a folder outside": (
        AGENT, within("runner", "flow", "schemas", "base", value="../../../../x"), "SF707"),
}  # fmt: skip


@pytest.fixture
def project(checkout: Path, tmp_path: Path) -> Path:
    return from_template(tmp_path, checkout, "issue-flow").folder


def findings(folder: Path) -> list[Diagnostic]:
    agent = open_agent(folder / REGISTRY)
    assert isinstance(agent, AgentFolder)
    return lint(agent, LintSettings("climpt-2026-04-20"))


@pytest.mark.parametrize("name", CASES)
def test_one_slip_is_one_finding(name: str, project: Path) -> None:
    before = {(each.code, each.pointer) for each in findings(project)}
    file, change, code = CASES[name]
    content = json.loads((project / file).read_text("utf-8"))
    change(content)
    (project / file).write_text(json.dumps(content, indent=2), "utf-8")
    found = [each for each in findings(project) if (each.code, each.pointer) not in before and each.severity != INFO]
    assert [each.code for each in found] == [code], [each.message for each in found]


def test_an_item_does_not_wait_for_another_one(project: Path) -> None:
    content = json.loads((project / REGISTRY).read_text("utf-8"))
    content["steps"][FIRST]["uvVariables"] += [5, "zzqx"]
    (project / REGISTRY).write_text(json.dumps(content, indent=2), "utf-8")
    names = len(content["steps"][FIRST]["uvVariables"])
    found = {(each.code, each.pointer) for each in findings(project) if each.severity != INFO}
    place = f"/steps/{FIRST}/uvVariables"
    assert {("SF004", f"{place}/{names - 2}"), ("SF510", f"{place}/{names - 1}")} <= found


def test_what_is_missing_besides_waits_for_nothing(project: Path) -> None:
    content = json.loads((project / REGISTRY).read_text("utf-8"))
    for key in ("agentId", "entryStep", "entryStepMapping"):
        content.pop(key, None)
    (project / REGISTRY).write_text(json.dumps(content, indent=2), "utf-8")
    assert {"SF004", "SF401"} <= {each.code for each in findings(project)}


def test_each_entry_names_a_step_by_itself(project: Path) -> None:
    content = json.loads((project / REGISTRY).read_text("utf-8"))
    content |= {"entryStep": 5, "entryStepMapping": {"poll:state": "zzqx"}}
    (project / REGISTRY).write_text(json.dumps(content, indent=2), "utf-8")
    found = {(each.code, each.pointer) for each in findings(project) if each.severity != INFO}
    assert {("SF004", "/entryStep"), ("SF402", "/entryStepMapping/poll:state")} <= found


OF_1_14: dict[str, tuple[str, Change, str]] = {
    "a closure declared as work": (REGISTRY, step("closure.issue", kind="work"), "SF206"),
    "no kind": (REGISTRY, step(FIRST, kind=""), "SF004"),
    "an adaptation that is null": (REGISTRY, within("steps", FIRST, "address", "adaptation", value=None), "SF004"),
    "no c2": (REGISTRY, within("steps", FIRST, "address", "c2", value=""), "SF004"),
    "no continuation": (REGISTRY, within("entryStepMapping", "poll:state", "continuation", value=""), "SF407"),
    "an entry that is a text": (REGISTRY, within("entryStepMapping", "poll:state", value="zzqx"), "SF407"),
    "an entry that is not a step": (REGISTRY, within("entryStep", value="zzqx"), "SF402"),
    "an illegal fallback": (REGISTRY, within(*_GATE, "fallbackIntent", value="closing"), "SF206"),
    "no intents": (REGISTRY, within(*_GATE, "allowedIntents", value=[]), "SF219"),
    "a runner that is a text": (AGENT, within("runner", value="x"), "SF004"),
}


@pytest.mark.parametrize("name", OF_1_14)
def test_one_mistake_in_a_file_of_climpt_1_14_is_one_finding(name: str, checkout: Path, tmp_path: Path) -> None:
    folder = from_template(tmp_path, checkout, "addressed-flow").folder
    file, change, code = OF_1_14[name]
    before = {(each.code, each.pointer) for each in lint(_opened(folder))}
    content = json.loads((folder / file).read_text("utf-8"))
    change(content)
    (folder / file).write_text(json.dumps(content, indent=2), "utf-8")
    found = [each for each in lint(_opened(folder)) if (each.code, each.pointer) not in before]
    assert [each.code for each in found] == [code], [each.message for each in found]


def _opened(folder: Path) -> AgentFolder:
    agent = open_agent(folder / REGISTRY)
    assert isinstance(agent, AgentFolder)
    return agent


def test_a_fault_of_its_own_does_not_wait_for_another_one(checkout: Path, tmp_path: Path) -> None:
    folder = from_template(tmp_path, checkout, "addressed-flow").folder
    content = json.loads((folder / REGISTRY).read_text("utf-8"))
    first, second = content["steps"][FIRST], content["steps"][SECOND]
    del first["name"]
    first["permissionMode"] = "zzqx"
    second["structuredGate"]["handoffFields"] = ["zzqx"]
    content["steps"]["closure.issue"]["address"]["c3"] = "other"
    (folder / REGISTRY).write_text(json.dumps(content, indent=2), "utf-8")
    assert {each.code for each in lint(_opened(folder))} >= {"SF004", "SF113", "SF214", "SF506"}
