"""Steps with kind and address against climpt 1.14: gate, router with its adaptations, loads and whole runs."""

import json
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import CLIMPT_1_14
from stepflow_gui.formats.climpt.whole_check import boot_faults
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.machine.gate import Interpretation
from stepflow_gui.run.machine.loading import agent_faults, load
from stepflow_gui.run.machine.route import EndRun, along_chain, route
from stepflow_gui.run.machine.run_problem import RunError
from tests.conformance import test_gate
from tests.conformance.cases import case_file, each_version, flow_of, report
from tests.conformance.rule_codes import FLOW
from tests.conformance.run_cases import observe, put

Json = dict[str, Any]
SET = "climpt-1.14"
AT_RUN = ("SR-GATE-003", "SR-GATE-004")  # found by the run itself, behind Boot
MISSING_PROMPT = ("PR-C3L-002", "PR-C3L-004")  # by the prompt engine that is used


def test_gate_reads_answers_as_upstream_does(conformance: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "gate.json", SET)
    report(subtests, ((label, case, partial(test_gate.observe, case, era)) for label, era, case in each_version(data)))


def test_router_counts_repeats_as_upstream_does(conformance: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "route.json", SET)
    flows = {name: flow_of(registry, CLIMPT_1_14) for name, registry in data["registries"].items()}
    report(
        subtests,
        ((label, case, partial(_routed, case, flows[case["registryRef"]])) for label, _, case in each_version(data)),
    )


def _routed(case: Json, flow: Flow) -> Json:
    repeats: Any = {}
    led: Any = None
    adaptation = None
    for call in (*case.get("before", ()), case):
        given, at = call["interpretation"], call["currentStepId"]
        answer = Interpretation(given["intent"], given.get("target"), given.get("handoff"), given.get("reason"))
        led = route(flow, at, answer, CLIMPT_1_14)
        led, repeat = along_chain(flow.steps.get(at), at, answer.intent, led, repeats)
        repeats, adaptation = repeat
    if isinstance(led, RunError):
        return {"error": led.kind, "code": led.code}
    seen = {
        "nextStepId": case["currentStepId"] if isinstance(led, EndRun) else led.step,
        "signalClosing": isinstance(led, EndRun),
        "warning": led.warning,
        "reasonFromInput": led.reason is not None,
    }
    return seen | ({"repeatAdaptation": adaptation} if adaptation is not None else {})


@cache
def opened(registry: Path) -> AgentFolder:
    agent = open_agent(registry)
    assert isinstance(agent, AgentFolder)
    return agent


def test_agents_are_taken_and_refused_as_upstream_does(
    conformance: Path, corpus: Path, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    data = case_file(conformance, "loads.json", SET)
    report(
        subtests,
        (
            (
                label,
                case | {"expect": _of_load(case), "tag": case.get("name", case.get("snapshot"))},
                partial(_loaded, case, corpus, tmp_path / label.replace(" ", "-")),
            )
            for label, _, case in each_version(data)
        ),
    )


def _of_load(case: Json) -> Json:
    return {key: value for key, value in case["expect"].items() if key in {"ok", "error", "code", "boot"}}


def _loaded(case: Json, corpus: Path, folder: Path) -> Json:
    if "snapshot" in case:
        path = corpus / "climpt" / case["snapshot"] / "steps_registry.json"
        if not path.is_file():
            pytest.skip(f"no {path}")
        agent = opened(path)
        name = agent.flow.agent_id.value if agent.flow.agent_id else None
    else:
        agent, name = _written(case, folder), "demo"
    if (agent.flow.format == "" and agent.registry.root is None) or not agent.registry.tree.valid:
        return {"error": True, "code": "invalid_json", "boot": ["A2"]}
    error = load(agent, CLIMPT_1_14, None, name).error
    seen: Json = {"ok": True} if error is None else {"error": True, "code": error.code}
    if "boot" in case["expect"]:
        refused = next(agent_faults(agent, CLIMPT_1_14), None)
        refused = refused or (error if error is not None and error.code not in AT_RUN else None)
        if refused is not None:
            seen["boot"] = [f"A2:{refused.code}"]
        else:
            seen["boot"] = sorted({fault.code or "" for fault in boot_faults(agent.flow)}) or "ok"
    return seen


def _written(case: Json, folder: Path) -> AgentFolder:
    put(folder / ".agent" / "demo" / "steps_registry.json", case.get("rawText") or json.dumps(case["registry"]))
    put(folder / ".agent" / "demo" / "agent.json", case.get("agent"))
    for name, schema in case.get("schemas", {}).items():
        put(folder / ".agent" / "demo" / "schemas" / name, schema)
    agent = open_agent(folder / ".agent" / "demo" / "steps_registry.json", format_id="adt-kind-address")
    assert isinstance(agent, AgentFolder)
    return agent


def test_runs_go_as_upstream_goes(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "runs.json", SET)
    report(
        subtests,
        (
            (label, case | {"expect": _without_context(case["expect"])}, partial(_ran, case, tmp_path / label))
            for label, _, case in each_version(data)
        ),
    )


def _ran(case: Json, folder: Path) -> Json:
    folder.mkdir()
    found = observe(case, CLIMPT_1_14, folder)
    return _without_context(found)


def _without_context(seen: Json) -> Json:
    """What the data shows of a run: neither Boot, which is asked with the loads, nor what steps left behind."""
    seen = {key: value for key, value in seen.items() if key not in {"boot", "stepContext"}}
    end = {key: value for key, value in seen["end"].items() if key != "errorName"}
    seen["end"] = end
    if end.get("errorCode") in MISSING_PROMPT:
        seen["end"] = end | {"errorCode": MISSING_PROMPT[0]}
    return seen


FOUND_BY = FLOW | {
    "no_closure_reachable": FLOW["no_closure_reachable"] | {"SF322"},
    "intent_without_transition": FLOW["intent_without_transition"] | {"SF205"},  # it is not an intent
    "unknown_step": {"SF301", "SF402", "SF407"},
    "entry_value_not_pair": {"SF407"},
    "entry_side_missing": {"SF407"},
    "validation_conditions_removed": {"SF009"},
    "conditions_not_a_list": {"SF004"},
    "validator_without_phase": {"SF613"},
    "validator_phase_mismatch": {"SF613"},
    "unknown_validator": {"SF601"},
}
CAUSES = {"SF004", "SF005", "SF107", "SF203", "SF301", "SF306", "SF322", "SF401", "SF402", "SF404", "SF407"}
"""Where one of these reports the cause, what upstream's flow check concludes from it isn't reported."""
LATER = {"SF306", "SF404", "SF601", "SF812"}
"""Errors that a run comes to whose agent is started: no loader sees them."""


def test_rules_find_what_is_refused_and_have_no_error_else(
    conformance: Path, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """In both directions: what the loader, Boot or `--validate` rejects has a finding, what all accept has no error."""
    for label, _, case in each_version(case_file(conformance, "loads.json", SET)):
        if "snapshot" in case or "rawText" in case:
            continue
        with subtests.test(label, name=case.get("name")):
            found = lint(_written(case, tmp_path / label.replace(" ", "-")), LintSettings(CLIMPT_1_14.name))
            errors = {each.code for each in found if each.severity == ERROR}
            codes = {each.code for each in found}
            expected = case["expect"]
            kinds = [*expected.get("flowErrors", ()), *expected.get("crossRef", ())]
            refused = "error" in expected or expected["boot"] != "ok"
            assert errors or not refused, codes
            if not refused and not kinds:
                assert not errors - LATER
            assert not [kind for kind in kinds if not FOUND_BY[kind] & codes and not CAUSES & codes], codes
