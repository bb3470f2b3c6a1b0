"""A registry keeps its format when any one step of it is broken, removed, or marked as another format marks its steps.

`test_detect.py` looks at the snapshots; this also at both sides of every fix, and at what the corpus has none of.
"""

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.formats.detect import detect
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.formats.test_detect import BROKEN, FEWEST, MARKS
from tests.sampling import examples
from tests.seeds.documents import CHECKS

Json = dict[str, Any]
GATELESS: Json = {
    "agentId": "merger",
    "version": "1.0.0",
    "c1": "steps",
    "entryStep": "closure.merge",
    "steps": {
        f"closure.{name}": {
            "stepId": f"closure.{name}",
            "name": name,
            "c2": "closure",
            "c3": name,
            "edition": "default",
        }
        for name in ("merge", "triage", "report")
    },
}
GATELESS["steps"]["closure.merge"]["runner"] = {"command": "deno", "args": ["task", "merge"]}


def detected(value: Any) -> str | None:
    return detect(ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(value))))


@cache
def registries(corpus: Path) -> list[tuple[str, Json]]:
    """Every real registry that is large enough for one of its steps to be a minority, and two of the other formats."""
    found: list[tuple[str, Json]] = [("guide", CHECKS), ("made up", GATELESS)]
    for path in sorted((corpus / "climpt").rglob("steps_registry.json")):
        value = json.loads(path.read_text("utf-8"))
        if sum(not key.startswith("section.") for key in value["steps"]) >= FEWEST:
            found.append((path.parent.relative_to(corpus).as_posix(), value))
    return found


def test_every_format_takes_part(corpus: Path) -> None:
    large = {detected(value) for _name, value in registries(corpus)}
    missing = set(REGISTRY_FORMATS) - large
    assert missing <= {"transitions-only"}  # its only snapshot has two steps
    assert detected(CHECKS) == "checks"
    assert detected(GATELESS) == "gateless"


def broken(value: Json, key: str, data: st.DataObject) -> None:
    value["steps"][key] = data.draw(st.sampled_from(BROKEN))


def removed(value: Json, key: str, _data: st.DataObject) -> None:
    del value["steps"][key]


def shorn(value: Json, key: str, data: st.DataObject) -> None:
    step = value["steps"][key]
    step.pop(data.draw(st.sampled_from(sorted(step))))


def marked(value: Json, key: str, data: st.DataObject) -> None:
    value["steps"][key].update(data.draw(st.sampled_from(MARKS)))


def replaced(value: Json, key: str, data: st.DataObject) -> None:
    """The step is written as another format writes it, nothing of its own left."""
    value["steps"][key] = data.draw(st.sampled_from(MARKS))


def renamed(value: Json, key: str, data: st.DataObject) -> None:
    """The step has an id as only another format has it."""
    new = data.draw(st.sampled_from(["s_a8f3", "closure.other", "complete.other", "section.other", "initial.other"]))
    value["steps"] = {new if name == key else name: step for name, step in value["steps"].items()}


def paired(value: Json, _key: str, data: st.DataObject) -> None:
    """One of three or more entries is a pair, or the pair is none."""
    mapping = value.get("entryStepMapping", {})
    if len(mapping) >= FEWEST:
        verdict = data.draw(st.sampled_from(sorted(mapping)))
        held = mapping[verdict]
        mapping[verdict] = held["initial"] if isinstance(held, dict) else {"initial": held, "continuation": held}


SPOILINGS: list[Callable[[Json, str, st.DataObject], None]] = [
    broken,
    removed,
    shorn,
    marked,
    replaced,
    renamed,
    paired,
]


@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_one_spoiled_step_is_a_mistake_and_no_other_format(corpus: Path, data: st.DataObject) -> None:
    name, value = data.draw(st.sampled_from(registries(corpus)))
    spoiled = copy.deepcopy(value)
    key = data.draw(st.sampled_from([key for key in sorted(spoiled["steps"]) if not key.startswith("section.")]))
    spoil = data.draw(st.sampled_from(SPOILINGS))
    spoil(spoiled, key, data)
    assert detected(spoiled) == detected(value), (name, key, spoil.__name__)


@pytest.mark.parametrize("check", [{"onPass": {"complete": True}}, {}, None])
def test_checks_come_before_the_formats_with_gates(check: Any) -> None:
    gate = {"structuredGate": {"allowedIntents": ["closing"]}, "transitions": {"closing": {"target": None}}}
    steps = {f"s_000{number}": {"prompt": {"path": "a.md"}, "check": check, **gate} for number in range(3)}
    assert detected({"steps": steps}) == "checks"


def test_ids_alone_or_checks_alone_mark_a_registry_with_checks() -> None:
    assert detected({"steps": {"s_12ab": {}, "s_12abcdef": {}}}) == "checks"
    assert detected({"steps": {"one": {"prompt": {}, "check": {}}, "two": {"prompt": {}, "check": {}}}}) == "checks"
    assert detected({"steps": {"s_12a": {}, "s_123456789": {}, "s_12AB": {}}}) == "gateless"
    assert detected({"steps": {"one": {"check": {}}, "two": {"prompt": {}}}}) == "gateless"


def _flat(name: str, **fields: Any) -> Json:
    phase, _dot, topic = name.partition(".")
    return {"stepId": name, "name": name, "c2": phase, "c3": topic, **fields}


LINKED: Json = {
    "agentId": "graph",
    "version": "1.0.0",
    "c1": "steps",
    "entryStep": "initial.analysis",
    "steps": {
        "initial.analysis": _flat("initial.analysis", transitions={"next": {"target": "closure.review"}}),
        "closure.review": _flat("closure.review"),
    },
}
PATHS: Json = {
    "agentId": "reviewer",
    "version": "1.0.0",
    "steps": {
        f"{phase}.default": {"stepId": f"{phase}.default", "name": phase, "promptPath": f"{phase}/default.md"}
        | {"fallbackKey": f"{phase}_default", "uvVariables": []}
        for phase in ("initial", "continuation")
    },
}


def _edited(value: Json) -> list[tuple[str, str, Json]]:
    """Every key of every step left out, misspelt, emptied, or of another type."""
    return [
        (name, key, {**value, "steps": {**value["steps"], name: step}})
        for name, body in value["steps"].items()
        for key, held in body.items()
        for step in (
            {other: inner for other, inner in body.items() if other != key},
            {(f"{other}x" if other == key else other): inner for other, inner in body.items()},
            {**body, key: {}},
            {**body, key: None},
            {**body, key: [held]},
            {**body, "c2": "initial"},
        )
    ]


@pytest.mark.parametrize("value", [LINKED, PATHS])
def test_one_edit_of_two_steps_is_a_mistake_and_no_other_format(value: Json) -> None:
    """As few steps as the smallest real files of these shapes have."""
    known = {"graph": "transitions-only", "reviewer": "prompt-path"}[value["agentId"]]
    assert detected(value) == known
    assert [(name, key) for name, key, spoiled in _edited(value) if detected(spoiled) != known] == []


def test_half_of_the_steps_with_a_path_are_no_other_format_where_the_rest_has_one() -> None:
    steps = {"initial.a": PATHS["steps"]["initial.default"], "initial.b": _flat("initial.b", fallbackKey="b")}
    assert detected({**PATHS, "steps": steps}) == "c3l-flat"


def test_steps_that_no_entry_connects_have_no_transitions() -> None:
    lone = {key: value for key, value in LINKED.items() if key != "entryStep"}
    lone["steps"] = {name: _flat(name) for name in LINKED["steps"]}
    assert detected(lone) == "gateless"
