"""Files as such: broken, doubled, wrongly encoded, of the wrong types, of no format."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import REMOVED, changed, whole
from stepflow_gui.lint.rules.document.sf001_syntax_error import explain
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.recovery import KINDS
from stepflow_gui.text.source import Source

from .conftest import Lint, Open

STEP = "/steps/initial.issue"


def said(diagnostics: list[Diagnostic]) -> list[tuple[str, str, str | None]]:
    return [(each.code, each.severity, each.pointer) for each in diagnostics]


# SF001


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_mistake_has_a_message_of_its_own(kind: str) -> None:
    problems = [problem for problem in read_json(Source(KINDS[kind])).problems if problem.kind == kind]
    assert problems
    message = explain(problems[0])
    assert not message.startswith("This isn't JSON"), message
    assert "{" not in message.replace("“{”", "")
    assert "detail" not in message


def test_no_two_kinds_have_the_same_text() -> None:
    messages = {
        explain(problem)
        for text in KINDS.values()
        for problem in read_json(Source(text)).problems
        if problem.kind in KINDS
    }
    assert len(messages) >= len(KINDS) - 1


def broken(old: str, new: str, file: str = "steps_registry.json") -> Any:
    """The example with a stretch of a file's text replaced."""
    path = f"schemas/{file}" if "schema" in file else file
    text = files_of(changed())[path]
    assert old in text
    return whole(text.replace(old, new, 1), file)


def test_several_mistakes_of_a_file_are_reported_where_they_are(lint_example: Lint) -> None:
    text = files_of(changed())["steps_registry.json"]
    text = text.replace('"version"', "version").replace('"c1": "steps"', "\"c1\": 'steps'")
    found = lint_example(whole(text.replace('"entryStep":', '// where it begins\n  "entryStep":')))
    assert [each.code for each in found] == ["SF001"] * 3
    places = [text.split("\n")[each.range.start.line - 1].strip()[:8] for each in found[:2]]
    assert places == ["version:", '"c1": \'s']


def test_after_a_harmless_mistake_the_other_rules_still_speak(lint_example: Lint) -> None:
    example = broken('"target": "continuation.issue"', '"target": "continuation.isue",')
    assert [each.code for each in lint_example(example)] == ["SF301", "SF001"]


def test_a_file_cut_off_is_one_finding_and_no_false_alarm(lint_example: Lint) -> None:
    text = files_of(changed())["steps_registry.json"]
    for part in range(1, 9):
        found = lint_example(whole(text[: len(text) * part // 9]))
        assert {each.code for each in found} == {"SF001"}, [each.message for each in found]


def test_a_conflict_is_reported_once(lint_example: Lint) -> None:
    example = broken(
        '  "entryStep": "initial.issue",\n',
        '<<<<<<< ours\n  "entryStep": "initial.issue",\n=======\n  "entryStep": "closure.issue",\n>>>>>>> theirs\n',
    )
    assert [each.code for each in lint_example(example)] == ["SF001"]


def test_a_broken_schema_file_is_reported_in_the_schema_file(lint_example: Lint) -> None:
    found = lint_example(broken('"enum": [', '"enum": [,', "issue.schema.json"))
    assert [(each.code, each.file.name, each.format) for each in found] == [("SF001", "issue.schema.json", "closing")]


def test_a_broken_agent_json_is_reported_there(lint_example: Lint) -> None:
    found = lint_example(broken('"poll:state",', '"poll:state"', "agent.json"))
    assert [(each.code, each.file.name) for each in found] == [("SF001", "agent.json")]


def test_an_empty_file_is_one_finding(lint_example: Lint) -> None:
    found = lint_example(whole(""))
    assert said(found) == [("SF001", "error", "")]
    assert found[0].message == "The file is empty"


# SF002


def test_a_duplicate_step_is_reported_with_both_places(lint_example: Lint) -> None:
    (found,) = lint_example(broken('"continuation.issue": {', '"continuation.issue": {}, "continuation.issue": {'))
    assert (found.code, found.pointer, found.step) == ("SF002", "/steps/continuation.issue", "continuation.issue")
    assert found.related[0].range.start < found.range.start


def test_a_key_three_times_is_two_findings(lint_example: Lint) -> None:
    found = lint_example(broken('"c1": "steps",', '"c1": "a", "c1": "b", "c1": "steps",'))
    assert [each.code for each in found] == ["SF002", "SF002"]
    assert found[1].related[0].range == found[0].range


# SF003


def written(tmp_path: Path, data: bytes, name: str = "steps_registry.json") -> list[Diagnostic]:
    for file, text in files_of(changed()).items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(data if file == name else text.encode("utf-8"))
    agent = open_agent(tmp_path / "steps_registry.json")
    assert isinstance(agent, AgentFolder)
    return lint(agent)


def test_a_byte_order_mark_is_a_warning_and_counts_nowhere(tmp_path: Path) -> None:
    (found,) = written(tmp_path, b"\xef\xbb\xbf" + files_of(changed())["steps_registry.json"].encode("utf-8"))
    assert (found.code, found.severity, found.range.start) == ("SF003", "warning", (1, 1, 0))


def test_odd_escapes_are_reported_once_for_each_value(tmp_path: Path) -> None:
    sound = files_of(changed({"/x-a": ["@", "sound", "@"], "/x-b": "@"}))["steps_registry.json"]
    text = sound.replace('"@"', r'"\u0000 \u0000 \ud800"')
    found = [each for each in written(tmp_path, text.encode("utf-8")) if each.code == "SF003"]
    assert [each.pointer for each in found] == ["/x-a/0", "/x-a/2", "/x-b"]
    assert len({each.range.start.offset for each in found}) == len(found)


@pytest.mark.parametrize("name", ["steps_registry.json", "schemas/issue.schema.json"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_another_encoding_without_a_mark_is_reported_once(encoding: str, name: str, tmp_path: Path) -> None:
    (found,) = written(tmp_path, files_of(changed())[name].encode(encoding), name)
    assert (found.code, found.severity, found.file.name) == ("SF003", "error", Path(name).name)
    assert found.message.startswith(f"The file is {encoding[:6].upper()}: ")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_another_encoding_with_its_mark_is_named(encoding: str, tmp_path: Path) -> None:
    name = "schemas/issue.schema.json"
    (found,) = written(tmp_path, files_of(changed())[name].encode(encoding), name)
    assert (found.code, found.severity) == ("SF003", "error")
    assert found.message.startswith(f"The file is {encoding.upper()}: ")


def test_a_prompt_that_is_no_utf8_is_reported(tmp_path: Path) -> None:
    name = "prompts/steps/initial/issue/f_default.md"
    assert name in files_of(changed())
    found = written(tmp_path, "# é\n".encode() + b"{uv-issue}\xff\n", name)
    (odd,) = (each for each in found if each.code == "SF003")
    assert (odd.severity, odd.file, odd.range.start) == ("warning", tmp_path / name, (2, 11, 14))
    assert odd.message.startswith("The prompt isn't UTF-8 from here on")


@pytest.mark.parametrize(
    ("escape", "wrong"),
    [
        (r"\u0000", True),
        (r"\ud83d", True),
        (r"\ude00", True),
        (r"\ud83d\u0041", True),
        (r"\ud83d\ude00", False),
        (r"\\ud83d", False),
        (r"\\\u0000", True),
        (r"\u00e9", False),
    ],
)
def test_escapes_of_what_no_text_can_hold_are_warnings(escape: str, wrong: bool, lint_example: Lint) -> None:
    found = lint_example(broken('"initial issue"', f'"{escape}"'))
    assert [(each.code, each.severity) for each in found] == ([("SF003", "warning")] if wrong else [])
    assert [each.pointer for each in found] == ([f"{STEP}/name"] if wrong else [])


def test_a_schema_file_that_is_no_utf8_is_reported_at_the_first_bad_byte(tmp_path: Path) -> None:
    (found,) = written(tmp_path, '{\r\n  "é": "'.encode() + b'\xff"}', "schemas/issue.schema.json")
    assert (found.code, found.severity, found.file.name) == ("SF003", "error", "issue.schema.json")
    assert found.range.start == (2, 9, 11)


# SF004 and SF008

VALIDATION = {"stepId": "closure.issue", "name": "Checks", "c2": "retry", "c3": "issue"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "SF004"),
        ('"steps"', "SF004"),
        ("7", "SF004"),
        ('{"agentId": "a", "entryStep": "b"}', "SF004"),
        ('{"steps": []}', "SF004"),
        ('{"name": "x"}', "SF008"),
        ("{}", "SF008"),
    ],
)
def test_what_is_no_registry_is_reported_once(text: str, code: str, lint_example: Lint) -> None:
    found = lint_example(whole(text))
    assert [(each.code, each.severity) for each in found] == [(code, "error")]
    assert found[0].format is None


@pytest.mark.parametrize(
    ("where", "value", "severity"),
    [
        (STEP, 7, "error"),
        (STEP, None, "error"),
        (STEP, [], "error"),
        (f"{STEP}/structuredGate", "gate", "error"),
        (f"{STEP}/structuredGate/allowedIntents", "next", "error"),
        (f"{STEP}/structuredGate/handoffFields", {}, "warning"),
        (f"{STEP}/transitions", ["next"], "warning"),
        (f"{STEP}/transitions/next", "continuation.issue", "warning"),
        (f"{STEP}/transitions/next/target", 7, "warning"),
        (f"{STEP}/transitions/next", {"condition": 1, "targets": {}}, "error"),
        (f"{STEP}/transitions/next", {"condition": "a", "targets": []}, "error"),
        (f"{STEP}/transitions/next", {"condition": "a", "targets": {"b": 1}}, "error"),
        (f"{STEP}/transitions/repeat", {}, "warning"),
        ("/steps/continuation.issue/transitions/next", "continuation.issue", "error"),
        (f"{STEP}/outputSchemaRef", "issue.schema.json", "error"),
        (f"{STEP}/name", 7, "warning"),
        (f"{STEP}/edition", True, "warning"),
        (f"{STEP}/uvVariables", "issue", "warning"),
        (f"{STEP}/uvVariables", ["issue", 7], "warning"),
        (f"{STEP}/usesStdin", "no", "warning"),
        (f"{STEP}/fallbackKey", 7, "warning"),
        ("/validators", [], "warning"),
        ("/validators", {"git-clean": "command"}, "warning"),
        ("/validationSteps", {"closure.issue": VALIDATION | {"onFailure": {"maxAttempts": "3"}}}, "warning"),
        ("/validationSteps", {"closure.issue": VALIDATION | {"onFailure": {"maxAttempts": 1e400}}}, "warning"),
        ("/agentId", "", "error"),
        ("/agentId", REMOVED, "error"),
        ("/version", REMOVED, "error"),
        ("/entryStepMapping", "initial.issue", "warning"),
    ],
)
def test_a_wrong_type_is_one_finding_at_its_place(where: str, value: Any, severity: str, lint_example: Lint) -> None:
    found = [each for each in lint_example({where: value}) if each.code == "SF004"]
    assert [each.severity for each in found] == [severity], [each.message for each in found]
    assert (found[0].pointer or "").startswith("" if value is REMOVED else where)


@pytest.mark.parametrize("field", ["stepKind", "fallbackKey"])
def test_null_is_absent(field: str, lint_example: Lint) -> None:
    assert [each for each in lint_example({f"{STEP}/{field}": None}) if each.code == "SF004"] == []


@pytest.mark.parametrize("field", ["adaptation", "description", "model", "structuredGate/failFast"])
def test_null_is_no_value_of_a_field_that_may_be_left_out(field: str, lint_example: Lint) -> None:
    (found,) = lint_example({f"{STEP}/{field}": None})
    assert (found.code, found.severity, found.pointer) == ("SF004", "warning", f"{STEP}/{field}")
    assert found.message.endswith("a run treats it as missing, “climpt --validate” (climpt-2026-03-14) refuses it")
    assert [fix.title for fix in found.fixes] == [f"Remove “{field.rpartition('/')[2]}”"]


def test_a_step_that_is_not_an_object_is_still_a_target(lint_example: Lint) -> None:
    assert said(lint_example({"/steps/closure.issue": 7})) == [("SF004", "error", "/steps/closure.issue")]


def test_deep_and_long_files_end_in_diagnostics(open_example: Open) -> None:
    for text in ("[" * 100_000, '{"steps":' * 50_000, '{"steps": {"a": "' + "x" * 2_000_000 + '"}}'):
        found = lint(open_example(whole(text)))
        assert found
        assert {each.code for each in found} <= {"SF001", "SF004", "SF008", "SF401"}
