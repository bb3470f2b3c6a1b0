"""The bundled example agent is right in every part, and its broken variant has the mistakes it is there to show."""

import difflib
import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from stepflow_gui.cli.main import main
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint as lint_agent
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

AGENT = Path(".agent", "issue-flow")
MISTAKES = {
    "SF201": "continuation.issue",
    "SF206": "initial.issue",
    "SF301": "continuation.issue",
    "SF402": None,
    "SF501": "closure.issue",
}


@pytest.fixture
def examples(checkout: Path) -> Path:
    return checkout / "resources" / "examples"


@pytest.fixture
def agent(examples: Path) -> Path:
    return examples / "issue-flow" / AGENT


def read(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))


def lint(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    code = main(["lint", "--format", "json", os.fspath(folder)])
    return code, json.loads(capsys.readouterr().out)["diagnostics"]


def test_the_example_is_clean(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(examples / "issue-flow", capsys) == (0, [])


@pytest.mark.parametrize("runtime", ["guide", *(f"climpt-2026-{day}" for day in ("03-14", "04-01", "04-08", "04-20"))])
def test_the_example_loads_and_passes_its_flow_tests_under_every_runtime(
    runtime: str, agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = open_agent(agent)
    assert isinstance(found, AgentFolder)
    assert not [each for each in lint_agent(found, LintSettings(runtime)) if each.severity == "error"]
    code = main(["test", os.fspath(agent), "--runtime", runtime, "--simulate"])
    assert (code, capsys.readouterr().err) == (0, "")


def test_the_broken_variant_shows_each_mistake_once(examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, diagnostics = lint(examples / "issue-flow-broken", capsys)
    assert code == 1
    assert sorted((found["code"], found["step"]) for found in diagnostics) == sorted(MISTAKES.items())


def test_the_broken_variant_differs_by_one_line_a_mistake(examples: Path) -> None:
    def lines(example: str) -> list[str]:
        files = [file for file in sorted((examples / example / AGENT).rglob("*")) if file.suffix in {".json", ".md"}]
        return [line for file in files for line in (file.name, *file.read_text("utf-8").splitlines())]

    changed = [line for line in difflib.ndiff(lines("issue-flow"), lines("issue-flow-broken")) if line.startswith("+ ")]
    assert len(changed) == len(MISTAKES)


def test_the_script_goes_from_the_entry_to_the_end_with_a_repeat(agent: Path) -> None:
    registry = read(agent / "steps_registry.json")
    schemas = read(agent / "schemas" / "issue.schema.json")
    lines = (agent / "flow_tests" / "happy.jsonl").read_text("utf-8").splitlines()
    script = [json.loads(line) for line in lines[1:]]  # the first defines how the run is set up
    at: str | None = registry["entryStepMapping"]["poll:state"]
    intents = []
    for line in script:
        assert line["step"] == at
        step = registry["steps"][at]
        schema = schemas[step["outputSchemaRef"]["schema"]] | {"definitions": schemas["definitions"]}
        jsonschema.validate(line["answer"], schema, cls=jsonschema.Draft7Validator)
        intents.append(line["answer"]["next_action"]["action"])
        at = step["transitions"][intents[-1]]["target"]
    assert at is None
    assert "repeat" in intents
    assert {line["step"] for line in script} == {step for step in registry["steps"] if not step.startswith("section.")}


def test_each_step_and_failure_has_its_prompt(agent: Path) -> None:
    registry = read(agent / "steps_registry.json")
    (checks,) = registry["validationSteps"].values()
    wanted = [(step["c2"], step["c3"], f"f_{step['edition']}.md") for step in registry["steps"].values()]
    wanted += [
        (checks["c2"], checks["c3"], f"f_{pattern['edition']}_{pattern['adaptation']}.md")
        for pattern in registry["failurePatterns"].values()
    ]
    for c2, c3, name in wanted:
        assert (agent / "prompts" / registry["c1"] / c2 / c3 / name).is_file()
