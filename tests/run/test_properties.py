"""Whatever happens in whatever order: nothing raises, a step back restores, a replay gives the same states."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.formats.climpt.eras import ERAS, Era
from stepflow_gui.run.explanation import explain, in_words
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Answered, NotAsked, ProgramEnded, Start, Validated
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from tests.run.flows import PROJECT, SIMPLE, Json, flow, registry, step, validated
from tests.sampling import examples

INTENTS = ["next", "repeat", "jump", "closing", "abort", "escalate", "handoff", "complete"]
IDS = ["initial.a", "continuation.a", "verification.a", "closure.a", "complete.a"]

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
words = st.sampled_from([*INTENTS, "continue", "done", "NEXT", " next", "sideways"])
json_values = st.recursive(
    scalars | words,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "status", "0", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)
answers = st.one_of(
    json_values,
    st.builds(
        lambda action, rest: {"next_action": {"action": action, "to": rest}, "status": rest, "stepId": rest},
        words | json_values,
        json_values | st.sampled_from(IDS),
    ),
)
events = st.one_of(
    st.builds(
        lambda answer, told, failed: Answered(answer, verdict_reached=told, failed=failed),
        answers,
        st.booleans(),
        st.none() | st.just("no network"),
    ),
    st.builds(
        lambda passed, error, recoverable: Validated(passed, error, recoverable=recoverable),
        st.booleans(),
        st.text(max_size=5),
        st.booleans(),
    ),
    (st.none() | st.sampled_from(IDS)).map(Start),
    st.builds(lambda why: NotAsked(why, "gone"), st.sampled_from(["prompt", "schema"])),
    st.integers(0, 2).map(ProgramEnded),
)
targets = st.none() | st.sampled_from([*IDS, "ghost", ""])
rules = st.one_of(
    json_values,
    st.builds(lambda target: {"target": target}, targets),
    st.builds(
        lambda cases: {"condition": "status", "targets": cases},
        st.dictionaries(st.sampled_from(["ready", "default", "true", "5"]), targets, max_size=3),
    ),
)
gates = st.one_of(
    json_values,
    st.fixed_dictionaries(
        {"allowedIntents": st.lists(st.sampled_from(INTENTS)) | json_values},
        optional={
            "intentField": st.sampled_from(["next_action.action", "", "status"]) | json_values,
            "targetField": st.just("next_action.to") | json_values,
            "handoffFields": st.lists(st.sampled_from(["status", "next_action", "a.status"]) | json_values, max_size=3),
            "failFast": st.booleans() | json_values,
            "fallbackIntent": st.sampled_from(INTENTS) | json_values,
        },
    ),
)
odd_steps = st.fixed_dictionaries(
    {},
    optional={
        "stepKind": st.sampled_from(["work", "verification", "closure"]) | json_values,
        "c2": st.sampled_from(["initial", "closure"]) | json_values,
        "structuredGate": gates,
        "transitions": st.dictionaries(st.sampled_from(INTENTS), rules, max_size=4) | json_values,
    },
)
odd_registries = st.fixed_dictionaries(
    {"steps": st.dictionaries(st.sampled_from(IDS), odd_steps | json_values, max_size=4) | json_values},
    optional={
        "entryStep": targets | json_values,
        "entryStepMapping": st.dictionaries(st.just("poll:state"), targets, max_size=1) | json_values,
        "validators": st.dictionaries(st.sampled_from(["v", "w"]), json_values, max_size=2) | json_values,
        "validationSteps": st.builds(
            lambda key, names, on_failure: {
                key: {"validationConditions": [{"validator": name} for name in names], "onFailure": on_failure}
            },
            st.sampled_from(["closure.a", "closure.polling", "closure.graph"]),
            st.lists(st.sampled_from(["v", "w"]) | json_values, max_size=3),
            json_values | st.builds(lambda n: {"maxAttempts": n}, st.integers(-1, 3)),
        ),
    },
)
MIXED = registry(
    step(
        "initial.a",
        "work",
        gate={"targetField": "next_action.to"},
        next="continuation.a",
        jump=None,
        handoff="closure.a",
    ),
    step(
        "continuation.a",
        "work",
        gate={"failFast": False},
        next="verification.a",
        repeat="initial.a",
        handoff="closure.a",
    ),
    step("verification.a", "verification", escalate="initial.a", next="closure.a"),
    step("closure.a", "closure", closing=None, repeat="ghost"),
    validators={"v": {"command": "true"}},
    validationSteps={"closure.a": {"validationConditions": [{"validator": "v"}, {"validator": "gone"}]}},
)
good = st.sampled_from([SIMPLE, PROJECT, validated(maxAttempts=1), MIXED])
verdicts = st.sampled_from(
    [
        Verdict(),
        Verdict("poll:state", {"maxIterations": 4}),
        Verdict("count:iteration", {"maxIterations": 3}),
        Verdict("detect:graph"),
        Verdict(
            "meta:composite", {"operator": "or", "conditions": [{"type": "count:check"}, {"type": "detect:structured"}]}
        ),
    ]
)


gated_eras = st.none() | st.sampled_from([era for era in ERAS.values() if era.gates and era.closing != "trigger"])


def played(
    content: Json,
    verdict: Verdict,
    happenings: list[Any],
    format_id: str | None = None,
    era: Era | None = None,
    shadow: Era | None = None,
) -> Run:
    read = flow(content, format_id)
    run = Run(read, verdict, era, shadow=Machine(read, verdict, shadow) if shadow else None)
    run.start(args={"issue": 1})
    for event in happenings:
        run.send(event)
    return run


@given(
    odd_registries,
    verdicts,
    st.lists(events, max_size=8),
    st.sampled_from([None, "closing", "complete"]),
    gated_eras,
    gated_eras,
)
@settings(max_examples=examples(400))
def test_nothing_raises_whatever_the_registry_and_the_events(
    content: Json,
    verdict: Verdict,
    happenings: list[Any],
    format_id: str | None,
    era: Era | None,
    shadow: Era | None,
) -> None:
    run = played(content, verdict, happenings, format_id, era, shadow)
    assert run.parting is None or run.parting.message
    for entry in run.trace:
        found = explain(run.machine.flow, entry)
        if found is not None:
            assert all(in_words(found))
    for choice in run.choices():
        run.choose(choice)
        run.back()


@given(good, verdicts, st.lists(events, max_size=12))
def test_stepping_back_restores_every_state(content: Json, verdict: Verdict, happenings: list[Any]) -> None:
    run = Run(flow(content), verdict)
    run.start()
    seen = [(run.state, dict(run.visits), dict(run.taken))]
    for event in happenings:
        before = len(run.states)
        run.send(event)
        if len(run.states) > before:
            seen.append((run.state, dict(run.visits), dict(run.taken)))
    for state, visits, taken in reversed(seen):
        assert run.state == state
        assert run.visits == visits
        assert run.taken == taken
        run.back()


@given(good, verdicts, st.lists(events, max_size=12))
def test_the_same_events_give_the_same_states(content: Json, verdict: Verdict, happenings: list[Any]) -> None:
    first = played(content, verdict, happenings)
    again = Run(flow(content), verdict)
    for entry in first.trace:
        again.send(entry.event)
    assert again.states == first.states
