"""The steps registry guide: its examples open, look as pictured, run as described, and lint as the guide states."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.read import read_flow
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.seeds import guide
from tests.seeds.conftest import Expected, Write, due, said
from tests.seeds.diagrams import END, drawn, labels, mermaid

SIMPLE_DIAGRAM = """
graph LR
A[initial.issue] -->|next| B[continuation.issue]
B -->|next| B
B -->|handoff| C[closure.issue]
C -->|closing| D((End))
A -->|repeat| A
C -->|repeat| C
"""
PROJECT_DIAGRAM = """
graph TD
A[initial.project.preparation] -->|next| B[continuation.project.preparation]
A -->|handoff| D[initial.project.review]
B -->|next| B
B -->|handoff| D
D -->|next| E[continuation.project.review]
D -->|repeat| F[initial.project.again]
D -->|handoff| G[initial.project.closure]
E -->|next| E
E -->|repeat| F
E -->|handoff| G
F -->|next| H[continuation.project.again]
F -->|handoff| D
H -->|handoff| D
G -->|closing| I((End))
"""
EXAMPLES = {
    "contract": guide.CONTRACT,
    "simple": guide.SIMPLE,
    "minimal": guide.MINIMAL,
    "whole step": guide.WHOLE_STEP,
    "project": guide.PROJECT,
    "validated": guide.VALIDATED,
    "conditional": guide.CONDITIONAL_FLOW,
}
POLLING = Verdict("poll:state")

# Of the agent.json beside all examples, the runner reference's own example.
AGENT: list[Expected] = [
    ("SF007", "info", None, "its $schema is a relative path, and no file is there"),
]
EXPECTED: dict[str, list[Expected]] = {
    "contract": [],
    "simple": [],
    "minimal": [],
    "whole step": [
        ("SF216", "info", "initial.issue", "the example of a gate has fallbackIntent beside failFast true"),
        ("SF309", "info", "initial.issue", "the example of transitions hands off from an initial step"),
    ],
    "project": [
        *(
            ("SF308", "info", step, "hands off to the initial step of another part of the project flow")
            for step in (
                "initial.project.preparation",
                "continuation.project.preparation",
                "initial.project.again",
                "continuation.project.again",
            )
        ),
        *(
            ("SF309", "info", step, "hands off from an initial step, as the pattern does")
            for step in ("initial.project.preparation", "initial.project.review", "initial.project.again")
        ),
        *(
            ("SF311", "warning", step, "repeat goes to another step, which the guide wants and climpt doesn't do")
            for step in ("initial.project.review", "continuation.project.review")
        ),
        ("SF103", "info", "initial.project.closure", "a closure step by stepKind, an initial one by id and c2"),
    ],
    "validated": [
        ("SF606", "warning", None, "the pattern takes untrackedFiles, which the validator doesn't extract"),
        ("SF611", "warning", None, "climpt looks validation steps up by verdict type, the guide by closure step"),
        ("SF615", "warning", None, "the validator has no extractParams, on which climpt stops when it fails"),
    ],
    "conditional": [],
}


def opened(value: dict[str, Any]) -> Flow:
    return read_flow(ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(value))))


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_opens_whole(name: str) -> None:
    flow = opened(EXAMPLES[name])
    assert flow.format == "closing"
    assert list(flow.steps) == list(EXAMPLES[name]["steps"])
    assert {step.id for step in flow.steps.values() if step.step_id and step.step_id.value == step.id} == set(
        flow.steps
    )
    assert flow.entry_target("poll:state") == next(iter(flow.steps))


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_lints_as_in_the_guide(name: str, write: Write) -> None:
    assert said(write(EXAMPLES[name])) == due(*EXPECTED[name], *AGENT)


# The diagrams


def test_the_simple_pattern_is_drawn_as_pictured() -> None:
    assert drawn(opened(guide.SIMPLE)) == mermaid(SIMPLE_DIAGRAM)


def test_the_project_pattern_is_drawn_as_pictured() -> None:
    assert drawn(opened(guide.PROJECT)) == mermaid(PROJECT_DIAGRAM)


def test_the_flow_of_the_retry_pattern_is_drawn_as_pictured() -> None:
    """Its validators are between closing and the end; the path back is theirs, and not a transition."""
    assert drawn(opened(guide.VALIDATED)) == {
        ("continuation.issue", "handoff", "closure.issue"),
        ("closure.issue", "closing", END),
    }


def test_the_smallest_registry_has_the_transitions_that_are_listed() -> None:
    assert drawn(opened(guide.MINIMAL)) == {
        ("initial.issue", "next", "continuation.issue"),
        ("continuation.issue", "handoff", "closure.issue"),
        ("closure.issue", "closing", END),
    }


def test_a_conditional_transition_fans_out_with_its_values() -> None:
    flow = opened(guide.CONDITIONAL_FLOW)
    assert {edge for edge in labels(flow) if edge[0] == "initial.issue"} == {
        ("initial.issue", "next: ready", "continuation.process"),
        ("initial.issue", "next: blocked", "continuation.wait"),
        ("initial.issue", "next: default", "continuation.fallback"),
    }
    (rule,) = flow.steps["initial.issue"].transitions
    assert rule.condition is not None
    assert rule.condition.value == "status"


# What is reported about runs


def run_of(value: dict[str, Any]) -> Run:
    run = Run(opened(value), POLLING)
    run.start()
    return run


def say(run: Run, action: str, **more: Any) -> None:
    run.answer({"next_action": {"action": action}, **more})


def test_the_answer_of_the_sequence_goes_to_the_closure() -> None:
    run = run_of(guide.WHOLE_STEP)
    say(run, "handoff", analysis={"understanding": "u", "approach": "a"})
    assert run.state.step == "closure.issue"
    assert run.state.context["initial.issue"] == {"understanding": "u", "approach": "a"}


@pytest.mark.parametrize(
    ("status", "target"),
    [
        ("ready", "continuation.process"),
        ("blocked", "continuation.wait"),
        ("lost", "continuation.fallback"),
    ],
)
def test_a_condition_is_matched_and_else_its_default_taken(status: str, target: str) -> None:
    run = run_of(guide.CONDITIONAL_FLOW)
    say(run, "next", progress={"status": status})
    assert run.state.step == target


def test_closing_is_a_trigger_that_the_validators_let_through() -> None:
    run = run_of(guide.VALIDATED)
    say(run, "handoff")
    say(run, "closing")
    assert (run.state.outcome, run.validator and run.validator.validator) == (None, "git-clean")
    run.validated(passed=True)
    assert run.validator is not None
    assert (run.validator.validator, run.validator.number, run.validator.of) == ("type-check", 2, 2)
    run.validated(passed=True)
    assert run.state.outcome is not None
    assert (run.state.outcome.success, run.state.outcome.kind) == (True, "closing")


@pytest.mark.parametrize(("failing", "pattern"), [(0, "git-dirty"), (1, "type-error")])
def test_a_failed_validator_retries_with_the_prompt_of_its_pattern(failing: int, pattern: str) -> None:
    """As pictured: git clean? or type-check? fails, its pattern chooses the prompt, and that runs at A."""
    run = run_of(guide.VALIDATED)
    say(run, "handoff")
    say(run, "closing")
    for _ in range(failing):
        run.validated(passed=True)
    run.validated(passed=False, error="x")
    assert run.state.step == "continuation.issue"
    retry = run.state.retry
    assert retry is not None
    assert retry.failure is not None
    assert retry.failure[:3] == (pattern, "failed", pattern)
    assert (retry.attempt, retry.validation.max_attempts) == (1, 3)


def test_retries_end_with_the_number_that_on_failure_allows() -> None:
    run = run_of(guide.VALIDATED)
    for _ in range(4):
        say(run, "handoff")
        say(run, "closing")
        run.validated(passed=False)
    assert run.state.outcome is not None
    assert (run.state.outcome.success, run.state.outcome.kind) == (False, "validation")


def test_the_entry_is_looked_up_by_verdict_type_and_else_taken_from_entry_step() -> None:
    steps = {name: {"stepId": name, "c2": "initial"} for name in [*guide.ENTRIES.values(), "initial.other"]}
    flow = opened({"entryStep": "initial.other", "entryStepMapping": guide.ENTRIES, "steps": steps})
    assert flow.entry_target("poll:state") == "initial.polling"
    assert flow.entry_target("count:iteration") == "initial.iteration"
    assert flow.entry_target("detect:graph") == "initial.other"


# The error texts


def test_a_dotted_fallback_key_gives_the_error_as_the_guide_shows_it(write: Write) -> None:
    registry = json.loads(json.dumps(guide.SIMPLE))
    registry["steps"]["initial.issue"]["fallbackKey"] = "initial.issue"
    (found,) = [each for each in lint(write(registry)) if each.code == "SF501"]
    assert 'No fallback prompt found for key: "initial.issue" (step: initial.issue)' in found.message
    assert found.severity == "error"
    assert [fix.edits[0].text for fix in found.fixes] == ['"initial_issue"']


def test_the_format_is_known_by_the_examples_alone() -> None:
    assert {detect(opened(value).document) for value in EXAMPLES.values()} == {"closing"}
