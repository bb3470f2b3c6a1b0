"""Agents written to disk as the guides lay them out, and the findings expected for them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.lookup import path_of_fields
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rules.table import MODULES
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.pointer import split
from tests.formats.agent.agents import ITERATOR
from tests.seeds.schemas import schema_file

Json = dict[str, Any]
Write = Callable[..., AgentFolder]
Said = set[tuple[str, str, str | None]]  # code, severity, step
Expected = tuple[str, str, str | None, str]  # and why


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write an agent below `.agent`: its registry, agent.json, output schemas, and the prompts it needs; open it."""

    def written(registry: Json, agent: Json = ITERATOR, format_id: str | None = None) -> AgentFolder:
        folder = tmp_path / ".agent" / agent["name"]
        files = {
            "steps_registry.json": _json(registry),
            "agent.json": _json(agent),
            "schemas/issue.schema.json": _json(schema_file(registry)),
            "prompts/system.md": "You work on an issue.\n",
        }
        for name, text in files.items():
            _put(folder / name, text)
        opened = open_agent(folder / "steps_registry.json", format_id=format_id)
        assert isinstance(opened, AgentFolder)
        for step in opened.flow.steps.values():
            variables = "".join(f"{{uv-{name}}}\n" for name in step.raw.get("uvVariables", []))
            for path in opened.prompt_candidates(step)[:1]:
                _put(path, f"Go on.\n{variables}")
            action = opened.agent.default_closure_action if opened.agent else None
            if step.kind == "closure" and action:  # the prompt that the agent's closure action selects
                selected = path_of_fields(opened.flow, step.raw | {"adaptation": action.value})
                _put(folder / "prompts" / str(selected), f"Go on.\n{variables}")
            check = path_of_fields(opened.flow, step.raw["check"]) if "check" in step.raw else None
            if check:
                _put(folder / "prompts" / check, "Is it done?\n")
        for pattern in registry.get("failurePatterns", {}).values():
            for phase in ("closure", "retry"):  # the guide looks beside the closure step's prompt, climpt here
                name = f"f_{pattern['edition']}_{pattern['adaptation']}.md"
                _put(folder / "prompts" / "steps" / phase / "issue" / name, "Put this right first.\n")
        return opened

    return written


def said(agent: AgentFolder) -> Said:
    """The linter's findings; for a finding with several places each step that it is about."""
    return {(each.code, each.severity, step) for each in lint(agent) for step in _steps(each, agent)}


def _steps(diagnostic: Diagnostic, agent: AgentFolder) -> set[str | None]:
    places = [side.pointer for side in diagnostic.related if side.file == agent.registry.path and side.pointer]
    keys = [split(pointer) for pointer in places]
    return {diagnostic.step, *(each[1] for each in keys if len(each) > 1 and each[0] == "steps")}


def due(*expected: Expected) -> Said:
    """Of what a document lets expect, what there are rules for so far."""
    return {(code, severity, step) for code, severity, step, _why in expected if code in MODULES}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
