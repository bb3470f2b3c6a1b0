"""Gates: where the intent is read, what is handed off, what the fallback does. Odd cases of the rules about them."""

from collections.abc import Mapping
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Example, changed
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.source import Source
from tests.lint.conftest import Lint, Open

STEP = "/steps/initial.issue"
GATE = f"{STEP}/structuredGate"
SCHEMA = "issue.schema.json#/initial.issue"
NEXT_ACTION = f"{SCHEMA}/properties/next_action"
ENUM = f"{NEXT_ACTION}/properties/action/enum"
NEWEST = LintSettings("climpt-2026-04-20")


def said(found: list[Diagnostic], code: str) -> list[tuple[str, str | None]]:
    return [(each.severity, each.pointer) for each in found if each.code == code]


def codes(found: list[Diagnostic]) -> set[str]:
    return {each.code for each in found}


# SF203, SF204, SF212


def test_what_works_without_a_transition_is_reported_once_where_the_schema_cannot_be_read(lint_example: Lint) -> None:
    found = lint_example(
        {
            f"{STEP}/outputSchemaRef/file": "absent.json",
            "/steps/continuation.issue/outputSchemaRef/file": "absent.json",
            f"{STEP}/transitions/repeat": REMOVED,
            "/steps/continuation.issue/transitions/repeat": REMOVED,
        }
    )
    assert said(found, "SF203") == [("info", f"{GATE}/allowedIntents/1")]
    (told,) = (each for each in found if each.code == "SF203")
    assert "2" in told.message
    assert [related.pointer for related in told.related] == [
        "/steps/continuation.issue/structuredGate/allowedIntents/1"
    ]


def test_an_empty_target_counts_as_no_transition(lint_example: Lint) -> None:
    changes = {"/steps/continuation.issue/transitions/handoff/target": ""}
    assert said(lint_example(changes), "SF203") == [("error", "/steps/continuation.issue/transitions/handoff/target")]
    assert not said(lint_example({f"{STEP}/transitions/next/target": ""}), "SF203")  # goes on to the continuation


def test_a_transition_for_abort_is_dead_but_for_the_guide(lint_example: Lint) -> None:
    changes = {ENUM: ["{{INTENTS}}"], f"{STEP}/transitions/abort": {"target": None}}
    assert said(lint_example(changes), "SF204") == [("warning", f"{STEP}/transitions/abort")]
    assert not said(lint_example(changes, LintSettings("guide")), "SF204")


def test_escalate_is_no_dead_transition_of_a_step_without_a_kind(lint_example: Lint) -> None:
    changes: dict[str, Any] = {ENUM: ["{{INTENTS}}"], f"{STEP}/transitions/escalate": {"target": "closure.issue"}}
    assert said(lint_example(changes), "SF204") == []  # of a work step: SF206 reports it
    kindless = {f"{STEP}/stepKind": REMOVED, f"{STEP}/c2": "other"}
    assert said(lint_example(changes | kindless), "SF204") == []


def test_a_jump_whose_answer_names_the_target_needs_no_transition(lint_example: Lint) -> None:
    words = ["next", "repeat", "jump"]
    changes: dict[str, Any] = {
        ENUM: words,
        f"{GATE}/allowedIntents": words,
        f"{GATE}/targetField": "next_action.target",
        f"{NEXT_ACTION}/properties/target": {"type": "string"},
        f"{STEP}/transitions/jump": {"target": ""},
    }
    assert not codes(lint_example(changes)) & {"SF203", "SF212"}


# SF208 to SF211


@pytest.mark.parametrize(
    ("ref", "pointer"),
    [
        (REMOVED, GATE),
        (None, GATE),
        ("", f"{GATE}/intentSchemaRef"),
        ("common.json#/action", f"{GATE}/intentSchemaRef"),
        ("/properties/next_action/properties/action", f"{GATE}/intentSchemaRef"),
        ("##/x", f"{GATE}/intentSchemaRef"),
    ],
)
def test_a_pointer_must_be_there_and_go_into_the_own_schema(ref: Any, pointer: str, lint_example: Lint) -> None:
    found = lint_example({f"{GATE}/intentSchemaRef": ref})
    assert said(found, "SF208") == [("error", pointer)]
    assert not codes(found) & {"SF209", "SF210"}
    assert any(fix.title.endswith("properties/action”") for each in found for fix in each.fixes) == (ref is not None)


@pytest.mark.parametrize("ref", [5, "{{REF}}", "#/properties/next_action/properties/action"])
def test_a_pointer_of_another_type_or_still_to_be_filled_in_is_left_to_others(ref: Any, lint_example: Lint) -> None:
    assert not said(lint_example({f"{GATE}/intentSchemaRef": ref}), "SF208")


def test_what_the_pointer_goes_to_must_list_intents(lint_example: Lint) -> None:
    (found,) = lint_example({f"{GATE}/intentSchemaRef": "#/properties/next_action"})
    assert (found.code, found.related[0].pointer) == ("SF209", "/initial.issue/properties/next_action")
    assert [fix.edits[0].text for fix in found.fixes] == ['"#/properties/next_action/properties/action"']


def test_with_complete_the_path_is_that_of_the_field(lint_example: Lint) -> None:
    found = lint_example(changed({f"{GATE}/intentField": "next_action.acton"}, base="complete"))
    assert [(each.code, each.pointer) for each in found] == [("SF209", f"{GATE}/intentField")]
    assert [fix.edits[0].text for fix in found[0].fixes] == ['"next_action.action"']


@pytest.mark.parametrize(
    ("field", "fail_fast", "severity"),
    [
        ("next_action.intent", True, "error"),  # the schema has no such field
        ("next_action.intent", False, "warning"),  # then the fallback is used
        ("next_action.reason", True, "warning"),  # it has, but its intents are elsewhere
    ],
)
def test_a_field_that_the_schema_lacks_stops_the_run(
    field: str, fail_fast: bool, severity: str, lint_example: Lint
) -> None:
    changes: dict[str, Any] = {f"{GATE}/intentField": field, f"{GATE}/failFast": fail_fast}
    changes[f"{NEXT_ACTION}/properties/reason"] = {"type": "string"}
    assert said(lint_example(changes), "SF210") == [(severity, f"{GATE}/intentField")]


def test_field_and_pointer_may_name_one_property_differently(lint_example: Lint) -> None:
    changes = {
        "issue.schema.json#/initial.issue/definitions": {"action": {"type": "string", "enum": ["next", "repeat"]}},
        f"{NEXT_ACTION}/properties/action": {"$ref": "#/initial.issue/definitions/action"},
        f"{GATE}/intentSchemaRef": "#/definitions/action",
    }
    assert not codes(lint_example(changes)) & {"SF209", "SF210"}


def test_with_complete_the_runner_guesses_where_there_is_no_field(lint_example: Lint) -> None:
    found = lint_example(changed({f"{GATE}/intentField": ""}, base="complete"))
    (told,) = (each for each in found if each.code == "SF211")
    assert "guesses" in told.message
    assert [fix.edits[0].text for fix in told.fixes] == ['"next_action.action"']


# SF213 to SF215, SF226


@pytest.mark.parametrize(
    "inner",
    [
        {"type": "object", "additionalProperties": True},
        {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {}, "anyOf": [{"properties": {"files": {"type": "array"}}}]},
        {},
        {"type": "object", "properties": {"files": {"type": "array"}}},
    ],
)
def test_a_field_that_may_be_there_is_not_missed(inner: Mapping[str, Any], lint_example: Lint) -> None:
    changes = {f"{SCHEMA}/properties/work": inner, f"{GATE}/handoffFields": ["work.files"]}
    assert not said(lint_example(changes), "SF214")


@pytest.mark.parametrize("inner", [{"type": "object"}, {"type": "string"}, {"type": "array", "items": {}}])
def test_a_field_that_cannot_be_there_is(inner: Mapping[str, Any], lint_example: Lint) -> None:
    """The runner closes every object that leaves open what else it holds."""
    changes = {f"{SCHEMA}/properties/work": inner, f"{GATE}/handoffFields": ["work.files"]}
    assert said(lint_example(changes), "SF214") == [("warning", f"{GATE}/handoffFields/0")]


@pytest.mark.parametrize("path", ["list.0", "list.0.name", "list.length"])
def test_paths_go_into_lists(path: str, lint_example: Lint) -> None:
    items = {"type": "object", "properties": {"name": {"type": "string"}}}
    changes = {f"{SCHEMA}/properties/list": {"type": "array", "items": items}, f"{GATE}/handoffFields": [path]}
    assert not said(lint_example(changes), "SF214")


def test_the_field_that_was_meant_may_lie_elsewhere(lint_example: Lint) -> None:
    changes = {
        f"{SCHEMA}/properties/work": {"type": "object", "properties": {"files": {"type": "array"}}},
        f"{GATE}/handoffFields": ["files"],
    }
    (found,) = (each for each in lint_example(changes) if each.code == "SF214")
    assert found.message.endswith("Did you mean “work.files”?")


def test_one_path_twice_overwrites_nothing(lint_example: Lint) -> None:
    changes = {f"{GATE}/handoffFields": ["next_action.action", "next_action.action"]}
    assert not said(lint_example(changes), "SF215")


def test_nothing_is_reported_of_fields_while_the_schema_cannot_be_read(lint_example: Lint) -> None:
    changes: dict[str, Any] = {f"{GATE}/handoffFields": ["absent"], f"{GATE}/targetField": "absent"}
    for broken in ({f"{STEP}/outputSchemaRef/file": "absent.json"}, {f"{SCHEMA}/properties/x": {"$ref": "#/absent"}}):
        assert not codes(lint_example(changes | broken)) & {"SF213", "SF214", "SF226"}


def test_what_is_handed_off_and_not_required_is_reported_once_and_settled_at_once(open_example: Open) -> None:
    fields = {"files": {"type": "array"}, "notes": {"type": "string"}}
    agent = open_example(
        {
            f"{GATE}/handoffFields": ["files", "notes"],
            f"{SCHEMA}/properties": {"next_action": _action(["next", "repeat"]), **fields},
        }
    )
    (found,) = (each for each in lint(agent) if each.code == "SF226")
    assert [related.pointer for related in found.related] == [f"{GATE}/handoffFields/1"]
    (fix,) = found.fixes
    file = fix.edits[0].file
    source = Source.decode(file.read_bytes())
    text = apply(source.text, [TextEdit(e.range.start.offset, e.range.end.offset, e.text) for e in fix.edits])
    again = lint(agent.with_buffers({file: source.with_text(text)}))
    assert "SF226" not in codes(again)


def _action(enum: list[str]) -> dict[str, Any]:
    return {"type": "object", "required": ["action"], "properties": {"action": {"type": "string", "enum": enum}}}


# SF216 to SF219, SF227


def test_dead_fallbacks_are_reported_once(lint_example: Lint) -> None:
    changes = {f"/steps/{step}.issue/structuredGate/fallbackIntent": "repeat" for step in ("initial", "continuation")}
    (found,) = (each for each in lint_example(changes) if each.code == "SF216")
    assert len(found.related) == 1
    assert len(found.fixes[0].edits) == 2


def test_a_fallback_that_is_skipped_matters_only_where_it_is_used(lint_example: Lint) -> None:
    changes: dict[str, Any] = {f"{GATE}/fallbackIntent": "jump"}
    assert not said(lint_example(changes), "SF217")
    found = lint_example(changes | {f"{GATE}/failFast": False})
    assert said(found, "SF217") == [("warning", f"{GATE}/fallbackIntent")]
    assert not said(found, "SF216")


def test_an_empty_fallback_counts_as_none(lint_example: Lint) -> None:
    found = lint_example({f"{GATE}/fallbackIntent": "", f"{GATE}/failFast": False})
    assert not [each for each in found if (each.pointer or "").endswith("fallbackIntent")]


@pytest.mark.parametrize("off", [None, 0, "false", True])
def test_only_the_boolean_turns_fail_fast_off(off: Any, lint_example: Lint) -> None:
    assert not said(lint_example({f"{GATE}/failFast": off}), "SF218")


def test_an_unreadable_answer_that_closes_the_flow_is_reported_instead_of_the_flag(lint_example: Lint) -> None:
    gate = "/steps/closure.issue/structuredGate"
    found = lint_example({f"{gate}/failFast": False})  # no fallback, no next: the first allowed intent is closing
    assert said(found, "SF227") == [("warning", f"{gate}/failFast")]
    assert not said(found, "SF218")


def test_an_empty_gate_is_one_finding(lint_example: Lint) -> None:
    found = lint_example({f"{GATE}/allowedIntents": [], ENUM: []})
    assert said(found, "SF219") == [("error", f"{GATE}/allowedIntents")]
    assert not codes(found) & {"SF202", "SF204"}


# SF220 to SF222, SF225, SF229


def test_a_step_id_may_be_bound_to_several_steps_if_the_own_is_among_them(lint_example: Lint) -> None:
    bound = f"{SCHEMA}/properties/stepId"
    assert not said(lint_example({bound: {"enum": ["continuation.issue", "initial.issue"]}}), "SF220")
    found = lint_example({bound: {"enum": ["continuation.issue", "closure.issue"]}})
    assert said(found, "SF220") == [("warning", "/initial.issue/properties/stepId/enum")]
    assert not any(each.fixes for each in found)
    found = lint_example(changed({bound: {"const": "complete.issue"}}, base="complete"))
    assert said(found, "SF220") == [("error", "/initial.issue/properties/stepId/const")]


def test_a_step_id_that_steps_share_is_not_rewritten(lint_example: Lint) -> None:
    changes = {
        "issue.schema.json#/id": {"const": "another.issue"},
        f"{SCHEMA}/properties/stepId": {"$ref": "#/id"},
        "issue.schema.json#/closure.issue/properties/stepId": {"$ref": "#/id"},
    }
    (found,) = (each for each in lint_example(changes) if each.code == "SF220")
    assert [related.pointer for related in found.related] == [
        f"{STEP}/outputSchemaRef/schema",
        "/steps/closure.issue/outputSchemaRef/schema",
    ]
    assert not found.fixes


def test_an_intent_is_optional_where_any_key_on_its_path_is(lint_example: Lint) -> None:
    (found,) = lint_example({f"{SCHEMA}/required": []})
    assert (found.code, found.severity) == ("SF221", "info")
    (edit,) = found.fixes[0].edits
    assert (edit.file.name, edit.text.split()) == ("issue.schema.json", ["[", '"next_action"', "]"])


def test_an_enum_that_steps_share_repeats_itself_once(lint_example: Lint) -> None:
    shared = {"type": "string", "enum": ["next", "repeat", "repeat"]}
    changes = {
        "issue.schema.json#/words": shared,
        f"{NEXT_ACTION}/properties/action": {"$ref": "#/words"},
        "/steps/continuation.issue/outputSchemaRef/schema": "initial.issue",
    }
    found = [each for each in lint_example(changes) if each.code == "SF222"]
    assert [(each.pointer, each.fixes[0].safe) for each in found] == [("/words/enum/2", True)]


@pytest.mark.parametrize(("runtime", "told"), [("climpt-2026-03-14", False), ("guide", False), (None, True)])
def test_only_newer_runners_close_in_a_loop_of_their_own(runtime: str | None, told: bool, lint_example: Lint) -> None:
    from stepflow_gui.lint.rules.intents.sf225_closure_field import BAD

    assert bool(said(lint_example(BAD, LintSettings(runtime)), "SF225")) == told


def test_an_era_that_does_not_know_an_intent_is_named(lint_example: Lint) -> None:
    found = lint_example(changed(base="complete"), NEWEST)
    unknown = [each for each in found if each.code == "SF205"]
    assert {each.step for each in unknown} == {"initial.issue", "continuation.issue", "complete.issue"}
    assert all("climpt-2026-04-20" in each.message for each in unknown)


def test_information_speaks_once_a_file(open_example: Open) -> None:
    """All findings about three steps."""
    changes: dict[str, Any] = {}
    for step in ("initial.issue", "continuation.issue", "closure.issue"):
        gate = f"/steps/{step}/structuredGate"
        changes |= {
            f"{gate}/fallbackIntent": "repeat",
            f"{gate}/targetMode": "explicit",
            f"{gate}/handoffFields": ["note"],
            f"issue.schema.json#/{step}/properties/note": {"type": "string", "maxLength": 3},
            f"issue.schema.json#/{step}/required": [],
        }
    found = [each for each in lint(open_example(Example(changes, {}))) if each.severity == "info"]
    told = [each.code for each in found if each.code[:3] in {"SF2", "SF7"}]
    assert sorted(told) == ["SF216", "SF221", "SF226", "SF229", "SF708"]


# One cause, one finding


def test_a_word_in_an_enum_that_steps_share_is_reported_once(lint_example: Lint) -> None:
    """The other steps are shown beside it, each at what has to fit."""
    words = ["continue", "repeat"]
    shared = {"type": "string", "enum": words}
    changes = {"issue.schema.json#/words": shared, f"{NEXT_ACTION}/properties/action": {"$ref": "#/words"}}
    changes["issue.schema.json#/continuation.issue/properties/next_action/properties/action"] = {"$ref": "#/words"}
    found = lint_example(changes)
    (told,) = (each for each in found if each.code == "SF207")
    assert (told.severity, told.pointer) == ("error", "/words/enum/0")
    assert {related.pointer for related in told.related} >= {
        f"{GATE}/allowedIntents",
        "/steps/continuation.issue/structuredGate/allowedIntents/0",
    }
    (handoff,) = (each for each in found if each.code == "SF201")  # a matter of continuation.issue alone
    assert handoff.step == "continuation.issue"


def test_a_rule_of_another_kind_of_step_is_renamed_where_its_own_is_missing(lint_example: Lint) -> None:
    changes: dict[str, Any] = {
        ENUM: ["next", "repeat", "handoff"],
        f"{STEP}/structuredGate/allowedIntents": ["next", "repeat", "handoff"],
        f"{STEP}/transitions": {
            "next": {"target": "continuation.issue"},
            "repeat": {"target": "continuation.issue"},
            "closing": {"target": "closure.issue"},
        },
    }
    found = [each for each in lint_example(changes) if each.pointer == f"{STEP}/transitions/closing"]
    assert [fix.title for each in found for fix in each.fixes][:1] == ["Write “handoff”"]
