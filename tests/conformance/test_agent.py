"""What is wrong in an agent.json, and what is filled in, against upstream's own functions."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.agent.check import AgentProblem, check_complete, check_raw, check_schema
from stepflow_gui.formats.climpt.agent.defaults import with_defaults
from stepflow_gui.formats.climpt.eras import Era
from tests.conformance.cases import case_file, each_version, report


def test_agents_are_checked_and_filled_as_upstream_does(conformance: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "agent.json")
    report(
        subtests,
        ((label, _sorted(case), partial(_observed, case["input"], era)) for label, era, case in each_version(data)),
    )


def _observed(value: Any, era: Era) -> dict[str, Any]:
    schema = [{"path": _dotted(found.path), "kind": found.kind} for found in check_schema(value, era)]
    observed: dict[str, Any] = {
        "validate": _outcome(check_raw(value, era)),
        "schema": {"valid": not schema, "errors": _as_set(schema)},
    }
    if not isinstance(value, dict):
        return observed | {"defaults": {"error": "not_an_object"}}
    return observed | {"defaults": with_defaults(value, era), "complete": _outcome(check_complete(value, era))}


def _outcome(problems: list[AgentProblem]) -> dict[str, Any]:
    errors = [_told(problem) for problem in problems if not problem.is_warning]
    warnings = [_told(problem) for problem in problems if problem.is_warning]
    return {"valid": not errors, "errors": _as_set(errors), "warnings": _as_set(warnings)}


def _told(problem: AgentProblem) -> dict[str, Any]:
    """A problem in the form of the data."""
    told: dict[str, Any] = {"kind": problem.kind, **problem.detail}
    if problem.kind.startswith("verdict_config"):
        told["field"] = problem.path[-1]
    elif problem.kind in {"type", "enum", "required", "missing_field"}:
        told["field"] = _dotted(problem.path)
    elif problem.kind.startswith("param_") and "params" not in told:
        told["param"] = problem.path[1]
    return told


def _dotted(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def _as_set(found: Iterable[dict[str, Any]]) -> Counter[str]:
    return Counter(str(sorted(each.items())) for each in found)


def _sorted(case: dict[str, Any]) -> dict[str, Any]:
    """The case with its lists of problems as multisets: their order doesn't matter."""
    expected = dict(case["expect"])
    for check in ("validate", "schema", "complete"):
        if check in expected:
            lists = {key: _as_set(found) for key, found in expected[check].items() if isinstance(found, list)}
            expected[check] = expected[check] | lists
    return {**case, "expect": expected}
