"""The eras as data: what users call them, and what distinguishes them on a flow of our own."""

import pytest

from stepflow_gui.formats.climpt.eras import ERAS, guide_for
from stepflow_gui.run.machine.gate import Interpretation, interpret
from stepflow_gui.run.machine.route import EndRun, Routed, route
from stepflow_gui.run.machine.run_problem import RunError
from tests.run.flows import PROJECT, Json, flow, registry, step


def test_users_know_the_eras_by_date() -> None:
    assert list(ERAS) == [
        "guide",
        "climpt-1.14",
        "climpt-2026-04-20",
        "climpt-2026-04-08",
        "climpt-2026-04-01",
        "climpt-2026-03-14",
        "climpt-2026-01-18",
        "climpt-2026-01-09",
    ]
    assert all(name == era.name for name, era in ERAS.items())
    assert guide_for("complete").name == guide_for("closing").name == "guide"
    assert [name for name, era in ERAS.items() if not era.gates] == ["climpt-2026-01-09"]


def where(intent: str, at: str, era: str) -> str:
    found = route(flow(PROJECT), at, Interpretation(intent), ERAS[era])
    if isinstance(found, RunError):
        return found.kind
    return found.step if isinstance(found, Routed) else f"end by {found.signal}"


@pytest.mark.parametrize(
    ("era", "lands"),
    [
        ("guide", "initial.project.again"),
        ("climpt-2026-04-20", "initial.project.review"),
        ("climpt-2026-03-14", "initial.project.review"),
    ],
)
def test_only_the_guide_follows_repeat_from_a_work_step(era: str, lands: str) -> None:
    assert where("repeat", "initial.project.review", era) == lands


@pytest.mark.parametrize(
    ("era", "kind"), [("guide", "null"), ("climpt-2026-03-14", "null"), ("climpt-2026-04-20", None)]
)
def test_a_null_target_ends_in_some_eras_and_is_an_error_in_others(era: str, kind: str | None) -> None:
    it = flow(registry(step("initial.a", "work", next=None)))
    found = route(it, "initial.a", Interpretation("next"), ERAS[era])
    if kind is None:
        assert isinstance(found, RunError)
        assert (found.kind, found.pointer) == ("terminal_not_allowed", "/steps/initial.a/transitions/next")
    else:
        assert isinstance(found, EndRun)
        assert found.signal == kind


@pytest.mark.parametrize("era", [name for name, era in ERAS.items() if era.gates and name != "guide"])
def test_upstream_checks_that_abort_is_listed(era: str) -> None:
    it = flow(registry(step("initial.a", next="initial.a", gate={"failFast": True})))
    found = interpret(it.steps["initial.a"], {"next_action": {"action": "abort"}}, ERAS[era])
    if isinstance(found, RunError):
        assert found.cause == ("not_allowed" if "abort" in ERAS[era].words else "unknown_value")
        assert "abort" in found.message
    else:
        assert (found.intent, found.cause) == ("next", "not_allowed")


def test_complete_without_its_step_stops_in_the_guide() -> None:
    it = flow(registry(step("initial.a", gate={"allowedIntents": ["complete"]}), step("complete.b", complete=None)))
    assert it.format == "complete"
    found = route(it, "initial.a", Interpretation("complete"), guide_for("complete"))
    assert isinstance(found, RunError)
    assert found.kind == "no_continuation"


@pytest.mark.parametrize(("at", "lands"), [("initial.b", "complete.b"), ("continuation.b", "complete.b")])
def test_complete_without_a_rule_finds_the_step_of_its_domain(at: str, lands: str) -> None:
    it = flow(registry(step(at, gate={"allowedIntents": ["complete"]}), step("complete.b", complete=None)))
    found = route(it, at, Interpretation("complete"), guide_for("complete"))
    assert isinstance(found, Routed)
    assert found.step == lands


@pytest.mark.parametrize(
    ("rule", "newest", "early"),
    [
        ({"condition": "s", "targets": "x"}, "terminal_not_allowed", "end by null"),
        ({"condition": "s", "targets": 5}, "terminal_not_allowed", "end by null"),
        ({"condition": 5, "targets": {"a": "initial.a"}}, "terminal_not_allowed", "end by null"),
        ({"condition": 5, "targets": {"default": "initial.a"}}, "initial.a", "initial.a"),
        ({"condition": None, "targets": {"default": "initial.a"}}, "continuation.a", "continuation.a"),
        ({"targets": {"default": "initial.a"}}, "continuation.a", "continuation.a"),
        ({"condition": "s"}, "continuation.a", "continuation.a"),
    ],
)
def test_conditions_and_targets_of_another_type_have_no_case(rule: Json, newest: str, early: str) -> None:
    read = flow(registry(step("initial.a", "work", next=rule), step("continuation.a", "work")))
    for era, expected in (("climpt-2026-04-20", newest), ("climpt-2026-03-14", early)):
        found = route(read, "initial.a", Interpretation("next"), ERAS[era])
        signal = f"end by {found.signal}" if isinstance(found, EndRun) else None
        lands = found.kind if isinstance(found, RunError) else signal or getattr(found, "step", None)
        assert lands == expected
