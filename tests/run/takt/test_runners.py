"""Runners by the name of a release: what they replace, how they choose, and where their names are taken."""

import pytest

from stepflow_gui.formats.takt.runners import PIECES, RUNNER_NAMES, WORKFLOWS, runner_named
from stepflow_gui.run.takt.prompts.prompt_builder import Values, expand

ALL = "{max_iterations} {max_movements} {max_steps} {movement_iteration} {step_iteration}"


def _filled(name: str) -> str:
    runner = runner_named(name)
    assert runner is not None
    return expand(ALL, Values("T", 1, 5, 2, (), "R", str, variables=runner.variables))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("takt-2026-02-07", "5 {max_movements} {max_steps} 2 {step_iteration}"),
        ("takt-2026-08-23", "{max_iterations} {max_movements} 5 {movement_iteration} 2"),
        ("takt-0.11", "5 {max_movements} {max_steps} 2 {step_iteration}"),
        ("takt-0.27", "{max_iterations} 5 {max_steps} 2 {step_iteration}"),
        ("takt-0.3.9", "5 {max_movements} {max_steps} {movement_iteration} 2"),
        ("takt-latest", "{max_iterations} {max_movements} 5 {movement_iteration} 2"),
        ("guide", "5 5 {max_steps} 2 {step_iteration}"),
    ],
)
def test_a_runner_replaces_the_variables_of_its_release(name: str, text: str) -> None:
    assert _filled(name) == text


def test_the_release_of_a_date_is_as_the_runner_of_that_date() -> None:
    seed, head = runner_named("takt-0.8.0-alpha.1"), runner_named("takt-head")
    assert seed is not None
    assert head is not None
    assert seed._replace(name=PIECES.name) == PIECES
    assert head._replace(name=WORKFLOWS.name) == WORKFLOWS


def test_names_of_releases_are_taken_and_not_listed() -> None:
    assert "takt-0.12..0.35" in RUNNER_NAMES
    assert "takt-x" not in RUNNER_NAMES
    assert list(RUNNER_NAMES) == ["guide", "takt-2026-02-07", "takt-2026-08-23"]
