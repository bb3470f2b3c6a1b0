"""What exploring finds in flows whose corners are known: ends, loops, dead ends, what is unreachable."""

import pytest

from stepflow_gui.formats.climpt.eras import CLIMPT_2026_04_20
from stepflow_gui.run.exploring.findings import ExploreResult, findings_of
from stepflow_gui.run.exploring.places import DEFAULT_CAPS, ExploreCaps
from stepflow_gui.run.exploring.search import explore
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Start
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict
from stepflow_gui.run.scripts.coverage import Edge
from stepflow_gui.text.json.tree import JsonValue
from tests.run.flows import PROJECT, SIMPLE, Json, flow, registry, step, validated


def found(
    content: Json, verdict: Verdict = NO_VERDICT, start: Start | None = None, caps: ExploreCaps = DEFAULT_CAPS
) -> ExploreResult:
    return findings_of(explore(Machine(flow(content), verdict), start, caps))


def ends(explored: ExploreResult) -> dict[tuple[str, ...], int]:
    return {(end.kind, *end.steps): end.route.iterations for end in explored.ends if end.kind != "abort"}


def test_the_documented_pattern_is_covered_and_its_shortest_end_has_three_steps() -> None:
    explored = found(SIMPLE)
    assert explored.complete
    assert explored.coverage.missing_steps == []
    assert explored.coverage.missing_edges == []
    closing = next(end for end in explored.ends if end.kind == "closing")
    assert closing.route.path == ("initial.issue", "continuation.issue", "closure.issue")
    assert closing.route.lines[0] == {"step": "initial.issue", "intent": "next"}
    assert closing.outcome.success


def test_an_abort_at_any_step_is_one_end() -> None:
    abort = [end for end in found(PROJECT).ends if end.kind == "abort"]
    assert len(abort) == 1
    assert len(abort[0].steps) == 7
    assert len(abort[0].route.path) == 1


def test_a_run_that_goes_on_and_on_ends_by_its_limit() -> None:
    explored = found(SIMPLE, Verdict("poll:state", {"maxIterations": 7}))
    limit = next(end for end in explored.ends if end.kind == "limit")
    assert not limit.outcome.success
    assert len(limit.route.path) == 7
    counted = found(SIMPLE, Verdict("count:iteration", {"maxIterations": 5}))
    assert ("verdict", "continuation.issue") in ends(counted)


def test_no_limit_ends_a_flow_that_is_shorter() -> None:
    content = registry(step("a.one", next="b.two"), step("b.two", next=None))
    assert [end.kind for end in found(content).ends] == ["abort", "null"]


def test_an_end_beyond_the_limit_names_the_limit_it_needs() -> None:
    steps = [step(f"s.n{number}", next=f"s.n{number + 1}") for number in range(12)]
    explored = found(registry(*steps, step("s.n12", next=None)), Verdict("poll:state", {"maxIterations": 5}))
    end = next(end for end in explored.ends if end.kind == "null")
    assert end.route.iterations == 13
    assert end.route.max_iterations == 13
    assert end.route.plays


def test_validators_pass_and_fail_until_they_may_not_be_tried_again() -> None:
    explored = found(validated(maxAttempts=2))
    assert explored.coverage.missing_validators == []
    assert explored.coverage.failed["git-clean"]
    end = next(end for end in explored.ends if end.kind == "validation")
    assert end.route.path == ("continuation.issue", "closure.issue") * 3
    assert [line["passed"] for line in end.route.lines if "validator" in line] == [False, False, False]


def test_a_loop_that_nothing_leaves_is_reported_with_the_path_into_it() -> None:
    content = registry(
        step("a.start", next="b.around", handoff="c.done"),
        step("b.around", next="b.back", repeat="b.around"),
        step("b.back", next="b.around"),
        step("c.done", "closure", closing=None),
    )
    loop = found(content).loops[0]
    assert loop.steps == ("b.around", "b.back")
    assert loop.ended_by == "limit"
    assert loop.route.path == ("a.start", "b.around")


def test_a_loop_that_only_the_outside_ends_reports_it() -> None:
    content = registry(step("a.poll", next="a.poll"))
    assert found(content).loops[0].ended_by == "limit"
    for verdict in ("poll:state", "count:iteration", "detect:keyword"):
        assert found(content, Verdict(verdict)).loops[0].ended_by == "verdict"


def test_a_loop_whose_gate_lists_abort_has_an_exit() -> None:
    assert found(registry(step("a.poll", next="a.poll", abort=None))).loops == ()


def test_a_transition_to_a_step_that_isnt_there_is_a_dead_end() -> None:
    explored = found(registry(step("a.start", next="ghost", handoff="b.end"), step("b.end", next=None)))
    dead = explored.dead_ends[0]
    assert (dead.step, dead.answer, dead.error.kind) == ("a.start", "next", "target_not_found")
    assert dead.error.pointer == "/steps/a.start/transitions/next"
    assert dead.route.lines == ({"step": "a.start", "intent": "next"},)


def test_broken_answers_are_no_dead_ends() -> None:
    explored = found(SIMPLE)
    assert explored.dead_ends == ()
    stops = {(each.flaw, each.result) for each in explored.broken}
    assert ("no_intent", "stops") in stops
    assert ("no_output", "goes_on") in stops  # forgiven at the first iteration


def test_a_fallback_is_a_transition() -> None:
    content = registry(
        step("a.start", gate={"failFast": False, "fallbackIntent": "next"}, next="b.end"), step("b.end", next=None)
    )
    goes_on = {each.flaw for each in found(content).broken if each.step == "a.start" and each.result == "goes_on"}
    assert {"no_intent", "unknown_word", "not_allowed"} <= goes_on


def test_every_case_of_a_condition_is_gone() -> None:
    rule = {"condition": "kind", "targets": {"bug": "b.bug", "idea": "c.idea", "default": "d.rest"}}
    content = registry(
        step("a.start", gate={"handoffFields": ["kind"]}, next=rule),
        *(step(name, next=None) for name in ("b.bug", "c.idea", "d.rest")),
    )
    explored = found(content)
    assert explored.coverage.missing_edges == []
    assert {"step": "a.start", "intent": "next", "case": "idea"} in [end.route.lines[0] for end in explored.ends]


def test_a_case_that_no_answer_can_carry_is_out_of_reach_with_the_reason() -> None:
    rule = {"condition": "kind", "targets": {"bug": "b.bug", "default": "c.rest"}}
    explored = found(registry(step("a.start", next=rule), step("b.bug", next=None), step("c.rest", next=None)))
    unreached = {(each.step, each.edge): each.why for each in explored.unreached}
    assert unreached["b.bug", None] == "not_takeable"
    assert unreached["a.start", Edge("a.start", "next", "bug")] == "refused"


def test_steps_out_of_reach_explain_why() -> None:
    content = registry(
        step("a.start", next=None),
        step("b.island", next="b.behind"),
        step("b.behind", next="b.behind"),
        step("c.other", next=None),
        entryStepMapping={"count:check": "c.other"},
    )
    why = {each.step: each.why for each in found(content).unreached if each.edge is None}
    assert why == {"b.island": "no_way", "b.behind": "behind_unreached", "c.other": "other_entry"}


def test_an_intent_that_no_gate_lists_is_reported() -> None:
    content = registry(step("a.start", gate={"allowedIntents": ["next"]}, next=None, repeat="a.start"))
    assert [(each.edge, each.why) for each in found(content).unreached] == [(Edge("a.start", "repeat"), "unlisted")]


def test_a_jump_reaches_every_step_that_it_can_name() -> None:
    content = registry(
        step("a.start", gate={"targetField": "to"}, jump=None), step("b.one", next=None), step("c.two", next=None)
    )
    explored = found(content)
    assert explored.coverage.missing_steps == []
    assert {"step": "a.start", "intent": "jump", "target": "c.two"} in [end.route.lines[0] for end in explored.ends]


@pytest.mark.parametrize("required", [True, "yes", [None]])  # what JavaScript reads as true
def test_a_required_input_is_handed_over_and_missed(required: JsonValue) -> None:
    reader = step("b.reader", next=None) | {"inputs": {"n": {"from": "a.start.number", "required": required}}}
    explored = found(registry(step("a.start", gate={"handoffFields": ["found.number"]}, next="b.reader"), reader))
    assert explored.coverage.missing_steps == []
    assert explored.dead_ends == ()
    assert ("no_handoff", "stops") in {(each.flaw, each.result) for each in explored.broken}
    null = next(end for end in explored.ends if end.kind == "null")
    assert null.route.lines[0]["answer"] == {
        "stepId": "a.start",
        "next_action": {"action": "next"},
        "found": {"number": "…"},
    }


def test_a_registry_without_an_entry_is_one_dead_end() -> None:
    explored = found(registry(step("a.start", next=None), entryStep="ghost"))
    assert [dead.error.kind for dead in explored.dead_ends] == ["no_entry"]
    assert explored.ends == ()


def test_another_entry_is_explored_when_asked_for() -> None:
    assert found(SIMPLE, start=Start("closure.issue")).coverage.missing_steps == ["initial.issue", "continuation.issue"]


def test_a_search_that_is_cut_reports_it_and_accuses_nothing() -> None:
    explored = found(PROJECT, caps=ExploreCaps(places=3))
    assert not explored.complete
    assert explored.unreached == ()
    assert explored.loops == ()


def test_a_search_can_be_cancelled_and_reports_its_progress() -> None:
    told: list[tuple[int, int]] = []
    graph = explore(
        Machine(flow(SIMPLE)), progress=lambda done, known: told.append((done, known)), cancelled=lambda: True
    )
    assert graph.cut == "cancelled"
    assert told[-1] == (0, 1)
    explore(Machine(flow(SIMPLE)), progress=lambda done, known: told.append((done, known)))
    assert told[-1][0] == told[-1][1] > 3


def test_visits_are_distinguished_up_to_their_cap() -> None:
    machine = Machine(flow(SIMPLE))
    sizes = [len(explore(machine, caps=ExploreCaps(visits=visits)).nodes) for visits in (1, 2, 3)]
    assert sizes[0] < sizes[1] < sizes[2]


def test_upstreams_closure_loop_is_explored_past_the_gate() -> None:
    explored = findings_of(
        explore(Machine(flow(validated(key="closure.polling")), Verdict("poll:state"), CLIMPT_2026_04_20))
    )
    assert explored.coverage.missing_steps == []
    assert Edge("closure.issue", "closing") not in explored.coverage.missing_edges
    assert any(end.kind == "closing" and end.outcome.success for end in explored.ends)


def test_a_validator_that_cant_be_run_is_a_dead_end() -> None:
    content = validated()
    del content["validators"]["git-clean"]["command"]
    explored = found(content)
    assert [(dead.step, dead.answer, dead.error.kind) for dead in explored.dead_ends] == [
        ("closure.issue", "fault", "validator_fault")
    ]
    assert explored.dead_ends[0].route.lines[-1] == {"step": "closure.issue", "intent": "closing"}
