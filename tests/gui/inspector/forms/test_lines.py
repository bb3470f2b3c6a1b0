"""The form of a real file: every member on exactly one line, nothing lost, what is unknown kept."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.fields import REGISTRY, STEP, TRANSITION
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.gui.inspector.forms.form_fields import FormField, FormSection, lines_of, sections
from stepflow_gui.gui.inspector.forms.new_values import new_value
from stepflow_gui.gui.inspector.forms.parts import registry_parts, step_parts
from stepflow_gui.messages import use_language
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

GATE: dict[str, JsonValue] = {"allowedIntents": ["next"], "intentSchemaRef": "#/x", "intentField": "a.b"}


def pointers(value: JsonValue, pointer: str = "") -> Iterator[str]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield join(pointer, key)
        yield from pointers(inner, join(pointer, key))


def all_lines(found: list[FormSection]) -> list[FormField]:
    return [line for each in found for line in (*([each.head] if each.head else []), *each.lines)]


def check(value: JsonValue, found: list[FormField], pointer: str) -> None:
    shown = Counter(line.pointer for line in found if not line.absent)
    assert not [where for where, count in shown.items() if count > 1]
    closed = tuple(line.pointer + "/" for line in found if not line.heads)
    for where in pointers(value, pointer):
        assert (where in shown) != where.startswith(closed), where
    assert set(shown) <= {pointer, *pointers(value, pointer)}


def registries(corpus: Path) -> list[Path]:
    return sorted((corpus / "climpt").rglob("steps_registry.json"))


def test_every_member_of_every_real_file_is_on_exactly_one_line(corpus: Path) -> None:
    kinds: Counter[str] = Counter()
    for registry in registries(corpus):
        agent = open_agent(registry)
        assert isinstance(agent, AgentFolder)
        root = agent.registry.tree.root
        assert root is not None
        shape, known = registry_fields(agent.flow.format), agent.flow.format
        value = {key: inner for key, inner in root.value.items() if key != "steps"}
        found = all_lines(sections(root.value, shape, "", known, registry_parts(), without=("steps",)))
        check(value, found, "")
        step_shape = next(field for field in shape.fields if field.name == "steps").shape.of
        assert step_shape is not None
        for step in agent.flow.steps.values():
            inside = all_lines(sections(step.raw, step_shape, step.pointer, known, step_parts()))
            check(step.raw, inside, step.pointer)
            found += inside
        kinds.update(line.control for line in found)
    assert set(kinds) == {"text", "prose", "boolean", "number", "json", "list", "group"}


@pytest.mark.parametrize("shape", [REGISTRY, STEP])
def test_every_field_of_the_table_is_shown_or_can_be_added(shape: Shape) -> None:
    for known in ("closing", "c3l", "complete", "entry-pair", "adt-kind-address", "prompt-path", "flow-array"):
        parts = step_parts() if shape is STEP else registry_parts()
        found = sections({}, shape, "", known, parts)
        offered = {field.name for each in found for field in each.missing} | {
            line.key for line in all_lines(found) if line.absent
        }
        wanted = {field.name for field in shape.fields if field.known_in(known) and not field.newer}
        assert offered == wanted


def test_every_nested_field_can_be_added_where_its_object_is_there() -> None:
    found = list(
        lines_of(GATE, next(field.shape for field in STEP.fields if field.name == "structuredGate"), "", "closing")
    )
    offered = {field.name for field in found[0].missing} | {line.key for line in found if line.depth == 1}
    assert offered >= {"targetField", "handoffFields", "targetMode", "failFast", "fallbackIntent"}


def test_what_the_table_does_not_know_is_shown_as_json() -> None:
    (section,) = (
        each for each in sections({"own": {"a": [1]}}, STEP, "/x", "closing", step_parts()) if each.title == "More"
    )
    line = next(line for line in section.lines if line.key == "own")
    assert (line.control, line.known, line.value) == ("json", False, {"a": [1]})


@pytest.mark.parametrize(
    ("key", "value"), [("usesStdin", "yes"), ("name", 3), ("uvVariables", "a"), ("transitions", []), ("stepKind", None)]
)
def test_a_value_of_another_type_is_shown_as_it_is(key: str, value: JsonValue) -> None:
    line = next(
        line for line in all_lines(sections({key: value}, STEP, "", "closing", step_parts())) if line.key == key
    )
    assert (line.control, line.fits, line.value) == ("json", False, value)


def test_a_wrong_choice_stays_a_text_that_can_be_typed() -> None:
    found = all_lines(sections({"stepKind": "odd"}, STEP, "", "closing", step_parts()))
    line = next(line for line in found if line.key == "stepKind")
    assert (line.control, line.value, line.fits) == ("text", "odd", True)


def test_the_two_forms_of_a_transition_are_distinguished() -> None:
    plain = list(lines_of({"target": None}, TRANSITION, "/t", "closing"))
    cases = list(lines_of({"condition": "size", "targets": {"big": "a", "default": None}}, TRANSITION, "/t", "closing"))
    assert (plain[0].form, cases[0].form) == (0, 1)
    assert [(line.key, line.control, line.role) for line in cases[1:]] == [
        ("condition", "text", "field"),
        ("targets", "group", "field"),
        ("big", "text", "entry"),
        ("default", "text", "entry"),
    ]
    assert plain[1].value is None
    assert plain[1].fits


def test_a_default_is_shown_as_such_and_not_as_a_value() -> None:
    shape = next(field.shape for field in STEP.fields if field.name == "structuredGate")
    line = next(line for line in lines_of(GATE, shape, "", "closing") if line.key == "failFast")
    assert line.absent
    assert line.field is not None
    assert line.field.default is True


def test_meanings_follow_the_language() -> None:
    line = next(line for line in lines_of({"name": "x"}, STEP, "", "closing") if line.key == "name")
    english = line.meaning
    use_language("ja")
    assert line.meaning
    assert line.meaning != english


def test_new_values_fit_their_shapes() -> None:
    def every(shape: Shape) -> Iterator[Shape]:
        yield shape
        for inner in (*(field.shape for field in shape.fields), *shape.either, *([shape.of] if shape.of else [])):
            yield from every(inner)

    for shape in every(REGISTRY):
        value: Any = new_value(shape, "closure.issue", "closing")
        assert not [misfit for misfit in misfits(value, shape, "closing") if shape.pattern != r"\d+\.\d+\.\d+"] or (
            "version" in json.dumps(value)
        )


def test_very_deep_values_end_as_json() -> None:
    value: JsonValue = {"target": "x"}
    shape = Shape("map", of=Shape("string"))
    for _level in range(40):
        value, shape = {"a": value}, Shape("map", of=shape)
    found = list(lines_of(value, shape, "", "closing"))
    check(value, found, "")
    assert found[-1].control == "json"


def test_what_is_nested_too_deep_is_named_and_kept_out_of_recursions() -> None:
    value: JsonValue = []
    for _level in range(5000):
        value = [value]
    found = all_lines(sections({"own": value, "name": "x"}, STEP, "", "closing", step_parts()))
    line = next(line for line in found if line.key == "own")
    assert (line.control, line.value) == ("deep", None)
    assert found == list(found)
