"""A flow and what it was converted to visit corresponding steps and end alike, whatever is answered.

Corresponding is what `Conversion.steps` lists: a step of before is the first of the steps that it has become; where
those are two, the second is asked at its check. An intent of before is given as the one of today that
`Conversion.intents` gives (`abort`, which needs no listing, as it is), a check that ends the run badly as `abort`, one
that ends it well as the move to the closure step, which then emits `closing`. Both runs end with or without success,
or stop with an error, at the same answer. If the conversion lists a transition that can't be carried over as it
was, nothing is compared any more. Validators pass.

A flow without errors has none afterwards; one whose run can't end well may have that one still.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.project.converting.conversion import Conversion
from stepflow_gui.text.source import Source
from tests.lint.prompts.test_corpus import laid_out
from tests.project.converting.agents import Json, converted, errors, from_template, on_disk
from tests.project.converting.side_by_side import differences
from tests.sampling import examples

FEW = settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
ALIKE = ("closing", "c3l")  # climpt 1.14 has no abort, and a step repeats there as often as its chain allows
IDS = ("initial.a", "continuation.a", "initial.b", "complete.a")
HASHES = ("s_0a1b", "s_1c2d", "s_2e3f")
GATED = ("initial.a", "continuation.a", "verification.a", "closure.a")
NO_GOOD_END = {"SF303", "SF304"}


@pytest.mark.parametrize("target", ["closing", "c3l"])
def test_real_agents_run_as_before(target: str, corpus: Path, tmp_path: Path, full: bool) -> None:
    """Four agents of each format; --full: eight."""
    snapshots = sorted((corpus / "climpt").rglob("prompts.txt"))
    seen: dict[str, int] = {}
    for number, file in enumerate(snapshots):
        agent = laid_out(file.parent, tmp_path / str(number))
        source = agent.flow.format
        if (
            source not in {"complete", "closing", "c3l"}
            or source == target
            or seen.get(source, 0) >= (8 if full else 4)
        ):
            continue
        seen[source] = seen.get(source, 0) + 1
        found = converted(agent, target)
        assert found.after.flow.format == target
        assert list(differences(found, 3)) == [], file.parent
        new = errors(found.after) - errors(agent)
        assert new <= ({"SF506"} if target == "c3l" else set()), (file.parent, new)
    assert seen["complete"] >= 4


@pytest.mark.parametrize("target", ["closing", "c3l"])
@pytest.mark.parametrize("checks", ["verification", "enum"])
def test_flows_with_checks_run_as_before(checks: str, target: str, checkout: Path, tmp_path: Path) -> None:
    found = converted(from_template(tmp_path, checkout, "check-flow"), target, checks)
    assert list(differences(found, 6)) == []
    assert errors(found.after) == set()


def test_a_wrong_conversion_would_be_found(checkout: Path, tmp_path: Path) -> None:
    agent = from_template(tmp_path, checkout, "complete-flow")
    found = converted(agent)
    assert list(differences(found, 3)) == []
    text = found.after.registry.source.text
    way = '"handoff": {{ "target": "{}" }}'
    ways_wrong = {'"next": { "target": "continuation': '"next": { "target": "initial'}
    ways_wrong[way.format("closure.issue")] = way.format("continuation.issue")
    for right, wrong in ways_wrong.items():
        assert right in text
        after = found.after.with_buffers({agent.registry.path: Source(text.replace(right, wrong, 1))})
        assert list(differences(found._replace(after=after), 3)) != []


def ways(targets: Sequence[str | None]) -> st.SearchStrategy[Json]:
    target = st.sampled_from(targets)
    cases = st.fixed_dictionaries({"a": target, "default": target})
    plain = st.builds(lambda found: {"target": found}, target)
    conditional = st.builds(lambda found: {"condition": "kind", "targets": found}, cases)
    return plain | conditional


@st.composite
def complete_registries(draw: st.DrawFn, sound: bool) -> Json:
    """Flows with `complete`; in sound ones every answer goes to an existing step."""
    steps: Json = {}
    for step_id in IDS:
        words = draw(
            st.lists(st.sampled_from(["next", "repeat", "jump", "complete", "abort"]), min_size=1, unique=True)
        )
        ruled = [word for word in words if word in {"next", "jump"}] if sound else []
        ruled += draw(st.lists(st.sampled_from(words), unique=True))
        kept = {"complete", "repeat"} if sound else set()
        way = ways(IDS if sound else (*IDS, None, "complete.b"))
        rules = {word: draw(way) for word in dict.fromkeys(ruled) if word not in kept}
        c2, _dot, c3 = step_id.partition(".")
        gate: Json = {"allowedIntents": words, "intentField": "next_action.action", "handoffFields": ["kind"]}
        if draw(st.booleans()):
            gate["targetField"] = "goto"
        body: Json = {"stepId": step_id, "name": step_id, "c2": c2, "c3": c3, "edition": "default"}
        steps[step_id] = {**body, "structuredGate": gate, "transitions": rules}
    if all("complete" not in step["structuredGate"]["allowedIntents"] for step in steps.values()):
        steps["initial.a"]["structuredGate"]["allowedIntents"].append("complete")
    return {"agentId": "demo", "version": "1.0.0", "c1": "steps", "entryStep": "initial.a", "steps": steps}


@pytest.mark.parametrize("sound", [True, False])
@FEW
@given(data=st.data())
def test_any_flow_with_complete_runs_as_before(
    sound: bool, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    registry = data.draw(complete_registries(sound))
    agent = on_disk(tmp_path_factory.mktemp("agent"), registry).read_as("complete")
    found = converted(agent, data.draw(st.sampled_from(ALIKE)))
    assert list(differences(found, 4)) == []
    assert errors(found.after) <= (errors(agent) if sound else {"SF301", *NO_GOOD_END})


@st.composite
def gated_registries(draw: st.DrawFn, later: bool) -> Json:
    """Flows with gates as newer runners read them, or with what only older ones knew, that have no error."""
    steps: Json = {}
    led = {
        "initial.a": {"next": ["continuation.a"], "jump": ["verification.a"], "repeat": ["initial.a"]},
        "continuation.a": {"next": ["initial.a", "verification.a"], "jump": ["initial.a"], "handoff": ["closure.a"]},
        "verification.a": {"next": ["continuation.a", "closure.a"], "escalate": ["initial.a"]},
        "closure.a": {"repeat": ["closure.a", "continuation.a"]},
    }
    for step_id in GATED:
        c2, _dot, c3 = step_id.partition(".")
        named = draw(st.lists(st.sampled_from([*led[step_id]]), unique=True))
        named += {"continuation.a": ["handoff"], "closure.a": ["closing"], "initial.a": ["next", "jump"]}.get(
            step_id, []
        )
        named = list(dict.fromkeys(named)) or ["next"]
        rules = {word: {"target": draw(st.sampled_from(led[step_id].get(word, [None])))} for word in named}
        gate = {"allowedIntents": named, "intentField": "status", "intentSchemaRef": "#/properties/status"}
        body: Json = {"stepId": step_id, "name": step_id, "stepKind": c2, "c2": c2, "c3": c3, "edition": "default"}
        if c2 in {"initial", "continuation"}:
            body["stepKind"] = "work"
        if not later and draw(st.booleans()):
            body["fallbackKey"] = draw(st.sampled_from(sorted(FALLBACK_KEYS)))
        if not later:
            body |= {"uvVariables": [], "usesStdin": False}
        ref = {"file": "steps.schema.json", "schema": step_id}
        steps[step_id] = {**body, "outputSchemaRef": ref, "structuredGate": gate, "transitions": rules}
    bases = {} if later else {"userPromptsBase": ".agent/demo/prompts", "schemasBase": ".agent/demo/schemas"}
    begun = {"agentId": "demo", "version": "1.0.0", "c1": "steps", **bases}
    entries = {"poll:state": "initial.a"} | ({} if later else {"count:iteration": "initial.a"})
    return {**begun, "entryStepMapping": entries, "steps": steps}


def schemas_of(registry: Json) -> Json:
    """An output schema for each step, which offers what its gate allows."""
    made: Json = {}
    for step_id, step in registry["steps"].items():
        offered = {"type": "string", "enum": step["structuredGate"]["allowedIntents"]}
        properties = {"stepId": {"const": step_id}, "status": offered}
        made[step_id] = {"type": "object", "required": ["stepId", "status"], "properties": properties}
    return made


@pytest.mark.parametrize("target", ["closing", "c3l"])
@FEW
@given(data=st.data())
def test_any_flow_with_gates_runs_as_before(
    target: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    registry = data.draw(gated_registries(later=target == "closing"))
    files = {"schemas/steps.schema.json": json.dumps(schemas_of(registry))}
    prompted = data.draw(st.lists(st.sampled_from(GATED), unique=True))
    for step_id in GATED:
        c2, _dot, c3 = step_id.partition(".")
        if step_id in prompted or "fallbackKey" not in registry["steps"][step_id]:
            files[f"prompts/steps/{c2}/{c3}/f_default.md"] = "Do it.\n"
    agent = on_disk(tmp_path_factory.mktemp("agent"), registry, files=files)
    assert errors(agent) <= NO_GOOD_END
    found = converted(agent, target)
    assert found.after.flow.format == target
    assert list(differences(found, 4)) == []
    assert errors(found.after) <= errors(agent) | prompts_missing(found)


def prompts_missing(found: Conversion) -> set[str]:
    """The error of prompts replaced by a built-in one before, if the conversion reports that."""
    return {"SF506"} if any("prompt" in part.what for part in found.lost) else set()


def outcomes() -> st.SearchStrategy[Json]:
    said: dict[str, st.SearchStrategy[Any]] = {
        "next": st.sampled_from(HASHES),
        "fallback": st.sampled_from(HASHES),
        "retry": st.just(True),
        "maxRetries": st.integers(0, 2),
        "complete": st.just(True),
    }
    return st.fixed_dictionaries({}, optional=said)


def sound_outcomes() -> st.SearchStrategy[Json]:
    target = st.sampled_from(HASHES)
    retried = st.fixed_dictionaries(
        {"retry": st.just(True), "maxRetries": st.integers(1, 3)}, optional={"fallback": target}
    )
    return st.builds(lambda found: {"next": found}, target) | st.just({"complete": True}) | retried


@st.composite
def check_registries(draw: st.DrawFn, sound: bool) -> Json:
    """Flows with checks; in sound ones every step has one, which determines what follows."""
    steps: Json = {}
    follows = sound_outcomes() if sound else outcomes()
    for step_id in HASHES:
        prompt = {"c1": "steps", "c2": "phase", "c3": draw(st.sampled_from(["plan", "work"]))}
        steps[step_id] = {"id": step_id, "name": step_id, "prompt": prompt}
        if draw(st.booleans()):
            steps[step_id]["iterations"] = {"min": draw(st.integers(1, 2)), "max": draw(st.integers(2, 3))}
        if sound or draw(st.integers(0, 4)):
            check: Json = {"prompt": {"c1": "checks", "c2": "step", "c3": "plan"}}
            steps[step_id]["check"] = {**check, "onPass": draw(follows), "onFail": draw(follows)}
    return {"version": "1.0.0", "entryStep": HASHES[0], "steps": steps}


@pytest.mark.parametrize("sound", [True, False])
@pytest.mark.parametrize("checks", ["verification", "enum"])
@FEW
@given(data=st.data())
def test_any_flow_with_checks_runs_as_before(
    checks: str, sound: bool, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    agent = on_disk(tmp_path_factory.mktemp("agent"), data.draw(check_registries(sound)))
    found = converted(agent, data.draw(st.sampled_from(ALIKE)), checks)
    assert list(differences(found, 6)) == []
    assert errors(found.after) <= (errors(agent) if sound else NO_GOOD_END)
