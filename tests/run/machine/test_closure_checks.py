"""The guide's third pattern: closing runs validators, and a failure sends the run back with a retry prompt."""

import pytest

from stepflow_gui.run.machine.state import RunValidator
from stepflow_gui.run.machine.verdict import Verdict
from tests.run.flows import Json, path, registry, say, started, step, validated


def test_closing_ends_the_run_only_when_all_validators_pass() -> None:
    run = started(validated())
    say(run, "handoff")
    effects = run.answer({"next_action": {"action": "done"}})
    assert isinstance(effects[0], RunValidator)
    assert (effects[0].validator, effects[0].command, effects[0].number, effects[0].of) == (
        "git-clean",
        "git status --porcelain",
        1,
        2,
    )
    assert run.state.outcome is None
    run.validated(passed=True)
    assert run.validator is not None
    assert run.validator.validator == "type-check"
    run.validated(passed=True)
    assert run.state.outcome is not None
    assert (run.state.outcome.success, run.state.outcome.kind) == (True, "closing")


def test_a_failure_retries_at_the_step_that_handed_off() -> None:
    run = started(validated())
    say(run, "handoff", "closing")
    run.validated(passed=False, error=" M a.ts")
    state = run.state
    assert (state.step, state.iteration, state.waits) == ("continuation.issue", 3, "answer")
    assert state.retry is not None
    assert (state.retry.closure, state.retry.validator, state.retry.error) == ("closure.issue", "git-clean", " M a.ts")
    assert state.retry.failure is not None
    assert (state.retry.failure.edition, state.retry.failure.adaptation) == ("failed", "git-dirty")
    say(run, "handoff")
    assert run.state.retry is None
    say(run, "closing")
    run.validated(passed=True)
    run.validated(passed=False)
    assert run.state.retry is not None
    assert run.state.retry.failure is not None
    assert (run.state.retry.failure.name, run.state.retry.failure.adaptation) == ("type-error", None)
    assert run.state.step == "continuation.issue"


def test_a_failure_retries_at_the_closure_where_the_run_began_there() -> None:
    run = started(validated(), entry="closure.issue")
    say(run, "repeat", "closing")
    run.validated(passed=False)
    assert run.state.step == "closure.issue"


@pytest.mark.parametrize("allowed", [0, 1, 3])
def test_max_attempts_is_the_number_of_retries(allowed: int) -> None:
    run = started(validated(action="retry", maxAttempts=allowed))
    for _ in range(allowed):
        say(run, "handoff", "closing")
        run.validated(passed=False)
        assert run.state.outcome is None
    say(run, "handoff", "closing")
    run.validated(passed=False)
    outcome = run.state.outcome
    assert outcome is not None
    assert (outcome.success, outcome.kind, outcome.code) == (False, "validation", "AGENT_VALIDATION_ABORT")


@pytest.mark.parametrize(("action", "success"), [("abort", False), ("skip", True)])
def test_other_actions_end_the_run_at_once(action: str, success: bool) -> None:
    run = started(validated(action=action))
    say(run, "handoff", "closing")
    run.validated(passed=False)
    assert run.state.outcome is not None
    assert run.state.outcome.success is success


def test_retries_end_at_the_limit_of_iterations() -> None:
    run = started(validated(), Verdict("detect:graph", {"maxIterations": 2}))
    say(run, "handoff", "closing")
    run.validated(passed=False)
    assert run.state.outcome is not None
    assert run.state.outcome.kind == "limit"


def test_validators_keyed_by_the_verdict_type_are_used_for_want_of_the_step() -> None:
    content = validated("closure.polling")
    run = started(content, Verdict("poll:state"))
    say(run, "handoff", "closing")
    assert run.state.waits == "validator"
    run = started(content, Verdict("detect:graph"))
    say(run, "handoff", "closing")
    assert run.state.outcome is not None


def test_an_unknown_validator_stops_the_run_where_it_is_named() -> None:
    content = validated()
    del content["validators"]["type-check"]
    run = started(content)
    say(run, "handoff", "closing")
    run.validated(passed=True)
    error = run.state.error
    assert error is not None
    assert (error.kind, error.pointer) == ("validator_not_found", "/validationSteps/closure.issue")
    run.validated(passed=False)  # the person goes on otherwise
    assert run.state.step == "continuation.issue"


def test_a_repeat_of_the_closure_runs_no_validator() -> None:
    run = started(validated())
    say(run, "handoff", "repeat")
    assert path(run)[-1] == "closure.issue"
    assert run.state.waits == "answer"


@pytest.mark.parametrize(
    "odd", [None, [], "x", {"closure.a": 3}, {"closure.a": {"validationConditions": [1, {}, {"validator": 4}]}}]
)
def test_odd_validation_steps_are_no_validators(odd: Json | None) -> None:
    run = started(registry(step("closure.a", "closure", closing=None), validationSteps=odd))
    say(run, "closing")
    assert run.state.outcome is not None
    assert run.state.outcome.success
