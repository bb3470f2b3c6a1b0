"""Real agents laid out with prompts that use what their steps list: the findings about those are true."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rules.table import checked_rule
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conftest import Thin
from tests.lint.test_corpus import CLEAN

OF_CONTENTS = ("SF508", "SF509", "SF512")


def laid_out(snapshot: Path, project: Path) -> AgentFolder:
    """The snapshot in a project as `.agent/<agentId>`, each prompt with the variables of the steps that it is for."""
    registry = json.loads((snapshot / "steps_registry.json").read_text("utf-8"))
    folder = project / ".agent" / registry["agentId"]
    shutil.copytree(snapshot, folder)
    for name in (snapshot / "prompts.txt").read_text("utf-8").split():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(prompt_text(Path(name), registry), "utf-8")
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    return agent


def prompt_text(path: Path, registry: dict[str, Any]) -> str:
    """What all the steps list whose address the prompt's path is; nothing of theirs where it is none's."""
    steps = [step for step in registry["steps"].values() if path.parts[-3:] == address_of(step)]
    lists = [set(step.get("uvVariables", ())) for step in steps] or [set()]
    takes_input = bool(steps) and all(step.get("usesStdin") for step in steps)
    used = [f"{{uv-{name}}}" for name in sorted(set.intersection(*lists))]
    return "\n".join(["Work.", *used, *(["{input_text}"] if takes_input else [])])


def address_of(step: dict[str, Any]) -> tuple[str, str, str]:
    """The end of the path of a step's prompt."""
    name = "_".join(["f", step.get("edition", "default"), *([step["adaptation"]] if step.get("adaptation") else [])])
    return step.get("c2", ""), step.get("c3", ""), f"{name}.md"


@pytest.mark.parametrize("snapshot", CLEAN)
def test_agents_that_upstream_runs_have_no_error(snapshot: str, corpus: Path, tmp_path: Path) -> None:
    found = lint(laid_out(corpus / "climpt" / snapshot, tmp_path))
    assert [each for each in found if each.severity == "error"] == []
    assert not [each for each in found if each.code in OF_CONTENTS]


@pytest.mark.slow
def test_no_rule_of_information_speaks_twice_of_one_file(corpus: Path, tmp_path: Path, thin: Thin) -> None:
    """In one agent in three; --full: in each."""
    snapshots = sorted(file.parent for file in (corpus / "climpt").rglob("prompts.txt"))
    assert len(snapshots) > 80
    for number, snapshot in enumerate(thin(snapshots, 3)):
        found = lint(laid_out(snapshot, tmp_path / str(number)))
        told = [(each.code, each.file) for each in found if checked_rule(each.code).rule.severity == "info"]
        told += [(each.code, each.file) for each in found if each.code == "SF510" and each.severity == "info"]
        assert len(told) == len(set(told)), (snapshot, told)
