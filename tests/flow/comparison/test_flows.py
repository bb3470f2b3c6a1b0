"""Flows compared: steps, edges by intent and case, entries, renames, and fields that no canvas shows."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.comparison.flows import FlowComparison, compare_flows
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join, parent
from stepflow_gui.text.source import Source
from tests.flow.flows import chain

Registry = dict[str, Any]


def registry() -> Registry:
    def step(name: str, ways: dict[str, Any]) -> dict[str, Any]:
        return {
            "stepId": name,
            "name": f"Name of {name}",
            "c2": name.partition(".")[0],
            "fallbackKey": name.replace(".", "_"),
            "structuredGate": {"allowedIntents": [*ways], "failFast": True},
            "transitions": ways,
        }

    steps = [
        step("initial.a", {"next": {"target": "continuation.a"}, "repeat": {"target": "initial.a"}}),
        step(
            "continuation.a",
            {"next": {"condition": "v", "targets": {"x": "initial.a", "y": None}}, "handoff": {"target": "closure.a"}},
        ),
        step("closure.a", {"closing": {"target": None}}),
    ]
    return {
        "agentId": "made",
        "version": "1",
        "userPromptsBase": "p",
        "entryStepMapping": {"poll:state": "initial.a"},
        "validationSteps": {"closure.a": {"stepId": "closure.a", "validationConditions": []}},
        "steps": {each["stepId"]: each for each in steps},
    }


def compared(change: Callable[[Registry], Registry | None]) -> FlowComparison:
    old = registry()
    new = copy.deepcopy(old)
    new = change(new) or new
    flows = [read_flow(ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(each)))) for each in (old, new)]
    return compare_flows(*flows)


def steps_of(comparison: FlowComparison) -> list[tuple[str, str]]:
    return [(step.kind, step.id) for step in comparison.steps]


def edges_of(comparison: FlowComparison) -> list[tuple[str, str, str, str | None, str | None, str | None]]:
    return [
        (
            edge.kind,
            edge.step,
            edge.intent,
            edge.case,
            edge.old.target if edge.old else None,
            edge.new.target if edge.new else None,
        )
        for edge in comparison.edges
    ]


def renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def test_formatting_makes_no_difference() -> None:
    old = read_flow(ParsedFile.read(Path("r.json"), Source(json.dumps(registry()))))
    new = read_flow(ParsedFile.read(Path("r.json"), Source(json.dumps(registry(), indent=7, sort_keys=True))))
    comparison = compare_flows(old, new)
    assert comparison.same
    assert (comparison.steps, comparison.fields) == ((), ())


def test_every_real_registry_is_the_same_as_itself(corpus: Path) -> None:
    for path in sorted(corpus.glob("climpt/*/*/*.json")):
        text = path.read_text("utf-8")
        flows = [read_flow(ParsedFile.read(path, Source(text))) for _side in range(2)]
        assert compare_flows(*flows).same, path


def test_steps_come_and_go() -> None:
    def change(new: Registry) -> None:
        del new["steps"]["continuation.a"]
        new["steps"]["verification.a"] = {"stepId": "verification.a", "transitions": {"next": {"target": "closure.a"}}}

    comparison = compared(change)
    assert steps_of(comparison) == [("removed", "continuation.a"), ("added", "verification.a")]
    assert edges_of(comparison) == [
        ("removed", "continuation.a", "next", "x", "initial.a", None),
        ("removed", "continuation.a", "next", "y", None, None),
        ("removed", "continuation.a", "handoff", None, "closure.a", None),
        ("added", "verification.a", "next", None, None, "closure.a"),
    ]
    assert [(change.kind, change.pointer) for change in comparison.fields] == [
        ("removed", "/steps/continuation.a"),
        ("added", "/steps/verification.a"),
    ]
    assert comparison.others == ()


def test_edges_are_distinguished_by_intent_and_case() -> None:
    def change(new: Registry) -> None:
        new["steps"]["continuation.a"]["transitions"]["next"]["targets"] = {"y": "closure.a", "z": "initial.a"}
        new["steps"]["initial.a"]["transitions"]["jump"] = {"target": "closure.a"}

    assert edges_of(compared(change)) == [
        ("removed", "continuation.a", "next", "x", "initial.a", None),
        ("added", "initial.a", "jump", None, None, "closure.a"),
        ("changed", "continuation.a", "next", "y", None, "closure.a"),
        ("added", "continuation.a", "next", "z", None, "initial.a"),
    ]


def test_fields_that_no_canvas_shows_are_reported() -> None:
    def change(new: Registry) -> None:
        new["steps"]["initial.a"]["fallbackKey"] = "other"
        new["steps"]["initial.a"]["structuredGate"]["failFast"] = False
        new["userPromptsBase"] = "q"

    comparison = compared(change)
    (step,) = comparison.steps
    assert [(change.pointer, change.old, change.new) for change in step.fields] == [
        ("/steps/initial.a/fallbackKey", "initial_a", "other"),
        ("/steps/initial.a/structuredGate/failFast", True, False),
    ]
    assert [(change.pointer, change.old, change.new) for change in comparison.others] == [
        ("/userPromptsBase", "p", "q")
    ]
    assert not comparison.edges


def test_entries_are_named_by_their_verdict_type() -> None:
    def change(new: Registry) -> None:
        new["entryStepMapping"] = {"poll:state": "continuation.a", "count:iteration": "initial.a"}
        new["entryStep"] = "initial.a"

    assert {(each.kind, each.key, each.old, each.new) for each in compared(change).entries} == {
        ("changed", "poll:state", "initial.a", "continuation.a"),
        ("added", "count:iteration", None, "initial.a"),
        ("added", None, None, "initial.a"),
    }


def test_a_rename_is_no_change_of_what_names_the_step() -> None:
    names = {"continuation.a": "continuation.b"}
    comparison = compared(lambda new: renamed(new, names))
    assert comparison.renames == names
    assert steps_of(comparison) == [("renamed", "continuation.b")]
    assert not comparison.edges
    assert not comparison.entries
    assert {change.pointer for change in comparison.fields if not change.follows} == set()
    assert {change.pointer for change in comparison.fields} == {
        "/steps/continuation.b",
        "/steps/continuation.b/stepId",
        "/steps/initial.a/transitions/next/target",
    }


def test_several_renames_with_their_references_and_more() -> None:
    def change(new: Registry) -> Registry:
        new = renamed(new, {"initial.a": "initial.b", "continuation.a": "continuation.b", "closure.a": "closure.b"})
        new["steps"]["initial.b"]["name"] = "Another"
        return new

    comparison = compared(change)
    assert comparison.renames == {
        "initial.a": "initial.b",
        "continuation.a": "continuation.b",
        "closure.a": "closure.b",
    }
    assert not comparison.edges
    assert not comparison.entries
    assert [change.pointer for change in comparison.fields if not change.follows] == ["/steps/initial.b/name"]


def test_a_step_of_other_content_is_no_rename() -> None:
    def change(new: Registry) -> None:
        new["steps"].pop("closure.a")
        new["steps"]["closure.z"] = {"stepId": "closure.z", "name": "Z", "transitions": {"closing": {"target": None}}}

    assert compared(change).renames == {}


def test_two_steps_alike_are_renamed_in_their_order() -> None:
    def both(prefix: str) -> Registry:
        return {"steps": {f"initial.{prefix}{n}": {"stepId": f"initial.{prefix}{n}", "name": "N"} for n in (1, 2)}}

    flows = [read_flow(ParsedFile.read(Path("r.json"), Source(json.dumps(both(prefix))))) for prefix in "ab"]
    assert compare_flows(*flows).renames == {"initial.a1": "initial.b1", "initial.a2": "initial.b2"}


def test_a_step_that_is_gone_stands_where_it_stood() -> None:
    def change(new: Registry) -> None:
        del new["steps"]["continuation.a"]
        new["steps"]["initial.a"]["name"] = "I"
        new["steps"]["closure.a"]["name"] = "C"

    assert [step_id for _kind, step_id in steps_of(compared(change))] == ["initial.a", "continuation.a", "closure.a"]


@pytest.mark.parametrize("text", ["", "[]", "null", '{"steps": 3}', '{"steps": {"a": 1}}'])
def test_what_is_no_flow_can_be_compared(text: str) -> None:
    odd = read_flow(ParsedFile.read(Path("r.json"), Source(text)), "closing")
    whole = read_flow(ParsedFile.read(Path("r.json"), Source(json.dumps(registry()))))
    assert not compare_flows(odd, whole).same
    assert not compare_flows(whole, odd).same
    assert compare_flows(odd, odd).same


def test_thousands_of_renamed_steps_take_no_longer_than_others() -> None:
    old = chain(1500)
    text = old.document.source.text.replace("initial.", "continuation.")
    comparison = compare_flows(old, read_flow(ParsedFile.read(Path("r.json"), Source(text))))
    assert len(comparison.steps) in {1500, 3000}  # all gone and come, or renamed


def mutated(value: Any, chance: random.Random) -> Any:
    """A copy in which some members are gone, others are new, and some values differ."""
    if isinstance(value, dict):
        kept = {key: mutated(inner, chance) for key, inner in value.items() if chance.random() > 0.02}
        return {**kept, "added": chance.random()} if chance.random() < 0.03 else kept
    if isinstance(value, list):
        return [mutated(inner, chance) for inner in value if chance.random() > 0.03]
    return f"{value}!" if isinstance(value, str) and chance.random() < 0.02 else value


def leaves(value: Any, pointer: str = "") -> dict[str, Any]:
    if isinstance(value, dict) and value:
        inside = [(join(pointer, key), inner) for key, inner in value.items()]
    elif isinstance(value, list) and value:
        inside = [(join(pointer, at), inner) for at, inner in enumerate(value)]
    else:
        return {pointer: value}
    return {place: leaf for at, inner in inside for place, leaf in leaves(inner, at).items()}


def told(pointer: str, places: set[str]) -> bool:
    while pointer not in places and pointer:
        pointer = parent(pointer)
    return pointer in places


@pytest.mark.parametrize("seed", range(15))
def test_every_pointer_that_differs_is_reported(seed: int, corpus: Path) -> None:
    """Each leaf that only one side has, or has otherwise, lies at or below a change; lists by their elements."""
    chance = random.Random(seed)
    path = sorted(corpus.glob("climpt/*/*/steps_registry.json"))[seed * 2]
    old = json.loads(path.read_text("utf-8"))
    new = mutated(old, chance)
    flows = [read_flow(ParsedFile.read(path, Source(json.dumps(each))), "closing") for each in (old, new)]
    comparison = compare_flows(*flows)
    before, after = leaves(old), leaves(new)
    olds = {change.old_pointer for change in comparison.fields if change.old_pointer is not None}
    news = {change.new_pointer for change in comparison.fields if change.new_pointer is not None}
    lists = {parent(change.pointer) for change in comparison.fields if change.kind in {"added", "removed"}}
    for pointer, value in before.items():
        if pointer not in after or after[pointer] != value:
            assert told(pointer, olds | lists), pointer
    for pointer, value in after.items():
        if pointer not in before or before[pointer] != value:
            assert told(pointer, news | lists), pointer
    of_steps = [change for step in comparison.steps for change in step.fields]
    whole = [change for change in comparison.fields if change.kind in {"added", "removed"} and change not in of_steps]
    assert len(of_steps) + len(comparison.others) <= len(comparison.fields)
    assert {change.pointer for change in comparison.fields if not change.follows} == {
        change.pointer for change in (*of_steps, *comparison.others, *whole) if not change.follows
    }
