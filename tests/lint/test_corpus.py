"""Real registries: nothing crashes, correct ones are clean, and known defects are found where they were."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.lint.rule import GATE
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conftest import Thin
from tests.real_agents import linted, opened

# On upstream's main branch these load and run.
CLEAN = ("detailer/001-4b49ae1", "iterator/034-47591d2", "reviewer/013-47591d2", "scaffolder-template/010-70d7bc0")

# Kinds of labelled defects → the codes that find them. Where one cause has several sides, the first in line speaks.
CODES_OF_KIND = {
    "missing-outputSchemaRef": {"SF107"},
    "enum-vs-allowedIntents": {"SF201", "SF202", "SF205", "SF206", "SF207", "SF223"},
    "intent-not-allowed-for-stepKind": {"SF206"},
    "dangling-target": {"SF301"},
    "closing-not-terminal": {"SF307"},
    "handoff-from-initial-step": {"SF309"},
    "complete-intent-self-loop": {"SF318"},
    "c3-format": {"SF106"},
    "missing-intentSchemaRef": {"SF208"},
    "intentSchemaRef-not-internal": {"SF208"},
    "intentSchemaRef-unresolvable": {"SF209"},
    "schema-definition-missing": {"SF702"},
}
# Fixes that left one enum for all steps, wider than what each allows; a later one gave each step its own.
HALF_FIXED = {"iterator-313345b-enum-vs-allowedIntents", "iterator-7496cea-enum-vs-allowedIntents"}
HALF_FIXED |= {"reviewer-313345b-enum-vs-allowedIntents"}
# One that put pointers into another file where there were none; the next one wrote them as they must be.
HALF_FIXED |= {"iterator-c457232-missing-intentSchemaRef"}


def errors(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]


def registries(corpus: Path) -> list[Path]:
    return sorted((corpus / "climpt").rglob("steps_registry.json"))


def test_every_registry_is_linted_without_a_crash_and_twice_the_same(corpus: Path, thin: Thin) -> None:
    """Twice: one in three; --full: each."""
    found = registries(corpus)
    assert found
    assert all(isinstance(linted(registry), list) for registry in found)
    for registry in thin(found, 3):
        agent = open_agent(registry)
        assert isinstance(agent, AgentFolder)
        assert linted(registry) == lint(agent), registry


def test_places_lie_in_their_files(corpus: Path, thin: Thin) -> None:
    """Of one registry in three; --full: of each."""
    for registry in thin(registries(corpus), 3):
        for diagnostic in linted(registry):
            for file, where in [(diagnostic.file, diagnostic.range)] + [
                (related.file, related.range) for related in diagnostic.related
            ]:
                text = file.read_bytes().decode("utf-8").removeprefix("\ufeff")
                assert 0 <= where.start.offset < where.end.offset <= len(text)
                line = text.split("\n")[where.start.line - 1]
                assert text[where.start.offset :].startswith(line[where.start.column - 1 :])


@pytest.mark.parametrize("snapshot", CLEAN)
def test_registries_that_upstream_runs_have_no_error(snapshot: str, corpus: Path) -> None:
    assert errors(linted(corpus / "climpt" / snapshot / "steps_registry.json")) == []


def labelled(corpus: Path) -> Iterator[dict[str, Any]]:
    for defect in json.loads((corpus / "climpt" / "defects.json").read_text("utf-8")):
        agent = opened(corpus / "climpt" / defect["before"] / "steps_registry.json")
        if defect["kind"] in CODES_OF_KIND and agent.format in GATE:
            yield defect


def found_at(diagnostics: list[Diagnostic], pointer: str, kind: str) -> set[tuple[str, str]]:
    """The findings at a place, inside it, or with it as one of the sides shown."""
    found = set()
    for each in diagnostics:
        pointers = [each.pointer, *(related.pointer for related in each.related)]
        if each.code in CODES_OF_KIND[kind] and any(
            where is not None and (where == pointer or where.startswith(pointer + "/")) for where in pointers
        ):
            found.add((each.code, each.message))
    return found


def test_labelled_defects_are_found_at_their_pointers_and_gone_once_fixed(corpus: Path) -> None:
    defects = list(labelled(corpus))
    assert len(defects) >= 14
    for defect in defects:
        before, after = (
            linted(corpus / "climpt" / defect[side] / "steps_registry.json") for side in ("before", "after")
        )
        for pointer in defect["all_pointers"]:
            mistakes = found_at(before, pointer, defect["kind"])
            left = found_at(after, pointer, defect["kind"])
            assert mistakes - left, (defect["id"], pointer)
            assert not left or defect["id"] in HALF_FIXED, (defect["id"], pointer, left)


@pytest.mark.parametrize("runtime", [None, "guide"])
def test_information_is_reported_once_a_file(runtime: str | None, corpus: Path, thin: Thin) -> None:
    """In one registry in three; --full: in each."""
    for registry in thin(registries(corpus), 3):
        said = linted(registry) if runtime is None else lint(opened(registry), LintSettings(runtime=runtime))
        told = Counter((each.file, each.code) for each in said if each.severity == "info")
        assert {place: count for place, count in told.items() if count > 1} == {}, registry


def test_suggestions_settle_on_every_registry_and_break_none(corpus: Path, thin: Thin) -> None:
    """One registry in three; --full: each."""
    seen: set[bytes] = set()
    for registry in thin(registries(corpus), 3):
        if registry.read_bytes() in seen:
            continue
        seen.add(registry.read_bytes())
        fixed = fix_all([opened(registry)], lint, any_fixes)
        assert fixed.converged, registry
        after = lint(fixed.agents[0])
        assert len(errors(after)) <= len(errors(linted(registry))), registry
        assert {"SF001", "SF002"} & {each.code for each in after} <= {each.code for each in linted(registry)}
