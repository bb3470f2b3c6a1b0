"""Registries with checks and of the shapes that no guide describes become flows, each transition with its place."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.flow.model import Flow, Move
from stepflow_gui.formats.checks.fields import REGISTRY as CHECK_FIELDS
from stepflow_gui.formats.checks.registry import read_checks
from stepflow_gui.formats.checks.vocabulary import INTENTS
from stepflow_gui.formats.fields import Field, field_at, shape_at
from stepflow_gui.formats.read import read_flow
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source
from tests.formats.test_field_tables import fields
from tests.formats.test_registry import ODD, places, real_flows
from tests.sampling import examples
from tests.seeds.documents import CHECKS


def document_of(value: Any) -> ParsedFile:
    return ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(value)))


def checked(**check: Any) -> Flow:
    """A flow of one step with this check, and two others."""
    steps = {"s_0001": {"check": check}, "s_0002": {"check": {}}, "s_0003": {"check": {}}}
    return read_checks(document_of({"steps": steps}))


def ways(flow: Flow) -> list[tuple[str, str | None, int | None]]:
    return [(move.intent, move.target, move.limit) for move in flow.moves()]


def place(flow: Flow, move: Move) -> Any:
    """The value at the place that a move gives; the texts at its pointer and at its span must be the same."""
    source = flow.document.source.text
    value = json.loads(source[move.span.start : move.span.end])
    node = flow.document.tree.at(move.pointer)
    assert node is not None, move
    target = node.get("target")
    assert (target or node).span == move.span
    return value


# Checks


@pytest.mark.parametrize(
    ("outcome", "says", "way"),
    [
        ("onPass", {"next": "s_0002"}, [("pass", "s_0002", None)]),
        ("onPass", {"complete": True}, [("pass", None, None)]),
        ("onPass", {"fallback": "s_0002"}, [("pass", "s_0002", None)]),
        ("onPass", {"retry": True}, [("pass", "s_0001", None)]),
        ("onFail", {"next": "s_0002"}, [("fail", "s_0002", None)]),
        ("onFail", {"complete": True}, [("fail", None, None)]),
        ("onFail", {"fallback": "s_0003"}, [("fallback", "s_0003", None)]),
        ("onFail", {"retry": True}, [("retry", "s_0001", None)]),
        ("onFail", {"retry": True, "maxRetries": 2}, [("retry", "s_0001", 2)]),
        ("onFail", {"retry": True, "maxRetries": 0}, [("retry", "s_0001", None)]),  # unlimited
        ("onFail", {"retry": True, "fallback": "s_0002"}, [("retry", "s_0001", None), ("fallback", "s_0002", None)]),
        ("onFail", {"retry": False, "complete": False}, []),
        ("onFail", {"retry": "yes", "complete": 1, "next": 5, "fallback": None}, []),
        ("onFail", {"retry": True, "maxRetries": "2"}, [("retry", "s_0001", None)]),
        ("onFail", {"retry": True, "maxRetries": True}, [("retry", "s_0001", None)]),
        ("onFail", {"maxRetries": 2, "goto": "s_0002"}, []),
        ("onFail", ["next"], []),
        ("onMaybe", {"next": "s_0002"}, []),
    ],
)
def test_the_targets_of_an_outcome(outcome: str, says: Any, way: list[tuple[str, str | None, int | None]]) -> None:
    flow = checked(**{outcome: says})
    assert ways(flow) == way
    for move in flow.moves():
        assert move.pointer.startswith(f"/steps/s_0001/check/{outcome}/")
        assert place(flow, move) in {move.target, True}


def test_the_transitions_of_a_step_are_in_the_order_of_the_file() -> None:
    assert ways(checked(onFail={"fallback": "s_0003"}, onPass={"next": "s_0002"})) == [
        ("fallback", "s_0003", None),
        ("pass", "s_0002", None),
    ]


def test_a_transition_is_marked_at_its_intent() -> None:
    flow = checked(onPass={"next": "s_0002"}, onFail={"retry": True})
    text = flow.document.source.text
    rules = flow.steps["s_0001"].transitions
    assert [text[rule.key_span.start : rule.key_span.end] for rule in rules] == ['"next"', '"retry"']


def test_a_step_has_its_id_name_and_prompt() -> None:
    steps = {
        "s_0001": {"id": "s_0001", "name": "One", "prompt": {"c1": "steps", "c2": "phase", "c3": "x", "edition": "e"}},
        "s_0002": {"id": 2, "prompt": {"path": "system.md"}},
        "s_0003": {"prompt": "system.md", "check": "no"},
    }
    flow = read_checks(document_of({"version": "2.0.0", "entryStep": "s_0001", "steps": steps}))
    one, two, three = flow.steps.values()
    assert [text.value for text in (one.step_id, one.name, one.c1, one.c2, one.c3, one.edition) if text] == [
        *("s_0001", "One", "steps", "phase", "x", "e")
    ]
    assert one.c2 is not None
    assert one.c2.pointer == "/steps/s_0001/prompt/c2"
    assert two.prompt_path is not None
    assert (two.prompt_path.value, two.prompt_path.pointer) == ("system.md", "/steps/s_0002/prompt/path")
    assert (two.step_id, three.prompt_path, three.c2, three.transitions) == (None, None, None, [])
    assert flow.entry_target(None) == "s_0001"
    assert {step.kind for step in flow.steps.values()} == {None}


@settings(max_examples=examples(200), deadline=None)
@given(data=st.data())
def test_any_value_anywhere_in_a_check_reads_without_a_crash(data: st.DataObject) -> None:
    value = copy.deepcopy(CHECKS)
    for _ in range(data.draw(st.integers(min_value=1, max_value=3))):
        holder, key = data.draw(st.sampled_from(places(value)))
        holder[key] = data.draw(ODD | st.sampled_from([True, "s_a8f3", {"next": "s_a8f3"}, {"retry": True}]))
    flow = read_checks(document_of(value))
    for move in flow.moves():
        assert move.intent in INTENTS
        assert place(flow, move) in {move.target, True}


def test_the_guides_registry_fits_the_table_of_its_format() -> None:
    table = registry_fields("checks")
    assert table is CHECK_FIELDS
    assert list(misfits(CHECKS, table, "checks")) == []
    document = document_of(CHECKS)
    assert document.root is not None
    unknown = [pointer for pointer, _node in document.root.walk() if shape_at(table, pointer, "checks") is None]
    assert unknown == []


@pytest.mark.parametrize(
    ("pointer", "value", "kind"),
    [
        ("/steps/s_a8f3/id", "step-1", "pattern"),
        ("/steps/s_a8f3/iterations/min", 0, "minimum"),
        ("/steps/s_a8f3/iterations/max", "5", "type"),
        ("/steps/s_a8f3/check/onFail/maxRetries", -1, "minimum"),
        ("/steps/s_a8f3/check/onFail/retry", "true", "type"),
        ("/steps/s_a8f3/check/onPass/next", 3, "type"),
        ("/steps/s_a8f3/prompt", {"path": "a.md", "c1": "a", "c2": "b", "c3": "c"}, "one_of"),
        ("/steps/s_a8f3/prompt", {"c1": "a", "c2": "b"}, "one_of"),
        ("/steps/s_a8f3/check", 1, "type"),
    ],
)
def test_what_does_not_fit_the_table(pointer: str, value: Any, kind: str) -> None:
    registry = copy.deepcopy(CHECKS)
    *groups, name = pointer[1:].split("/")
    holder = registry
    for group in groups:
        holder = holder[group]
    holder[name] = value
    assert [(misfit.kind, misfit.pointer) for misfit in misfits(registry, CHECK_FIELDS, "checks")] == [(kind, pointer)]


def test_every_field_of_checks_is_explained() -> None:
    found = dict(fields(CHECK_FIELDS))
    assert len(found) > 20
    for where, field in found.items():
        assert field.meaning(), where
        assert not field.meaning().endswith("."), where


def test_a_field_of_checks_is_found_by_its_place() -> None:
    found = field_at(CHECK_FIELDS, "/steps/s_a8f3/check/onFail/fallback", "checks")
    assert isinstance(found, Field)
    assert (found.name, found.shape.names) == ("fallback", "step")


# The other shapes


def test_steps_with_a_prompt_path_show_where_their_prompt_is(corpus: Path) -> None:
    flows = [flow for flow in real_flows(corpus) if flow.format == "prompt-path"]
    assert len(flows) >= 3
    for flow in flows:
        for step in flow.steps.values():
            assert step.prompt_path is not None
            assert step.prompt_path.value == step.raw["promptPath"]
        assert list(flow.moves()) == []


def test_lists_order_the_steps(corpus: Path) -> None:
    flows = [flow for flow in real_flows(corpus) if flow.format == "flow-array"]
    assert len(flows) >= 2
    for flow in flows:
        moves = list(flow.moves())
        assert [(move.step, move.target) for move in moves] == [
            ("work", "validate"),
            ("validate", "complete"),
            ("complete", None),
        ]
        assert all(move.implied for move in moves)
        assert [place(flow, move) for move in moves] == ["validate", "complete", "complete"]
        assert flow.entry_target("issue") == "work"


def test_pairs_name_where_a_run_begins_and_continues(corpus: Path) -> None:
    flows = [flow for flow in real_flows(corpus) if any(entry.continuation for entry in flow.entries)]
    assert {flow.format for flow in flows} == {"entry-pair", "adt-kind-address"}
    for flow in flows:
        for entry in flow.entries:
            assert entry.target is not None
            if entry.continuation:
                assert entry.pointer == join("/entryStepMapping", entry.key or "", "continuation")
            else:
                assert flow.entry_target(entry.key) == entry.target.value


def test_a_pair_without_a_beginning_is_no_entry() -> None:
    value = {"entryStepMapping": {"poll:state": {"continuation": "b"}}, "steps": {"a": {}, "b": {}}}
    flow = read_flow(document_of(value), "entry-pair")
    assert [(entry.key, entry.continuation) for entry in flow.entries] == [("poll:state", True)]
    assert flow.entry_target("poll:state") is None
    assert read_flow(document_of({**value, "entryStep": "a"}), "entry-pair").entry_target("poll:state") == "a"


def test_addresses_have_all_their_parts(corpus: Path) -> None:
    flows = [flow for flow in real_flows(corpus) if flow.format == "adt-kind-address"]
    assert len(flows) >= 13
    for flow in flows:
        for step in flow.steps.values():
            address = step.raw["address"]
            parts = {"c2": step.c2, "c3": step.c3, "edition": step.edition}  # its c1 is never read
            assert {key: text.value for key, text in parts.items() if text} == {
                key: address[key] for key in parts if key in address
            }
            assert step.kind == step.raw["kind"]


def test_every_real_transition_is_at_its_position(corpus: Path) -> None:
    count = 0
    for flow in real_flows(corpus):
        for move in flow.moves():
            count += 1
            assert place(flow, move) == (move.target if move.target is not None or not move.implied else move.step)
    assert count > 1000
