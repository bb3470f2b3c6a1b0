"""Interpretations against what upstream makes of the same answers."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.machine.gate import interpret
from stepflow_gui.run.machine.run_problem import RunError
from tests.conformance.cases import case_file, each_version, flow_of, report


def test_gate_reads_answers_as_upstream_does(conformance: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "gate.json")
    report(subtests, ((label, case, partial(observe, case, era)) for label, era, case in each_version(data)))


def observe(case: dict[str, Any], era: Era) -> dict[str, Any]:
    step = flow_of({"steps": {"it": case["step"]}}, era).steps["it"]
    found = interpret(step, case["output"], era)
    if isinstance(found, RunError):
        return {"error": found.kind, "cause": found.cause}
    observed = {
        "intent": found.intent,
        "target": found.target,
        "handoff": found.handoff,
        "usedFallback": found.used_fallback,
        "reason": found.reason,
    }
    return observed | ({"fallbackCause": found.cause} if found.used_fallback else {})
