"""Generated scripts: they are read as scripts, do what they declare, and cover what they declare."""

from stepflow_gui.flow.model import Flow
from stepflow_gui.run.exploring.scripts import Generated, Scripts, scripts_of
from stepflow_gui.run.exploring.search import explore, limited
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict
from stepflow_gui.run.scripts.coverage import Coverage, totals_of
from stepflow_gui.run.scripts.script_file import Script, read_script_file
from stepflow_gui.run.scripts.scripted import ScriptResult, run_script
from stepflow_gui.text.json.tree import JsonValue
from tests.run.flows import PROJECT, SIMPLE, Json, flow, registry, step, validated


def generated(content: Json, verdict: Verdict = NO_VERDICT) -> tuple[Flow, Scripts]:
    read = flow(content)
    return read, scripts_of(explore(Machine(read, verdict)))


def run(read: Flow, verdict: Verdict, script: Generated) -> tuple[Script, ScriptResult]:
    parsed = read_script_file(script.text, "generated.jsonl")
    assert isinstance(parsed, Script), parsed
    limit = parsed.max_iterations
    if limit is not None:
        verdict = Verdict(verdict.type, {**verdict.config, "maxIterations": limit})
    return parsed, run_script(read, parsed.lines, verdict, parsed.entry)


def expected_end(script: Generated) -> JsonValue:
    expected = script.settings["expect"]
    assert isinstance(expected, dict)
    return expected["end"]


def check(read: Flow, verdict: Verdict, scripts: Scripts) -> None:
    """Each script's run is as expected, and all cover what they claim."""
    coverage = Coverage(totals_of(read, Machine(read, verdict).era, verdict))
    for script in scripts.scripts:
        parsed, result = run(read, verdict, script)
        expected = parsed.expected
        assert expected is not None
        assert expected.path == tuple(entry.step for entry in result.trace if isinstance(entry.event, Answered))
        assert result.unused == 0
        if result.outcome is not None:
            assert (expected.kind, expected.step) == (result.outcome.kind, result.outcome.step)
            assert expected.success is result.outcome.success
        else:
            assert result.error is not None
            assert expected.error == result.error.kind
        coverage.add_run(result.trace)
    for kind in ("steps", "edges", "validators"):
        assert coverage.share(kind) == scripts.coverage.share(kind)


def test_few_scripts_cover_the_documented_pattern() -> None:
    read, scripts = generated(SIMPLE)
    check(read, NO_VERDICT, scripts)
    assert scripts.coverage.missing_edges == []
    assert len(scripts.scripts) == 2  # one that closes, one that aborts
    assert expected_end(scripts.scripts[0]) == {"kind": "closing", "step": "closure.issue"}


def test_a_longer_flow_is_covered_by_few_scripts() -> None:
    read, scripts = generated(PROJECT)
    check(read, NO_VERDICT, scripts)
    assert scripts.coverage.missing_edges == []
    assert len(scripts.scripts) <= 4


def test_validators_pass_and_fail_in_them() -> None:
    content = validated(maxAttempts=1)
    read, scripts = generated(content)
    check(read, NO_VERDICT, scripts)
    lines = [line for script in scripts.scripts for line in script.lines if "validator" in line]
    told = {(line["validator"], line["passed"]) for line in lines}
    assert told == {(name, passed) for name in ("git-clean", "type-check") for passed in (True, False)}


def test_a_trap_is_left_by_a_limit_of_the_scripts_own() -> None:
    content = registry(
        step("a.start", next="b.around", handoff="c.around"),
        step("b.around", repeat="b.around"),
        step("c.around", repeat="c.around"),
    )
    read, scripts = generated(content)
    check(read, NO_VERDICT, scripts)
    limits = [script.settings["maxIterations"] for script in scripts.scripts if "maxIterations" in script.settings]
    assert limits == [2]
    assert scripts.coverage.missing_edges == []


def test_what_lies_beyond_the_limit_raises_it() -> None:
    steps = [step(f"s.n{number}", next=f"s.n{number + 1}") for number in range(8)]
    verdict = Verdict("poll:state", {"maxIterations": 3})
    read, scripts = generated(registry(*steps, step("s.n8", next=None)), verdict)
    check(read, verdict, scripts)
    assert scripts.coverage.missing_edges == []
    assert 9 in [script.settings.get("maxIterations") for script in scripts.scripts]


def test_an_error_is_expected_where_the_flow_breaks() -> None:
    read, scripts = generated(registry(step("a.start", next="ghost", repeat="a.start")))
    check(read, NO_VERDICT, scripts)
    assert {"error": "target_not_found"} in [expected_end(script) for script in scripts.scripts]


def test_a_path_that_needs_a_fallback_is_scripted() -> None:
    content = registry(
        step(
            "a.start",
            gate={"allowedIntents": ["next"], "failFast": False, "intentField": "items.1"},
            next="b.end",
        ),
        step("b.end", next=None),
    )
    read, scripts = generated(content)
    check(read, NO_VERDICT, scripts)
    assert "b.end" not in scripts.coverage.missing_steps


def test_the_same_flow_gives_the_same_scripts() -> None:
    first, second = (generated(PROJECT, Verdict("poll:state"))[1] for _time in range(2))
    assert [script.text for script in first.scripts] == [script.text for script in second.scripts]


def test_a_required_input_that_is_missing_stops_before_the_step() -> None:
    reader = step("b.reader", next=None) | {"inputs": {"n": {"from": "a.start.other", "required": True}}}
    read, scripts = generated(registry(step("a.start", next="b.reader", handoff=None), reader))
    check(read, NO_VERDICT, scripts)
    assert {"error": "required_input_missing"} in [expected_end(script) for script in scripts.scripts]


def test_a_validator_that_cant_be_run_is_expected_to_stop_the_run() -> None:
    content = validated()
    del content["validators"]["git-clean"]["command"]
    read, scripts = generated(content)
    check(read, NO_VERDICT, scripts)
    assert [expected_end(script) for script in scripts.scripts if "error" in str(script.settings["expect"])]


def test_a_limit_that_isnt_the_agents_stands_in_each_script() -> None:
    graph = explore(limited(Machine(flow(SIMPLE)), 40))
    assert [script.settings["maxIterations"] for script in scripts_of(graph, max_iterations=40).scripts] == [40, 40]
