"""`stepflow run`: what it prints and its exit codes, with any responder."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.project.trust import Trust
from stepflow_gui.run.traces.trace import Trace, read_trace
from tests.cli.conftest import Run
from tests.run.flows import SIMPLE, Json, registry, step, validated
from tests.run.traces.test_trace import opened

OTHER = '{"stepflow-trace": 1, "registry": "x", "era": "guide", "agent": "other"}\n'
OTHER += '{"n": 1, "event": {"kind": "start"}, "to": "a.b"}'
HAPPY = '{"intent": "next"}\n{"intent": "handoff"}\n{"intent": "closing"}\n'


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    return opened(tmp_path, SIMPLE).folder


@pytest.fixture
def happy(tmp_path: Path) -> Path:
    file = tmp_path / "happy.jsonl"
    file.write_text(HAPPY)
    return file


def written(folder: Path, name: str, content: Any) -> Path:
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


def test_a_script_runs_an_agent_a_line_a_step(run: Run, agent: Path, happy: Path) -> None:
    code, out, err = run("run", agent, "--script", happy, "--no-prompts")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "start → initial.issue",
        "1. initial.issue – next → continuation.issue",
        "2. continuation.issue – handoff → closure.issue",
        "3. closure.issue – closing → end",
        "The run is complete: closure.issue closed it.",
    ]


@pytest.mark.usefixtures("agent")
def test_an_agent_may_be_named(run: Run, happy: Path) -> None:
    assert run("run", "demo", "--script", happy, "--quiet").out == "The run is complete: closure.issue closed it.\n"
    assert run("run", "--script", happy).code == 0


def test_a_broken_agent_file_is_reported_and_the_registry_runs(run: Run, agent: Path, happy: Path) -> None:
    broken = written(agent, "agent.json", '{\n  "name": "demo",,\n}\n')
    code, out, err = run("run", agent, "--script", happy)
    assert (code, out.splitlines()[-1]) == (0, "The run is complete: closure.issue closed it.")
    assert err.startswith(f"stepflow run: {broken}:2: syntax error, so part of agent.json isn't read")
    shutil.copytree(happy.parent, agent / "flow_tests", ignore=lambda _at, names: {*names} - {happy.name})
    assert f"stepflow test: {broken}:2: syntax error, so part of agent.json isn't read" in run("test", agent).err


def test_several_agents_are_distinguished(run: Run, agent: Path, happy: Path) -> None:
    shutil.copytree(agent, agent.parent / "other")
    code, _out, err = run("run", "--script", happy)
    assert code == 2
    assert "there are 2 agents here" in err
    assert run("run", "other", "--script", happy).code == 0


def test_an_end_that_is_no_success_is_code_1(run: Run, agent: Path, tmp_path: Path) -> None:
    script = written(tmp_path, "a.yaml", "[{intent: abort}]")
    code, out, _err = run("run", agent, "--script", script)
    assert code == 1
    assert out.endswith("The run failed: initial.issue aborted it.\n")


def test_a_script_that_ends_early_or_does_not_fit_shows_where(run: Run, agent: Path, tmp_path: Path) -> None:
    script = written(tmp_path, "a.yaml", "- {intent: next}\n")
    code, out, _err = run("run", agent, "--script", script)
    assert code == 1
    assert f"{script}: The script ends, but continuation.issue waits for an answer" in out
    script.write_text("- {intent: next}\n- {step: closure.issue, intent: closing}\n")
    assert f"{script}: Line 2 of the script answers “closure.issue”" in run("run", agent, "--script", script).out
    script.write_text("- {intent: next}\n- {step: closure.isue, intent: closing}\n")
    code, _out, err = run("run", agent, "--script", script)
    assert code == 2
    assert f"stepflow run: {script}:2: Line 2 of the script names “closure.isue”, which is not a step" in err
    assert "Did you mean “closure.issue”?" in err
    script.write_text("- {intent: next}\n- {passed: true}\n")
    assert "Line 2 of the script is about a validator" in run("run", agent, "--script", script).out


def test_lines_that_were_not_needed_are_reported(run: Run, agent: Path, tmp_path: Path) -> None:
    script = written(tmp_path, "a.yaml", "- intent: abort\n- intent: next\n- intent: next\n")
    said = run("run", agent, "--script", script).err
    assert f"{script}:2: 2 lines of the script were not needed, the first is line 2." in said


def test_the_settings_of_a_script_are_used_and_the_command_line_goes_before(
    run: Run, agent: Path, tmp_path: Path
) -> None:
    script = written(tmp_path, "a.yaml", "{entry: closure.issue, answers: [{intent: closing}]}")
    assert run("run", agent, "--script", script).code == 0
    assert run("run", agent, "--script", script, "--entry", "continuation.issue").code == 1


def test_a_trace_is_written_and_gone_through(run: Run, agent: Path, happy: Path, tmp_path: Path) -> None:
    assert run("run", agent, "--script", happy, "--trace", "t.jsonl").code == 0
    code, out, err = run("run", agent, "--replay", "t.jsonl")
    assert (code, err) == (0, "")
    assert out.endswith("The run is complete: closure.issue closed it.\n")
    changed = json.loads(json.dumps(SIMPLE))
    changed["steps"]["initial.issue"]["transitions"]["next"]["target"] = "initial.issue"
    opened(tmp_path, changed)
    code, out, _err = run("run", agent, "--replay", "t.jsonl")
    assert code == 1
    assert (
        "The run diverges from the trace at event 2 (initial.issue, iteration 1): “next” of initial.issue goes to"
        in out
    )
    assert out.endswith("The registry has changed since.\n")
    changed["steps"]["initial.issue"]["transitions"]["next"]["target"] = "continuation.issue"
    opened(tmp_path, changed | {"version": "2"})
    code, out, _err = run("run", agent, "--replay", "t.jsonl")
    assert code == 0
    assert out.endswith("The registry has changed since the trace was written.\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "t.jsonl: The file is empty"),
        ("{}", "t.jsonl:1: This is not a trace of Stepflow"),
        (
            OTHER,
            "of the agent “other”: none of its steps (a.b) is here",
        ),
        ('{"stepflow-trace": 1, "registry": "x", "era": "climpt-1999"}', "climpt-1999"),
    ],
)
def test_what_is_no_trace_of_this_agent_is_refused(run: Run, agent: Path, text: str, said: str) -> None:
    Path("t.jsonl").write_text(text)
    code, out, err = run("run", agent, "--replay", "t.jsonl")
    assert (code, out) == (2, "")
    assert said in err


def test_a_trace_that_is_cut_off_reports_it(run: Run, agent: Path) -> None:
    assert run("run", agent, "--random", "1", "--trace", "t.jsonl").code == 0
    whole = Path("t.jsonl").read_text()
    Path("t.jsonl").write_text(whole.rstrip("\n")[:-5])
    _code, out, _err = run("run", agent, "--replay", "t.jsonl")
    assert "The trace is cut off in its last line, which is left out." in out
    Path("t.jsonl").write_text(whole)
    assert "cut off" not in run("run", agent, "--replay", "t.jsonl").out


@pytest.mark.parametrize("option", ["--script", "--replay"])
def test_a_file_that_is_no_text_is_reported(run: Run, agent: Path, option: str) -> None:
    Path("odd.jsonl").write_bytes(b'{"a": "\xff"}')
    code, _out, err = run("run", agent, option, "odd.jsonl")
    assert code == 2
    assert "odd.jsonl: not UTF-8 text (byte 7)" in err


def test_chance_is_the_same_from_the_same_seed(run: Run, agent: Path) -> None:
    one = run("run", agent, "--random", "1", "--seed", "7")
    assert one.out == run("run", agent, "--random", "1", "--seed", "7").out
    many = run("run", agent, "--random", "20")
    assert many.code == 0
    assert len(many.out.splitlines()) == 21
    assert many.out.splitlines()[7].startswith("seed 7: ")
    assert run("run", agent, "--random", "20", "--quiet").out.count("\n") == 1
    assert run("run", agent, "--random", "2", "--trace", "x").code == 2


def test_a_registry_with_errors_runs_to_the_break_and_shows_the_finding(run: Run, tmp_path: Path, happy: Path) -> None:
    content = json.loads(json.dumps(SIMPLE))
    content["steps"]["continuation.issue"]["transitions"]["handoff"]["target"] = "closure.nowhere"
    agent = opened(tmp_path, content).folder
    code, out, _err = run("run", agent, "--script", happy)
    assert code == 1
    assert "1. initial.issue – next → continuation.issue" in out
    assert "2. continuation.issue – handoff → stopped" in out
    assert "closure.nowhere" in out
    assert ".agent/demo/steps_registry.json:" in out
    assert "SF301" in out


def closing(tmp_path: Path, command: str, **more: Any) -> tuple[Path, Path]:
    """An agent whose validator runs a command, and a script that closes it."""
    content: Json = validated(maxAttempts=1)
    content["validators"] = {
        name: {"type": "command", "command": command, "successWhen": "exitCode:0"} | more
        for name in content["validators"]
    }
    script = written(tmp_path, "close.yaml", "[{intent: handoff}, {intent: closing}]")
    return opened(tmp_path, content).folder, script


def test_validators_are_simulated_until_the_folder_is_trusted(run: Run, tmp_path: Path) -> None:
    agent, script = closing(tmp_path, "touch ran")
    code, out, err = run("run", agent, "--script", script)
    assert code == 0
    assert "validator git-clean passes" in out
    assert "simulated" in err
    assert not (tmp_path / "ran").exists()
    code, _out, err = run("run", agent, "--script", script, "--trust", "--no-prompts")
    assert (code, err) == (0, "")
    assert (tmp_path / "ran").exists()
    (tmp_path / "ran").unlink()
    assert run("run", agent, "--script", script).err != ""  # that was for once
    assert Trust().add(tmp_path) is None
    assert run("run", agent, "--script", script, "--no-prompts").err == ""
    assert (tmp_path / "ran").exists()
    (tmp_path / "ran").unlink()
    run("run", agent, "--script", script, "--simulate")
    assert not (tmp_path / "ran").exists()


def test_commands_run_where_it_is_wished_and_can_take_too_long(run: Run, tmp_path: Path) -> None:
    agent, script = closing(tmp_path, "touch ran; sleep 100")
    (tmp_path / "work").mkdir()
    code, out, _err = run("run", agent, "--script", script, "--trust", "--cwd", "work", "--timeout", "0.3")
    assert code == 1
    assert "“touch ran; sleep 100” was ended after 0.3 s" in out
    assert (tmp_path / "work" / "ran").exists()
    assert run("run", agent, "--script", script, "--trust", "--cwd", "nowhere").code == 2


def test_a_validator_can_be_made_to_fail(run: Run, tmp_path: Path) -> None:
    agent, script = closing(tmp_path, "true")
    out = run("run", agent, "--script", script, "--fail", "git-clean= M a").out
    assert "2. closure.issue: validator git-clean fails: M a" in out
    assert run("run", agent, "--script", script, "--fail", "git-clean", "--trust").code == 2


def test_parameters_have_the_types_of_the_agent(run: Run, agent: Path, happy: Path) -> None:
    definition = json.loads((agent / "agent.json").read_text())
    types = {"count": "number", "deep": "boolean", "names": "array", "topic": "string"}
    definition["parameters"] = {name: {"type": kind, "description": ""} for name, kind in types.items()}
    (agent / "agent.json").write_text(json.dumps(definition))
    given = ["--arg", "count=3", "--arg", "deep=true", "--arg", "names=a,b", "--arg", "topic=1", "--arg", "free=x=y"]
    assert run("run", *given, agent, "--script", happy, "--trace", "t.jsonl").code == 0
    header = json.loads(Path("t.jsonl").read_text().splitlines()[0])
    assert header["args"] == {"count": 3, "deep": True, "names": ["a", "b"], "topic": "1", "free": "x=y"}
    for wrong in ("count=x", "deep=1", "topic"):
        code, _out, err = run("run", agent, "--script", happy, "--arg", wrong)
        assert code == 2
        assert wrong.partition("=")[0] in err


def test_a_shadow_shows_where_it_parts(run: Run, agent: Path, tmp_path: Path) -> None:
    script = written(tmp_path, "a.yaml", "[{intent: abort}]")
    out = run("run", agent, "--script", script, "--shadow", "climpt-2026-03-14").out
    assert "climpt-2026-03-14 diverges here" in out


def test_eras_and_limits_are_heeded(run: Run, agent: Path, tmp_path: Path) -> None:
    script = written(tmp_path, "a.yaml", "[{intent: next}, {step: continuation.issue, intent: next, times: any}]")
    code, out, _err = run("run", agent, "--script", script, "--max-iterations", "5")
    assert code == 1
    assert "5. continuation.issue" in out
    assert "6. " not in out
    aborting = written(tmp_path, "b.yaml", "[{intent: abort}]")
    assert (
        run("run", agent, "--script", aborting, "--runtime", "climpt-2026-03-14").out
        != run("run", agent, "--script", aborting).out
    )


def test_exploring_reports_all_as_text_as_json_and_as_scripts(run: Run, agent: Path) -> None:
    code, out, _err = run("run", agent, "--explore")
    assert code == 0
    assert "Explored from initial.issue as guide" in out
    found = json.loads(run("run", agent, "--explore", "--format", "json").out)
    assert found["complete"] is True
    folder = agent / "flow_tests"
    assert "written to" in run("run", agent, "--explore", "--write-scripts", folder).out
    code, out, _err = run("test", agent, "--coverage-min", "edges=100", "--coverage-min", "steps=100")
    assert code == 0, out
    code, _out, err = run("run", agent, "--explore", "--write-scripts", folder)
    assert code == 2
    assert "already exists" in err


def test_exploring_from_every_entry_covers_what_one_leaves_out(run: Run, tmp_path: Path) -> None:
    two = registry(
        step("a.start", "work", next="a.start", abort=None),
        step("b.start", "work", next="b.start", abort=None),
        step("c.island", "work", next="a.start"),
        entryStepMapping={"poll:state": "b.start", "count:iteration": "a.start"},
    )
    agent = opened(tmp_path, two).folder
    out = run("run", agent, "--explore", "--all-entries").out
    assert "Explored from a.start" in out
    assert "Explored from b.start" in out
    assert "From all 2 entries together: steps 2/3 (66 %)" in out
    last = out[out.rindex("Unreachable") :]
    assert "c.island" in last
    assert "b.start" not in last
    found = json.loads(run("run", agent, "--explore", "--all-entries", "--format", "json").out)
    assert [each["entry"] for each in found["entries"]] == ["a.start", "b.start"]
    assert found["coverage"]["steps"]["missing"] == ["c.island"]
    assert [each["step"] for each in found["unreached"]] == ["c.island"]
    folder = tmp_path / "scripts"
    run("run", agent, "--explore", "--all-entries", "--write-scripts", folder)
    entries = {json.loads(file.read_text().splitlines()[0]).get("entry") for file in folder.iterdir()}
    assert entries == {None, "b.start"}


def test_what_isn_t_imitated_is_reported(run: Run, agent: Path, tmp_path: Path) -> None:
    errors = run("run", agent, "--random", "1", "--runtime", "climpt-2026-01-09").err
    assert "climpt-2026-01-09 knows checks alone" in errors
    checks = {"s_a1b2": {"id": "s_a1b2", "name": "A", "prompt": "a", "check": {"onPass": {"complete": True}}}}
    folder = tmp_path / "checks" / ".agent" / "demo"
    folder.mkdir(parents=True)
    content = {"agentId": "demo", "version": "1.0.0", "entryStep": "s_a1b2", "steps": checks}
    (folder / "steps_registry.json").write_text(json.dumps(content))
    for way in (["--explore"], ["--random", "1"]):
        code, _out, errors = run("run", folder, *way, "--runtime", "climpt-2026-04-20")
        assert code == 2
        assert "climpt-2026-04-20 knows gates and transitions alone, not checks" in errors


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "--random", "1"], "no such file or folder"),
        ([".", "--script", "none.yaml"], "none.yaml: no such file or folder"),
        ([".", "--replay", "none.jsonl"], "none.jsonl: no such file or folder"),
        ([".", "--random", "0"], "invalid value '0' for --random: expected an integer ≥ 1"),
        ([".", "--random", "1", "--explore"], "can't be used with"),
        ([".", "--runtime", "climpt-1999"], "invalid value 'climpt-1999' for --runtime"),
        ([".", "--explore", "--trace", "t"], "--trace can't be used with --explore"),
        ([".", "--random", "1", "--write-scripts", "x"], "--write-scripts needs --explore"),
        ([".", "--random", "1", "--entry", "nowhere"], "unknown step “nowhere” for --entry"),
        ([".", "--explore", "--entry", "meta:custom"], "unknown step “meta:custom” for --entry"),
        ([".", "--random", "1", "--all-entries"], "--all-entries needs --explore"),
        ([".", "--explore", "--all-entries", "--entry", "x"], "--entry can't be used with --all-entries"),
        ([".", "--random", "1", "--trace", "no/where.jsonl"], "no/where.jsonl: can't be written"),
        ([".", "--random", "1", "--input", "none.txt"], "none.txt: no such file or folder"),
    ],
)
@pytest.mark.usefixtures("agent")
def test_what_is_wrong_with_the_command_line_is_code_2(run: Run, arguments: list[str], said: str) -> None:
    code, out, err = run("run", *arguments)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.usefixtures("agent")
def test_without_a_terminal_somebody_must_be_chosen(spawn: Run, tmp_path: Path) -> None:
    code, _out, err = spawn("run", tmp_path)
    assert code == 2
    assert "choose who answers" in err


@pytest.mark.parametrize("option", ["--timeout=-1", "--timeout=0", "--timeout=nan", "--timeout=inf", "--max-cost=nan"])
def test_times_and_costs_are_amounts(run: Run, agent: Path, option: str) -> None:
    code, _out, err = run("run", agent, "--random", "1", option)
    assert code == 2
    assert f"for {option.partition('=')[0]}: expected a number" in err


def test_a_validator_that_is_not_there_cannot_fail(run: Run, tmp_path: Path) -> None:
    folder, script = closing(tmp_path, "true")
    code, _out, err = run("run", folder, "--script", script, "--fail", "git-claen=dirty")
    assert code == 2
    assert "There is no validator “git-claen”. Known: git-clean" in err


def test_japanese(run: Run, agent: Path, happy: Path, japanese_catalogue: None) -> None:
    assert japanese_catalogue is None
    out = run("run", agent, "--script", happy, "--lang", "ja").out
    assert "3. closure.issue – closing → 終了" in out
    assert "{" not in run("run", "--help", "--lang", "ja").out.replace("{input_text}", "").replace("{task}", "")


def test_an_interrupted_run_leaves_no_command_and_a_whole_trace(checkout: Path, tmp_path: Path, ctrl_c: None) -> None:
    agent, script = closing(tmp_path, "echo $$ > pid; sleep 100")
    words: list[str | Path] = [
        "run",
        agent,
        "--script",
        script,
        "--trust",
        "--trace",
        tmp_path / "t.jsonl",
        "--cwd",
        tmp_path,
    ]
    running = subprocess.Popen(
        [sys.executable, "-m", "stepflow_gui", *words],
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in err
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    trace = read_trace(tmp_path / "t.jsonl")
    assert isinstance(trace, Trace)
    assert len(trace.events) == 3


@pytest.mark.parametrize("options", [[], ["--input", "-", "--random", "1"], ["--anthropic"]])
def test_standard_input_that_is_closed_is_a_wrong_command_line(
    options: list[str], run: Run, agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    ran = run("run", agent, *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("stepflow run: ")


@pytest.mark.parametrize("words", [("run", "--explore"), ("run", "--random", "1"), ("test",)])
def test_a_registry_that_cannot_be_parsed_is_refused_with_its_finding(
    run: Run, agent: Path, words: tuple[str, ...]
) -> None:
    registry = agent / "steps_registry.json" if agent.is_dir() else agent
    registry.write_text(registry.read_text("utf-8").replace("{", "{,", 1), "utf-8")
    command, *options = words
    code, out, err = run(command, registry, *options)
    assert (code, out) == (2, "")
    assert "error SF001: " in err
