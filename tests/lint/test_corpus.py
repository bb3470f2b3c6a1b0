"""Real registries: nothing crashes, and correct ones are clean."""

from collections import Counter
from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.conftest import Thin
from tests.real_agents import linted, opened

# On upstream's main branch these load and run.
CLEAN = ("detailer/001-4b49ae1", "iterator/034-47591d2", "reviewer/013-47591d2", "scaffolder-template/010-70d7bc0")


def errors(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]


def registries(corpus: Path) -> list[Path]:
    return sorted((corpus / "climpt").rglob("steps_registry.json"))


@pytest.mark.slow
def test_every_registry_is_linted_without_a_crash_and_twice_the_same(corpus: Path, thin: Thin) -> None:
    """Twice: one in six; --full: each."""
    found = registries(corpus)
    assert found
    assert all(isinstance(linted(registry), list) for registry in found)
    for registry in thin(found, 6):
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


@pytest.mark.parametrize("runtime", [None, "guide"])
def test_information_is_reported_once_a_file(runtime: str | None, corpus: Path, thin: Thin) -> None:
    """In one registry in three; --full: in each."""
    for registry in thin(registries(corpus), 3):
        said = linted(registry) if runtime is None else lint(opened(registry), LintSettings(runtime=runtime))
        told = Counter((each.file, each.code) for each in said if each.severity == "info")
        assert {place: count for place, count in told.items() if count > 1} == {}, registry


def test_suggestions_settle_on_every_registry_and_break_none(corpus: Path, thin: Thin) -> None:
    """One registry in six; --full: each."""
    seen: set[bytes] = set()
    for registry in thin(registries(corpus), 6):
        if registry.read_bytes() in seen:
            continue
        seen.add(registry.read_bytes())
        fixed = fix_all([opened(registry)], lint, any_fixes)
        assert fixed.converged, registry
        after = lint(fixed.agents[0])
        assert len(errors(after)) <= len(errors(linted(registry))), registry
        assert {"SF001", "SF002"} & {each.code for each in after} <= {each.code for each in linted(registry)}
