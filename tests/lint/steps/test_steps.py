"""SF1: what the rules about steps by themselves report in odd cases, and where they stay silent."""

from typing import Any

import pytest

from stepflow_gui.lint.config.selecting import RuleSelection, SelectionLayer
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.examples.example import REMOVED, Base, Moved, changed
from tests.lint.conftest import Lint

FIRST = "/steps/initial.issue"
CLOSURE = "/steps/closure.issue"

_PART = {"name": "Part", "c2": "initial", "edition": "default"}


def said(found: list[Diagnostic], *codes: str) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.severity, each.pointer) for each in found if each.code in codes]


# SF101


def test_a_key_that_nothing_names_is_renamed_and_never_by_itself(lint_example: Lint) -> None:
    """Where the transitions name the stepId, writing the key there would leave them dangling."""
    found = lint_example({"/steps/closure.isue": Moved(CLOSURE)})
    mismatch = next(each for each in found if each.code == "SF101")
    assert [(fix.safe, [edit.text for edit in fix.edits]) for fix in mismatch.fixes] == [(False, ['"closure.issue"'])]


def test_an_id_that_entries_name_is_not_replaced_without_asking(lint_example: Lint) -> None:
    """A step that retries names its own key, however that is written."""
    retry = {"/steps/s_a8f3/check/onFail": {"retry": True, "maxRetries": 2}}
    found = lint_example(changed({**retry, "/steps/s_a8f": Moved("/steps/s_a8f3")}, base="checks"))
    mismatch = next(each for each in found if each.code == "SF101")
    assert not any(fix.safe for fix in mismatch.fixes)


def test_a_key_without_phase_is_renamed_to_the_id_inside_that_has_one(lint_example: Lint) -> None:
    """Nothing names the step: only the form of the two tells which of them is misspelt."""
    found = lint_example(
        {
            "/steps/verificatio.nissue": Moved(CLOSURE),
            "/steps/verificatio.nissue/stepId": "verification.issue",
            "/steps/continuation.issue/transitions/handoff/target": "initial.issue",
        }
    )
    (mismatch,) = [each for each in found if each.code == "SF101"]
    assert [fix.title for fix in mismatch.fixes] == ["Rename the key to “verification.issue”"]


def test_an_id_that_another_key_has_is_only_replaced(lint_example: Lint) -> None:
    (found,) = lint_example({f"{FIRST}/stepId": "closure.issue"})
    assert [(fix.safe, [edit.text for edit in fix.edits]) for fix in found.fixes] == [(True, ['"initial.issue"'])]


@pytest.mark.parametrize("step_id", [REMOVED, None, 7, "", "{{STEP}}"])
def test_an_id_without_meaning_is_not_another_id(step_id: Any, lint_example: Lint) -> None:
    assert said(lint_example({f"{FIRST}/stepId": step_id}), "SF101") == []


# SF102


@pytest.mark.parametrize(
    ("step", "odd"),
    [
        ("closure.issue.label-only", False),
        ("closure", True),
        ("closure.", True),
        ("closure..issue", True),
        (".issue", True),
        ("closing.issue", True),
        ("closure.is sue", True),
        ("complete.issue", True),
        ("closure.{{TOPIC}}", False),
        ("closure.課題", False),
    ],
)
def test_names_of_phase_and_topic(step: str, odd: bool, lint_example: Lint) -> None:
    changes = {
        f"/steps/{step}": Moved(CLOSURE),
        f"/steps/{step}/stepId": step,
        f"/steps/{step}/transitions/repeat/target": step,
        "/steps/continuation.issue/transitions/handoff/target": step,
    }
    found = said(lint_example(changes), "SF102")
    assert found == ([("SF102", "warning", f"/steps/{step}")] if odd else [])


def test_in_c3l_it_is_one_note(lint_example: Lint) -> None:
    changes = {
        "/steps/plan": Moved(FIRST),
        "/steps/plan/stepId": "plan",
        "/steps/wrap-up": Moved(CLOSURE),
        "/steps/wrap-up/stepId": "wrap-up",
    }
    found = [each for each in lint_example(changed(changes, base="c3l")) if each.code == "SF102"]
    assert [(each.severity, each.pointer) for each in found] == [("info", "/steps/plan")]
    assert [related.pointer for related in found[0].related] == ["/steps/wrap-up"]


# SF103 to SF105


def test_the_phase_is_one_note_a_file(lint_example: Lint) -> None:
    changes = {f"{FIRST}/c2": "continuation", "/steps/continuation.issue/stepKind": "verification"}
    found = [each for each in lint_example(changes) if each.code == "SF103"]
    assert [(each.severity, each.pointer, len(each.related), each.fixes) for each in found] == [
        ("info", f"{FIRST}/c2", 1, ())
    ]


def test_no_kind_is_offered_that_forbids_the_step_s_intents(lint_example: Lint) -> None:
    settings = LintSettings(choice=RuleSelection([SelectionLayer("test", ignore=["SF206"])]))  # it would wait for that
    found = [each for each in lint_example({f"{FIRST}/stepKind": "closure"}, settings) if each.code == "SF103"]
    assert [[edit.text for edit in fix.edits] for fix in found[0].fixes] == [['"work"']]
    other = lint_example({f"{FIRST}/stepKind": "closure", f"{FIRST}/structuredGate/allowedIntents": ["closing"]})
    assert [each.fixes for each in other if each.code == "SF103"] == [()]


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({f"{FIRST}/stepKind": REMOVED}, ["SF104"]),
        ({f"{FIRST}/stepKind": REMOVED, f"{FIRST}/structuredGate": REMOVED}, []),
        ({f"{FIRST}/stepKind": "review"}, []),  # SF004 reports it
        ({f"{FIRST}/stepKind": 7}, []),
        ({f"{FIRST}/stepKind": REMOVED, f"{FIRST}/c2": "first"}, ["SF105"]),
        ({f"{FIRST}/stepKind": REMOVED, f"{FIRST}/c2": "{{PHASE}}"}, []),
        ({f"{FIRST}/stepKind": REMOVED, f"{FIRST}/c2": REMOVED}, []),
        ({f"{FIRST}/c2": "first"}, []),  # a place of SF506
    ],
)
def test_kinds_that_are_not_reported(changes: dict[str, Any], codes: list[str], lint_example: Lint) -> None:
    found = said(lint_example(changes), "SF103", "SF104", "SF105")
    assert [code for code, _severity, _pointer in found] == codes


# SF106


@pytest.mark.parametrize(
    "c3", ["Issue", "issue_state", "issue-", "-issue", "issue--state", "issue2", "課題", "a.b", " a"]
)
def test_what_the_prompt_engine_refuses(c3: str, lint_example: Lint) -> None:
    assert said(lint_example({f"{FIRST}/c3": c3}), "SF106") == [("SF106", "warning", f"{FIRST}/c3")]


@pytest.mark.parametrize("c3", ["issue", "external-state", "a-b-c", "{{TOPIC}}", "", None, 7])
def test_what_it_takes_or_what_is_no_c3(c3: Any, lint_example: Lint) -> None:
    assert said(lint_example({f"{FIRST}/c3": c3}), "SF106") == []


@pytest.mark.parametrize(
    ("c3", "meant"),
    [("externalState", "external-state"), ("HTTPServer", "http-server"), ("a_b c", "a-b-c"), ("42", None)],
)
def test_the_same_words_are_offered(c3: str, meant: str | None, lint_example: Lint) -> None:
    found = next(each for each in lint_example({f"{FIRST}/c3": c3}) if each.code == "SF106")
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ([f'"{meant}"'] if meant else [])


def test_no_two_steps_are_given_one_c3(lint_example: Lint) -> None:
    parts = {f"/steps/initial.part{number}": {**_PART, "c3": f"part{number:03}"} for number in range(3)}
    found = [each for each in lint_example(parts) if each.code == "SF106"]
    assert len(found) == 3
    assert [each.fixes for each in found] == [()] * 3
    taken = {"/steps/initial.part": {**_PART, "c3": "part"}, "/steps/initial.other": {**_PART, "c3": "part7"}}
    assert [each.fixes for each in lint_example(taken) if each.code == "SF106"] == [()]


@pytest.mark.parametrize(
    ("base", "runtime", "severity"),
    [
        ("closing", None, "warning"),
        ("closing", "climpt-2026-04-20", "error"),
        ("closing", "guide", "warning"),
        ("c3l", None, "error"),
        ("c3l", "climpt-2026-03-14", "error"),
        ("complete", None, "info"),
    ],
)
def test_the_era_decides_whether_anything_else_is_shown(
    base: Base, runtime: str | None, severity: str, lint_example: Lint
) -> None:
    texts = {"prompts/steps/initial/issueState/f_default.md": "Issue {uv-issue}\n"}
    found = lint_example(changed({f"{FIRST}/c3": "issueState"}, base=base, texts=texts), LintSettings(runtime))
    assert [each.severity for each in found if each.code == "SF106"] == [severity]


def test_a_closure_has_a_prompt_to_stand_in(lint_example: Lint) -> None:
    """That of the continuation of the verdict's entry; without one, for poll:state that of continuation.polling."""
    spare = {"stepId": "continuation.polling", "name": "Spare", "c2": "continuation", "c3": "issue"}
    odd: dict[str, Any] = {f"{CLOSURE}/c3": "issueState"}
    assert said(lint_example(changed(odd, base="c3l")), "SF106") == [("SF106", "warning", f"{CLOSURE}/c3")]
    odd["/entryStepMapping"] = REMOVED
    alone = changed(odd, base="c3l")
    helped = changed({**odd, "/steps/continuation.polling": spare}, base="c3l")
    assert said(lint_example(alone), "SF106") == [("SF106", "error", f"{CLOSURE}/c3")]
    assert said(lint_example(helped), "SF106") == [("SF106", "warning", f"{CLOSURE}/c3")]


def test_a_prompt_that_is_not_there_either_is_the_same_mistake(lint_example: Lint) -> None:
    found = said(lint_example(changed({f"{FIRST}/c3": "issueState"}, base="c3l")), "SF106", "SF506")
    assert found == [("SF106", "error", f"{FIRST}/c3")]


def test_validation_steps_have_one_too(lint_example: Lint) -> None:
    checks = {"stepId": "closure.polling", "name": "Checks", "c2": "retry", "c3": "issueState"}
    for holder in ("validationSteps", "completionSteps"):
        found = said(lint_example({f"/{holder}": {"closure.polling": checks}}), "SF106")
        assert found == [("SF106", "warning", f"/{holder}/closure.polling/c3")]


# SF108 to SF113


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        ({}, 0),
        ({"transitions": {}, "structuredGate": {}}, 0),
        ({"transitions": {"next": {"target": None}}, "structuredGate": {"allowedIntents": ["next"]}}, 1),
    ],
)
def test_a_section_is_no_step_of_the_flow(fields: dict[str, Any], count: int, lint_example: Lint) -> None:
    section = {"stepId": "section.a", "name": "Part", "c2": "section", "c3": "a", "edition": "default"}
    found = [each for each in lint_example({"/steps/section.a": section | fields}) if each.code == "SF108"]
    assert len(found) == count
    assert all(len(each.related) == 1 for each in found)


def test_the_default_model_of_an_agent_is_looked_at_in_both_layouts(lint_example: Lint) -> None:
    for where in ("/runner/flow/defaultModel", "/behavior"):
        changes: dict[str, Any] = {f"agent.json#{where}": "gpt"}
        if where == "/behavior":
            changes = {"agent.json#/behavior": {"defaultModel": "gpt"}, "agent.json#/runner": REMOVED}
        found = [each for each in lint_example(changes) if each.code == "SF109"]
        assert [(each.severity, each.file.name) for each in found] == [("warning", "agent.json")]


@pytest.mark.parametrize("model", ["sonnet", "opus", "haiku", "{{MODEL}}", None, 7, REMOVED])
def test_models_that_are_known_or_no_models(model: Any, lint_example: Lint) -> None:
    changes = {} if model is REMOVED else {f"{FIRST}/model": model}
    assert said(lint_example(changes), "SF109") == []


def test_names_that_differ_only_in_blanks_are_the_same(lint_example: Lint) -> None:
    found = lint_example({f"{FIRST}/name": "Work ", "/steps/continuation.issue/name": "Work", f"{CLOSURE}/name": " "})
    notes = [each for each in found if each.code == "SF111"]
    assert [(each.pointer, len(each.related)) for each in notes] == [(f"{FIRST}/name", 1)]


PROGRAM = {"command": "gh", "args": ["pr", "view", "${context.issue}"]}


@pytest.mark.parametrize(
    ("step", "runner", "runtime", "severity"),
    [
        (CLOSURE, PROGRAM, None, None),
        (CLOSURE, {"command": "gh"}, None, None),
        (CLOSURE, {"command": " "}, None, "error"),
        (CLOSURE, {"args": []}, None, "error"),
        (CLOSURE, PROGRAM | {"args": ["a ${context. issue } b"]}, None, None),
        (CLOSURE, PROGRAM | {"args": ["${context.a.b}"]}, None, "error"),
        (CLOSURE, PROGRAM | {"args": ["{{ARGS}} ${context.x}", 7]}, None, None),
        (FIRST, PROGRAM, None, "error"),
        (CLOSURE, PROGRAM, "climpt-2026-04-08", "warning"),
        (CLOSURE, "gh", None, None),
    ],
)
def test_programs(step: str, runner: Any, runtime: str | None, severity: str | None, lint_example: Lint) -> None:
    found = lint_example(changed({f"{step}/runner": runner}, base="c3l"), LintSettings(runtime))
    assert [each.severity for each in found if each.code == "SF112"] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("mode", "base", "runtime", "found"),
    [
        ("dontAsk", "c3l", None, True),
        ("dontAsk", "c3l", "climpt-2026-04-08", False),
        ("dontAsk", "closing", None, False),
        ("dontAsk", "closing", "climpt-2026-04-20", True),
        ("dontAsk", "closing", "guide", True),
        ("{{MODE}}", "c3l", None, False),
        ("bypassPermissions", "c3l", None, False),
    ],
)
def test_modes_are_judged_where_they_are_read(
    mode: str, base: Base, runtime: str | None, found: bool, lint_example: Lint
) -> None:
    diagnostics = lint_example(changed({f"{FIRST}/permissionMode": mode}, base=base), LintSettings(runtime))
    assert bool(said(diagnostics, "SF113")) == found


# SF004: what only the fuller check of upstream wants


@pytest.mark.parametrize(
    ("changes", "pointer", "fields"),
    [
        ({"/c1": REMOVED}, "", "c1"),
        ({f"{FIRST}/name": "", f"{FIRST}/edition": REMOVED}, FIRST, "name, edition"),
        ({f"{CLOSURE}/uvVariables": None}, CLOSURE, "uvVariables"),
        ({"/failurePatterns": {"p": {"edition": "failed"}}}, "/failurePatterns/p", "description"),
        ({"/validators": {"v": {"failurePattern": "p"}}}, "/validators/v", "type, command, successWhen"),
        ({"/validators": {"v": {"type": "file", "failurePattern": "p"}}}, None, ""),
    ],
)
def test_fields_that_are_wanted(changes: dict[str, Any], pointer: str | None, fields: str, lint_example: Lint) -> None:
    found = [each for each in lint_example(changes) if each.code == "SF004"]
    assert [(each.severity, each.pointer) for each in found] == ([] if pointer is None else [("warning", pointer)])
    assert all(f" no {fields}:" in each.message for each in found)


@pytest.mark.parametrize(
    ("where", "value", "meant", "severity"),
    [
        (f"{FIRST}/stepKind", "wrok", '"work"', "error"),  # as bad as what follows from it
        (f"{FIRST}/type", "script", None, "warning"),
        ("/validationSteps", {"a": {"onFailure": {"maxAttempts": 0}}}, None, "warning"),
    ],
)
def test_values_outside_their_choices(
    where: str, value: Any, meant: str | None, severity: str, lint_example: Lint
) -> None:
    found = [each for each in lint_example({where: value}) if each.code == "SF004" and " has no " not in each.message]
    assert [each.severity for each in found] == [severity]
    assert [edit.text for fix in found[0].fixes for edit in fix.edits] == ([meant] if meant else [])


@pytest.mark.parametrize(
    ("base", "said"),
    [
        ("closing", "climpt-2026-03-14 runs the registry without any gate"),
        ("c3l", "climpt-2026-04-20 refuses to run without"),
    ],
)
def test_what_a_version_does_without_a_part_of_a_gate(base: Base, said: str, lint_example: Lint) -> None:
    found = lint_example(changed({f"{FIRST}/outputSchemaRef": REMOVED}, base=base))
    assert [said in each.message for each in found if each.code == "SF107"] == [True]
