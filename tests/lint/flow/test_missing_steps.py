"""SF301, SF402 and SF404: a step or an entry that is missing is one finding, and no guess is applied in bulk."""

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.examples.example import Example, changed
from stepflow_gui.lint.fixing import any_fixes
from tests.lint.conftest import Lint

from .example import CLOSURE, Rules, flow, of, with_changes

WORK: tuple[str, Rules] = ("work", {"next": "continuation.a", "repeat": "initial.a", "handoff": "closure.a"})
BOTH = flow(initial_a=WORK, continuation_a=WORK, closure_a=CLOSURE)
HANDOFFS = ["/steps/initial.a/transitions/handoff/target", "/steps/continuation.a/transitions/handoff/target"]
FIRST = "/steps/initial.issue/transitions"


def _naming(step: str) -> Example:
    return with_changes(BOTH, dict.fromkeys(HANDOFFS, step))


def test_transitions_to_one_missing_step_are_one_finding(lint_example: Lint) -> None:
    (found,) = of("SF301", lint_example(_naming("closure.issue.old")))
    assert found.pointer == HANDOFFS[0]
    assert [each.pointer for each in found.related] == [HANDOFFS[1]]
    assert "1 other transition goes to it too" in found.message
    assert found.fixes == ()


def test_a_slip_is_mended_at_every_place(lint_example: Lint) -> None:
    (found,) = of("SF301", lint_example(_naming("closure.aa")))
    assert found.message.endswith("Did you mean “closure.a”?")
    assert [[edit.text for edit in fix.edits] for fix in found.fixes] == [['"closure.a"', '"closure.a"']]


@pytest.mark.parametrize("name", ["section.a", "verification.a", "closure.project.first"])
def test_a_step_of_another_stage_or_topic_is_not_suggested(name: str, lint_example: Lint) -> None:
    (found,) = of("SF301", lint_example(_naming(name)))
    assert "Did you mean" not in found.message


def test_entries_for_one_missing_step_are_one_finding(lint_example: Lint) -> None:
    entries = {"count:iteration": "initial.gone", "poll:state": "initial.gone"}
    (found,) = of("SF402", lint_example(with_changes(BOTH, {"/entryStepMapping": entries})))
    assert [each.pointer for each in found.related] == ["/entryStepMapping/poll:state"]


def _guessed(found: list[Diagnostic]) -> list[tuple[str, bool]]:
    return [(each.code, fix.guess) for each in found for fix in each.fixes]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"/steps/initial.a/transitions/next/target": None}, "SF306"),
        ({"/entryStepMapping": {"count:iteration": "initial.a"}}, "SF404"),
    ],
)
def test_a_fix_that_picks_a_step_is_a_guess(changes: dict[str, object], code: str, lint_example: Lint) -> None:
    (found,) = of(code, lint_example(with_changes(BOTH, {"/entryStep": "", **changes})))
    assert [fix.guess for fix in found.fixes] == [True]
    assert any_fixes(found) == []


def test_without_an_entry_rules_about_runs_wait(lint_example: Lint) -> None:
    odd = {"/steps/continuation.a/uvVariables": ["unknown"]}
    sound = lint_example(with_changes(BOTH, odd))
    assert [each.severity for each in of("SF510", sound)] == ["warning"]
    lost = {"/entryStep": "", "/entryStepMapping": {"count:iteration": "initial.a"}}
    found = lint_example(with_changes(BOTH, {**odd, **lost}))
    assert of("SF404", found)
    assert [each.severity for each in of("SF510", found)] == ["info"]
    assert of("SF302", found) == of("SF611", found) == []


def test_variables_that_nothing_gives_are_one_finding_of_the_first_step(lint_example: Lint) -> None:
    lists: dict[str, object] = {
        "/steps/initial.a/uvVariables": ["first", "second"],
        "/steps/continuation.a/uvVariables": ["second"],
    }
    (found,) = of("SF510", lint_example(with_changes(BOTH, lists)))
    assert found.pointer == "/steps/initial.a/uvVariables/0"
    assert found.message.startswith("Nothing gives the variables “first” and “second” of “initial.a”")
    assert [each.pointer for each in found.related if each.pointer] == [  # besides what the prompt uses in their place
        "/steps/initial.a/uvVariables/1",
        "/steps/continuation.a/uvVariables/0",
    ]


def test_climpt_1_14_looks_at_every_plain_target_before_it_starts(lint_example: Lint) -> None:
    plain = {"target": "nowhere"}
    (found,) = of("SF301", lint_example(changed({f"{FIRST}/next": plain}, base="adt-kind-address")))
    assert found.message.endswith("which is not a step: climpt-1.14 refuses to start the agent")
    cases = {"condition": "s", "targets": {"default": "nowhere"}}
    (found,) = of("SF301", lint_example(changed({f"{FIRST}/next": cases}, base="adt-kind-address")))
    assert found.message.endswith("the run stops there with an error")
