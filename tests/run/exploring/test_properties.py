"""Whatever the registry: exploring never raises, its paths end where reported, it agrees with plain reachability."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.flow.model import Flow
from stepflow_gui.flow.reach import reached
from stepflow_gui.formats.climpt.eras import ERAS, Era
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.read import read_flow
from stepflow_gui.run.exploring.findings import findings_of
from stepflow_gui.run.exploring.places import ExploreCaps
from stepflow_gui.run.exploring.report import as_json, table
from stepflow_gui.run.exploring.scripts import scripts_of
from stepflow_gui.run.exploring.search import explore, limited
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.responders.script import ScriptProblem, read_script
from stepflow_gui.run.scripts.scripted import run_script
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.run.exploring.test_scripts import check
from tests.run.flows import Json, flow, registry, step, validated
from tests.run.test_properties import good, odd_registries, verdicts
from tests.sampling import examples

NAMES = [f"s.n{number}" for number in range(8)]
plain_steps = st.dictionaries(
    st.sampled_from(["next", "repeat", "jump", "handoff", "escalate"]),
    st.none() | st.sampled_from(NAMES),
    min_size=1,
    max_size=4,
)
plain_flows = st.lists(plain_steps, min_size=8, max_size=8).map(
    lambda rules: registry(*(step(name, None, None, **each) for name, each in zip(NAMES, rules, strict=True)))
)
closing_flows = st.builds(
    lambda attempts, action: validated(action=action, **({} if attempts is None else {"maxAttempts": attempts})),
    st.none() | st.integers(0, 4),
    st.sampled_from(["retry", "abort", "skip"]),
)
eras = st.none() | st.sampled_from([era for era in ERAS.values() if era.gates])
small = ExploreCaps(places=400, arcs=6000)


@given(odd_registries, verdicts, st.sampled_from([None, "closing", "complete"]), eras)
@settings(max_examples=examples(150))
def test_nothing_raises(content: Json, verdict: Verdict, format_id: str | None, era: Era | None) -> None:
    found = findings_of(explore(Machine(flow(content, format_id), verdict, era), caps=small))
    json.dumps(as_json(found))
    assert list(table(found))
    scripts_of(found.graph)


@given(plain_flows)
@settings(max_examples=examples(100))
def test_what_is_reached_is_what_the_graph_reaches(content: Json) -> None:
    read = flow(content)
    graph = explore(Machine(read, Verdict("poll:state", {"maxIterations": 2})))
    ways: dict[str, list[str]] = {name: [] for name in NAMES}
    for move in read.moves():
        if move.target is not None:
            ways[move.step].append(move.target)
    expected = set(reached([NAMES[0]], ways))
    assert expected == {node.step for node in graph.nodes}
    assert set(NAMES) - set(graph.coverage.missing_steps) == expected


def plays(read: Flow, verdict: Verdict) -> None:
    """Every reported path reaches its end when it is run as a script; none is longer than it must be."""
    found = findings_of(explore(Machine(read, verdict)))
    for end in found.ends:
        assert end.route.plays
        lines = read_script("".join(json.dumps(dict(line)) + "\n" for line in end.route.lines))
        assert not isinstance(lines, ScriptProblem)
        limit = end.route.max_iterations
        config = {**verdict.config, **({} if limit is None else {"maxIterations": limit})}
        result = run_script(read, lines, Verdict(verdict.type, config))
        assert result.outcome == end.outcome
        assert result.unused == 0
        assert result.outcome.iterations == end.route.iterations == len(end.route.path)


@given(plain_flows, st.sampled_from([Verdict(), Verdict("poll:state", {"maxIterations": 3}), Verdict("detect:graph")]))
@settings(max_examples=examples(60))
def test_shortest_paths_reach_their_ends(content: Json, verdict: Verdict) -> None:
    plays(flow(content), verdict)


@given(closing_flows | good, st.sampled_from([Verdict(), Verdict("meta:custom"), Verdict("detect:keyword")]))
@settings(max_examples=examples(60))
def test_shortest_paths_pass_validators(content: Json, verdict: Verdict) -> None:
    plays(flow(content), verdict)


@given(plain_flows | closing_flows, st.sampled_from([Verdict(), Verdict("count:iteration", {"maxIterations": 4})]))
@settings(max_examples=examples(60))
def test_scripts_do_and_cover_as_described(content: Json, verdict: Verdict) -> None:
    read = flow(content)
    graph = explore(Machine(read, verdict))
    scripts = scripts_of(graph)
    check(read, verdict, scripts)
    assert scripts.rest == ()
    assert scripts.coverage.missing_edges == graph.coverage.missing_edges


@given(plain_flows)
@settings(max_examples=examples(20))
def test_the_same_is_found_each_time(content: Json) -> None:
    first, second = (as_json(findings_of(explore(Machine(flow(content))))) for _time in range(2))
    assert first == second


def test_another_limit_changes_nothing_else() -> None:
    machine = Machine(flow(validated()), Verdict("count:iteration", {"maxIterations": 4}))
    other = limited(machine, 9)
    assert other.config.limit == 9
    assert other.verdict.limit == 9
    assert machine.config.limit == 4


@pytest.mark.parametrize("era", [None, *(era for era in ERAS.values() if era.closing != "trigger" and era.gates)])
def test_real_registries(corpus: Path, era: Era | None) -> None:
    explored = 0
    paired = era is not None and era.entry_pairs
    formats = {"adt-kind-address"} if paired else {"closing", "complete", "c3l"}
    for path in sorted(corpus.rglob("steps_registry.json")):
        document = ParsedFile.read(path, Source(path.read_text("utf-8")))
        if detect(document) not in formats:
            continue
        read = read_flow(document)
        for verdict in ("poll:state", "count:iteration", "detect:structured"):
            found = findings_of(
                explore(Machine(read, Verdict(verdict), era), caps=ExploreCaps(places=5000, arcs=50_000))
            )
            assert json.dumps(as_json(found))
            assert list(table(found))
            explored += not found.dead_ends
    assert explored > (0 if paired else 20)
