"""SF310, SF311, SF316 to SF319 and SF321: the allowed targets of intents and what is never followed."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.example import REMOVED, Base, changed
from stepflow_gui.lint.rules.flow.example_steps import SECTION
from tests.lint.conftest import Lint

from .example import CLOSURE, Rules, flow, of, pointers, with_changes

WORK: tuple[str, Rules] = ("work", {"next": "verification.a", "repeat": "initial.a", "jump": "initial.a"})
ESCALATE = "/steps/verification.a/transitions/escalate"
GO = flow(
    initial_a=WORK,
    verification_a=("verification", {"next": "continuation.a", "escalate": "initial.a"}),
    continuation_a=("work", {"repeat": "continuation.a", "handoff": "closure.a"}),
    closure_a=CLOSURE,
)


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ({"target": "initial.a"}, None),
        ({"target": "gone"}, "SF301"),
        ({"target": None}, "SF310"),
        ({"target": ""}, "SF310"),
        ({"condition": "x", "targets": {"default": "initial.a"}}, "SF315"),
        (REMOVED, "SF201"),
    ],
)
def test_an_escalation_needs_a_target(rule: Any, code: str | None, lint_example: Lint) -> None:
    found = [each for each in lint_example(with_changes(GO, {ESCALATE: rule})) if "escalate" in each.message]
    assert [(each.code, each.severity) for each in found] == ([(code, "error")] if code else [])


@pytest.mark.parametrize(
    ("intent", "severities"),
    [
        ("extra", {"SF205": "error"}),  # one mistake: no intent is called so
        ("escalate", {"SF301": "warning"}),  # none that the step may emit
        ("handoff", {"SF301": "warning"}),  # none that its gate allows
        ("next", {"SF301": "error"}),
    ],
)
def test_only_a_transition_that_an_answer_takes_stops_a_run(
    intent: str, severities: dict[str, str], lint_example: Lint
) -> None:
    found = lint_example({f"/steps/initial.issue/transitions/{intent}": {"target": "gone"}})
    assert {each.code: each.severity for each in found if each.code in {"SF301", "SF205"}} == severities


def test_the_guide_lets_an_escalation_end(lint_example: Lint) -> None:
    (found,) = of("SF310", lint_example(with_changes(GO, {ESCALATE: {"target": None}}), LintSettings("guide")))
    assert found.severity == "info"


@pytest.mark.parametrize(
    ("base", "runtime", "severity", "word"),
    [
        ("c3l", None, "warning", "stays on “initial.issue” anyway"),
        ("closing", "climpt-2026-04-01", "warning", "stays on “initial.issue” anyway"),
        ("closing", "climpt-2026-03-14", "info", "goes to “continuation.issue”"),
        ("closing", "guide", "info", "goes to “continuation.issue”"),
        ("adt-kind-address", None, "warning", "stays on “initial.issue” anyway"),
    ],
)
def test_c2_says_nothing_of_a_repeat_but_at_one_version(
    base: Base, runtime: str | None, severity: str, word: str, lint_example: Lint
) -> None:
    c2 = "/steps/initial.issue/address/c2" if base == "adt-kind-address" else "/steps/initial.issue/c2"
    changes = {c2: "closure", "/steps/initial.issue/transitions/repeat/target": "continuation.issue"}
    (found,) = of("SF311", lint_example(changed(changes, base=base), LintSettings(runtime)))
    assert (found.severity, word in found.message) == (severity, True)


@pytest.mark.parametrize(
    ("step", "target", "severity"),
    [
        ("initial.a", "initial.a", None),
        ("initial.a", "continuation.a", "warning"),
        ("initial.a", "gone", None),
        ("closure.a", "initial.a", None),
    ],
)
def test_repeat_stays(step: str, target: str, severity: str | None, lint_example: Lint) -> None:
    where = f"/steps/{step}/transitions/repeat/target"
    example = with_changes(GO, {where: target})
    assert pointers("SF311", lint_example(example)) == ([(severity, where)] if severity else [])
    assert pointers("SF311", lint_example(example, LintSettings("guide"))) == ([("info", where)] if severity else [])


@pytest.mark.parametrize(("intent", "fallback", "count"), [("next", "closure.a", 1), ("next", "gone", 0)])
def test_a_fallback_is_never_read(intent: str, fallback: str, count: int, lint_example: Lint) -> None:
    where = f"/steps/initial.a/transitions/{intent}/fallback"
    assert pointers("SF316", lint_example(with_changes(GO, {where: fallback}))) == [("warning", where)] * count


@pytest.mark.parametrize(
    ("step", "intent", "target", "crosses"),
    [
        ("initial.a", "next", "verification.a", False),
        ("initial.a", "next", "closure.a", True),
        ("initial.a", "jump", "closure.a", True),
        ("continuation.a", "handoff", "initial.a", False),  # SF308
        ("verification.a", "next", "closure.a", False),
        ("verification.a", "escalate", "closure.a", True),
        ("closure.a", "repeat", "verification.a", True),
        ("closure.a", "repeat", "initial.a", False),
        ("closure.a", "repeat", "closure.a", False),
        ("initial.a", "repeat", "closure.a", False),  # never followed: SF311
    ],
)
def test_kinds_that_may_not_follow(step: str, intent: str, target: str, crosses: bool, lint_example: Lint) -> None:
    where = f"/steps/{step}/transitions/{intent}/target"
    found = pointers("SF317", lint_example(with_changes(GO, {where: target})))
    assert found == ([("warning", where)] if crosses else [])


@pytest.mark.parametrize(
    ("step", "target", "severity"),
    [
        ("initial.issue", "complete.issue", None),
        ("initial.issue", "continuation.issue", "warning"),
        ("initial.issue", None, "warning"),
        ("initial.issue", "initial.issue", "error"),
        ("initial.issue", "gone", None),
        ("complete.issue", None, None),
        ("complete.issue", "complete.issue", "error"),
    ],
)
def test_complete_goes_to_a_completion_step(
    step: str, target: str | None, severity: str | None, lint_example: Lint
) -> None:
    where = f"/steps/{step}/transitions/complete/target"
    found = lint_example(changed({where: target}, base="complete"))
    assert pointers("SF318", found) == ([(severity, where)] if severity else [])


@pytest.mark.parametrize(
    ("where", "reported"),
    [
        ("/entryStep", True),
        ("/entryStepMapping/poll:state", True),
        ("/steps/initial.a/transitions/next/target", True),
        ("/steps/continuation.a/transitions/handoff/target", True),
        ("/steps/initial.a/transitions/repeat/target", False),
        ("/steps/closure.a/transitions/closing/target", False),
    ],
)
def test_no_run_gets_to_a_section(where: str, reported: bool, lint_example: Lint) -> None:
    found = lint_example(with_changes(GO, {"/steps/section.rules": SECTION, where: "section.rules"}))
    assert pointers("SF319", found) == ([("error", where)] if reported else [])
    assert not {each.code for each in found} & {"SF302", "SF303", "SF304", "SF308"}


@pytest.mark.parametrize(
    ("runtime", "word"),
    [(None, "climpt-2026-04-20 stops with an error"), ("climpt-2026-03-14", "ends the run silently")],
)
def test_next_without_a_target_needs_a_continuation(runtime: str | None, word: str, lint_example: Lint) -> None:
    where = "/steps/verification.a/transitions/next/target"
    (found,) = of("SF321", lint_example(with_changes(GO, {where: ""}), LintSettings(runtime)))
    assert (found.severity, found.pointer) == ("error", where)
    assert word in found.message
    assert [fix.title for fix in found.fixes] == ["Connect “next” to “continuation.a”"]
    (found,) = of("SF321", lint_example(with_changes(GO, {"/steps/initial.a/transitions/next/target": ""})))
    assert (found.severity, found.message) == (
        "warning",
        "The target of “next” of “initial.a” is empty: climpt-2026-04-20 goes to “continuation.a” by default",
    )
