"""Labelled defects of real agents, of every shape: found where they were, and gone after their fix."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder

from .prompts.test_corpus import laid_out

# Kinds of defects → the codes that find them. Where one cause has several sides, the first in line speaks.
CODES_OF_KIND = {
    "agent-schema-path-wrong": {"SF007"},
    "c3-format": {"SF106"},
    "closing-not-terminal": {"SF307"},
    "complete-intent-self-loop": {"SF318"},
    "dangling-target": {"SF301"},
    "dead-repeat-intent": {"SF816"},
    "enum-vs-allowedIntents": {"SF201", "SF202", "SF205", "SF206", "SF207", "SF223"},
    "flat-address-in-adt-runtime": {"SF407"},
    "handoff-from-initial-step": {"SF309"},
    "intent-not-allowed-for-stepKind": {"SF206"},
    "intentSchemaRef-not-internal": {"SF208"},
    "intentSchemaRef-unresolvable": {"SF209"},
    "missing-intentSchemaRef": {"SF208"},
    "missing-outputSchemaRef": {"SF107"},
    "prompt-file-missing": {"SF506"},
    "prompt-file-missing-for-closure-action": {"SF515"},
    "schema-definition-missing": {"SF702"},
    "uv-variable-without-source": {"SF510"},
}
# What no file of the agent shows; the label says so as well.
UNTOLD_KINDS = {
    "closure-repeat-self-loop": "a matter of style that later files settle otherwise",
    "missing-entry-step": "a parameter without a step of its own is sound",
    "validator-command-wrong": "the tasks of the project are in no file of the agent",
}
# Whether a verdict type gives `completed_iterations` was another matter in climpt of that week.
OF_ITS_TIME = {"iterator-2031c53-uv-variable-without-source", "reviewer-a6e150d-uv-variable-without-source"}
# Fixes that left one enum for all steps, wider than what each allows; a later one gave each step its own.
HALF_FIXED = {"iterator-313345b-enum-vs-allowedIntents", "iterator-7496cea-enum-vs-allowedIntents"}
HALF_FIXED |= {"reviewer-313345b-enum-vs-allowedIntents"}
# One that put pointers into another file where there were none; the next one wrote them as they must be.
HALF_FIXED |= {"iterator-c457232-missing-intentSchemaRef"}


@pytest.fixture(scope="module")
def labelled(corpus: Path) -> list[dict[str, Any]]:
    defects: list[dict[str, Any]] = json.loads((corpus / "climpt" / "defects.json").read_text("utf-8"))
    return defects


def test_only_what_the_files_do_not_show_goes_untold(labelled: list[dict[str, Any]]) -> None:
    for defect in labelled:
        told = defect["kind"] in CODES_OF_KIND and defect["id"] not in OF_ITS_TIME
        assert told or defect["statically_detectable"] != "yes", defect["id"]
        assert (defect["kind"] in UNTOLD_KINDS) != (defect["kind"] in CODES_OF_KIND), defect["id"]


@pytest.mark.slow
def test_defects_are_found_at_their_pointers_and_gone_once_fixed(
    labelled: list[dict[str, Any]], corpus: Path, tmp_path: Path
) -> None:
    wrong = []
    for defect in labelled:
        if defect["kind"] in UNTOLD_KINDS or defect["id"] in OF_ITS_TIME:
            continue
        before, after = (
            lint(_laid_out(defect, side, corpus, tmp_path / defect["id"] / side)) for side in ("before", "after")
        )
        for pointer in defect["all_pointers"]:
            found, left = set(_at(before, pointer, defect)), set(_at(after, pointer, defect))
            if not found - left:
                wrong.append((defect["id"], pointer, "not found"))
            elif left and defect["id"] not in HALF_FIXED:
                wrong.append((defect["id"], pointer, f"left: {left}"))
    assert wrong == []


def _laid_out(defect: dict[str, Any], side: str, corpus: Path, project: Path) -> AgentFolder:
    """One side, with the schema of agent.json that the fix names: upstream's repository has it."""
    agent = laid_out(corpus / "climpt" / defect[side], project)
    fixed = corpus / "climpt" / defect["after"] / "agent.json"
    named = json.loads(fixed.read_text("utf-8")).get("$schema") if fixed.is_file() else None
    if isinstance(named, str) and "://" not in named:
        schema = Path(os.path.normpath(agent.folder / named))
        assert schema.is_relative_to(project)
        schema.parent.mkdir(parents=True, exist_ok=True)
        schema.write_text("{}", "utf-8")
    return agent


def _at(found: list[Diagnostic], pointer: str, defect: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The findings at a place, inside it, or with it as one of the sides shown. A pointer may name its file."""
    file, _hash, inside = pointer.rpartition("#")
    for each in found:
        if each.code in CODES_OF_KIND[defect["kind"]] and any(
            path.name == (file or "steps_registry.json") and (where == inside or (where or "").startswith(inside + "/"))
            for path, where in [(each.file, each.pointer), *((side.file, side.pointer) for side in each.related)]
        ):
            yield each.code, each.message
