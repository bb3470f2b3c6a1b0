"""What upstream's flow linter objects to, our rules find at the same step, and they see no error where it sees none."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.pointer import join

from .cases import case_file, each_version
from .rule_codes import CAUSES_IN_FLOW, CROSS_REFERENCES, FLOW

Problem = dict[str, Any]

FLOW_RULES = {"SF302", "SF303", "SF304", "SF305", "SF308", "SF309", "SF317"}
ENDS = ("entry_no_closure", "no_closure_reachable", "cycle_no_closure")


def linted(case: Problem, era: Era, folder: Path) -> list[Diagnostic]:
    """The findings of our rules for a case's registry under an era."""
    folder.mkdir()
    (folder / "steps_registry.json").write_text(json.dumps(case["registry"]), "utf-8")
    agent = open_agent(folder / "steps_registry.json", format_id="c3l")
    assert isinstance(agent, AgentFolder)
    return lint(agent, LintSettings(era.name))


def steps_of(problem: Problem) -> list[str]:
    if "steps" in problem:
        return list(problem["steps"])
    # For an entry that can't reach an end upstream names the step, we the entry.
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
    if not isinstance(steps, dict):
        return any(each.code == "SF004" and each.pointer == "/steps" for each in found)  # no step is known then
    if kind == "boundary_crossing" and any(
        each.code == "SF206" and each.step == problem["target"] and "/structuredGate/" in (each.pointer or "")
        for each in found
    ):
        return True  # the step that is gone to is most likely of another kind
    if kind == "next_self_loop":
        step = problem["stepId"]
        return (
            step.startswith("continuation.") or steps[step].get("c2") == "continuation" or _is_refused(problem, found)
        )
    if kind == "orphan_steps" and not any(
        isinstance(step, dict) and step.get("transitions") for step in steps.values()
    ):
        return True  # where no transition exists the verdict chooses the step
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


def test_what_upstream_finds_we_find(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for label, era, case in each_version(case_file(conformance, "flow.json")):
        with subtests.test(label, mutations=case.get("mutations")):
            found, expected = linted(case, era, tmp_path / label.replace(" ", "-")), case["expect"]
            missed = []
            for problem in (*expected["errors"], *expected["warnings"], *expected["crossRef"]["errors"]):
                codes = (FLOW | CROSS_REFERENCES)[problem["kind"]]
                if any(each.code in codes and is_about(each, problem) for each in found):
                    continue
                if not explained(problem, case["registry"], found):
                    missed.append(problem)
            assert not missed, sorted({each.code for each in found})


def sees_more(case: Problem, found: Diagnostic) -> bool:
    """Whether we see more than upstream: of a step of kind work whose c2 is closure no run closes, and a step that
    no transition targets is not a section for its c2 alone."""
    steps = [step for step in case["registry"]["steps"].values() if isinstance(step, dict)]
    if found.code in {"SF303", "SF304"}:
        return any(step.get("stepKind", "closure") != "closure" and step.get("c2") == "closure" for step in steps)
    return found.code == "SF302" and any(step.get("c2") == "section" for step in steps)


def test_what_upstream_takes_we_take(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for label, era, case in each_version(case_file(conformance, "flow.json")):
        with subtests.test(label, mutations=case.get("mutations")):
            expected = case["expect"]
            kinds = {problem["kind"] for problem in (*expected["errors"], *expected["warnings"])}
            codes = set().union(*(FLOW[kind] for kind in kinds))
            found = linted(case, era, tmp_path / label.replace(" ", "-"))
            more = [each for each in found if each.code in FLOW_RULES - codes and not sees_more(case, each)]
            assert not more, [each.message for each in more]
