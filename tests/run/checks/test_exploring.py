"""Exploring any flow with checks: what is found can be played, and the scripts written for it do what they expect."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.formats.climpt.eras import Era, era_for
from stepflow_gui.run.exploring.findings import findings_of
from stepflow_gui.run.exploring.places import ExploreCaps
from stepflow_gui.run.exploring.scripts import scripts_of
from stepflow_gui.run.exploring.search import explore
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.scripts.coverage import Coverage
from stepflow_gui.run.scripts.script_file import Script, read_script_file
from stepflow_gui.run.scripts.scripted import run_script
from tests.run.checks.flows import CLIMPT, flow, registry, step
from tests.sampling import examples

IDS = ("s_0001", "s_0002", "s_0003")
OUTCOMES: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(lambda to: {"next": to}, st.sampled_from([*IDS, "s_dead"])),
    st.builds(lambda to: {"fallback": to}, st.sampled_from(IDS)),
    st.just({"complete": True}),
    st.builds(lambda most: {"retry": True, "maxRetries": most}, st.integers(0, 3)),
    st.builds(
        lambda most, to: {"retry": True, "maxRetries": most, "fallback": to}, st.integers(1, 2), st.sampled_from(IDS)
    ),
    st.just({}),
)
STEPS = st.one_of(
    st.builds(step, OUTCOMES, OUTCOMES, st.integers(0, 3), st.integers(0, 4)),
    st.builds(lambda most: step(most=most), st.integers(0, 3)),
)


def machine_of(content: dict[str, Any], era: Era) -> Machine:
    return Machine(flow(content), era=era)


@pytest.mark.parametrize("era", ["guide", CLIMPT])
@settings(max_examples=examples(15), deadline=None)
@given(steps=st.fixed_dictionaries(dict.fromkeys(IDS, STEPS)))
def test_what_is_found_can_be_played_and_its_scripts_keep_their_word(era: str, steps: dict[str, Any]) -> None:
    content = registry(**steps)
    machine = machine_of(content, era_for("checks", era))
    graph = explore(machine, caps=ExploreCaps(places=2_000))
    assert graph.cut is None
    found = findings_of(graph)
    assert found.ends or found.dead_ends
    assert all(end.route.plays for end in found.ends)
    assert all(dead.route.plays for dead in found.dead_ends)
    scripts = scripts_of(graph)
    assert scripts.rest == ()
    coverage = Coverage(graph.coverage.totals)
    for script in scripts.scripts:
        read = read_script_file(script.text)
        assert isinstance(read, Script)
        assert read.expected is not None
        limited = machine_of(content, machine.era)
        if read.max_iterations is not None:
            limited.config.limit = read.max_iterations
        result = run_script(limited.flow, read.lines, era=limited.era)
        coverage.add_run(result.trace)
        path = tuple(entry.step for entry in result.trace if entry.is_visit)
        if read.max_iterations is None:
            assert path == read.expected.path
            assert (result.outcome.kind if result.outcome else None) == read.expected.kind
            assert (result.error.kind if result.error else None) == read.expected.error
    if all('"maxIterations"' not in script.text for script in scripts.scripts):
        assert coverage.missing_edges == graph.coverage.missing_edges


@pytest.mark.parametrize(
    "first",
    [
        step({"next": "s_0002"}, {"retry": True, "maxRetries": 10**30}),
        step({"next": "s_0002"}, {"complete": True}, least=10**20, most=10**25),
    ],
)
def test_numbers_beyond_all_runs_are_not_counted_up_to(first: dict[str, Any]) -> None:
    content = registry(s_0001=first, s_0002=step({"complete": True}, {}))
    graph = explore(machine_of(content, era_for("checks", "guide")), caps=ExploreCaps(places=4_000))
    assert graph.cut is None
    assert {end.kind for end in findings_of(graph).ends} >= {"limit"}
