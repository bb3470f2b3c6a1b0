"""`stepflow run` by hand: somebody at a terminal answers."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.run.traces.trace import Trace, read_trace
from tests.cli.run.test_run_command import closing
from tests.run.flows import SIMPLE
from tests.run.traces.test_trace import opened


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    return opened(tmp_path, SIMPLE).folder


HAND_OFF, CLOSE = (json.dumps({"next_action": {"action": word}}) for word in ("handoff", "closing"))


def by_hand(checkout: Path, folder: Path, typed: str, *more: str) -> tuple[int, str]:
    """Run by hand at a terminal."""
    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    done = subprocess.run(
        [sys.executable, "-m", "stepflow_gui", "run", folder, "--lang", "en", *more],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": str(checkout), "TERM": "dumb"},
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    return done.returncode, done.stdout


def test_by_hand_picks_are_numbers_or_json(checkout: Path, agent: Path) -> None:
    answer = json.dumps({"next_action": {"action": "done"}})
    code, out = by_hand(checkout, agent, f'²\n9\n1\n{{"next_action": {{"action": "handoff"}}}}\n{answer}\n')
    assert "“²” is not a number or an intent of the list, and not valid JSON." in out
    assert "“9” is not a number or an intent of the list, and not valid JSON." in out
    assert code == 0, out
    assert "  │ Look at it." in out
    assert "  1) next → continuation.issue" in out
    assert "1. initial.issue – next → continuation.issue" in out
    code, out = by_hand(checkout, agent, "q\n")
    assert code == 1
    assert "The run was quit at initial.issue." in out


def test_by_hand_an_intent_may_be_named(checkout: Path, agent: Path) -> None:
    _code, out = by_hand(checkout, agent, "next\nq\n")
    assert "1. initial.issue – next → continuation.issue" in out


def test_by_hand_the_verdict_is_asked_until_it_is_understood(checkout: Path, tmp_path: Path) -> None:
    example = copy_example(into=tmp_path / "example")
    code, out = by_hand(checkout, example, "next\nq\n")
    assert code == 1
    assert "1. initial.issue – next" not in out
    assert "The run was quit at initial.issue." in out
    _code, out = by_hand(checkout, example, "next\nb\nrepeat\nhm\nn\nq\n")
    assert "1. initial.issue – repeat → initial.issue" in out
    assert "1. initial.issue – next" not in out
    assert out.count("Is the verdict poll:state reached now?") == 3
    code, out = by_hand(checkout, example, "next\ny\n")
    assert code == 0, out


def test_by_hand_validators_are_asked(checkout: Path, tmp_path: Path) -> None:
    agent, _script = closing(tmp_path, "true")
    code, out = by_hand(checkout, agent, f"{HAND_OFF}\n{CLOSE}\nf dirty\n{HAND_OFF}\n{CLOSE}\np\np\n")
    assert code == 0, out
    assert "Validator git-clean: true" in out
    assert "2. closure.issue: validator git-clean fails: dirty" in out
    assert "The run is complete: closure.issue closed it." in out


def test_by_hand_steps_are_taken_back_and_a_stop_is_no_end(checkout: Path, agent: Path, tmp_path: Path) -> None:
    typed = f'1\nb\nb\n{{"next_action": {{"action": "dance"}}}}\n1\n{HAND_OFF}\n{CLOSE}\n'
    code, out = by_hand(checkout, agent, typed, "--trace", str(tmp_path / "t.jsonl"))
    assert code == 0, out
    assert "1. initial.issue – ? → stopped" in out
    assert "failFast stops the run here. Give another answer, or step back." in out
    trace = read_trace(tmp_path / "t.jsonl")
    assert isinstance(trace, Trace)
    assert [(event.step, event.to) for event in trace.events] == [
        (None, "initial.issue"),
        ("initial.issue", "continuation.issue"),
        ("continuation.issue", "closure.issue"),
        ("closure.issue", None),
    ]
    code, out = by_hand(checkout, agent, '{"next_action": 3}\nq\n')
    assert code == 1
    assert "[GATE_INTERPRETATION_ERROR]" in out


def test_by_hand_a_missing_prompt_ends_the_run_where_the_runtime_needs_it(checkout: Path, tmp_path: Path) -> None:
    project = copy_example(into=tmp_path)
    (project / ".agent/issue-flow/prompts/steps/continuation/issue/f_default.md").unlink()
    options = ("--runtime", "climpt-2026-04-20", "--arg", "issue=1")
    code, out = by_hand(checkout, project, "next\nn\n", *options)
    assert (code, out.count("[PR-C3L-004]")) == (1, 1), out
    code, out = by_hand(checkout, project, "next\nn\nq\n", *options, "--no-prompts")
    assert "The run was quit at continuation.issue." in out
