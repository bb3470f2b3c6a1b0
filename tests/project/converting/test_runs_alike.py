"""A flow and what it was converted to visit corresponding steps and end alike, whatever is answered.

Corresponding is what `Conversion.steps` says: a step of before is the first of the steps that it has become; where
those are two, the second is asked at its check. An intent of before is said as the one of today that
`Conversion.intents` gives (`abort`, which needs no listing, as it is), a check that ends the run badly as `abort`, one
that ends it well as the way into the closure step, which then says `closing`. Both runs end with or without success,
or stop with an error, at the same answer. Where the conversion lists a way as one that can't be carried over as it
was, nothing is compared any more. Validators pass.
"""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.text.source import Source
from tests.lint.prompts.test_corpus import laid_out
from tests.project.converting.agents import Json, converted, errors, from_template, on_disk
from tests.project.converting.side_by_side import differences

FEW = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
IDS = ("initial.a", "continuation.a", "initial.b", "complete.a")
HASHES = ("s_0a1b", "s_1c2d", "s_2e3f")


@pytest.mark.parametrize("target", ["closing", "c3l"])
def test_real_agents_run_as_before(target: str, corpus: Path, tmp_path: Path) -> None:
    snapshots = sorted((corpus / "climpt").rglob("prompts.txt"))
    seen: dict[str, int] = {}
    for number, file in enumerate(snapshots):
        agent = laid_out(file.parent, tmp_path / str(number))
        source = agent.flow.format
        if source not in {"complete", "closing", "c3l"} or source == target or seen.get(source, 0) > 7:
            continue
        seen[source] = seen.get(source, 0) + 1
        found = converted(agent, target)
        assert found.after.flow.format == target
        assert list(differences(found, 3)) == [], file.parent
        new = errors(found.after) - errors(agent)
        assert new <= ({"SF506"} if target == "c3l" else set()), (file.parent, new)
    assert seen["complete"] >= 6


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


def ways() -> st.SearchStrategy[Json]:
    targets = st.sampled_from([*IDS, None, "complete.b"])
    cases = st.fixed_dictionaries({"a": targets, "default": targets})
    plain = st.builds(lambda target: {"target": target}, targets)
    conditional = st.builds(lambda found: {"condition": "kind", "targets": found}, cases)
    return plain | conditional


@st.composite
def complete_registries(draw: st.DrawFn) -> Json:
    steps: Json = {}
    for step_id in IDS:
        words = draw(
            st.lists(st.sampled_from(["next", "repeat", "jump", "complete", "abort"]), min_size=1, unique=True)
        )
        rules = {word: draw(ways()) for word in draw(st.lists(st.sampled_from(words), unique=True))}
        c2, _dot, c3 = step_id.partition(".")
        gate: Json = {"allowedIntents": words, "intentField": "next_action.action", "handoffFields": ["kind"]}
        if draw(st.booleans()):
            gate["targetField"] = "goto"
        body: Json = {"stepId": step_id, "name": step_id, "c2": c2, "c3": c3, "edition": "default"}
        steps[step_id] = {**body, "structuredGate": gate, "transitions": rules}
    if all("complete" not in step["structuredGate"]["allowedIntents"] for step in steps.values()):
        steps["initial.a"]["structuredGate"]["allowedIntents"].append("complete")
    return {"agentId": "demo", "version": "1.0.0", "c1": "steps", "entryStep": "initial.a", "steps": steps}


@FEW
@given(complete_registries())
def test_any_flow_with_complete_runs_as_before(tmp_path_factory: pytest.TempPathFactory, registry: Json) -> None:
    agent = on_disk(tmp_path_factory.mktemp("agent"), registry).read_as("complete")
    assert list(differences(converted(agent), 4)) == []


def outcomes() -> st.SearchStrategy[Json]:
    said: dict[str, st.SearchStrategy[Any]] = {
        "next": st.sampled_from(HASHES),
        "fallback": st.sampled_from(HASHES),
        "retry": st.just(True),
        "maxRetries": st.integers(0, 2),
        "complete": st.just(True),
    }
    return st.fixed_dictionaries({}, optional=said)


@st.composite
def check_registries(draw: st.DrawFn) -> Json:
    steps: Json = {}
    for step_id in HASHES:
        prompt = {"c1": "steps", "c2": "phase", "c3": draw(st.sampled_from(["plan", "work"]))}
        steps[step_id] = {"id": step_id, "name": step_id, "prompt": prompt}
        if draw(st.booleans()):
            steps[step_id]["iterations"] = {"min": draw(st.integers(1, 2)), "max": draw(st.integers(1, 3))}
        if draw(st.integers(0, 4)):
            check: Json = {"prompt": {"c1": "checks", "c2": "step", "c3": "plan"}}
            steps[step_id]["check"] = {**check, "onPass": draw(outcomes()), "onFail": draw(outcomes())}
    return {"version": "1.0.0", "entryStep": HASHES[0], "steps": steps}


@pytest.mark.parametrize("checks", ["verification", "enum"])
@FEW
@given(registry=check_registries())
def test_any_flow_with_checks_runs_as_before(
    checks: str, tmp_path_factory: pytest.TempPathFactory, registry: Json
) -> None:
    found = converted(on_disk(tmp_path_factory.mktemp("agent"), registry), checks=checks)
    assert list(differences(found, 6)) == []
