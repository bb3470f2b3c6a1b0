"""The schemas of every real registry give the enums that a plain reading of them gives."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from stepflow_gui.project.agent_folder import AgentFolder, open_agent


class Naive:
    """Reads schemas with nothing but dicts: refs replaced, allOf merged, no places and no laziness."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def enum(self, step: dict[str, Any]) -> list[Any]:
        ref = step["outputSchemaRef"]
        whole = self.read(ref["file"])
        name = ref["schema"].split("/")[-1]
        schema = self.flat({**whole, **whole.get("$defs", {}), **whole.get("definitions", {})}[name], whole)
        gate = step["structuredGate"]
        pointer = gate.get("intentSchemaRef", "")
        path = (
            pointer.split("/")[1:]
            if pointer.startswith("#/")
            else ["properties", "next_action", "properties", "action"]
        )
        for key in path:
            schema = schema[key]
        return list(schema["enum"])

    def read(self, file: str) -> Any:
        return json.loads((self.folder / file).read_text(encoding="utf-8"))

    def flat(self, schema: Any, whole: Any) -> Any:
        if isinstance(schema, list):
            return [self.flat(item, whole) for item in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            file, _, path = schema["$ref"].partition("#/")
            target = other = self.read(file) if file else whole
            for key in path.split("/"):
                target = target[key]
            return self.flat(target, other)
        merged: dict[str, Any] = {}
        own = {key: value for key, value in schema.items() if key != "allOf"}
        for part in [*schema.get("allOf", []), own]:
            for key, value in (self.flat(part, whole) if part is not own else self.flat_members(own, whole)).items():
                if key == "properties":
                    merged[key] = {**merged.get(key, {}), **value}
                else:
                    merged.setdefault(key, value)
        return merged

    def flat_members(self, schema: dict[str, Any], whole: Any) -> dict[str, Any]:
        return {key: self.flat(value, whole) for key, value in schema.items()}


def opened(path: Path) -> AgentFolder:
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


def registries(corpus: Path) -> list[Path]:
    return sorted((corpus / "climpt").glob("**/steps_registry.json"))


def test_enums_are_those_of_a_plain_reading(corpus: Path) -> None:
    compared = 0
    for path in registries(corpus):
        agent = opened(path)
        naive = Naive(path.parent / "schemas")
        for step in agent.flow.steps.values():
            schema = agent.schema(step)
            if step.gate is None or schema.problem:
                continue
            assert [value.value for value in schema.enum] == naive.enum(step.raw), (path, step.id)
            for value in schema.enum:
                span = value.place.span
                assert json.loads(value.place.document.source.text[span.start : span.end]) == value.value
            compared += 1
    assert compared > 900


def test_every_gated_step_with_a_schema_of_the_newest_registries_has_an_enum(corpus: Path) -> None:
    unread = Counter[str]()
    steps = 0
    for path in registries(corpus):
        agent = opened(path)
        if agent.format not in {"c3l", "entry-pair", "adt-kind-address"} or not (path.parent / "schemas").is_dir():
            continue
        for step in agent.flow.steps.values():
            if step.gate is None or step.schema_ref is None:
                continue
            steps += 1
            problem = agent.schema(step).problem
            if problem:
                unread[problem.kind] += 1
    assert steps > 80
    assert unread == Counter()


def test_the_whole_schema_holds_the_same_enum_and_nothing_unresolved(corpus: Path) -> None:
    for path in registries(corpus):
        agent = opened(path)
        for step in agent.flow.steps.values():
            schema = agent.schema(step)
            if schema.problem:
                continue
            assert '"$ref"' not in json.dumps(schema.value)
            assert '"allOf"' not in json.dumps(schema.value)
            assert schema.faults == []
