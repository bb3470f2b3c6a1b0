"""SF302, SF303 and SF304: what no entry reaches, and from where no run ends."""

from typing import Any

import pytest

from stepflow_gui.lint.examples.example import changed
from tests.lint.conftest import Lint

from .example import CLOSURE, Rules, flow, of, pointers, with_changes

WORK: tuple[str, Rules] = ("work", {"next": "continuation.a", "repeat": "initial.a"})
GOES_ON: tuple[str, Rules] = ("work", {"handoff": "closure.a", "repeat": "continuation.a"})


def test_steps_that_are_connected_are_one_finding_that_begins_with_the_first(lint_example: Lint) -> None:
    lost = flow(
        initial_a=("work", {"handoff": "closure.a"}),
        closure_a=CLOSURE,
        continuation_b=("work", {"handoff": "closure.a"}),
        initial_b=("work", {"next": "continuation.b"}),
        initial_c=("work", {"handoff": "closure.a"}),
    )
    first, second = of("SF302", lint_example(lost))
    assert first.message.startswith("No entry reaches “initial.b” and “continuation.b”")
    assert (first.pointer, [each.pointer for each in first.related]) == (
        "/steps/initial.b",
        ["/steps/continuation.b"],
    )
    assert (second.pointer, second.related) == ("/steps/initial.c", ())


def test_sections_stand_outside(lint_example: Lint) -> None:
    section = {"stepId": "section.a", "name": "A", "c2": "section", "c3": "a", "edition": "default"}
    assert of("SF302", lint_example({"/steps/section.a": section})) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"/steps/initial.a/transitions/next/target": "gone"},
        {"/steps/initial.a/transitions/next/target": "{{NEXT}}"},
        {"/steps/initial.a/transitions/next": {}},
        {"/steps/initial.a/structuredGate/allowedIntents": ["next", "repeat", "handoff"]},
        {"/entryStepMapping/count:iteration": "gone"},
        {"/entryStepMapping/count:iteration": 1},
        {"/steps/lost": 1, "/steps/initial.a/transitions/next/target": "lost"},
    ],
)
def test_nothing_is_concluded_from_an_unknown_path(changes: dict[str, Any], lint_example: Lint) -> None:
    lost = flow(initial_a=WORK, continuation_a=GOES_ON, closure_a=CLOSURE, initial_b=("work", {"handoff": "closure.a"}))
    assert len(of("SF302", lint_example(lost))) == 1
    found = lint_example(with_changes(lost, changes))
    assert not {each.code for each in found} & {"SF302", "SF303", "SF304"}


def test_a_next_without_a_rule_goes_to_the_continuation(lint_example: Lint) -> None:
    example = flow(initial_a=("work", {"next": ""}), continuation_a=GOES_ON, closure_a=CLOSURE)
    assert not {each.code for each in lint_example(example)} & {"SF302", "SF303", "SF304"}


@pytest.mark.parametrize(
    ("values", "lost"),
    [
        (None, []),
        (["closure.a"], ["/steps/initial.b"]),
        (["closure.a", {}, [], None, 1], ["/steps/initial.b"]),
        (["initial.b"], ["/steps/closure.a"]),
    ],
)
def test_an_answer_that_names_its_target_goes_to_the_values_of_its_field(
    values: list[Any] | None, lost: list[str], lint_example: Lint
) -> None:
    example = flow(
        initial_a=("work", {"jump": "initial.a"}),
        initial_b=("work", {"repeat": "initial.b", "jump": "initial.b"}),
        closure_a=CLOSURE,
    )
    field = {"type": "string"} | ({"enum": values} if values else {})
    changes: dict[str, Any] = {
        "/steps/initial.a/structuredGate/targetField": "target",
        "issue.schema.json#/initial.a/properties/target": field,
    }
    found = lint_example(with_changes(example, changes))
    if values == ["initial.b"]:
        assert [each.pointer for each in of("SF303", found)] == ["/entryStep"]
    else:
        assert [each.pointer for each in of("SF302", found)] == lost


def test_entries_at_one_step_are_one_finding_and_the_trap_behind_them_is_none(lint_example: Lint) -> None:
    found = lint_example(flow(initial_a=WORK, continuation_a=("work", {"next": "initial.a"}), closure_a=CLOSURE))
    assert pointers("SF303", found) == [("error", "/entryStep")]
    assert [each.pointer for each in of("SF303", found)[0].related] == ["/entryStepMapping/poll:state"]
    assert not {each.code for each in found} & {"SF302", "SF304"}


def test_a_circle_is_named_in_order_and_what_hangs_on_it_is_shown(lint_example: Lint) -> None:
    example = flow(
        initial_a=("work", {"next": "initial.b", "handoff": "closure.a"}),
        initial_c=("work", {"next": "initial.b"}),
        initial_b=("work", {"next": "initial.d", "jump": "initial.c"}),
        initial_d=("work", {"next": "initial.e"}),
        initial_e=("work", {"next": "initial.b"}),
        closure_a=CLOSURE,
    )
    (found,) = of("SF304", lint_example(example))
    assert found.message.startswith("“initial.b” → “initial.c” → “initial.b” is an infinite loop: ")
    assert [each.pointer for each in found.related] == [f"/steps/initial.{name}" for name in "dce"]


@pytest.mark.parametrize(
    ("rules", "trapped"),
    [
        ({"next": "continuation.a"}, True),
        ({"repeat": "initial.a"}, True),
        ({"repeat": "continuation.a", "jump": "initial.a"}, False),
        ({"next": {"condition": "x", "targets": {"a": "continuation.a", "default": "continuation.a"}}}, True),
        ({"next": {"condition": "x", "targets": {"a": "continuation.a", "default": "closure.a"}}}, False),
        ({"next": {"condition": "x", "targets": {"a": "continuation.a"}}}, True),
        ({"next": None}, False),  # SF306 reports it
    ],
)
def test_what_traps_a_run(rules: Rules, trapped: bool, lint_example: Lint) -> None:
    example = flow(
        initial_a=("work", {"next": "continuation.a", "handoff": "closure.a"}),
        continuation_a=("work", rules),
        closure_a=CLOSURE,
    )
    back = rules.get("repeat") == "initial.a"  # the guide goes back there
    assert bool(of("SF304", lint_example(example))) == (trapped and not back)


@pytest.mark.parametrize(("allowed", "trapped"), [(["jump", "handoff"], True), (["handoff"], False)])
def test_what_no_intent_reaches_is_no_trap(allowed: list[str], trapped: bool, lint_example: Lint) -> None:
    example = flow(
        initial_a=("work", {"jump": "initial.b", "handoff": "closure.a"}),
        initial_b=("work", {"repeat": "initial.b"}),
        closure_a=CLOSURE,
    )
    found = lint_example(with_changes(example, {"/steps/initial.a/structuredGate/allowedIntents": allowed}))
    assert bool(of("SF304", found)) == trapped
    assert of("SF302", found) == []  # SF204 reports it


def test_without_gates_the_verdict_ends_the_run(lint_example: Lint) -> None:
    gateless = {f"/steps/initial.a/{key}": "" for key in ("structuredGate", "outputSchemaRef")}
    assert not {each.code for each in lint_example(with_changes(flow(initial_a=WORK), gateless))} & {"SF303", "SF304"}


CHECKS = """{
  "agentId": "issue-flow", "version": "1.0.0", "c1": "steps", "entryStep": "s_aaaa1111",
  "steps": {
    "s_aaaa1111": {
      "id": "s_aaaa1111", "name": "Do", "prompt": {"path": "prompts/do.md"},
      "check": {"prompt": {"path": "prompts/check.md"}, "onPass": %s, "onFail": %s}
    }
  }
}"""


@pytest.mark.parametrize(
    ("passed", "failed", "ends"),
    [
        ('{"complete": true}', '{"retry": true}', True),
        ('{"next": "s_aaaa1111"}', '{"retry": true}', False),
        ('{"next": "s_aaaa1111"}', '{"retry": true, "maxRetries": 3}', True),
        ('{"next": "s_aaaa1111"}', "{}", True),
    ],
)
def test_a_flow_of_checks_ends_at_complete_or_when_retries_are_used_up(
    passed: str, failed: str, ends: bool, lint_example: Lint
) -> None:
    found = lint_example(changed(texts={"steps_registry.json": CHECKS % (passed, failed)}))
    assert [each.code for each in found if each.code in {"SF302", "SF303", "SF304"}] == ([] if ends else ["SF303"])
