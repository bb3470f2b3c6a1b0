"""SF305 to SF309: transitions that end a run, repeat a step or hand off."""

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from tests.lint.conftest import Lint

from .example import CLOSURE, Rules, flow, of, pointers, with_changes

NEXT = "/steps/initial.a/transitions/next/target"
WORK: tuple[str, Rules] = ("work", {"next": "continuation.a", "repeat": "initial.a", "handoff": "closure.a"})
BOTH = flow(initial_a=WORK, continuation_a=WORK, closure_a=CLOSURE)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({NEXT: "initial.a"}, [("warning", NEXT)]),
        ({NEXT: "initial.a", "/steps/initial.a/c2": "continuation"}, []),
        ({"/steps/continuation.a/transitions/next/target": "continuation.a"}, []),
        ({NEXT: "initial.a", "/steps/initial.a/structuredGate/allowedIntents": ["repeat", "handoff"]}, []),
    ],
)
def test_next_to_itself(changes: dict[str, object], found: list[tuple[str, str]], lint_example: Lint) -> None:
    assert pointers("SF305", lint_example(with_changes(BOTH, changes))) == found


@pytest.mark.parametrize(
    ("runtime", "severity", "word"),
    [
        (None, "error", "climpt-2026-04-20 stops the run there with an error"),
        ("climpt-2026-04-01", "error", "climpt-2026-04-01 stops the run"),
        ("climpt-2026-03-14", "warning", "climpt-2026-03-14 ends the run there silently"),
        ("guide", "info", "the guide ends the run there"),
    ],
)
def test_a_null_target_is_judged_by_the_era(runtime: str | None, severity: str, word: str, lint_example: Lint) -> None:
    (found,) = of("SF306", lint_example(with_changes(BOTH, {NEXT: None}), LintSettings(runtime)))
    assert (found.severity, found.pointer) == (severity, NEXT)
    assert word in found.message
    assert [fix.title for fix in found.fixes] == ["Connect “next” to “continuation.a”"]


def test_under_the_guide_null_is_reported_once(lint_example: Lint) -> None:
    both = {NEXT: None, "/steps/continuation.a/transitions/handoff/target": None}
    assert len(of("SF306", lint_example(with_changes(BOTH, both)))) == 2
    (found,) = of("SF306", lint_example(with_changes(BOTH, both), LintSettings("guide")))
    assert [each.pointer for each in found.related] == ["/steps/continuation.a/transitions/handoff/target"]


@pytest.mark.parametrize("intent", ["closing", "abort", "escalate"])
def test_null_is_right_or_reported_elsewhere(intent: str, lint_example: Lint) -> None:
    changes = {f"/steps/initial.a/transitions/{intent}": {"target": None}}
    assert of("SF306", lint_example(with_changes(BOTH, changes))) == []


def test_a_repeat_to_null_stays(lint_example: Lint) -> None:
    (found,) = of("SF306", lint_example(with_changes(BOTH, {"/steps/initial.a/transitions/repeat/target": None})))
    assert found.severity == "warning"
    assert "the run stays on the step" in found.message


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ({"target": "initial.a"}, [("warning", "/steps/closure.a/transitions/closing/target")]),
        (
            {"condition": "x", "targets": {"default": "initial.a"}},
            [("warning", "/steps/closure.a/transitions/closing/targets/default")],
        ),
        ({"target": "gone"}, []),
        ({"target": ""}, []),
    ],
)
def test_closing_has_no_target(rule: Rules, found: list[tuple[str, str]], lint_example: Lint) -> None:
    told = lint_example(with_changes(BOTH, {"/steps/closure.a/transitions/closing": rule}))
    assert pointers("SF307", told) == found
    assert [(fix.title, fix.safe) for each in of("SF307", told) for fix in each.fixes] == [("Write null", True)] * len(
        found
    )


@pytest.mark.parametrize(
    ("target", "severity"),
    [
        ("closure.a", None),
        ("initial.a", "warning"),
        ("initial.b", "info"),
        ("continuation.b", "warning"),
        ("verification.b", "warning"),
        ("gone", None),
    ],
)
def test_handoff_goes_to_a_closure(target: str, severity: str | None, lint_example: Lint) -> None:
    steps = dict.fromkeys(("initial_a", "continuation_a", "initial_b", "continuation_b"), WORK)
    check: tuple[str, Rules] = ("verification", {"next": "continuation.b"})
    example = flow(**steps, verification_b=check, closure_a=CLOSURE)
    where = "/steps/continuation.a/transitions/handoff/target"
    found = of("SF308", lint_example(with_changes(example, {where: target})))
    assert [(each.severity, each.pointer) for each in found] == ([(severity, where)] if severity else [])
    titles = [fix.title for each in found for fix in each.fixes]
    assert titles == (["Write “closure.a”"] if severity == "warning" else [])


def test_a_handoff_to_a_step_of_unknown_kind_may_be_right(lint_example: Lint) -> None:
    changes = {"/steps/closure.a/stepKind": "other", "/steps/closure.a/c2": "other"}
    assert of("SF308", lint_example(with_changes(BOTH, changes))) == []


@pytest.mark.parametrize("runtime", [None, "climpt-2026-03-14", "guide"])
def test_handoffs_from_initial_steps_are_reported_once(runtime: str | None, lint_example: Lint) -> None:
    example = flow(initial_a=WORK, initial_b=WORK, continuation_a=WORK, closure_a=CLOSURE)
    (found,) = of("SF309", lint_example(example, LintSettings(runtime)))
    assert found.severity == "info"
    assert found.message.startswith("“initial.a” and “initial.b”: a handoff from an initial step")
    assert (runtime or "climpt-2026-04-20") in found.message or "guide's project pattern" in found.message
    assert [each.pointer for each in found.related] == ["/steps/initial.b/transitions/handoff"]
