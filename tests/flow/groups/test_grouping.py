"""Which steps belong together."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from stepflow_gui.flow.groups.drawing import facts_of
from stepflow_gui.flow.groups.grouping import BY, grouped, usual_grouping
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source


def flow_of(targets: Mapping[str, Sequence[str | None]], **root: object) -> Flow:
    """A flow of steps with the targets of their intents i0, i1, …"""
    steps = {
        step: {
            "name": step,
            "c2": step.partition(".")[0],
            "transitions": {f"i{number}": {"target": target} for number, target in enumerate(each)},
        }
        for step, each in targets.items()
    }
    text = json.dumps({"agentId": "a", "version": "1.0.0", "steps": steps, **root})
    return read_registry(ParsedFile.read(Path("steps_registry.json"), Source(text)), "closing")


def chain(count: int, name: str = "continuation.s{}") -> Flow:
    steps = [name.format(at) for at in range(count)]
    targets = {step: [steps[at + 1] if at + 1 < count else None] for at, step in enumerate(steps)}
    return flow_of(targets, entryStep=steps[0])


def named(flow: Flow, by: str) -> dict[str, list[str]]:
    way = next(each for each in BY if each == by)
    return {group.name: list(group.steps) for group in grouped(flow, way)}


def test_topics_are_the_part_after_the_stage_and_shared() -> None:
    flow = flow_of({"initial.build.a": [None], "closure.build": [None], "initial.other": [None], "section.x": []})
    assert named(flow, "topic") == {
        "build": ["initial.build.a", "closure.build"],
        "Others": ["initial.other"],
        "Prompt sections": ["section.x"],
    }


def test_stages_are_what_ids_begin_with() -> None:
    flow = flow_of({"initial.a": ["closure.a"], "initial.b": ["closure.a"], "closure.a": [None]})
    assert named(flow, "stage") == {"initial": ["initial.a", "initial.b"], "closure": ["closure.a"]}


def test_by_entry_the_steps_that_several_reach_are_apart() -> None:
    flow = flow_of(
        {"initial.a": ["closure.z"], "initial.b": ["closure.z"], "closure.z": [None]},
        entryStepMapping={"one": "initial.a", "two": "initial.b"},
    )
    assert named(flow, "entry") == {"one": ["initial.a"], "two": ["initial.b"], "Several entries": ["closure.z"]}


def test_parts_are_equal_follow_the_flow_and_are_named_by_first_and_last() -> None:
    flow = chain(200)
    groups = grouped(flow, "parts")
    assert [len(group.steps) for group in groups] == [25] * 8
    assert groups[1].steps == tuple(f"continuation.s{at}" for at in range(25, 50))
    assert groups[1].name == "continuation.s25 – continuation.s49"


def test_every_step_is_in_one_group() -> None:
    flow = flow_of({"initial.a.x": ["closure.a"], "closure.a": [None], "odd": ["gone"], "section.s": []})
    for by in ("topic", "stage", "parts"):
        groups = grouped(flow, by)
        assert sorted(step for group in groups for step in group.steps) == sorted(flow.steps), by
        assert len({group.key for group in groups}) == len(groups)


def test_hand_made_groups_have_only_steps_that_exist_each_once() -> None:
    flow = chain(5)
    groups = grouped(
        flow, "hand", {"A": ["continuation.s1", "gone"], "B": ["continuation.s1", "continuation.s2"], "C": ["x"]}
    )
    assert {group.name: group.steps for group in groups} == {"A": ("continuation.s1",), "B": ("continuation.s2",)}


def test_a_group_never_has_the_key_of_a_step() -> None:
    flow = flow_of({"topic build": [None], "initial.build.a": [None], "initial.build.b": [None]})
    assert all(group.key not in flow.steps for group in grouped(flow, "topic"))


def test_usual_grouping() -> None:
    assert usual_grouping(chain(50)) == "none"
    assert usual_grouping(chain(51)) == "parts"
    topics = flow_of({f"initial.t{at % 5}.s{at}": [None] for at in range(60)})
    assert usual_grouping(topics) == "topic"
    halves: dict[str, list[str | None]] = {
        f"initial.{half}{at}": [f"initial.{half}{at + 1}"] if at < 29 else [None] for half in "ab" for at in range(30)
    }
    two = flow_of(halves, entryStepMapping={"one": "initial.a0", "two": "initial.b0"})
    assert usual_grouping(two) == "entry"


def test_facts_count_what_leaves_and_comes() -> None:
    flow = flow_of(
        {
            "initial.a.1": ["initial.a.2", "closure.b.1"],
            "initial.a.2": ["closure.b.1"],
            "closure.b.1": [None],
            "closure.b.2": [None],
        },
        entryStep="initial.a.1",
    )
    groups = grouped(flow, "topic")
    facts = facts_of(flow, groups)
    first, second = facts[groups[0].key], facts[groups[1].key]
    assert (first.entries, first.ends, dict(first.leaving)) == (1, 0, {"i1": 1, "i0": 1})
    assert (second.entries, second.ends, dict(second.coming), dict(second.leaving)) == (
        0,
        2,
        {"i1": 1, "i0": 1},
        {"i0": 2},
    )
