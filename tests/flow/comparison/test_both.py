"""Both flows in one: whatever differs is there and marked, whatever doesn't isn't marked."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.flow.comparison.both import GONE, BothFlows, both_flows
from stepflow_gui.flow.comparison.flows import compare_flows
from stepflow_gui.flow.model import moves_of
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.flow.comparison.test_flows import Registry, compared

Edge = tuple[str, str, str | None, str | None]


def ways(both: BothFlows) -> set[Edge]:
    return {
        (move.step, move.intent, move.case, move.target) for step in both.flow.steps.values() for move in moves_of(step)
    }


def test_what_is_the_same_has_no_marks() -> None:
    both = both_flows(compared(lambda _registry: None))
    assert not both.steps
    assert not both.edges
    assert not both.entries
    assert list(both.flow.steps) == ["initial.a", "continuation.a", "closure.a"]


def test_a_removed_step_keeps_its_position_and_transitions() -> None:
    def change(new: Registry) -> None:
        del new["steps"]["continuation.a"]
        new["steps"]["initial.a"]["transitions"]["next"]["target"] = "closure.a"

    both = both_flows(compared(change))
    assert list(both.flow.steps) == ["initial.a", "continuation.a", "closure.a"]
    assert both.steps == {"continuation.a": "removed", "initial.a": "changed"}
    assert both.edges == {
        ("initial.a", "next", None): "changed",
        ("initial.a", GONE + "next", None): "removed",
        ("continuation.a", "next", "x"): "removed",
        ("continuation.a", "next", "y"): "removed",
        ("continuation.a", "handoff", None): "removed",
    }
    assert ("initial.a", GONE + "next", None, "continuation.a") in ways(both)
    assert ("initial.a", "next", None, "closure.a") in ways(both)
    assert ("continuation.a", "handoff", None, "closure.a") in ways(both)


def test_what_was_added_is_marked() -> None:
    def change(new: Registry) -> None:
        new["steps"]["new.a"] = {"stepId": "new.a", "transitions": {"closing": {"target": None}}}
        new["steps"]["closure.a"]["transitions"]["repeat"] = {"target": "new.a"}

    both = both_flows(compared(change))
    assert both.steps == {"closure.a": "changed", "new.a": "added"}
    assert both.edges == {("closure.a", "repeat", None): "added", ("new.a", "closing", None): "added"}


def test_cases_and_ends_that_are_gone_are_there_once_more() -> None:
    def change(new: Registry) -> None:
        new["steps"]["continuation.a"]["transitions"]["next"]["targets"] = {"x": "closure.a"}
        new["steps"]["closure.a"]["transitions"] = {}

    both = both_flows(compared(change))
    assert {edge for edge in ways(both) if edge[1].startswith(GONE)} == {
        ("continuation.a", GONE + "next = x", None, "initial.a"),
        ("continuation.a", GONE + "next = y", None, None),
        ("closure.a", GONE + "closing", None, None),
    }


def test_transitions_to_a_renamed_step_go_to_its_new_name() -> None:
    def change(new: Registry) -> None:
        steps = new["steps"]
        steps["closure.b"] = {**steps.pop("closure.a"), "stepId": "closure.b"}
        steps["continuation.a"]["transitions"]["handoff"]["target"] = "closure.b"
        steps["initial.a"]["transitions"]["next"]["target"] = "closure.b"
        new["validationSteps"] = {}

    both = both_flows(compared(change))
    assert both.steps["closure.b"] == "changed"
    assert "closure.a" not in both.flow.steps
    assert ("continuation.a", "handoff", None) not in both.edges
    assert ("initial.a", GONE + "next", None, "continuation.a") in ways(both)
    assert all(target is None or target in both.flow.steps for *_way, target in ways(both))


def test_an_entry_that_differs_shows_what_changed() -> None:
    def change(new: Registry) -> None:
        new["entryStep"] = "initial.a"
        new["entryStepMapping"] = {"poll:state": "continuation.a", "count:iteration": "initial.a"}

    both = both_flows(compared(change))
    assert [(entry.key, entry.target and entry.target.value) for entry in both.flow.entries] == [
        ("+ entry", "initial.a"),
        ("~ poll:state", "continuation.a"),
        ("+ count:iteration", "initial.a"),
        (GONE + "poll:state", "initial.a"),
    ]
    assert both.entries == {"initial.a": "changed", "continuation.a": "changed"}


def test_an_entry_that_is_gone_stands_at_its_step_still() -> None:
    def change(new: Registry) -> None:
        steps = new["steps"]
        del new["entryStepMapping"]
        steps["initial.b"] = {**steps.pop("initial.a"), "stepId": "initial.b"}

    both = both_flows(compared(change))
    assert [(entry.key, entry.target and entry.target.value) for entry in both.flow.entries] == [
        (GONE + "poll:state", "initial.b")
    ]
    assert both.entries == {"initial.b": "removed"}


def test_an_entry_that_only_follows_a_renamed_step_has_no_mark() -> None:
    def change(new: Registry) -> None:
        steps = new["steps"]
        steps["initial.b"] = {**steps.pop("initial.a"), "stepId": "initial.b"}
        new["entryStepMapping"] = {"poll:state": "initial.b"}

    both = both_flows(compared(change))
    assert [entry.key for entry in both.flow.entries] == ["poll:state"]
    assert not both.entries


@pytest.mark.parametrize("seed", range(20))
def test_every_transition_of_either_side_is_drawn(seed: int) -> None:
    chance = random.Random(seed)

    def change(new: Registry) -> None:
        steps: dict[str, Any] = new["steps"]
        for name in list(steps):
            if chance.random() < 0.3:
                del steps[name]
        for step in steps.values():
            for intent in list(step["transitions"]):
                if chance.random() < 0.4:
                    step["transitions"][intent] = {"target": chance.choice([None, *steps])}

    comparison = compared(change)
    both = both_flows(comparison)
    drawn = ways(both)
    for step in comparison.new.steps.values():
        for move in moves_of(step):
            assert (move.step, move.intent, move.case, move.target) in drawn
    targets = {(step, target) for step, _intent, _case, target in drawn}
    for step in comparison.old.steps.values():
        for move in moves_of(step):
            assert (move.step, move.target) in targets or move.step in comparison.renames
    marked = set(both.edges)
    assert marked <= {(step, intent, case) for step, intent, case, _target in drawn}


def test_neighbouring_versions_of_real_registries_can_be_drawn(corpus: Path) -> None:
    registries = sorted((corpus / "climpt").glob("iterator/*/steps_registry.json"))
    flows = [read_flow(ParsedFile.read(path, Source(path.read_text()))) for path in registries]
    assert len(flows) > 5
    for old, new in pairwise(flows):
        both = both_flows(compare_flows(old, new))
        assert set(both.steps) <= set(both.flow.steps)
        assert set(new.steps) <= set(both.flow.steps)
