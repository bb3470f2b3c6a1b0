"""Real agents laid out with their prompts, which are empty: the findings about those are true."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.rules.table import checked_rule
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conftest import Thin
from tests.lint.test_corpus import CLEAN

CODES_OF_KIND = {
    "uv-variable-without-source": "SF510",
    "prompt-file-missing": "SF506",
    "prompt-file-missing-for-closure-action": "SF515",
}
# Whether a verdict type gives `completed_iterations` was another matter in climpt of that week.
OF_ITS_TIME = {"iterator-2031c53-uv-variable-without-source", "reviewer-a6e150d-uv-variable-without-source"}
OF_CONTENTS = ("SF508", "SF509", "SF512")


def laid_out(snapshot: Path, project: Path) -> AgentFolder:
    """The snapshot in a project as `.agent/<agentId>`, its prompts as empty files."""
    registry = json.loads((snapshot / "steps_registry.json").read_text("utf-8"))
    folder = project / ".agent" / registry["agentId"]
    shutil.copytree(snapshot, folder)
    for name in (snapshot / "prompts.txt").read_text("utf-8").split():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    return agent


@pytest.mark.parametrize("snapshot", CLEAN)
def test_agents_that_upstream_runs_have_no_error(snapshot: str, corpus: Path, tmp_path: Path) -> None:
    found = lint(laid_out(corpus / "climpt" / snapshot, tmp_path))
    assert [each for each in found if each.severity == "error"] == []
    assert not [each for each in found if each.code in OF_CONTENTS]


def test_labelled_defects_are_found_at_their_pointers_and_gone_once_fixed(corpus: Path, tmp_path: Path) -> None:
    defects = json.loads((corpus / "climpt" / "defects.json").read_text("utf-8"))
    chosen = [each for each in defects if each["kind"] in CODES_OF_KIND and each["id"] not in OF_ITS_TIME]
    assert len(chosen) >= 3
    for defect in chosen:
        before, after = (
            lint(laid_out(corpus / "climpt" / defect[side], tmp_path / defect["id"] / side))
            for side in ("before", "after")
        )
        for pointer in defect["all_pointers"]:
            assert said_at(before, pointer, defect), (defect["id"], pointer)
            assert not said_at(after, pointer, defect), (defect["id"], pointer)


def said_at(found: list[Diagnostic], pointer: str, defect: dict[str, Any]) -> list[str]:
    file, _, inside = pointer.rpartition("#")
    told = []
    for each in found:
        places = [(each.file, each.pointer), *((related.file, related.pointer) for related in each.related)]
        if each.code == CODES_OF_KIND[defect["kind"]]:
            told += [
                each.message
                for path, where in places
                if path.name == (file or "steps_registry.json") and (where or "").startswith(inside)
            ]
    return told


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
