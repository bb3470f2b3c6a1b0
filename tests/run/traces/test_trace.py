"""Traces: written, read, gone through again, and what is reported where a run diverges from one."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.host.host import Host, HostEvent, Ran
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.state import Answered, NotAsked, Start
from stepflow_gui.run.responders.random_answers import RandomResponder
from stepflow_gui.run.responders.replay import ReplayResponder, why_not_of
from stepflow_gui.run.responders.scripted import ScriptResponder
from stepflow_gui.run.scripts.script_file import Script, read_script_file
from stepflow_gui.run.traces.trace import Trace, TraceProblem, event_value, read_trace, registry_hash
from stepflow_gui.run.traces.trace_writing import TraceWriter, header_of, open_trace
from tests.run.flows import SIMPLE, Json, registry, step, validated

WAY = "[{intent: handoff}, {intent: closing}, {passed: false, error: ' M a'}, {intent: handoff}, {intent: closing}]"
THROUGH = "[{intent: next}, {intent: handoff}, {intent: closing}]"


def opened(root: Path, content: Json) -> AgentFolder:
    folder = root / ".agent" / "demo"
    (folder / "prompts/steps/initial/issue").mkdir(parents=True, exist_ok=True)
    (folder / "prompts/steps/initial/issue/f_default.md").write_text("Look at it.")
    runner = {"verdict": {"type": "detect:graph"}}
    (folder / "agent.json").write_text(json.dumps({"name": "demo", "runner": runner}))
    (folder / "steps_registry.json").write_text(json.dumps(content))
    found = open_agent(folder)
    assert isinstance(found, AgentFolder)
    return found


def led(host: Host, responder: Any, *listeners: Any) -> Ran:
    def tell(happened: HostEvent) -> None:
        for listener in listeners:
            listener(happened)

    return host.drive(Start(args={"topic": "x"}), responder, responder, tell)


def written(agent: AgentFolder, script: str = WAY) -> str:
    """The trace of a run of a script."""
    host = host_of(lambda _iteration: agent)
    found = read_script_file(script)
    assert isinstance(found, Script)
    responder = ScriptResponder(found.lines, host.machine.flow, host.machine.era, Simulated())
    file = io.StringIO()
    file.close, close = (lambda: None), file.close  # type: ignore[method-assign]
    with TraceWriter(file, header_of(agent, host.machine, Start(args={"topic": "x"})), agent.root) as writer:
        led(host, responder, writer.write)
    text = file.getvalue()
    close()
    return text


def trace_of(text: str) -> Trace:
    found = read_trace(text)
    assert isinstance(found, Trace), found
    return found


def replayed(agent: AgentFolder, trace: Trace) -> tuple[Ran, ReplayResponder]:
    host = host_of(lambda _iteration: agent)
    responder = ReplayResponder(trace, agent.flow)
    return led(host, responder, responder.watch), responder


def test_a_trace_holds_what_happened(tmp_path: Path) -> None:
    agent = opened(tmp_path, validated())
    text = written(agent)
    lines = [json.loads(line) for line in text.splitlines()]
    header = lines[0]
    assert header["stepflow-trace"] == 1
    assert (header["agent"], header["era"], header["args"]) == ("demo", "guide", {"topic": "x"})
    assert header["registry"] == registry_hash(agent.flow)
    assert [line["n"] for line in lines[1:]] == list(range(1, len(lines)))
    assert (lines[2]["step"], lines[2]["intent"], lines[2]["to"]) == (
        "continuation.issue",
        "handoff",
        "closure.issue",
    )
    failed = next(line for line in lines if line.get("validator") and not line["event"]["passed"])
    assert failed["event"]["error"] == " M a"
    assert lines[-1]["outcome"]["kind"] == "closing"


def test_a_run_from_a_trace_is_the_same_run(tmp_path: Path) -> None:
    agent = opened(tmp_path, validated())
    trace = trace_of(written(agent))
    ran, responder = replayed(agent, trace)
    assert ran.outcome is not None
    assert ran.outcome.success
    assert (responder.parting, responder.notes, responder.left) == (None, [], 0)


def test_random_runs_are_written_and_gone_through(tmp_path: Path) -> None:
    agent = opened(tmp_path, validated(maxAttempts=2))
    for seed in range(15):
        host = host_of(lambda _iteration: agent)
        path = tmp_path / "trace.jsonl"
        writer = open_trace(path, header_of(agent, host.machine, Start()), agent.root)
        assert isinstance(writer, TraceWriter)
        with writer:
            random = led(host, RandomResponder(host.machine, seed, Simulated()), writer.write)
        trace = read_trace(path)
        assert isinstance(trace, Trace)
        ran, responder = replayed(agent, trace)
        assert ran.state._replace(memory=random.state.memory) == random.state
        assert responder.parting is None


def test_prompts_are_named_from_the_root(tmp_path: Path) -> None:
    first = json.loads(written(opened(tmp_path, SIMPLE), THROUGH).splitlines()[2])
    assert first["prompt"]["path"] == ".agent/demo/prompts/steps/initial/issue/f_default.md"
    assert first["prompt"]["hash"].startswith("sha256:")


def test_a_registry_laid_out_otherwise_is_the_same(tmp_path: Path) -> None:
    agent = opened(tmp_path, SIMPLE)
    other = tmp_path / "other"
    again = opened(other, dict(reversed(SIMPLE.items())))
    again.registry.path.write_text(json.dumps(SIMPLE, indent=4))
    assert registry_hash(again.reread([again.registry.path]).flow) == registry_hash(agent.flow)


def test_a_changed_target_is_reported_with_its_step_and_why(tmp_path: Path) -> None:
    trace = trace_of(written(opened(tmp_path, SIMPLE), THROUGH))
    changed = json.loads(json.dumps(SIMPLE))
    changed["steps"]["initial.issue"]["transitions"]["next"]["target"] = "initial.issue"
    ran, responder = replayed(opened(tmp_path, changed), trace)
    assert responder.parting is not None
    assert (responder.parting.n, responder.parting.step, responder.parting.iteration) == (2, "initial.issue", 1)
    assert "goes to initial.issue now; then it went to continuation.issue" in responder.parting.message
    assert "has changed since" in responder.parting.message
    assert ran.unanswered is not None
    assert ran.unanswered.kind == "misfit"
    assert "initial.issue is asked now; in the trace it was continuation.issue" in ran.unanswered.message
    assert responder.notes == ["The registry has changed since the trace was written."]


def test_another_entry_is_reported(tmp_path: Path) -> None:
    trace = trace_of(written(opened(tmp_path, SIMPLE), THROUGH))
    _ran, responder = replayed(opened(tmp_path, {**SIMPLE, "entryStep": "continuation.issue"}), trace)
    assert responder.parting is not None
    assert responder.parting.message.startswith("The run begins at continuation.issue now; then it began at initial.")


def test_a_gate_that_reads_otherwise_is_reported(tmp_path: Path) -> None:
    trace = trace_of(written(opened(tmp_path, SIMPLE), THROUGH))
    changed = json.loads(json.dumps(SIMPLE))
    gate = changed["steps"]["initial.issue"]["structuredGate"]
    gate["intentField"] = "other"
    gate["failFast"] = True
    ran, responder = replayed(opened(tmp_path, changed), trace)
    assert responder.parting is not None
    assert "stops the run now" in responder.parting.message
    assert ran.stopped is not None


def test_an_end_that_comes_sooner_is_reported(tmp_path: Path) -> None:
    trace = trace_of(written(opened(tmp_path, validated())))
    changed = validated()
    changed["validationSteps"]["closure.issue"]["validationConditions"] = []
    _ran, responder = replayed(opened(tmp_path, changed), trace)
    assert responder.parting is not None
    assert responder.parting.step == "closure.issue"


def test_a_validator_that_is_new_is_reported(tmp_path: Path) -> None:
    text = "[{intent: handoff}, {intent: closing}]"
    trace = trace_of(written(opened(tmp_path, validated()), text))
    changed = validated()
    changed["validators"]["tests"] = {"type": "command", "command": "x", "successWhen": "empty"}
    conditions = changed["validationSteps"]["closure.issue"]["validationConditions"]
    conditions.append({"validator": "tests"})
    ran, _responder = replayed(opened(tmp_path, changed), trace)
    assert ran.unanswered is not None
    assert "“tests”" in ran.unanswered.message


def test_a_trace_that_was_cut_ends_where_it_ends(tmp_path: Path) -> None:
    agent = opened(tmp_path, validated())
    lines = written(agent).splitlines()
    trace = trace_of("\n".join(lines[:4]) + "\n" + lines[4][:30])
    assert len(trace.events) == 3
    ran, responder = replayed(agent, trace)
    assert isinstance(ran.unanswered, NoAnswer)
    assert ran.unanswered.kind == "ended"
    assert "closure.issue" in ran.unanswered.message
    assert responder.parting is None


def test_a_changed_prompt_is_noted(tmp_path: Path) -> None:
    agent = opened(tmp_path, SIMPLE)
    trace = trace_of(written(agent, THROUGH))
    (agent.folder / "prompts/steps/initial/issue/f_default.md").write_text("Look at it twice.")
    again = open_agent(agent.folder)
    assert isinstance(again, AgentFolder)
    ran, responder = replayed(again, trace)
    assert ran.outcome is not None
    assert responder.notes == ["The prompt of initial.issue has changed since the trace was written."]


def test_a_trace_of_another_registry_is_refused(tmp_path: Path) -> None:
    trace = trace_of(written(opened(tmp_path, SIMPLE), "[{intent: next}]"))
    other = registry(step("initial.x", next="initial.x"))
    problem = why_not_of(trace, opened(tmp_path / "other", other).flow)
    assert isinstance(problem, TraceProblem)
    assert "“demo”" in problem.message
    assert "initial.issue" in problem.message
    assert why_not_of(trace, opened(tmp_path, SIMPLE | {"version": "2"}).flow) is None


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("", None, "empty"),
        ("{}", 1, "not a trace"),
        ("hello", 1, "not a trace"),
        ('{"stepflow-trace": 9}', 1, "version 9"),
        ('{"stepflow-trace": 1}', 1, "registry"),
        ('{"stepflow-trace": 1, "registry": "x", "era": "guide"}\n\n{"n": 1}\n{}', 3, "event"),
        ('{"stepflow-trace": 1, "registry": "x", "era": "guide"}\n{"n": 2, "event": {"kind": "start"}}', 2, "missing"),
        ('{"stepflow-trace": 1, "registry": "x", "era": "guide"}\n{"n": 1, "event": {"kind": "dance"}}', 2, "kind"),
        ('{"stepflow-trace": 1, "registry": "x", "era": "guide"}\n3', 2, "not a JSON object"),
    ],
)
def test_what_is_no_trace_is_reported(text: str, line: int | None, word: str) -> None:
    found = read_trace(text)
    assert isinstance(found, TraceProblem)
    assert found.line == line
    assert word in found.message


def test_files_that_can_not_be_used_are_reported(tmp_path: Path) -> None:
    found = read_trace(tmp_path / "none.jsonl")
    assert isinstance(found, TraceProblem)
    assert "none.jsonl" in found.message
    assert isinstance(open_trace(tmp_path / "no" / "where.jsonl", {}), TraceProblem)


def test_what_a_later_version_adds_is_passed_over() -> None:
    text = '{"stepflow-trace": 1, "registry": "x", "era": "guide", "mood": "good"}\n'
    text += '{"n": 1, "event": {"kind": "answered", "answer": 3, "tokens": 12}}'
    assert trace_of(text).events[0].event.event == Answered(3)


@pytest.mark.parametrize(
    "event",
    [
        Start("a", {"x": 1}, {"y": None}, "text"),
        Answered({"a": [1]}, ("x",), True, "s", "lost", True),
        Answered(None),
        NotAsked("schema", "why", "CODE"),
        Answered(False),
    ],
)
def test_events_come_back_as_they_were(event: Any) -> None:
    line = {"n": 1, "event": event_value(event)}
    text = '{"stepflow-trace": 1, "registry": "x", "era": "guide"}\n' + json.dumps(line)
    assert trace_of(text).events[0].event.event == event


def test_secrets_and_homes_stay_out_of_a_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_PASSWORD", "correct horse battery")
    agent = opened(tmp_path, SIMPLE)
    home = Path.home()
    said = {"next_action": {"action": "next"}, "apiKey": "abc", "note": f"correct horse battery in {home}/work"}
    text = written(agent, json.dumps([{"answer": said}]))
    assert "correct horse battery" not in text
    assert f"{home}/" not in text
    assert '"apiKey": "[removed]"' in text
    assert "~/work" in text
