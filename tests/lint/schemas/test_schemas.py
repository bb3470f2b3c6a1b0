"""Output schemas: missing files and names, references, metaschemas, what leaves the project. Odd cases."""

import json
import subprocess
import sys
from typing import Any

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, Example, changed
from stepflow_gui.text.source import Source
from tests.lint.conftest import Lint, Open

STEP = "/steps/initial.issue"
REF = f"{STEP}/outputSchemaRef"
SCHEMA = "issue.schema.json#/initial.issue"
PROPERTIES = f"{SCHEMA}/properties"
OLDER = LintSettings("climpt-2026-03-14")
NEWEST = LintSettings("climpt-2026-04-20")


def of(found: list[Diagnostic], code: str) -> list[Diagnostic]:
    return [each for each in found if each.code == code]


def one(found: list[Diagnostic], code: str) -> Diagnostic:
    (each,) = of(found, code)
    return each


# SF701, SF702


def test_a_missing_file_is_reported_once_and_written_for_all_its_steps(open_example: Open) -> None:
    agent = open_example({f"/steps/{step}.issue/outputSchemaRef/file": "gone.json" for step in ("initial", "closure")})
    found = one(lint(agent), "SF701")
    assert "“.agent/issue-flow/schemas/gone.json”" in found.message
    assert [related.pointer for related in found.related] == ["/steps/closure.issue/outputSchemaRef/file"]
    (edit,) = found.fixes[-1].edits
    assert list(json.loads(edit.text)) == ["initial.issue", "closure.issue"]
    assert lint(agent.with_buffers({edit.file: Source(edit.text)})) == []


def test_the_other_places_that_were_looked_at_are_reported(lint_example: Lint) -> None:
    found = one(lint_example({"/schemasBase": "schemas", f"{REF}/file": "gone.json"}), "SF701")
    assert "“schemas/gone.json”" in found.message
    assert [related.message for related in found.related] == ["“.agent/issue-flow/schemas/gone.json” was read as well"]


def test_without_a_gate_the_model_is_asked_without_a_schema(lint_example: Lint) -> None:
    section = {"stepId": "section.a", "outputSchemaRef": {"file": "gone.json", "schema": "a"}}
    found = one(lint_example({"/steps/section.a": section}), "SF701")
    assert (found.severity, "without a schema" in found.message) == ("warning", True)


@pytest.mark.parametrize("file", ["{{FILE}}.json", 5])
def test_a_name_still_to_be_filled_in_or_of_another_type_is_left_to_others(file: Any, lint_example: Lint) -> None:
    assert not of(lint_example({f"{REF}/file": file}), "SF701")


@pytest.mark.parametrize(
    ("ref", "code"),
    [({}, "SF701"), ({"schema": "a"}, "SF701"), ({"file": "issue.schema.json"}, "SF702"), ({"file": ""}, "SF701")],
)
def test_a_reference_names_both_file_and_schema(ref: dict[str, str], code: str, lint_example: Lint) -> None:
    found = lint_example({REF: ref})
    assert {each.code for each in found} & {"SF701", "SF702"} == {code}
    assert not any("{" in each.message for each in found)
    assert one(found, code).severity == "error"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("#/definitions/initial.issue", "initial.issue"),
        ("#//initial.issue", "#/initial.issue"),
        ("##/initial.issue", "#/initial.issue"),
        ("#/initial.isue", "initial.issue"),
        ("something else", None),
    ],
)
def test_the_name_that_was_meant_is_one_that_can_be_looked_up(name: str, meant: str | None, lint_example: Lint) -> None:
    found = one(lint_example({f"{REF}/schema": name}), "SF702")
    written = [json.loads(fix.edits[0].text) for fix in found.fixes]
    if meant is None:
        assert written == []
    else:
        assert not of(lint_example({f"{REF}/schema": written[0]}), "SF702")
        assert written[0].removeprefix("#/") == meant.removeprefix("#/")


def test_a_file_that_is_no_object_holds_no_schema(open_example: Open) -> None:
    agent = open_example(Example({}, {"issue.schema.json": "[]"}))
    assert [each.code for each in lint(agent)] == ["SF702"] * 3


def test_a_schema_file_with_a_syntax_error_has_that_one_only(open_example: Open) -> None:
    agent = open_example(Example({}, {"issue.schema.json": '{"initial.issue": }'}))
    assert {each.code for each in lint(agent)} == {"SF001"}


# SF703


def test_a_clean_schema_is_not_held_against_a_metaschema(open_example: Open) -> None:
    folder = open_example().folder
    code = (
        "import sys; from pathlib import Path; from stepflow_gui.lint.engine.engine import lint;"
        " from stepflow_gui.project.agent_folder import open_agent;"
        f" print(len(lint(open_agent(Path({str(folder)!r})))), 'jsonschema' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout.split() == ["0", "False"]


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": ["string", "text"]}, "type"),
        ({"type": "object", "required": "action"}, "required"),
        ({"type": "object", "required": ["a", "a"]}, "required"),
        ({"properties": {"a": "string"}}, "properties"),
        ({"anyOf": []}, "anyOf"),
        ({"minLength": -1}, "minLength"),
        ({"exclusiveMinimum": True}, "exclusiveMinimum"),
        ({"enum": "next"}, "enum"),
        ({"description": 5}, "description"),
        ({"pattern": "(a"}, "pattern"),
        ({"pattern": "a**"}, "pattern"),
    ],
)
def test_what_the_metaschema_refuses_is_reported_at_its_keyword(
    schema: dict[str, Any], keyword: str, lint_example: Lint
) -> None:
    found = one(lint_example({f"{PROPERTIES}/odd": schema}), "SF703")
    assert found.pointer == f"/initial.issue/properties/odd/{keyword}"
    assert f"“{keyword}”" in found.message


@pytest.mark.parametrize("pattern", ["^(?<year>[0-9]{4})$", "[[a]", "(?<=a+)b", "a{", "{{PATTERN}}("])
def test_patterns_are_read_as_javascript_does(pattern: str, lint_example: Lint) -> None:
    assert not of(lint_example({f"{PROPERTIES}/odd": {"pattern": pattern}}), "SF703")


@pytest.mark.parametrize(
    ("draft", "schema", "wrong"),
    [
        ("http://json-schema.org/draft-04/schema#", {"exclusiveMinimum": True, "minimum": 1}, False),
        ("http://json-schema.org/draft-07/schema#", {"items": [{"type": "string"}]}, False),
        ("https://json-schema.org/draft/2020-12/schema", {"items": [{"type": "string"}]}, True),
    ],
)
def test_the_file_names_the_draft(draft: str, schema: dict[str, Any], wrong: bool, lint_example: Lint) -> None:
    found = lint_example({"issue.schema.json#/$schema": draft, f"{PROPERTIES}/odd": schema})
    assert bool(of(found, "SF703")) == wrong


def test_a_schema_that_no_step_uses_is_not_reported(lint_example: Lint) -> None:
    assert lint_example({"issue.schema.json#/example": {"type": "text", "$ref": "#/absent"}}) == []


# SF704 to SF706


def test_the_path_to_a_dangling_reference_is_shown_and_steps_share_the_finding(open_example: Open) -> None:
    shared = {"note": {"type": "object", "properties": {"by": {"$ref": "#/autor"}}}, "author": {"type": "string"}}
    agent = open_example(
        Example(
            {
                f"{PROPERTIES}/note": {"$ref": "shared.json#/note"},
                "issue.schema.json#/closure.issue/properties/note": {"$ref": "shared.json#/note"},
            },
            {"schemas/shared.json": json.dumps(shared)},
        )
    )
    found = one(lint(agent), "SF704")
    assert (found.file.name, found.pointer) == ("shared.json", "/note/properties/by/$ref")
    assert [(related.file.name, related.pointer) for related in found.related] == [
        ("steps_registry.json", f"{REF}/schema"),
        ("issue.schema.json", "/initial.issue/properties/note/$ref"),
    ]
    assert [fix.edits[0].text for fix in found.fixes] == ['"#/author"']


def test_a_reference_into_a_missing_file_offers_one_that_is_there(lint_example: Lint) -> None:
    found = one(lint_example({f"{PROPERTIES}/note": {"$ref": "isue.schema.json#/closure.issue"}}), "SF704")
    assert "there is no file isue.schema.json" in found.message
    assert [fix.edits[0].text for fix in found.fixes] == ['"issue.schema.json#/closure.issue"']


def test_nothing_else_is_reported_of_a_schema_that_cannot_be_read_in_full(lint_example: Lint) -> None:
    """`type` would be SF703, `maxLength` SF708."""
    odd = {"type": "text", "maxLength": 3}
    found = lint_example({f"{PROPERTIES}/note": {"$ref": "#/absent"}, f"{PROPERTIES}/odd": odd})
    assert [each.code for each in found] == ["SF704"]


def test_a_circle_is_as_bad_as_the_era_has_it(lint_example: Lint) -> None:
    circle = {
        "issue.schema.json#/task": {"type": "object", "properties": {"parent": {"$ref": "#/task"}}},
        f"{PROPERTIES}/task": {"$ref": "#/task"},
    }
    older = one(lint_example(circle, OLDER), "SF705")
    assert (older.severity, "climpt-2026-03-14 puts an empty schema here" in older.message) == ("warning", True)
    newer = one(lint_example(circle, NEWEST), "SF705")
    assert (newer.severity, "climpt-2026-04-20 refuses" in newer.message) == ("error", True)
    assert not of(lint_example(circle, NEWEST), "SF709")


def test_a_url_is_never_fetched_and_refused_only_for_steps_with_a_gate(lint_example: Lint) -> None:
    remote = {"$ref": "https://example.invalid/schema.json"}
    section = {"stepId": "section.a", "outputSchemaRef": {"file": "issue.schema.json", "schema": "a"}}
    found = lint_example({"/steps/section.a": section, "issue.schema.json#/a": {"properties": {"x": remote}}})
    assert one(found, "SF706").severity == "warning"
    assert one(lint_example({f"{PROPERTIES}/x": remote}), "SF706").severity == "error"


# SF707


def test_a_path_may_go_up_as_long_as_it_stays(lint_example: Lint) -> None:
    assert lint_example({f"{REF}/file": "../../issue-flow/schemas/issue.schema.json"}) == []


def test_a_link_that_points_outside_does_not_stay(open_example: Open, tmp_path_factory: pytest.TempPathFactory) -> None:
    agent = open_example()
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "other.json"
    elsewhere.write_bytes((agent.registry.path.parent / "schemas" / "issue.schema.json").read_bytes())
    (agent.registry.path.parent / "schemas" / "linked.json").symlink_to(elsewhere)
    found = one(lint(open_example({f"{REF}/file": "linked.json"})), "SF707")
    assert found.pointer == f"{REF}/file"


@pytest.mark.parametrize(
    ("where", "pointer"),
    [
        ("/schemasBase", "/schemasBase"),
        ("/userPromptsBase", "/userPromptsBase"),
        (f"{STEP}/c2", f"{STEP}/c2"),
        ("agent.json#/runner/flow/systemPromptPath", "/runner/flow/systemPromptPath"),
        ("agent.json#/runner/verdict/config/handlerPath", "/runner/verdict/config/handlerPath"),
    ],
)
def test_each_path_that_points_outside_is_reported_once(where: str, pointer: str, lint_example: Lint) -> None:
    found = one(lint_example({where: "../../../../../../../../../../outside"}), "SF707")
    assert (found.pointer, found.severity) == (pointer, "error")


def test_placeholders_have_no_target_yet(lint_example: Lint) -> None:
    assert not of(lint_example({"/schemasBase": "../../../../../../{{BASE}}"}), "SF707")


# SF708


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": "object", "additionalProperties": True}, "additionalProperties"),
        ({"type": "array", "minItems": 2}, "minItems"),
        ({"oneOf": [{"type": "string"}]}, "oneOf"),
        ({"enum": [{"a": 1}]}, "enum"),
        ({"type": "string", "format": "color"}, "format"),
        ({"type": "string", "pattern": "^(?!x)"}, "pattern"),
        ({"anyOf": [{"type": "number", "minimum": 0}]}, "minimum"),
    ],
)
def test_what_structured_outputs_do_not_take(schema: dict[str, Any], keyword: str, lint_example: Lint) -> None:
    found = one(lint_example({f"{PROPERTIES}/odd": schema}), "SF708")
    assert f"“{keyword}”" in found.message


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "minItems": 1, "items": {"type": "string", "format": "date"}},
        {"type": "object", "additionalProperties": False, "properties": {"minimum": {"type": "number"}}},
        {"type": "string", "pattern": "^[a-z]+$", "default": {"maxLength": 3}},
        {"const": "x", "title": "X", "examples": ["x"]},
    ],
)
def test_what_structured_outputs_take(schema: dict[str, Any], lint_example: Lint) -> None:
    assert lint_example({f"{PROPERTIES}/fine": schema}) == []


# SF709

NOTE = {"$ref": "#/note"}
DEFINED = {"issue.schema.json#/note": {"type": "string"}, "issue.schema.json#/list": {"type": "array", "items": NOTE}}


@pytest.mark.parametrize(
    ("properties", "again"),
    [
        ({"a": NOTE, "b": NOTE}, "/b/$ref"),
        ({"a": {"type": "object", "properties": {"x": NOTE}}, "b": NOTE}, "/b/$ref"),
        ({"a": {"$ref": "#/list"}, "b": NOTE}, "/list/items/$ref"),  # beside each other and inside one another
        ({"a": {"allOf": [NOTE], "properties": {"x": NOTE}}}, "/a/properties/x/$ref"),
        ({"a": NOTE, "b": {"$ref": "issue.schema.json#/note"}}, None),  # remembered by its text
        ({"a": {"$ref": "#/list"}}, None),
        ({"a": {"$ref": "#/list"}, "b": {"allOf": [{}], "items": NOTE}}, None),  # may come later or sooner
    ],
)
def test_a_reference_met_again(properties: dict[str, Any], again: str | None, lint_example: Lint) -> None:
    changes = DEFINED | {f"{PROPERTIES}/{name}": schema for name, schema in properties.items()}
    found = of(lint_example(changes, NEWEST), "SF709")
    if again is None:
        assert found == []
    else:
        pointer = again if again.startswith("/list") else f"/initial.issue/properties{again}"
        assert [(each.severity, each.pointer) for each in found] == [("error", pointer)]


def test_before_it_was_refused_an_empty_schema_took_its_place(lint_example: Lint) -> None:
    changes = DEFINED | {f"{PROPERTIES}/a": NOTE, f"{PROPERTIES}/b": NOTE}
    found = one(lint_example(changes, OLDER), "SF709")
    assert (found.severity, "empty schema" in found.message) == ("warning", True)


def test_written_out_it_is_met_once(open_example: Open) -> None:
    agent = open_example(changed(DEFINED | {f"{PROPERTIES}/a": NOTE, f"{PROPERTIES}/b": NOTE}))
    (fix,) = one(lint(agent, NEWEST), "SF709").fixes
    (edit,) = fix.edits
    assert json.loads(edit.text) == {"type": "string"}


def test_a_ladder_of_references_ends(lint_example: Lint) -> None:
    """Each rung has two paths to the next: 2 to the power of 24 paths in all."""
    rungs: dict[str, Any] = {}
    for rung in range(24):
        for side in ("a", "b"):
            rungs[f"issue.schema.json#/{side}{rung}"] = {"items": {"$ref": f"#/r{rung + 1}"}}
        both = {"properties": {side: {"$ref": f"#/{side}{rung}"} for side in ("a", "b")}}
        rungs[f"issue.schema.json#/r{rung}"] = both
    rungs["issue.schema.json#/r24"] = {"type": "string"}
    assert not of(lint_example(rungs | {f"{PROPERTIES}/ladder": {"$ref": "#/r0"}}, NEWEST), "SF709")


def test_removed_is_no_reference(lint_example: Lint) -> None:
    """Without outputSchemaRef there is nothing to look at."""
    found = lint_example({REF: REMOVED})
    assert not [each for each in found if each.code.startswith("SF7")]
