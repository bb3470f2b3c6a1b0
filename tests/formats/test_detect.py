"""Formats are detected on every real registry, and still are after any one of its steps was spoiled."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.formats.detect import detect
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.sampling import examples

OUR_ID = {
    "check-hash": "checks",
    "complete-intents": "complete",
    "closing-fallbackKey": "closing",
    "closing-no-fallbackKey": "c3l",
}


def document(value: Any) -> ParsedFile:
    return ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(value)))


def snapshots(corpus: Path) -> list[tuple[str, str, Any]]:
    index = json.loads((corpus / "climpt" / "corpus.json").read_text(encoding="utf-8"))
    return [
        (
            snapshot["id"],
            OUR_ID.get(snapshot["dialect"], snapshot["dialect"]),
            json.loads((corpus / "climpt" / snapshot["id"] / "steps_registry.json").read_text(encoding="utf-8")),
        )
        for snapshot in index["snapshots"]
    ]


def test_every_snapshot_is_recognised(corpus: Path) -> None:
    listed = snapshots(corpus)
    assert len(listed) >= 80
    assert {name: detect(document(value)) for name, _, value in listed} == {name: known for name, known, _ in listed}


def test_both_sides_of_a_fix_are_recognised(corpus: Path) -> None:
    """A pair's format follows from the rules that corpus.json gives in words, restated here by counting."""
    found = {}
    for path in sorted((corpus / "climpt" / "defects").glob("*/*/steps_registry.json")):
        value = json.loads(path.read_text(encoding="utf-8"))
        found[f"{path.parent.parent.name}/{path.parent.name}"] = (detect(document(value)), dialect(value))
    assert len(found) >= 60
    assert {name: pair for name, pair in found.items() if pair[0] != pair[1]} == {}


def dialect(value: Any) -> str:
    text = json.dumps(value)
    steps = value["steps"].values()
    if any("address" in step for step in steps):
        return "adt-kind-address"
    if any("promptPath" in step for step in steps) and not any("c2" in step for step in steps):
        return "prompt-path"
    if any(isinstance(target, dict) for target in (value.get("entryStepMapping") or {}).values()):
        return "entry-pair"
    if '"structuredGate"' not in text:
        if "flow" in value:
            return "flow-array"
        if any("transitions" in step for step in steps):
            return "transitions-only"
        if "completionSteps" in value or "completionPatterns" in value:
            return "c3l-completion"
        return "c3l-flat" if '"fallbackKey"' in text else "gateless"
    if any("complete" in (step.get("structuredGate") or {}).get("allowedIntents", []) for step in steps):
        return "complete"
    return "closing" if '"fallbackKey"' in text or "schemasBase" in value else "c3l"


# What one step may turn into: broken in itself, or marked as another format marks its steps.
BROKEN: list[Any] = [None, "oops", [], 7, {}, {"stepId": 3, "c2": [], "structuredGate": "no", "transitions": []}]
MARKS: list[dict[str, Any]] = [
    {"kind": "work", "address": {"c1": "steps", "c2": "initial", "c3": "x", "edition": "default"}},
    {"promptPath": "initial/issue.md"},
    {"prompt": {"c1": "p"}, "check": {"onPass": {"next": "s_12ab34"}}},
    {"fallbackKey": "initial_issue"},
    {"stepKind": "closure"},
    {"structuredGate": {"allowedIntents": ["next", "complete"]}, "transitions": {"complete": {"target": "complete.x"}}},
    {"structuredGate": {"allowedIntents": ["closing", "repeat"]}, "transitions": {"closing": {"target": None}}},
    {"transitions": {"next": {"target": "initial.issue"}}},
]
FEWEST = 3  # of fewer steps, one is half of the file or all of it


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_one_spoiled_step_changes_nothing(corpus: Path, data: st.DataObject) -> None:
    listed = [
        (name, known, value)
        for name, known, value in snapshots_once(corpus)
        if sum(not key.startswith("section.") for key in value["steps"]) >= FEWEST
    ]
    name, known, value = data.draw(st.sampled_from(listed))
    spoiled = copy.deepcopy(value)
    key = data.draw(st.sampled_from(sorted(spoiled["steps"])))
    change = data.draw(st.sampled_from(["broken", "marked", "shorn"]))
    if change == "broken":
        spoiled["steps"][key] = data.draw(st.sampled_from(BROKEN))
    elif change == "marked":
        spoiled["steps"][key].update(data.draw(st.sampled_from(MARKS)))
    else:
        spoiled["steps"][key].pop(data.draw(st.sampled_from(sorted(spoiled["steps"][key]))))
    assert detect(document(spoiled)) == known, name


_CACHE: dict[Path, list[tuple[str, str, Any]]] = {}


def snapshots_once(corpus: Path) -> list[tuple[str, str, Any]]:
    if corpus not in _CACHE:
        _CACHE[corpus] = snapshots(corpus)
    return _CACHE[corpus]


@pytest.mark.parametrize("value", [{}, {"steps": []}, {"steps": None}, [], "steps", 5, None, {"agentId": "x"}])
def test_what_has_no_steps_is_no_registry(value: Any) -> None:
    assert detect(document(value)) is None


def test_a_text_that_holds_nothing_is_no_registry() -> None:
    assert detect(ParsedFile.read(Path("steps_registry.json"), Source(""))) is None


def gated(*intents: str, **more: Any) -> dict[str, Any]:
    return {"structuredGate": {"allowedIntents": list(intents)}, **more}


@pytest.mark.parametrize(
    ("registry", "format_id"),
    [
        ({"steps": {}}, "closing"),
        ({"steps": {"a": gated("next"), "b": gated("closing")}, "schemasBase": "s"}, "closing"),
        ({"steps": {"a": gated("next"), "b": gated("closing")}}, "c3l"),
        ({"steps": {"a": gated("next", fallbackKey="k"), "b": gated("closing")}}, "closing"),  # a tie
        ({"steps": {"a": gated("next", "complete"), "b": gated("complete")}}, "complete"),
        ({"steps": {"a": gated("complete"), "b": gated("closing")}}, "c3l"),
        ({"steps": {"a": {"c2": "initial"}, "b": gated("closing")}}, "c3l"),
        ({"steps": {"a": {"c2": "initial"}}}, "gateless"),
        (
            {"steps": {"a": {"c2": "initial", "transitions": {"next": {"target": "b"}}}, "b": {"c2": "closure"}}},
            "transitions-only",
        ),
        ({"steps": {"s_12ab": {"prompt": {}}, "s_99ff00": {"prompt": {}, "check": {}}}}, "checks"),
        ({"steps": {"one": {"prompt": {}, "check": {}}}}, "checks"),
        ({"steps": {"a": gated("closing")}, "entryStepMapping": {"poll:state": {"initial": "a"}}}, "entry-pair"),
    ],
)
def test_small_registries(registry: Any, format_id: str) -> None:
    assert detect(document(registry)) == format_id
