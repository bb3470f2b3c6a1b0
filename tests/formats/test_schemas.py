"""Output schemas are resolved as the runner does it, and every value knows the file and place it came from."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.formats.climpt.schema_merge import Resolver
from stepflow_gui.formats.climpt.schemas import StepSchema, resolve_step
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source

POINTER = "#/properties/next_action/properties/action"


def flow_with(ref: Any = None, **gate: Any) -> Flow:
    step: dict[str, Any] = {"structuredGate": {"allowedIntents": ["next"], "intentField": "next_action.action", **gate}}
    if ref is not None:
        step["outputSchemaRef"] = ref
    text = json.dumps({"steps": {"initial.issue": step}}, indent=2)
    return read_registry(ParsedFile.read(Path("/agent/steps_registry.json"), Source(text)), "closing")


class Folder:
    """Schema files in memory; remembers what was asked for."""

    def __init__(self, **files: Any) -> None:
        self.asked: list[str] = []
        self.documents = {
            name.replace("_", ".") + ".json": ParsedFile.read(
                Path("/agent/schemas") / (name.replace("_", ".") + ".json"),
                Source(value if isinstance(value, str) else json.dumps(value, indent=2)),
            )
            for name, value in files.items()
        }

    def load(self, file: str, beside: ParsedFile | None) -> ParsedFile | ReadProblem:
        self.asked.append(file)
        return self.documents.get(file) or ReadProblem("missing", Path("/agent/schemas") / file)


def action(*intents: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"next_action": {"type": "object", "properties": {"action": {"enum": list(intents)}}}},
        **more,
    }


def resolve(folder: Folder, schema: str = "initial.issue", file: str = "s.json", **gate: Any) -> StepSchema:
    flow = flow_with({"file": file, "schema": schema}, **({"intentSchemaRef": POINTER} | gate))
    return resolve_step(flow.steps["initial.issue"], flow.document, Resolver(folder.load))


def values(schema: StepSchema) -> list[Any]:
    return [value.value for value in schema.enum]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("initial.issue", {"initial.issue": action("next")}),
        ("initial.issue", {"definitions": {"initial.issue": action("next")}, "initial.issue": action("other")}),
        ("initial.issue", {"$defs": {"initial.issue": action("next")}, "initial.issue": action("other")}),
        ("initial.issue", {"definitions": {"initial.issue": 3}, "$defs": {"initial.issue": action("next")}}),
        ("#initial.issue", {"initial.issue": action("next")}),
        ("#/definitions/initial.issue", {"definitions": {"initial.issue": action("next")}}),
        ("/definitions/initial.issue", {"definitions": {"initial.issue": action("next")}}),
        ("#/a/1", {"a": [{}, action("next")]}),
        ("#/", action("next")),
        ("#", action("next")),
    ],
)
def test_names_are_looked_up_as_the_runner_does(name: str, file: Any) -> None:
    schema = resolve(Folder(s=file), name)
    assert schema.problem is None
    assert values(schema) == ["next"]


def test_the_enum_knows_its_place() -> None:
    folder = Folder(s={"initial.issue": action("next", "repeat")})
    schema = resolve(folder)
    text = folder.documents["s.json"].source.text
    assert schema.enum_place is not None
    assert schema.enum_place.document is folder.documents["s.json"]
    assert schema.enum_place.pointer == "/initial.issue/properties/next_action/properties/action/enum"
    assert [text[place.span.start : place.span.end] for _, place in schema.enum] == ['"next"', '"repeat"']


def test_what_is_no_string_is_kept_apart() -> None:
    schema = resolve(Folder(s={"initial.issue": action("next", 5, None)}))
    assert values(schema) == ["next", 5, None]
    assert [value.value for value in schema.intents] == ["next"]


def test_a_ref_goes_into_the_other_file() -> None:
    folder = Folder(
        s={"initial.issue": {"allOf": [{"$ref": "common.json#/$defs/step"}]}},
        common={
            "$defs": {"step": {"properties": {"next_action": {"$ref": "#/$defs/next"}}}, "next": next_action("jump")}
        },
    )
    schema = resolve(folder)
    assert values(schema) == ["jump"]
    assert schema.enum[0].place.document.path.name == "common.json"
    assert schema.enum[0].place.pointer == "/$defs/next/properties/action/enum/0"


def next_action(*intents: str) -> dict[str, Any]:
    return {"properties": {"action": {"enum": list(intents)}}}


def test_own_properties_win_over_those_of_all_of_members_and_later_members_over_earlier() -> None:
    file = {
        "definitions": {
            "a": action("next"),
            "b": action("repeat"),
            "own": {"allOf": [{"$ref": "#/definitions/a"}], **action("jump")},
            "members": {"allOf": [{"$ref": "#/definitions/a"}, {"$ref": "#/definitions/b"}]},
        }
    }
    assert values(resolve(Folder(s=file), "own")) == ["jump"]
    assert values(resolve(Folder(s=file), "members")) == ["repeat"]


def test_of_other_keywords_the_first_stays_so_a_member_s_enum_wins() -> None:
    inner = {"allOf": [{"enum": ["next"]}], "enum": ["jump"], "description": "own"}
    file = {"initial.issue": {"properties": {"next_action": {"properties": {"action": inner}}}}}
    schema = resolve(Folder(s=file))
    assert values(schema) == ["next"]
    assert schema.value["properties"]["next_action"]["properties"]["action"] == {"enum": ["next"], "description": "own"}


def test_required_is_united() -> None:
    file = {"initial.issue": {"allOf": [{"required": ["a", "b"]}, {"required": ["c"]}], "required": ["b", "d"]}}
    assert resolve(Folder(s=file)).value == {"required": ["a", "b", "c", "d"]}


def test_what_stands_beside_a_ref_is_dropped() -> None:
    file = {"initial.issue": {"$ref": "#/definitions/a", "title": "gone"}, "definitions": {"a": action("next")}}
    assert "title" not in resolve(Folder(s=file)).value


def test_objects_are_closed_before_they_are_merged() -> None:
    file = {
        "definitions": {"a": {"type": "object"}},
        "initial.issue": {"allOf": [{"$ref": "#/definitions/a"}], "additionalProperties": True},
        "other": {"properties": {"x": {"type": "object", "additionalProperties": True}}},
    }
    assert resolve(Folder(s=file)).value["additionalProperties"] is False
    other = resolve(Folder(s=file), "other").value
    assert other["additionalProperties"] is False
    assert other["properties"]["x"]["additionalProperties"] is True


def test_without_a_pointer_the_enum_is_found_along_the_field() -> None:
    schema = resolve(Folder(s={"initial.issue": action("next")}), intentSchemaRef=None)
    assert values(schema) == ["next"]
    assert schema.through_field
    listed = {"initial.issue": {"properties": {"list": {"items": {"properties": {"do": {"enum": ["next"]}}}}}}}
    assert values(resolve(Folder(s=listed), intentSchemaRef=None, intentField="list.0.do")) == ["next"]


def test_fields_and_whether_they_are_required() -> None:
    inner = {"type": "object", "required": ["understanding"], "properties": {"understanding": {}, "approach": {}}}
    file = {"initial.issue": {"properties": {"analysis": inner, "free": {}}, "allOf": [{"required": ["analysis"]}]}}
    schema = resolve(Folder(s=file))
    assert schema.field("analysis.approach") is not None
    assert schema.field("analysis.nothing") is None
    assert schema.requires("analysis.understanding")
    assert not schema.requires("analysis.approach")
    assert not schema.requires("free")


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ({"other": {}}, "name-missing"),
        ({"initial.issue": "text"}, "name-missing"),
        ("{ not json", "file-invalid"),
        ("", "file-invalid"),
        ("[]", "file-invalid"),
        ({"initial.issue": {"$ref": "#/definitions/none"}}, "ref-dangling"),
        ({"initial.issue": {"$ref": "gone.json#/a"}}, "ref-dangling"),
        ({"initial.issue": {"allOf": [{"$ref": "#/definitions/none"}], **action("next")}}, "ref-dangling"),
        ({"initial.issue": {"$ref": "https://example.org/s.json#/a"}}, "remote-ref"),
        ({"initial.issue": {"$ref": "#/initial.issue"}}, "ref-cycle"),
        ({"initial.issue": {"allOf": [{"$ref": "#/b"}]}, "b": {"$ref": "#/initial.issue"}}, "ref-cycle"),
        ({"initial.issue": {"properties": {}}}, "pointer-dangling"),
        ({"initial.issue": {"properties": {"next_action": {"properties": {"action": {}}}}}}, "no-enum"),
        ({"initial.issue": {"properties": {"next_action": {"properties": {"action": {"enum": "x"}}}}}}, "no-enum"),
    ],
)
def test_problems_are_distinguished(file: Any, kind: str) -> None:
    schema = resolve(Folder(s=file))
    assert schema.problem is not None
    assert schema.problem.kind == kind
    assert schema.enum == []
    assert isinstance(schema.value, dict)


@pytest.mark.parametrize(
    ("ref", "kind"),
    [
        (None, "no-ref"),
        ({}, "ref-incomplete"),
        ("s.json", "ref-incomplete"),
        ({"file": "s.json"}, "ref-incomplete"),
        ({"file": 3, "schema": "x"}, "ref-incomplete"),
        ({"file": "gone.json", "schema": "x"}, "file-missing"),
        ({"file": "s.json", "schema": "##/definitions/x"}, "name-malformed"),
        ({"file": "s.json", "schema": "#//definitions/x"}, "name-malformed"),
        ({"file": "s.json", "schema": "#/definitions/x/y"}, "name-missing"),
    ],
)
def test_problems_of_the_reference(ref: Any, kind: str) -> None:
    flow = flow_with(ref)
    schema = resolve_step(
        flow.steps["initial.issue"], flow.document, Resolver(Folder(s={"definitions": {"y": {}}}).load)
    )
    assert schema.problem is not None
    assert schema.problem.kind == kind
    assert schema.problem.place.document is flow.document


def test_a_name_that_is_missing_offers_those_that_are_there() -> None:
    schema = resolve(Folder(s={"$schema": "x", "definitions": {"initial.isue": {}}, "top": {}}))
    assert schema.problem is not None
    assert schema.problem.names == ("initial.isue", "top")


def test_without_pointer_and_field_there_is_no_path_to_the_enum() -> None:
    schema = resolve(Folder(s={"initial.issue": action("next")}), intentSchemaRef=None, intentField=None)
    assert schema.problem is not None
    assert schema.problem.kind == "no-path"


def test_a_dangling_ref_shows_the_path_to_it() -> None:
    folder = Folder(
        s={"initial.issue": {"properties": {"next_action": {"$ref": "#/b"}}}, "b": {"$ref": "common.json#/c"}},
        common={"c": {"$ref": "#/none"}},
    )
    problem = resolve(folder).problem
    assert problem is not None
    assert problem.detail == "#/none"
    assert [(place.document.path.name, place.pointer) for place in problem.chain] == [
        ("s.json", "/initial.issue/properties/next_action/$ref"),
        ("s.json", "/b/$ref"),
    ]
    assert (problem.place.document.path.name, problem.place.pointer) == ("common.json", "/c/$ref")
    assert problem.file == Path("/agent/schemas/common.json")


def test_faults_outside_the_path_to_the_enum_keep_nothing_from_being_read() -> None:
    file = {
        "initial.issue": {
            "properties": {
                **action("next")["properties"],
                "tree": {"$ref": "#/tree"},
                "gone": {"$ref": "#/none"},
                "web": {"$ref": "https://example.org/x"},
            }
        },
        "tree": {"properties": {"child": {"$ref": "#/tree"}}},
    }
    schema = resolve(Folder(s=file))
    assert schema.problem is None
    assert sorted(fault.kind for fault in schema.faults) == ["ref-cycle", "ref-dangling", "remote-ref"]
    cycle = next(fault for fault in schema.faults if fault.kind == "ref-cycle")
    assert cycle.place.pointer == "/tree/properties/child/$ref"


def test_nothing_else_is_loaded_and_each_file_once() -> None:
    folder = Folder(
        s={"initial.issue": {"allOf": [{"$ref": "common.json#/a"}, {"$ref": "common.json#/b"}]}},
        common={"a": action("next"), "b": {}},
    )
    assert values(resolve(folder)) == ["next"]
    assert folder.asked == ["s.json", "common.json"]


def test_refs_that_fan_out_take_no_longer_than_the_file_is_long() -> None:
    doubled: dict[str, Any] = {f"n{n}": {"allOf": [{"$ref": f"#/n{n + 1}"}] * 3} for n in range(20)}
    wide: dict[str, Any] = {f"w{n}": {"properties": {k: {"$ref": f"#/w{n + 1}"} for k in "ab"}} for n in range(40)}
    complete = {f"c{n}": {"properties": {f"p{m}": {"$ref": f"#/c{m}"} for m in range(30)}} for n in range(30)}
    file = {**doubled, "n20": action("next"), **wide, "w40": {}, **complete, "initial.issue": {"$ref": "#/n0"}}
    assert values(resolve(Folder(s=file))) == ["next"]
    assert resolve(Folder(s=file), "w0").value["properties"]["a"]["properties"]["b"]
    assert {fault.kind for fault in resolve(Folder(s=file), "c0").faults} == {"ref-cycle"}


@pytest.mark.parametrize(
    "file",
    [
        {f"n{n}": {"$ref": f"#/n{n + 1}"} for n in range(200)},
        {f"n{n}": {"properties": {"a": {"$ref": f"#/n{n + 1}"}}} for n in range(200)},
    ],
)
def test_chains_without_end_are_a_problem_not_a_crash(file: dict[str, Any]) -> None:
    schema = resolve(Folder(s={**file, "n200": {}}), "n0")
    assert schema.problem is not None
    assert schema.faults
    assert {fault.kind for fault in schema.faults} == {"too-deep"}


def test_a_chain_that_is_too_long_from_one_step_may_be_short_from_another() -> None:
    chain = {f"n{n}": {"$ref": f"#/n{n + 1}"} for n in range(60)}
    folder = Folder(s={**chain, "n60": action("next")})
    resolver = Resolver(folder.load)
    kinds = []
    for name in ("n0", "n30"):
        flow = flow_with({"file": "s.json", "schema": name}, intentSchemaRef=POINTER)
        problem = resolve_step(flow.steps["initial.issue"], flow.document, resolver).problem
        kinds.append(problem.kind if problem else None)
    assert kinds == ["too-deep", None]


def test_two_threads_may_ask_at_once() -> None:
    names = [f"s{n}" for n in range(60)]
    file: dict[str, Any] = {
        name: {"allOf": [{"$ref": "#/base"}], "properties": {"x": {"$ref": "#/a"}}} for name in names
    }
    file |= {
        "base": {"allOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]},
        "a": {"allOf": [{"$ref": "#/b"}]},
        "b": action("next"),
    }
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            resolver = Resolver(Folder(s=file).load)

            def ask(name: str, resolver: Resolver = resolver) -> list[str]:
                flow = flow_with({"file": "s.json", "schema": name}, intentSchemaRef=POINTER)
                schema = resolve_step(flow.steps["initial.issue"], flow.document, resolver)
                return [fault.kind for fault in schema.faults] + ([schema.problem.kind] if schema.problem else [])

            with ThreadPoolExecutor(4) as pool:
                assert list(pool.map(ask, names * 2)) == [[]] * 120
    finally:
        sys.setswitchinterval(before)


def test_a_very_deep_schema_is_a_problem_not_a_crash() -> None:
    deep: dict[str, Any] = {}
    for _ in range(400):
        deep = {"properties": {"a": deep}}
    schema = resolve(Folder(s={"initial.issue": deep}))
    assert "too-deep" in {fault.kind for fault in schema.faults}
