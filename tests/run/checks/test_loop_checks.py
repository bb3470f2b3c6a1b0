"""Runs of flows with checks, in the guide's era and in climpt's: what is counted, followed, and what ends them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.run.machine.state import Answered, NotAsked, Stopped, VisitCounts
from tests.run.checks.flows import CLIMPT, check, flow, path, registry, started, step
from tests.run.flows import SIMPLE
from tests.sampling import examples

END = {"complete": True}


def test_a_step_runs_then_its_check_is_asked() -> None:
    run = started()
    assert (run.state.waits, run.state.step, run.state.iteration) == ("answer", "s_a8f3", 1)
    run.answer(None)
    assert (run.state.waits, run.state.step, run.state.iteration) == ("check", "s_a8f3", 1)
    run.answer({"result": "ok"})
    assert (run.state.waits, run.state.step, run.state.iteration) == ("answer", "s_b2c1", 2)


def test_the_guides_example_goes_back_and_comes_to_its_end() -> None:
    run = started()
    check(run, True, True, False, True, True)
    assert path(run) == ["s_a8f3", "s_b2c1", "s_c9d4", "s_b2c1", "s_c9d4"]
    assert run.state.outcome is not None
    assert (run.state.outcome.kind, run.state.outcome.success) == ("complete", True)


def test_runs_and_retries_are_counted_until_the_run_leaves_the_step() -> None:
    run = started()
    assert run.state.counts == VisitCounts(1, 0)
    check(run, False)
    assert run.state.counts == VisitCounts(2, 1)
    check(run, True, False)
    assert (run.state.step, run.state.counts) == ("s_a8f3", VisitCounts(1, 0))
    run.back()
    assert (run.state.step, run.state.counts) == ("s_b2c1", VisitCounts(1, 0))


@pytest.mark.parametrize(("era", "success"), [(None, False), (CLIMPT, True)])
def test_retries_that_are_used_up_end_the_run_either_way(era: str | None, success: bool) -> None:
    run = started(era=era)
    check(run, False, False, False)
    assert run.state.outcome is not None
    assert (run.state.outcome.kind, run.state.outcome.success) == ("check", success)
    assert run.state.outcome.code is None


def test_the_end_shows_what_the_check_reported() -> None:
    run = started(registry(s_0001=step(END, {})))
    check(run, '{"result": "ng", "message": "{two} tests fail"}')
    assert run.state.outcome is not None
    assert "{two} tests fail" in run.state.outcome.message


@pytest.mark.parametrize(("era", "goes"), [(None, ["s_0001", "s_0001", "s_0002"]), (CLIMPT, ["s_0001", "s_0002"])])
def test_a_fallback_is_the_last_resort_of_retries_and_climpts_first(era: str | None, goes: list[str]) -> None:
    retrying = step(END, {"retry": True, "maxRetries": 1, "fallback": "s_0002"})
    run = started(registry(s_0001=retrying, s_0002=step(END, END)), era)
    check(run, *[False] * len(goes))
    assert path(run) == goes


@pytest.mark.parametrize(("era", "runs"), [(None, 5), (CLIMPT, 3)])
def test_iterations_max_allows_more_retries_in_the_guide(era: str | None, runs: int) -> None:
    run = started(registry(s_0001=step(END, {"retry": True, "maxRetries": 2}, most=5)), era)
    check(run, *[False] * runs)
    assert run.state.outcome is not None
    assert run.state.outcome.iterations == runs


@pytest.mark.parametrize(("era", "runs"), [(None, 3), (CLIMPT, 1)])
def test_a_step_runs_min_times_before_its_check_in_the_guide(era: str | None, runs: int) -> None:
    run = started(registry(s_0001=step(END, END, least=3, most=5)), era)
    check(run, True)
    assert (path(run), run.state.iteration) == (["s_0001"] * runs, runs)


@pytest.mark.parametrize("era", [None, CLIMPT])
def test_a_step_without_a_check_ends_after_max(era: str | None) -> None:
    run = started(registry(s_0001=step(most=3)), era)
    for _ in range(3):
        run.answer(None)
    assert run.state.outcome is not None
    assert (run.state.outcome.kind, run.state.outcome.success, run.state.iteration) == ("unchecked", False, 3)


@pytest.mark.parametrize(
    "on_fail", [{"retry": True}, {"retry": True, "maxRetries": 0}, {"next": "s_0001"}, {"fallback": "s_0002"}]
)
def test_a_check_that_never_goes_to_an_end_is_stopped_after_a_hundred(on_fail: dict[str, Any]) -> None:
    back = {"fallback": "s_0001"}
    run = started(registry(s_0001=step(END, on_fail), s_0002=step(END, back)))
    check(run, *[False] * 100)
    assert run.state.outcome is not None
    assert (run.state.outcome.kind, run.state.outcome.success, run.state.iteration) == ("limit", False, 100)


def test_climpt_itself_goes_on_for_ever_and_is_stopped_much_later() -> None:
    run = started(registry(s_0001=step(END, {"retry": True})), CLIMPT)
    check(run, *[False] * 150)
    assert (run.state.outcome, run.state.counts) == (None, VisitCounts(151, 150))
    check(run, *[False] * 850)
    assert run.state.outcome is not None
    assert run.state.outcome.kind == "limit"
    assert "never stop" in run.state.outcome.message


def test_a_target_that_is_no_step_stops_the_run_and_another_answer_goes_on() -> None:
    run = started(registry(s_0001=step({"next": "s_dead"}, END)))
    run.answer(None)
    (stopped,) = run.answer({"result": "ok"})
    assert isinstance(stopped, Stopped)
    assert (stopped.error.kind, stopped.step, stopped.error.pointer) == (
        "step_not_found",
        "s_dead",
        "/steps/s_0001/check/onPass/next",
    )
    assert (run.state.waits, run.state.step) == ("check", "s_0001")
    run.answer({"result": "ng"})
    assert run.state.outcome is not None


def test_an_entry_that_is_no_step_is_reported() -> None:
    run = started({**registry(s_0001=step(END, END)), "entryStep": "s_dead"})
    assert run.state.error is not None
    assert (run.state.error.kind, run.state.waits) == ("no_entry", "start")


def test_a_mapping_of_entries_is_not_read() -> None:
    run = started({**registry(s_0001=step(END, END)), "entryStepMapping": {"stepFlow": "s_dead"}})
    assert run.state.step == "s_0001"


@pytest.mark.parametrize("answered", [Answered(None, failed="no network"), NotAsked("check", "no prompt", "p")])
def test_what_keeps_a_check_from_being_answered_stops_the_run_and_can_be_tried_again(answered: Any) -> None:
    run = started()
    run.answer(None)
    run.send(answered)
    assert run.state.error is not None
    assert run.state.waits == "check"
    assert path(run) == ["s_a8f3"]
    run.answer({"result": "ok"})
    assert run.state.step == "s_b2c1"


@pytest.mark.parametrize(
    "broken",
    [
        {"check": "always"},
        {"check": {}},
        {"check": {"onPass": "s_0001", "onFail": None}},
        {"check": {"onPass": {"next": 3, "complete": "yes"}, "onFail": {"retry": 1, "maxRetries": "two"}}},
        {"check": {"onFail": {"retry": True, "maxRetries": -1}}, "iterations": {"min": True, "max": "x"}},
        {"iterations": 7},
    ],
)
@pytest.mark.parametrize("era", [None, CLIMPT])
def test_wrong_types_end_the_run_with_a_reason(broken: dict[str, Any], era: str | None) -> None:
    run = started(registry(s_0001={"name": "a", **broken}), era)
    for _ in range(3000):
        if run.state.outcome is not None:
            break
        run.answer({"result": "ng"} if run.state.waits == "check" else None)
    assert run.state.outcome is not None
    assert run.state.outcome.message


def test_ids_that_are_no_hashes_run_all_the_same() -> None:
    run = started(registry(first=step({"next": "second"}, END), second=step(END, END)))
    check(run, True, True)
    assert path(run) == ["first", "second"]


def test_a_file_that_mixes_gates_and_checks_is_run_by_what_most_of_its_steps_are() -> None:
    mixed = registry(s_0001=step({"next": "initial.issue"}, END), s_0002=step(END, END))
    mixed["steps"]["initial.issue"] = SIMPLE["steps"]["initial.issue"]
    run = started(mixed)
    check(run, True)
    run.answer({"next_action": {"action": "next"}})  # no check, so nothing goes on
    assert run.state.outcome is not None
    assert run.state.outcome.kind == "unchecked"


def test_checks_are_run_by_the_runner_of_checks_alone() -> None:
    assert [name for name, era in ERAS.items() if era.checks is not None] == [CLIMPT]


# Properties

_IDS = ("s_0001", "s_0002", "s_0003")
_WAYS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "next": st.sampled_from([*_IDS, "s_dead"]),
        "fallback": st.sampled_from(_IDS),
        "retry": st.booleans(),
        "maxRetries": st.integers(0, 3),
        "complete": st.booleans(),
    },
)
_STEPS = st.builds(step, st.none() | _WAYS, st.none() | _WAYS, st.integers(0, 3), st.integers(0, 4))


@settings(max_examples=examples(40), deadline=None)
@given(
    steps=st.fixed_dictionaries(dict.fromkeys(_IDS, _STEPS)),
    passes=st.lists(st.booleans(), min_size=1, max_size=6),
    era=st.sampled_from([None, CLIMPT]),
)
def test_every_run_ends_or_stops_with_a_reason(steps: dict[str, Any], passes: list[bool], era: str | None) -> None:
    run = started(registry(**steps), era)
    known = flow(registry(**steps)).steps
    for number in range(2 * 1_000 + 1):
        state = run.state
        if state.outcome is not None or state.error is not None:
            break
        assert state.step in known
        assert 0 <= state.counts.retries < state.counts.runs <= state.iteration
        before = state
        choices = run.choices()
        run.answer({"result": passes[number % len(passes)]} if state.waits == "check" else None)
        if state.waits == "check":  # what was expected has come
            told = choices[0 if passes[number % len(passes)] else 1]
            assert run.state.last is not None
            assert run.state.outcome or run.state.error or told.next_step == run.state.last.to
        run.back()
        assert run.state == before
        run.go_to(run.length)
    assert run.state.outcome is not None or run.state.error is not None
    limit = 100 if era is None else 1_000
    assert run.state.iteration <= limit


@pytest.mark.parametrize("era", [None, CLIMPT])
@pytest.mark.parametrize(
    ("target", "error", "at"),
    [
        (5, "step_not_found", "5"),
        (True, "step_not_found", "true"),
        ([], "step_not_found", ""),
        (["s_0002"], None, "s_0002"),
    ],
)
def test_an_outcome_is_followed_to_whatever_it_names(target: Any, error: str | None, at: str, era: str | None) -> None:
    run = started(registry(s_0001=step({"next": target}, END), s_0002=step(END, END)), era)
    check(run, True)
    assert (run.state.error and run.state.error.kind) == error
    assert run.state.step == (at if error is None else "s_0001")
    if error is not None:
        assert run.state.error is not None
        assert f"“{at}”" in run.state.error.message


@pytest.mark.parametrize("target", [0, False, "", None])
def test_an_outcome_that_is_falsy_isn_t_followed(target: Any) -> None:
    run = started(registry(s_0001=step({"next": target, "complete": True}, END)), CLIMPT)
    check(run, True)
    assert run.state.outcome is not None
    assert run.state.outcome.success


@pytest.mark.parametrize(("most", "retries"), [(2.0, 2), (1.5, 2), (1, 1)])
def test_a_number_of_retries_need_not_be_whole(most: float, retries: int) -> None:
    run = started(registry(s_0001=step(END, {"retry": True, "maxRetries": most})), CLIMPT)
    check(run, *([False] * (retries + 1)))
    assert run.state.outcome is not None
    assert len(path(run)) == retries + 1
