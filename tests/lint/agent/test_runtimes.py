"""Rules of agent.json whose severity is a promise: what a runtime refuses to start, ignores, or starts anyway."""

from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import ERAS, era_for
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Base, changed
from stepflow_gui.run.machine.loading import start
from tests.lint.agent.test_agent import BOUNDARIES, VERDICT, after, flat, of
from tests.lint.conftest import Lint, Open


@pytest.mark.parametrize("runtime", [None, *ERAS])
def test_both_layouts_in_one_file_are_a_warning(runtime: str | None, lint_example: Lint) -> None:
    (found,) = of("SF804", lint_example({"agent.json#/github": {"enabled": True}}, LintSettings(runtime)))
    assert (found.severity, found.pointer) == ("warning", "/github")


@pytest.mark.parametrize("runtime", [None, *ERAS])
def test_the_older_layout_is_an_error_just_where_the_chosen_runtime_refuses_it(
    runtime: str | None, open_example: Open
) -> None:
    agent = open_example(flat())
    (found,) = of("SF804", lint(agent, LintSettings(runtime)))
    refusal = start(agent, era_for(agent.flow.format, runtime), "poll:state").error if runtime else None
    is_refused = refusal is not None and refusal.kind == "agent"
    expected = "error" if is_refused else "warning" if runtime in {None, "guide"} else "info"
    assert found.severity == expected
    assert ("refuses" in found.message) is (expected != "info")
    assert is_refused is (runtime not in {None, "guide", "climpt-2026-01-18", "climpt-2026-01-09"})


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("SF801", {"agent.json#/displayName": REMOVED}),
        ("SF801", {"agent.json#/runner/flow/systemPromptPath": ""}),
        ("SF802", {f"{VERDICT}/type": "poll"}),
        ("SF004", {"agent.json#/name": "Issue Flow"}),
        ("SF004", {f"{BOUNDARIES}/allowedTools": False}),
        ("SF805", {f"{BOUNDARIES}/permissionMode": "readOnly"}),
        ("SF805", {"agent.json#/runner/logging": {"directory": "logs", "format": "xml"}}),
        ("SF806", {"agent.json#/parameters/issue/cli": "-issue"}),
        ("SF806", {"agent.json#/parameters/issue/cli": ""}),
        ("SF806", {"agent.json#/parameters/other": {"type": "string", "description": "d", "cli": "--issue"}}),
    ],
)
def test_what_climpt_refuses_to_start_the_guide_starts(code: str, changes: dict[str, Any], open_example: Open) -> None:
    agent = open_example(changed(changes, base="c3l"))
    for runtime, severity in (("climpt-2026-04-20", "error"), ("guide", "warning")):
        found = [each for each in of(code, lint(agent, LintSettings(runtime))) if each.severity != "info"]
        assert [each.severity for each in found] == [severity]
        refused = start(agent, era_for(agent.flow.format, runtime), None).error
        assert (refused is not None) is (severity == "error")


@pytest.mark.parametrize(
    ("own", "step", "severity"),
    [
        ("initial.issue", "initial.issue", None),
        ("initial.issue", "none", "warning"),
        ("initial.issue", "continuation.issue", "warning"),
        ("", "none", "error"),
        (REMOVED, "none", "error"),
        (REMOVED, "initial.issue", None),
    ],
)
@pytest.mark.parametrize("runtime", ["climpt-2026-03-14", "climpt-2026-04-20"])
def test_the_registrys_own_entry_of_a_graph_comes_first(
    own: Any, step: str, severity: str | None, runtime: str, lint_example: Lint
) -> None:
    changes = {"/entryStep": own, VERDICT: {"type": "detect:graph", "config": {"entryStep": step, "maxIterations": 5}}}
    found = of("SF812", lint_example(changes, LintSettings(runtime)))
    assert [(each.severity, each.pointer) for each in found] == (
        [(severity, "/runner/verdict/config/entryStep")] if severity else []
    )
    if severity == "warning":
        assert "entryStep" not in after(found[0])["runner"]["verdict"]["config"]


@pytest.mark.parametrize("base", ["closing", "c3l", "complete", "checks", "adt-kind-address"])
@pytest.mark.parametrize("runtime", [None, *ERAS])
def test_what_the_runtime_starts_has_warnings_at_most(runtime: str | None, base: Base, open_example: Open) -> None:
    """Named, or taken by default: an error is where it refuses the agent or its registry, and nowhere else."""
    step = next(iter(open_example(changed({}, base=base)).flow.steps))
    field = "id" if base == "checks" else "stepId"
    for code, example in (
        ("SF101", changed({f"/steps/{step}/{field}": "another.name"}, base=base)),
        ("SF803", changed({VERDICT: {"type": "detect:keyword", "config": {}}}, base=base)),
        ("SF804", flat()._replace(base=base)),
    ):
        agent = open_example(example)
        known = agent.agent.verdict_type if agent.agent else None
        is_refused = start(agent, era_for(agent.flow.format, runtime), known.value if known else None).error
        for found in of(code, lint(agent, LintSettings(runtime))):
            assert found.severity != "error" or is_refused, (code, found.message)
