"""Registries of every shape become flows, and every element knows where it came from."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.flow.model import Flow, Text
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.sampling import examples


def flow_of(value: Any, format_id: str | None = None) -> Flow:
    return read_flow(ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(value))), format_id)


def real_flows(corpus: Path) -> list[Flow]:
    return [
        read_flow(ParsedFile.read(path, Source.decode(path.read_bytes())))
        for path in sorted((corpus / "climpt").glob("**/steps_registry.json"))
    ]


def texts_of(flow: Flow) -> list[Text | None]:
    found: list[Text | None] = [flow.agent_id, flow.version, *(entry.target for entry in flow.entries)]
    for step in flow.steps.values():
        found += [step.step_id, step.name, step.explicit_kind, step.c2, step.c3, step.edition, step.adaptation]
        found.append(step.fallback_key)
        if step.schema_ref:
            found += [step.schema_ref.file, step.schema_ref.schema]
        if step.gate:
            gate = step.gate
            found += [gate.intent_schema_ref, gate.intent_field, gate.target_field, gate.fallback_intent]
            found += [*gate.intents, *gate.handoff_fields]
        for rule in step.transitions:
            found += [rule.target, rule.condition, rule.fallback, *(case.target for case in rule.cases)]
    return found


def test_every_text_of_every_real_flow_is_at_its_position(corpus: Path) -> None:
    for flow in real_flows(corpus):
        source = flow.document.source.text
        for text in filter(None, texts_of(flow)):
            assert json.loads(source[text.span.start : text.span.end]) == text.value
            node = flow.document.tree.at(text.pointer)
            assert node is not None, text.pointer
            assert node.value == text.value


def test_every_real_flow_has_all_steps_transitions_and_entries(corpus: Path) -> None:
    for flow in real_flows(corpus):
        assert flow.document.root is not None
        value = flow.document.root.value
        assert list(flow.steps) == list(value["steps"])
        if flow.format == "flow-array":
            continue
        for key, step in flow.steps.items():
            assert [rule.intent for rule in step.transitions] == list(value["steps"][key].get("transitions") or {})
        named = {entry.target.value for entry in flow.entries if entry.target}
        flat = [
            target
            for held in (value.get("entryStepMapping") or {}).values()
            for target in (held.values() if isinstance(held, dict) else [held])
        ]
        assert named == {*flat, *([value["entryStep"]] if "entryStep" in value else [])}


STEP = {
    "stepId": "a",
    "name": "A",
    "stepKind": "closure",
    "c2": "initial",
    "structuredGate": {"allowedIntents": ["next", 3, "repeat"], "failFast": False, "handoffFields": ["x.y"]},
    "transitions": {
        "next": {"target": "b"},
        "closing": {"target": None},
        "jump": {"condition": "status", "targets": {"ok": "b", "bad": None, "default": "a", "odd": 4}},
        "repeat": {},
        "handoff": "b",
    },
}


def test_the_forms_of_a_transition() -> None:
    step = flow_of({"steps": {"a": STEP}}, "closing").steps["a"]
    rules = {rule.intent: rule for rule in step.transitions}
    assert rules["next"].target is not None
    assert (rules["next"].target.value, rules["next"].terminal) == ("b", False)
    assert (rules["closing"].target, rules["closing"].terminal) == (None, True)
    assert rules["jump"].condition is not None
    assert [(case.value, case.target.value if case.target else None) for case in rules["jump"].cases] == [
        ("ok", "b"),
        ("bad", None),
        ("default", "a"),
    ]
    for intent in ("repeat", "handoff"):
        rule = rules[intent]
        assert (rule.target, rule.terminal, rule.cases) == (None, False, ())


def test_the_gate_keeps_what_has_the_right_type() -> None:
    gate = flow_of({"steps": {"a": STEP}}, "closing").steps["a"].gate
    assert gate is not None
    assert [intent.value for intent in gate.intents] == ["next", "repeat"]
    assert gate.intents[1].pointer == "/steps/a/structuredGate/allowedIntents/2"
    assert not gate.fail_fast
    assert [field.value for field in gate.handoff_fields] == ["x.y"]


@pytest.mark.parametrize("value", [None, 0, "false", [], True])
def test_only_false_turns_fail_fast_off(value: Any) -> None:
    gate = flow_of({"steps": {"a": {"structuredGate": {"failFast": value}}}}, "closing").steps["a"].gate
    assert gate is not None
    assert gate.fail_fast


@pytest.mark.parametrize(
    ("step", "format_id", "kind"),
    [
        ({"stepKind": "closure", "c2": "initial"}, "closing", "closure"),
        ({"c2": "continuation"}, "closing", "work"),
        ({"c2": "verification"}, "c3l", "verification"),
        ({"c2": "closure"}, "c3l", "closure"),
        ({"c2": "retry"}, "c3l", None),
        ({"stepKind": "other", "c2": "initial"}, "closing", "work"),
        ({"stepKind": "other"}, "closing", None),
        ({"stepKind": "closure", "c2": "initial"}, "complete", None),
        ({"kind": "closure", "address": {"c2": "initial"}}, "adt-kind-address", "closure"),
        ({"address": {"c2": "verification"}}, "adt-kind-address", None),  # the kind is given, or is missing
        ({}, "closing", None),
    ],
)
def test_the_kind_of_a_step(step: Any, format_id: str, kind: str | None) -> None:
    assert flow_of({"steps": {"a": step}}, format_id).steps["a"].kind == kind


def test_pairs_give_two_entries_the_first_being_where_a_run_begins() -> None:
    value = {"entryStepMapping": {"poll:state": {"initial": "a", "continuation": "b"}}, "steps": {"a": {}, "b": {}}}
    flow = flow_of(value, "entry-pair")
    assert [(entry.key, entry.target.value if entry.target else None) for entry in flow.entries] == [
        ("poll:state", "a"),
        ("poll:state", "b"),
    ]
    assert flow.entry_target("poll:state") == "a"
    assert flow_of(value, "closing").entries[0].target is None


def test_lists_of_steps_are_a_flow() -> None:
    value = {"flow": {"issue": ["work", "check", "done"], "empty": [], "odd": 3}, "steps": {"work": {}, "check": {}}}
    flow = flow_of(value, "flow-array")
    assert flow.entry_target("issue") == "work"
    assert [(move.step, move.target) for move in flow.moves()] == [("work", "check"), ("check", "done")]


def test_steps_that_are_no_objects_are_kept_apart() -> None:
    flow = flow_of({"steps": {"a": {}, "b": None, "c/d": "text"}}, "closing")
    assert list(flow.steps) == ["a"]
    assert [(odd.value, odd.pointer) for odd in flow.odd_steps] == [("b", "/steps/b"), ("c/d", "/steps/c~1d")]


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just("a"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [*((value, key) for key in keys), *(place for key in keys for place in places(value[key]))]


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_anywhere_reads_without_a_crash(corpus: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted((corpus / "climpt").glob("*/*/steps_registry.json"))))
    value = json.loads(path.read_text(encoding="utf-8"))
    for _ in range(data.draw(st.integers(min_value=1, max_value=3))):
        holder, key = data.draw(st.sampled_from(places(value)))
        holder[key] = data.draw(ODD)
    document = ParsedFile.read(path, Source(json.dumps(value)))
    format_id = detect(document)
    for known in {format_id or "closing", "closing", "adt-kind-address", "flow-array"}:
        flow = read_registry(document, known)
        assert list(flow.moves()) is not None
        assert texts_of(flow) is not None
