"""How much of a flow runs have covered."""

from stepflow_gui.formats.climpt.eras import CLIMPT_2026_04_20, GUIDE
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict
from stepflow_gui.run.scripts.coverage import Coverage, Edge, Share, totals_of
from tests.run.flows import SIMPLE, flow, registry, say, started, step, validated


def test_a_run_covers_the_steps_it_answered_and_the_transitions_it_took() -> None:
    coverage = Coverage(totals_of(flow(SIMPLE), GUIDE, NO_VERDICT))
    run = started(SIMPLE)
    say(run, "next", "repeat", "handoff")
    coverage.add_run(run.trace)
    assert coverage.share("steps") == Share(2, 3)  # the closure is asked, but has no answer
    assert coverage.missing_steps == ["closure.issue"]
    assert coverage.share("edges") == Share(3, 7)
    assert coverage.edges[Edge("continuation.issue", "handoff")] == 1
    say(run, "closing")
    second = Coverage(coverage.totals)
    second.add_run(run.trace[-1:])
    coverage.add_all(second)
    assert coverage.missing_steps == []
    assert coverage.runs == 2


def test_a_closing_counts_when_its_validators_have_passed() -> None:
    content = validated()
    coverage = Coverage(totals_of(flow(content), GUIDE, NO_VERDICT))
    assert coverage.totals.validators == ("git-clean", "type-check")
    run = started(content)
    say(run, "handoff", "closing")
    run.validated(False, "dirty")
    coverage.add_run(run.trace)
    assert coverage.missing_validators == ["type-check"]
    assert coverage.failed["git-clean"] == 1
    assert Edge("closure.issue", "closing") in coverage.missing_edges
    say(run, "handoff", "closing")
    run.validated(True)
    run.validated(True)
    coverage.add_run(run.trace)
    assert Edge("closure.issue", "closing") not in coverage.missing_edges


def test_an_abort_that_no_gate_lists_is_nothing_to_cover() -> None:
    listed = registry(step("a.start", next=None, abort=None))
    assert Edge("a.start", "abort") in totals_of(flow(listed), GUIDE, NO_VERDICT).edges
    plain = flow(registry(step("a.start", next=None)))
    coverage = Coverage(totals_of(plain, GUIDE, NO_VERDICT))
    run = started(registry(step("a.start", next=None)))
    say(run, "abort")
    coverage.add_run(run.trace)
    assert coverage.share("edges") == Share(0, 1)
    assert coverage.edges[Edge("a.start", "abort")] == 1


def test_sections_and_impossible_cases_are_not_counted() -> None:
    rule = {"condition": "kind", "targets": {"bug": None, "default": None}}
    content = registry(step("a.start", next=rule), step("section.part", next=None))
    totals = totals_of(flow(content), GUIDE, NO_VERDICT)
    assert totals.steps == ("a.start",)
    assert totals.edges == (Edge("a.start", "next", "default"),)


def test_validators_are_those_that_the_era_looks_for() -> None:
    read = flow(validated(key="closure.polling"))
    assert totals_of(read, CLIMPT_2026_04_20, Verdict("poll:state")).validators == ("git-clean", "type-check")
    assert totals_of(read, CLIMPT_2026_04_20, Verdict("detect:graph")).validators == ()


def test_nothing_to_cover_is_covered() -> None:
    assert Share(0, 0).percent == 100
    assert Share(1, 3).percent < 34
