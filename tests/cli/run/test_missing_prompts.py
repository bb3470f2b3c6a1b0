"""Runs whose prompts can't be made: stopped where the runtime needs them, else a warning, or neither where wished."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

NEWEST, EARLY = "climpt-2026-04-20", "climpt-2026-03-14"
_FIRST = "prompts/steps/initial/issue/f_default.md"
_PROMPT = "prompts/steps/continuation/issue/f_default.md"


@pytest.fixture
def agent(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run("new", "issue-flow", tmp_path).code == 0
    return tmp_path / ".agent/issue-flow"


def script_of(agent: Path) -> Path:
    return agent / "flow_tests/happy.yaml"


def change(agent: Path, old: str, new: str) -> None:
    file = agent / "steps_registry.json"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("runtime", "code"),
    [(NEWEST, "PR-C3L-004"), ("climpt-2026-04-08", "PR-C3L-004"), ("climpt-2026-04-01", "PR-C3L-002")],
)
def test_a_missing_prompt_ends_the_run_as_in_the_runtime(run: Run, agent: Path, runtime: str, code: str) -> None:
    assert run("run", agent, "--script", script_of(agent), "--runtime", runtime).code == 0
    (agent / _PROMPT).unlink()
    ended, out, err = run("run", agent, "--script", script_of(agent), "--runtime", runtime)
    assert ended == 1
    assert f"continuation.issue has no prompt file. Add one, or step back. [{code}]" in out
    assert f"SF506 “continuation.issue” has no prompt: .agent/issue-flow/{_PROMPT} doesn't exist, and {runtime}" in out
    assert "use --no-prompts to run without prompts" in err
    assert run("run", agent, "--random", "2", "--arg", "issue=1", "--runtime", runtime).code == 1


def test_a_test_fails_as_the_runtime_does_and_may_expect_it(run: Run, agent: Path) -> None:
    (agent / _PROMPT).unlink()
    code, out, _err = run("test", agent, "--runtime", NEWEST)
    assert (code, "continuation.issue has no prompt file" in out) == (1, True)
    assert run("test", agent, "--runtime", NEWEST, "--no-prompts").code == 0
    text = "args: { issue: 1 }\nanswers: [{ intent: next }]\nexpect: { end: { error: PR-C3L-004 } }\n"
    script_of(agent).write_text(text, "utf-8")
    assert run("test", agent, "--runtime", NEWEST).code == 0


def test_what_uv_variables_list_has_a_value(run: Run, agent: Path) -> None:
    change(agent, '"uvVariables": ["issue"],', '"uvVariables": ["issue", "branch"],')
    ended, out, _err = run("run", agent, "--script", script_of(agent), "--runtime", NEWEST)
    assert (ended, "the variable “branch” has no value. [PR-RESOLVE-003]" in out) == (1, True)
    ended, out, _err = run("run", agent, "--script", script_of(agent), "--runtime", EARLY)
    assert (ended, "the variable “branch” has no value. [AGENT_QUERY_ERROR]" in out) == (1, True)
    code, out, err = run("run", agent, "--script", script_of(agent), "--runtime", "guide")
    assert (code, err.count("warning: The prompt of initial.issue can't be filled in")) == (0, 1)
    assert run("run", agent, "--script", script_of(agent), "--no-prompts").err == ""


def test_the_oldest_runtime_stops_where_neither_file_nor_key_gives_a_prompt(run: Run, agent: Path) -> None:
    (agent / "prompts/steps/initial/issue/f_default.md").unlink()
    assert run("run", agent, "--script", script_of(agent), "--runtime", EARLY).code == 0  # built-in initial_issue
    change(agent, '"fallbackKey": "initial_issue"', '"fallbackKey": "our_initial"')
    ended, out, _err = run("run", agent, "--script", script_of(agent), "--runtime", EARLY)
    assert (ended, "[AGENT_QUERY_ERROR]" in out) == (1, True)
    assert f"SF506 “initial.issue” has no prompt: .agent/issue-flow/{_FIRST} doesn't exist, and no built-in" in out
    config = agent.parent.parent / "stepflow.toml"
    config.write_text(f'{config.read_text("utf-8")}\nfallback-keys = ["our_initial"]\n', "utf-8")
    assert run("run", agent, "--script", script_of(agent), "--runtime", EARLY).code == 0
    change(agent, '"fallbackKey": "our_initial",', "")
    assert run("run", agent, "--script", script_of(agent), "--runtime", EARLY).code == 1
    assert run("test", agent, "--runtime", EARLY).code == 1


def test_a_parameter_without_a_value_is_named_with_its_option(run: Run, agent: Path) -> None:
    warned = run("run", agent, "--random", "3", "--runtime", "guide").err.splitlines()
    text = "the parameter “issue” has no value, so prompts that use it can't be filled in; use --arg issue=…"
    assert warned == [f"stepflow run: warning: {text}"]


def test_the_option_is_named_in_the_oldest_runtime_too(run: Run, agent: Path) -> None:
    own = agent / "agent.json"  # under poll:state no run begins without an issue
    own.write_text(own.read_text("utf-8").replace('"poll:state"', '"count:iteration"'), "utf-8")
    ended, _out, err = run("run", agent, "--random", "1", "--runtime", EARLY)
    assert (ended, "use --arg issue=… to set the parameters without a value" in err) == (1, True)


def test_a_c3_that_the_engine_does_not_accept_finds_no_prompt(run: Run, agent: Path) -> None:
    change(agent, '"c3": "issue"', '"c3": "Issue"')
    for phase in ("initial", "continuation", "closure"):
        folder = agent / f"prompts/steps/{phase}"
        (folder / "issue").rename(folder / "Issue")
    ended, out, _err = run("run", agent, "--script", script_of(agent), "--runtime", NEWEST)
    assert (ended, "The prompt engine doesn't accept the c3 “Issue” of initial.issue. [PR-C3L-004]" in out) == (1, True)


def test_an_agent_without_prompts_is_told_once(run: Run, agent: Path) -> None:
    (agent / "prompts").rename(agent / "texts")
    change(agent, '"fallbackKey"', '"x-key"')
    err = run("run", agent, "--script", script_of(agent), "--runtime", "guide").err
    assert len(err.splitlines()) == 1
    assert err.startswith("stepflow run: warning: there is no prompts folder (")


def test_a_trace_is_replayed_as_it_was_made(run: Run, agent: Path) -> None:
    shown = ("--script", script_of(agent), "--runtime", NEWEST)
    assert run("run", agent, *shown, "--trace", "whole.jsonl").code == 0
    (agent / _PROMPT).unlink()
    assert run("run", agent, *shown, "--no-prompts", "--trace", "without.jsonl").code == 0
    assert run("run", agent, "--replay", "without.jsonl").code == 0
    code, out, _err = run("run", agent, "--replay", "whole.jsonl")
    assert (code, "continuation.issue stops the run now" in out) == (1, True)
    assert run("run", agent, *shown, "--trace", "stopped.jsonl").code == 1
    assert "diverges" not in run("run", agent, "--replay", "stopped.jsonl").out


def test_simulated_answers_count_as_text(run: Run, agent: Path) -> None:
    out = run("run", agent, "--script", script_of(agent), "--runtime", NEWEST, "--quiet").out
    assert out == "The run is complete: closure.issue closed it.\n"
    text = script_of(agent).read_text("utf-8").replace("intent: closing }", "intent: closing, texts: [] }")
    script_of(agent).write_text(text.replace("intent: next }", "intent: next, texts: [] }"), "utf-8")
    assert run("run", agent, "--script", script_of(agent), "--runtime", NEWEST).code == 0  # others have a text
    text = "args: { issue: 1 }\nanswers:\n  - { step: closure.issue, intent: closing, texts: [] }\n"
    script_of(agent).write_text(text, "utf-8")
    out = run("run", agent, "--script", script_of(agent), "--entry", "closure.issue", "--runtime", NEWEST, "-q").out
    assert out == "The run reached its end without any text of the model: this runner reports it as failed.\n"
