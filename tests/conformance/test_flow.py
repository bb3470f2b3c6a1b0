"""What upstream's flow linter objects to, our rules find at the same step, and they see no error where it sees none."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.pointer import join

from .cases import case_file
from .rule_codes import CAUSES_IN_FLOW, CROSS_REFERENCES, FLOW

Problem = dict[str, Any]

FLOW_RULES = {"SF302", "SF303", "SF304", "SF305", "SF308", "SF309", "SF317"}
ENDS = ("entry_no_closure", "no_closure_reachable", "cycle_no_closure")


def linted(conformance: Path, tmp_path: Path) -> Iterator[tuple[Problem, list[Diagnostic]]]:
    """Every case with what our rules say of its registry under the era of the data."""
    data = case_file(conformance, "flow.json")
    assert {tuple(case["version"]) for case in data["cases"]} == {("HEAD",)}
    for case in data["cases"]:
        folder = tmp_path / case["id"]
        folder.mkdir()
        (folder / "steps_registry.json").write_text(json.dumps(case["registry"]), "utf-8")
        agent = open_agent(folder / "steps_registry.json", format_id="c3l")
        assert isinstance(agent, AgentFolder)
        yield case, lint(agent, LintSettings("climpt-2026-04-20"))


def steps_of(problem: Problem) -> list[str]:
    if "steps" in problem:
        return list(problem["steps"])
    # Of an entry without a way out upstream names the step, we the entry.
    return [problem["stepId"]] if "stepId" in problem and problem["kind"] != "entry_no_closure" else []


def is_about(diagnostic: Diagnostic, problem: Problem) -> bool:
    """Whether a finding, or one of the places it shows, is at a step of the problem, where that names any."""
    pointers = [diagnostic.pointer or "", *(related.pointer or "" for related in diagnostic.related)]
    places = [join("/steps", step) for step in steps_of(problem)]
    if diagnostic.step in steps_of(problem):
        return True
    return not places or any(where == place or where.startswith(f"{place}/") for where in pointers for place in places)


def explained(problem: Problem, registry: dict[str, Any], found: list[Diagnostic]) -> bool:
    """Whether we are silent on purpose."""
    kind = problem["kind"]
    steps = registry["steps"]
    if kind == "next_self_loop":
        step = problem["stepId"]
        return (
            step.startswith("continuation.") or steps[step].get("c2") == "continuation" or _is_refused(problem, found)
        )
    if kind == "orphan_steps" and not any(
        isinstance(step, dict) and step.get("transitions") for step in steps.values()
    ):
        return True  # where nothing leads on the verdict chooses the step
    if kind in ENDS and not any(isinstance(step, dict) and step.get("structuredGate") for step in steps.values()):
        return True  # without any gate the verdict ends the run
    if kind in ENDS and any(
        isinstance(step, dict) and step.get("stepKind") == "closure" and step.get("c2") != "closure"
        for step in steps.values()
    ):
        return True  # upstream's linter asks c2 whether a step closes, its runner and we ask the kind
    if kind in {"transition_not_allowed_for_kind", "escalate_transition_wrong_kind"}:
        return not steps[problem["stepId"]].get("structuredGate")  # SF107: no intent comes from there
    if kind == "intent_without_transition":
        return _is_refused(problem, found)
    return any(each.code in CAUSES_IN_FLOW.get(kind, ()) for each in found)


def _is_refused(problem: Problem, found: list[Diagnostic]) -> bool:
    """Whether the intent itself is wrong for the step."""
    return any(each.code in {"SF205", "SF206"} and is_about(each, problem) for each in found)


def test_what_upstream_finds_we_find(conformance: Path, tmp_path: Path) -> None:
    missed, seen = [], 0
    for case, found in linted(conformance, tmp_path):
        expected = case["expect"]
        for problem in (*expected["errors"], *expected["warnings"], *expected["crossRef"]["errors"]):
            codes = (FLOW | CROSS_REFERENCES)[problem["kind"]]
            if any(each.code in codes and is_about(each, problem) for each in found):
                seen += 1
            elif not explained(problem, case["registry"], found):
                missed.append((case["id"], case["mutations"], problem, sorted({each.code for each in found})))
    assert not missed, "\n".join(map(str, missed))
    assert seen > 800


# Where we see more than upstream: of a step of kind work whose c2 is closure no run closes (260); an unreachable step
# is not a section for its c2 alone (184).
MORE = {"flow-184", "flow-260"}


def test_what_upstream_takes_we_take(conformance: Path, tmp_path: Path) -> None:
    for case, found in linted(conformance, tmp_path):
        expected = case["expect"]
        kinds = {problem["kind"] for problem in (*expected["errors"], *expected["warnings"])}
        for each in found:
            if each.code in FLOW_RULES and case["id"] not in MORE:
                assert kinds & {kind for kind, codes in FLOW.items() if each.code in codes}, (case["id"], each.message)
