"""Intents in enum, allowedIntents and transitions: what is a mistake, how bad, and which rule reports it."""

from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED
from stepflow_gui.text.edit import TextEdit, apply

from .conftest import Lint, Open

STEP = "/steps/initial.issue"
ENUM = "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum"
CLOSURE = "/steps/closure.issue"
CLOSURE_ENUM = "issue.schema.json#/closure.issue/properties/next_action/properties/action/enum"


# The rules that compare these places; what others report for the same files has tests of its own.
COMPARING = {"SF107", "SF201", "SF202", "SF203", "SF204", "SF205", "SF206", "SF207", "SF223", "SF224"}


@pytest.fixture
def lint_example(lint_example: Lint) -> Lint:
    """Lint an example by those rules."""

    def linted(*asked: Any) -> list[Diagnostic]:
        return [each for each in lint_example(*asked) if each.code in COMPARING]

    return linted


def contract(
    enum: list[Any] | None = None, allowed: list[Any] | None = None, transitions: dict[str, str | None] | None = None
) -> dict[str, Any]:
    """The changes that give initial.issue these lists (None: as in the example, next and repeat)."""
    changes: dict[str, Any] = {}
    if enum is not None:
        changes[ENUM] = enum
    if allowed is not None:
        changes[f"{STEP}/structuredGate/allowedIntents"] = allowed
    if transitions is not None:
        changes[f"{STEP}/transitions"] = {intent: {"target": target} for intent, target in transitions.items()}
    return changes


def said(diagnostics: list[Diagnostic]) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.severity, each.pointer) for each in diagnostics]


def complete(changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """The example agent in the format with `complete`."""
    kindless = {f"/steps/{phase}.issue/stepKind": REMOVED for phase in ("initial", "continuation", "closure")}
    ending = {
        "/steps/continuation.issue/structuredGate/allowedIntents": ["next", "repeat", "complete"],
        "/steps/continuation.issue/transitions": {
            "next": {"target": "continuation.issue"},
            "repeat": {"target": "continuation.issue"},
            "complete": {"target": "complete.issue"},
        },
        "issue.schema.json#/continuation.issue/properties/next_action/properties/action/enum": [
            "next", "repeat", "complete",
        ],
        "/steps/complete.issue": {
            "stepId": "complete.issue",
            "name": "complete",
            "c2": "complete",
            "c3": "issue",
            "edition": "default",
            "fallbackKey": "issue_complete_default",
            "uvVariables": [],
            "usesStdin": False,
            "outputSchemaRef": {"file": "issue.schema.json", "schema": "complete.issue"},
            "structuredGate": {"allowedIntents": ["complete", "repeat"], "intentField": "next_action.action"},
            "transitions": {"complete": {"target": None}, "repeat": {"target": "complete.issue"}},
        },
        "issue.schema.json#/complete.issue": {
            "properties": {"next_action": {"properties": {"action": {"enum": ["complete", "repeat"]}}}}
        },
        "/steps/closure.issue": REMOVED,
    }  # fmt: skip
    return {**kindless, **ending, **(changes or {})}


# SF201


@pytest.mark.parametrize(
    ("intent", "severity"), [("next", "warning"), ("jump", "warning"), ("handoff", "error"), ("repeat", "warning")]
)
def test_an_intent_without_a_transition_is_as_bad_as_what_the_runner_then_does(
    intent: str, severity: str, lint_example: Lint
) -> None:
    """`next` and `jump` of an initial step go on to its continuation, `repeat` stays: they work without a rule."""
    words = ["next", "repeat", *({intent} - {"next", "repeat"})]
    rules: dict[str, str | None] = {"next": "continuation.issue", "repeat": "initial.issue"}
    rules.pop(intent, None)
    found = lint_example(contract(words, words, rules))
    assert said(found) == [("SF201", severity, f"{STEP}/transitions")]
    assert found[0].related[0].file.name == "issue.schema.json"


def test_next_without_a_transition_and_a_continuation_is_an_error(lint_example: Lint) -> None:
    changes = {"/steps/continuation.issue/transitions/next": REMOVED}
    assert said(lint_example(changes)) == [("SF201", "error", "/steps/continuation.issue/transitions")]


def test_a_jump_to_the_target_that_the_answer_names_needs_no_transition(lint_example: Lint) -> None:
    words = ["next", "repeat", "jump"]
    changes = contract(words, words) | {f"{STEP}/structuredGate/targetField": "next_action.target"}
    assert said(lint_example(changes)) == [("SF201", "warning", f"{STEP}/transitions")]


def test_what_is_neither_allowed_nor_routed_is_reported_by_what_comes_first(lint_example: Lint) -> None:
    (found,) = lint_example(contract(["next", "repeat", "handoff"]))
    assert said([found]) == [("SF201", "error", f"{STEP}/transitions")]
    assert (
        "isn't allowed and has no rule: climpt-2026-03-14 drops the registry and finds no entry step" in found.message
    )
    assert found.fixes[0].title == "Remove “handoff”"
    (told,) = lint_example(complete(contract(["next", "repeat", "jump"])))
    assert said([told]) == [("SF201", "warning", f"{STEP}/transitions")]
    assert "isn't allowed and has no rule: the gate uses another intent" in told.message


def test_where_a_transition_is_added_its_intent_is_allowed(open_example: Open) -> None:
    agent = open_example(contract(["next", "repeat", "handoff"]))
    (found,) = (each for each in lint(agent) if each.code == "SF201")
    fix = next(each for each in found.fixes if each.title == "Add a transition “handoff” to “closure.issue”")
    edits = [TextEdit(edit.range.start.offset, edit.range.end.offset, edit.text) for edit in fix.edits]
    text = apply(agent.registry.source.text, edits)
    agent.registry.path.write_text(text, "utf-8")
    assert not COMPARING & {each.code for each in lint(agent.reread([agent.registry.path]))}


def test_closing_without_a_transition_is_a_warning(lint_example: Lint) -> None:
    assert said(lint_example({f"{CLOSURE}/transitions/closing": REMOVED})) == [
        ("SF201", "warning", f"{CLOSURE}/transitions")
    ]


def test_a_transition_that_the_enum_lacks_and_the_gate_allows_is_an_error(lint_example: Lint) -> None:
    found = lint_example(contract(enum=["repeat"]))
    assert said(found) == [("SF201", "error", f"{STEP}/transitions/next")]
    assert [related.pointer for related in found[0].related] == [
        "/initial.issue/properties/next_action/properties/action/enum",
        f"{STEP}/structuredGate/allowedIntents/0",
    ]


def test_a_transition_too_many_is_a_warning(lint_example: Lint) -> None:
    rules: dict[str, str | None] = {"next": "continuation.issue", "repeat": "initial.issue", "jump": "closure.issue"}
    assert said(lint_example(contract(transitions=rules))) == [("SF201", "warning", f"{STEP}/transitions/jump")]


def test_each_missing_and_each_extra_value_is_a_finding(lint_example: Lint) -> None:
    words = ["next", "jump"]
    found = lint_example(contract(words, words, {"repeat": "initial.issue", "handoff": "closure.issue"}))
    assert [(each.code, each.range.start.line > 0) for each in found] == [("SF201", True)] * 4
    assert {each.pointer for each in found} == {
        f"{STEP}/transitions",
        f"{STEP}/transitions/repeat",
        f"{STEP}/transitions/handoff",
    }


def test_abort_in_the_enum_needs_no_transition(lint_example: Lint) -> None:
    found = lint_example(contract(enum=["next", "repeat", "abort"]))
    assert [each.code for each in found] == ["SF202"]


def test_the_enum_is_found_along_intent_field_where_no_pointer_shows_where(lint_example: Lint) -> None:
    changes = contract(enum=["repeat"]) | {f"{STEP}/structuredGate/intentSchemaRef": REMOVED}
    assert [each.code for each in lint_example(changes)] == ["SF201"]


def test_the_enum_is_found_through_refs_and_all_of(lint_example: Lint) -> None:
    shared = {"properties": {"action": {"allOf": [{"$ref": "#/words"}, {"type": "string"}]}}}
    changes = {
        "issue.schema.json#/words": {"enum": ["repeat"]},
        "issue.schema.json#/initial.issue/properties/next_action": {"allOf": [shared]},
    }
    found = lint_example(changes)
    assert said(found) == [("SF201", "error", f"{STEP}/transitions/next")]
    assert found[0].related[0].pointer == "/words/enum"


def test_what_does_not_resolve_is_not_judged(lint_example: Lint) -> None:
    for changes in (
        {f"{STEP}/outputSchemaRef/file": "absent.json"},
        {f"{STEP}/outputSchemaRef/schema": "absent"},
        {f"{STEP}/structuredGate/intentSchemaRef": "#/properties/absent"},
        {ENUM: "next"},
    ):
        assert lint_example(changes) == [], changes


def test_a_placeholder_shows_nothing_yet(lint_example: Lint) -> None:
    assert lint_example(contract(enum=["{{INTENTS}}"])) == []
    assert lint_example(contract(allowed=["next", "{{MORE}}"], enum=["next", "repeat"])) == []


def test_absent_transitions_are_one_finding_not_one_a_value(lint_example: Lint) -> None:
    assert said(lint_example({f"{STEP}/transitions": REMOVED})) == [("SF107", "error", STEP)]
    empty = lint_example({f"{STEP}/transitions": {}})
    assert [each.code for each in empty] == ["SF201"]


# SF202


def test_an_intent_that_only_the_gate_has_is_refused_by_the_loader(lint_example: Lint) -> None:
    rules: dict[str, str | None] = {"next": "continuation.issue"}
    found = lint_example(contract(["next"], ["next", "repeat"], rules))
    assert said(found) == [("SF202", "error", f"{STEP}/structuredGate/allowedIntents/1")]


def test_an_intent_that_only_the_schema_has_is_refused_by_the_loader(lint_example: Lint) -> None:
    found = lint_example(contract(allowed=["next"]))
    assert said(found) == [("SF202", "error", f"{STEP}/structuredGate/allowedIntents")]
    assert found[0].related[0].file.name == "issue.schema.json"


def test_with_complete_the_same_is_a_warning(lint_example: Lint) -> None:
    assert lint_example(complete()) == []
    found = lint_example(complete(contract(allowed=["next"])))
    assert [(each.code, each.severity, each.format) for each in found] == [("SF202", "warning", "complete")]


def test_values_that_are_no_strings_are_ignored_as_the_loader_ignores_them(lint_example: Lint) -> None:
    assert lint_example(contract(enum=["next", 1, None, "repeat"])) == []


# SF206


@pytest.mark.parametrize(
    ("kind", "intent", "instead"),
    [
        ("work", "closing", "handoff"),
        ("work", "escalate", "next"),
        ("verification", "handoff", "next"),
        ("verification", "closing", "next"),
        ("closure", "next", "repeat"),
        ("closure", "jump", "repeat"),
        ("closure", "handoff", "closing"),
        ("closure", "escalate", "repeat"),
    ],
)
def test_each_intent_outside_its_kind_lists_what_the_kind_allows(
    kind: str, intent: str, instead: str, lint_example: Lint
) -> None:
    own = {"work": "repeat", "verification": "repeat", "closure": "repeat"}[kind]
    words = [own, intent]
    rules: dict[str, str | None] = {own: "initial.issue", intent: "continuation.issue"}
    changes = contract(words, words, rules) | {f"{STEP}/stepKind": kind}
    found = lint_example(changes)
    assert said(found) == [("SF206", "error", f"{STEP}/structuredGate/allowedIntents/1")]
    assert f"“{instead}”" in found[0].message
    other = [] if kind == "work" else [f"{STEP}/stepKind"]  # of which SF103 speaks
    assert [each.pointer for each in found[0].related] == [f"{STEP}/transitions/{intent}", *other]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("work", ["next", "repeat", "jump", "handoff"]),
        ("verification", ["next", "repeat", "jump", "escalate"]),
        ("closure", ["closing", "repeat"]),
    ],
)
def test_what_a_kind_may_emit_is_fine(kind: str, words: list[str], lint_example: Lint) -> None:
    rules: dict[str, str | None] = dict.fromkeys(words, "continuation.issue")
    assert lint_example(contract(words, words, rules) | {f"{STEP}/stepKind": kind}) == []


def test_the_kind_is_inferred_where_it_is_missing(lint_example: Lint) -> None:
    changes = contract(allowed=["next", "repeat", "closing"]) | {f"{STEP}/stepKind": REMOVED}
    assert [each.code for each in lint_example(changes)] == ["SF206"]
    assert [each.code for each in lint_example({**changes, f"{STEP}/c2": "other"})] == ["SF202"]


def test_an_explicit_kind_wins_over_c2(lint_example: Lint) -> None:
    words = ["closing", "repeat"]
    rules: dict[str, str | None] = {"closing": None, "repeat": "initial.issue"}
    found = lint_example(contract(words, words, rules) | {f"{STEP}/stepKind": "closure"})
    assert "SF206" not in {each.code for each in found}


def test_an_intent_outside_the_kind_in_transitions_alone_is_a_warning(lint_example: Lint) -> None:
    rules: dict[str, str | None] = {"next": "continuation.issue", "repeat": "initial.issue", "closing": None}
    assert said(lint_example(contract(transitions=rules))) == [("SF206", "warning", f"{STEP}/transitions/closing")]


def test_the_fallback_intent_is_held_against_the_kind_as_well(lint_example: Lint) -> None:
    found = lint_example({f"{STEP}/structuredGate/fallbackIntent": "closing"})
    assert said(found) == [("SF206", "error", f"{STEP}/structuredGate/fallbackIntent")]


def test_an_intent_outside_the_kind_in_the_enum_is_reported_by_the_rule_about_the_enum(lint_example: Lint) -> None:
    found = lint_example(contract(enum=["next", "repeat", "closing"]))
    assert [(each.code, each.severity) for each in found] == [("SF201", "error")]
    alone = {
        ENUM: ["closing"],
        f"{STEP}/structuredGate/allowedIntents": "closing",
        f"{STEP}/transitions": "none",
    }
    assert ("SF206", "warning") in [(each.code, each.severity) for each in lint_example(alone)]


# SF205, SF207, SF223, SF224: what is reported in their stead


def test_an_alias_is_reported_as_an_alias_wherever_it_stands(lint_example: Lint) -> None:
    for changes, pointer, severity in (
        (contract(allowed=["continue", "repeat"]), f"{STEP}/structuredGate/allowedIntents/0", "error"),
        (
            contract(transitions={"continue": "continuation.issue", "repeat": "initial.issue"}),
            f"{STEP}/transitions/continue",
            "warning",
        ),
        (
            {f"{STEP}/structuredGate/fallbackIntent": "done"},
            f"{STEP}/structuredGate/fallbackIntent",
            "error",
        ),
    ):
        assert said(lint_example(changes)) == [("SF207", severity, pointer)]


def test_an_alias_in_the_enum_is_placed_in_the_schema_file(lint_example: Lint) -> None:
    found = lint_example(contract(enum=["continue", "repeat"]))
    assert [(each.code, each.file.name, each.step) for each in found] == [
        ("SF207", "issue.schema.json", "initial.issue")
    ]
    assert found[0].severity == "error"  # the loader compares enum and allowedIntents as written
    assert [(fix.safe, [edit.text for edit in fix.edits]) for fix in found[0].fixes] == [(True, ['"next"'])]


def test_with_complete_an_alias_in_the_enum_counts_as_its_intent(lint_example: Lint) -> None:
    found = lint_example(complete(contract(enum=["continue", "retry"])))
    assert [(each.code, each.severity) for each in found] == [("SF207", "warning")] * 2


def test_an_unknown_word_is_one_finding_for_all_its_places(lint_example: Lint) -> None:
    words = ["nxet", "repeat"]
    rules: dict[str, str | None] = {"nxet": "continuation.issue", "repeat": "initial.issue"}
    found = lint_example(contract(words, words, rules))
    assert said(found) == [("SF205", "error", f"{STEP}/structuredGate/allowedIntents/0")]
    assert "“next”" in found[0].message
    assert len(found[0].related) == 2


@pytest.mark.parametrize(("step", "meant"), [("initial.issue", "handoff"), ("closure.issue", "closing")])
def test_the_older_word_for_the_end_suggests_the_newer_one(step: str, meant: str, lint_example: Lint) -> None:
    found = lint_example({f"/steps/{step}/structuredGate/allowedIntents/1": "complete"})
    assert ("SF205", True) in [(each.code, f"“{meant}”" in each.message) for each in found]


def test_abort_is_refused_where_the_step_has_a_kind(lint_example: Lint) -> None:
    words = ["next", "repeat", "abort"]
    assert [each.code for each in lint_example(contract(words, words))] == ["SF223"]
    kindless = contract(words, words) | {f"{STEP}/stepKind": REMOVED, f"{STEP}/c2": "other"}
    assert lint_example(kindless) == []


def test_under_the_guide_abort_is_information(lint_example: Lint) -> None:
    words = ["next", "repeat", "abort"]
    found = lint_example(contract(words, words), LintSettings(runtime="guide"))
    assert [(each.code, each.severity) for each in found] == [("SF223", "info")]


@pytest.mark.parametrize("word", ["NEXT", " next", "Continue"])
def test_an_intent_in_other_letters_never_matches(word: str, lint_example: Lint) -> None:
    found = lint_example(contract(allowed=[word, "repeat"]))
    assert said(found) == [("SF224", "error", f"{STEP}/structuredGate/allowedIntents/0")]


def test_each_fix_settles_its_finding(lint_example: Lint) -> None:
    """Applied alone, with the other sides corrected by hand where it is one of several."""
    for changes in (contract(allowed=["NEXT", "repeat"]), {f"{STEP}/structuredGate/fallbackIntent": "continue"}):
        (found,) = lint_example(changes)
        (edit,) = found.fixes[0].edits
        text = edit.file.read_bytes().decode()
        edit.file.write_bytes((text[: edit.range.start.offset] + edit.text + text[edit.range.end.offset :]).encode())
        from stepflow_gui.lint.engine.engine import lint
        from stepflow_gui.project.agent_folder import AgentFolder, open_agent

        again = open_agent(edit.file)
        assert isinstance(again, AgentFolder)
        assert not [each for each in lint(again) if each.code in COMPARING]
