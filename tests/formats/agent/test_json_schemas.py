"""The JSON Schemas shipped for editors are those of the field tables, and real files follow them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import json_schemas
from stepflow_gui.bundled import resource
from stepflow_gui.formats.climpt.agent.fields import VERDICTS
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.messages import use_language
from tests.formats.agent.agents import ITERATOR, changed


def validator(name: str) -> jsonschema.Draft7Validator:
    schema = json.loads(resource("schemas", name).read_text("utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def errors(value: Any, name: str = "agent.schema.json") -> list[str]:
    return sorted({error.json_path for error in validator(name).iter_errors(value)})


@pytest.mark.parametrize("name", sorted(json_schemas.SCHEMAS))
def test_they_are_up_to_date(name: str) -> None:
    use_language("en")
    made = json_schemas.text_of(json_schemas.SCHEMAS[name]())
    assert resource("schemas", name).read_text("utf-8") == made, (
        f"{name} is out of date: run .venv/bin/python packaging/json_schemas.py"
    )


def test_real_agents_of_todays_layout_follow_it(corpus: Path) -> None:
    check = validator("agent.schema.json")
    accepted = renamed = 0
    for path in sorted((corpus / "climpt").glob("**/agent.json")):
        value = json.loads(path.read_bytes())
        if "runner" not in value:
            continue
        found = [error.json_path for error in check.iter_errors(value)]
        verdict = value["runner"].get("verdict", {}).get("type")
        if verdict in OLDER_VERDICT_TYPES:  # written between two renamings: the type has another name today
            assert found == ["$.runner.verdict.type"], path
            renamed += 1
        else:
            assert found == [], path
            accepted += 1
    assert accepted > 35
    assert renamed < 5


def test_the_reference_example_follows_it() -> None:
    assert errors(ITERATOR) == []


@pytest.mark.parametrize(
    ("pointer", "value", "where"),
    [
        ("/name", "Iterator", "$.name"),
        ("/naem", "x", "$"),
        ("/runner/flow", {}, "$.runner.flow"),
        ("/runner/flow/systemPromtPath", "x", "$.runner.flow"),
        ("/runner/boundaries/permissionMode", "dontAsk", "$.runner.boundaries.permissionMode"),
        ("/runner/logging/maxFiles", 0, "$.runner.logging.maxFiles"),
        ("/runner/verdict/type", "issue", "$.runner.verdict.type"),
        ("/parameters/issue", {"type": "number"}, "$.parameters.issue"),
        ("/runner/verdict", {"type": "detect:keyword"}, "$.runner.verdict"),
        ("/runner/verdict", {"type": "detect:keyword", "config": {}}, "$.runner.verdict.config"),
        ("/runner/verdict", {"type": "count:iteration", "config": {}}, "$.runner.verdict.config"),
    ],
)
def test_mistakes_are_reported(pointer: str, value: Any, where: str) -> None:
    assert errors(changed(pointer, value)) == [where]


def test_what_has_a_default_may_be_absent() -> None:
    least = {"name": "a", "displayName": "A", "runner": {"flow": {"systemPromptPath": "prompts/system.md"}}}
    assert errors(least) == []
    assert errors(changed("/runner/verdict", {"type": "count:iteration"}, least)) == []


def test_verdicts_inside_composites_are_verdicts() -> None:
    def composite(*conditions: Any) -> Any:
        return {"type": "meta:composite", "config": {"operator": "and", "conditions": [*conditions]}}

    keyword = {"type": "detect:keyword", "config": {"verdictKeyword": "DONE"}}
    assert errors(changed("/runner/verdict", composite(composite(keyword), keyword))) == []
    silent = {"type": "detect:keyword", "config": {}}
    inner = "$.runner.verdict.config.conditions[0].config"
    assert errors(changed("/runner/verdict", composite(composite(silent)))) == [f"{inner}.conditions[0].config"]


def test_each_verdict_type_asks_for_what_it_needs() -> None:
    for name, verdict in VERDICTS.items():
        found = errors(changed("/runner/verdict", {"type": name, "config": {}}))
        assert found == (["$.runner.verdict.config"] if verdict.needed else []), name


def test_registries_that_a_runner_takes_follow_theirs_but_for_names_that_the_linter_speaks_of(
    corpus: Path, conformance: Path
) -> None:
    cases = json.loads((conformance / "climpt" / "loads.json").read_bytes())["cases"]
    taken = {case["snapshot"] for case in cases if case["expect"].get("ok")}
    check = validator("registry.schema.json")
    refused = Counter[str]()
    count = 0
    for path in sorted((corpus / "climpt").glob("**/steps_registry.json")):
        count += 1
        for error in check.iter_errors(json.loads(path.read_bytes())):
            if error.validator == "pattern":
                refused[str(error.absolute_path[-1])] += 1
                continue
            assert error.validator == "dependencies", f"{path}: {error.json_path} {error.message}"
            assert path.parent.relative_to(corpus / "climpt").as_posix() not in taken
    assert count > 100
    assert len(taken) > 10
    assert set(refused) == {"fallbackKey", "c3", "intentSchemaRef"}
