"""What ended a run, or continued it, in a form that today's formats lack: the flow still ends, and this is reported."""

from pathlib import Path

import pytest

from tests.project.converting.agents import Json, converted, errors, on_disk, value

STOPS = "the run could only stop there; now it can continue to “{}”"


def of_complete(tmp_path: Path, continuation: Json, **gate: object) -> Json:
    """The steps of today of a flow whose second step has these transitions."""
    steps: Json = {}
    rules = {
        "initial.a": {"next": {"target": "continuation.a"}},
        "continuation.a": continuation,
        "complete.a": {"repeat": {"target": "complete.a"}},
    }
    for step_id, said in rules.items():
        c2, _dot, c3 = step_id.partition(".")
        words = [*said, *(["complete"] if c2 == "complete" else [])]
        steps[step_id] = {
            "stepId": step_id,
            "name": step_id,
            "c2": c2,
            "c3": c3,
            "edition": "default",
            "structuredGate": {
                "allowedIntents": words,
                "intentField": "action",
                **(gate if said == continuation else {}),
            },
            "transitions": said,
        }
    entry: Json = {"agentId": "demo", "version": "1.0.0", "c1": "steps", "entryStep": "initial.a", "steps": steps}
    found = converted(on_disk(tmp_path, entry).read_as("complete"))
    assert errors(found.after) == set()
    made: Json = value(found.after)["steps"]
    return {"steps": made, "told": {(part.pointer, part.why) for part in found.lost}}


def test_a_step_that_could_only_abort_hands_off(tmp_path: Path) -> None:
    made = of_complete(tmp_path, {"repeat": {"target": "continuation.a"}}, allowedIntents=["abort", "repeat"])
    step = made["steps"]["continuation.a"]
    assert step["structuredGate"]["allowedIntents"] == ["repeat", "handoff"]
    assert step["transitions"]["handoff"] == {"target": "closure.a"}
    pointer = "/steps/continuation.a/structuredGate/allowedIntents"
    assert (pointer, STOPS.format("closure.a")) in made["told"]


def test_a_word_without_a_transition_is_offered_no_more(tmp_path: Path) -> None:
    made = of_complete(tmp_path, {"complete": {"target": "complete.a"}}, allowedIntents=["next", "complete"])
    assert made["steps"]["continuation.a"]["structuredGate"]["allowedIntents"] == ["handoff"]
    pointer = "/steps/continuation.a/transitions/next"
    assert (pointer, "it had no transition, and the run stopped there") in made["told"]


def test_a_handoff_depends_on_nothing(tmp_path: Path) -> None:
    """`next` and `jump`, which may have a condition, go elsewhere."""
    cases = {"condition": "kind", "targets": {"a": "initial.a", "default": "complete.a"}}
    plain = {"next": {"target": "initial.a"}, "jump": {"target": "initial.a"}}
    made = of_complete(tmp_path, {**plain, "complete": cases}, handoffFields=["kind"])
    assert made["steps"]["continuation.a"]["transitions"] == {**plain, "handoff": {"target": "closure.a"}}
    assert any(pointer == "/steps/continuation.a/transitions/complete" for pointer, _why in made["told"])


@pytest.mark.parametrize("checks", ["verification", "enum"])
def test_retries_that_nothing_follows_go_to_the_closure_step(checks: str, tmp_path: Path) -> None:
    """If no other transition does. A check that passed for the last time ended the run well."""
    prompt = {"c1": "steps", "c2": "phase", "c3": "plan"}
    retried = {"retry": True, "maxRetries": 2}
    for number, (outcome, others, said) in enumerate((("onFail", {"next": "s_0a1b"}, True), ("onPass", {}, False))):
        check = {"prompt": prompt, "onPass": others, "onFail": others, outcome: retried}
        step = {"id": "s_0a1b", "name": "Plan", "prompt": prompt, "check": check}
        registry = {"version": "1.0.0", "entryStep": "s_0a1b", "steps": {"s_0a1b": step}}
        found = converted(on_disk(tmp_path / str(number), registry), checks=checks)
        assert errors(found.after) == set()
        assert "closure.graph" in value(found.after)["steps"]
        where = f"/steps/s_0a1b/check/{outcome}"
        assert ((where, STOPS.format("closure.graph")) in {(each.pointer, each.why) for each in found.lost}) == said
