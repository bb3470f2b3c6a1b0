"""Steps that are passed over beside their field table: nothing is to be found in them."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.lint.rule_context import TableViolations
from stepflow_gui.lint.rules.document.field_walk import objects
from stepflow_gui.lint.rules.document.shape_faults import faults
from stepflow_gui.lint.rules.document.value_faults import value_faults
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

SOUND: dict[str, Any] = {
    "stepId": "initial.issue",
    "name": "Issue",
    "stepKind": "work",
    "c2": "initial",
    "uvVariables": ["issue"],
    "usesStdin": False,
    "priority": 1,
    "context": {"anything": [1, None]},
    "x-stepflow": {"ignore": []},
    "outputSchemaRef": {"file": "issue.schema.json", "schema": "initial.issue"},
    "structuredGate": {"allowedIntents": ["next"], "intentField": "a.b", "failFast": False},
    "inputs": {"issue": {"from": "a.b", "default": {"free": 1}}},
    "transitions": {"next": {"target": None}, "jump": {"condition": "k", "targets": {"a": "b", "default": None}}},
    "runner": {"command": "true", "timeout": 5},
}
ODD: list[Any] = [None, True, 0, 7, 1.0, 1.5, "", "work", "x", [], [None], [1, "a"], {}, {"a": None}, {"target": 1}]


def is_silent(registry: dict[str, Any], format_id: str) -> bool:
    """Whether the walks of the rules find nothing."""
    table = registry_fields(format_id)
    places = list(objects(table, registry, format_id))
    named = any(place.unknown or place.renamed.keys() & place.value.keys() for place in places)
    return not named and not [*faults(table, registry, format_id), *value_faults(table, registry, format_id)]


def is_passed_over(registry: dict[str, Any], format_id: str) -> bool:
    return not TableViolations(registry_fields(format_id), format_id).left(registry)["steps"]


def holders(value: Any) -> Iterator[Any]:
    """The value and everything in it that holds values."""
    if isinstance(value, dict | list) and value:
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from holders(inner)


def test_a_sound_step_is_passed_over() -> None:
    assert is_passed_over({"steps": {"initial.issue": SOUND}}, "closing")


@pytest.mark.parametrize(
    ("change", "format_id"),
    [
        ({"modle": "opus"}, "closing"),
        ({"name": 1}, "closing"),
        ({"stepKind": "wrok"}, "closing"),
        ({"uvVariables": ["a", 1]}, "closing"),
        ({"inputs": {"issue": None}}, "closing"),
        ({"runner": {"timeout": 0}}, "closing"),
        ({"structuredGate": {"alowedIntents": []}}, "closing"),
        ({"transitions": {"next": {"traget": None}}}, "closing"),
        ({"fallbackKey": "initial_issue"}, "c3l"),  # not known there
    ],
)
def test_a_step_with_something_odd_is_looked_at(change: dict[str, Any], format_id: str) -> None:
    assert not is_passed_over({"steps": {"initial.issue": SOUND | change}}, format_id)


@given(st.data())
def test_whatever_is_changed_nothing_is_missed(data: st.DataObject) -> None:
    step = copy.deepcopy(SOUND)
    for _ in range(data.draw(st.integers(1, 3))):
        holder = data.draw(st.sampled_from([*holders(step)]))
        places: list[Any] = [*holder, "newer", "target", "type"] if isinstance(holder, dict) else [*range(len(holder))]
        holder[data.draw(st.sampled_from(places))] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
    registry = {"steps": {"initial.issue": step}}
    for format_id in ("closing", "c3l", "checks", "adt-kind-address", "gateless"):
        assert is_silent(registry, format_id) or not is_passed_over(registry, format_id)


def test_nothing_is_missed_in_real_registries(corpus: Path) -> None:
    passed = 0
    for path in sorted((corpus / "climpt").rglob("steps_registry.json")):
        document = ParsedFile.read(path, Source.decode(path.read_bytes()))
        format_id = detect(document)
        if format_id is None or document.root is None:
            continue
        value = document.root.value
        for key, step in value["steps"].items():
            alone = {"steps": {key: step}}
            if is_passed_over(alone, format_id):
                passed += 1
                assert is_silent(alone, format_id), f"{path}: {key}"
    assert passed > 500
