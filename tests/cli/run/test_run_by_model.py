"""`stepflow run --anthropic`: consent to the cost, what each answer cost, and that the key is shown nowhere."""

import io
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.run.anthropic.asking import SECRET
from tests.run.anthropic.messages_api import Api, answers, fails
from tests.run.anthropic.test_agent import sensible

MODEL = "claude-sonnet-5-5"


@pytest.fixture
def agent(checkout: Path, tmp_path: Path) -> Path:
    root = tmp_path / "project"
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow", root)
    return root


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_each_answer_shows_its_usage_and_the_run_the_total(run: Run, agent: Path, api: Api) -> None:
    code, out, _err = run("run", agent, "--anthropic", "--yes", "--arg", "issue=7")
    assert code == 0
    lines = out.splitlines()
    assert lines.count(f"  {MODEL}: 1000 tokens sent, 200 received, $0.0040") == 3
    assert lines[-1] == "3 answers: 3000 tokens sent, 600 received, $0.0120"
    assert len(api.requests) == 3


def test_without_a_terminal_consent_is_an_option(run: Run, agent: Path, api: Api) -> None:
    code, _out, err = run("run", agent, "--anthropic", "--arg", "issue=7")
    assert code == 2
    assert "--yes" in err
    assert not api.requests


@pytest.mark.parametrize(("typed", "asks"), [("y\n", True), ("n\n", False), ("\n", False), ("", False)])
def test_on_a_terminal_it_is_asked(
    run: Run, agent: Path, api: Api, monkeypatch: pytest.MonkeyPatch, typed: str, asks: bool
) -> None:
    monkeypatch.setattr("sys.stdin", _Terminal(typed))
    code, _out, err = run("run", agent, "--anthropic", "--arg", "issue=7")
    assert code == (0 if asks else 2)
    assert f"{MODEL}: $2 per million tokens sent, $10 received" in err
    assert bool(api.requests) is asks


def test_a_limit_of_the_cost_is_consent_and_is_kept(run: Run, agent: Path, api: Api) -> None:
    code, out, _err = run("run", agent, "--anthropic", "--max-cost", "0.005", "--arg", "issue=7")
    assert code == 1
    assert len(api.requests) == 2
    assert "the limit is $0.0050" in out


def test_a_failure_explains_why_and_what_was_spent(run: Run, agent: Path, api: Api) -> None:
    api.replies = [fails(401, "authentication_error", f"bad key {SECRET}")]
    code, out, err = run("run", agent, "--anthropic", "--yes", "--arg", "issue=7")
    assert code == 1
    assert "key was rejected" in out
    assert out.splitlines()[-1].startswith("0 answers")
    assert SECRET not in out + err


def test_what_breaks_the_schema_is_reported(run: Run, agent: Path, api: Api) -> None:
    api.replies = [answers({"stepId": "initial.issue", "next_action": {"action": "go"}})]
    code, out, _err = run("run", agent, "--anthropic", "--yes", "--arg", "issue=7")
    assert code == 1
    assert "the answer doesn't match its schema at /next_action/action" in out


def test_the_key_is_in_no_trace(run: Run, agent: Path, api: Api, tmp_path: Path) -> None:
    api.replies = [sensible, answers({"stepId": "continuation.issue", "summary": f"I saw {SECRET}"})]
    trace = tmp_path / "trace.jsonl"
    run("run", agent, "--anthropic", "--yes", "--arg", "issue=7", "--trace", trace)
    written = trace.read_text("utf-8")
    assert "I saw" in written
    assert SECRET not in written


def test_settings_that_cant_be_used_are_a_usage_error(
    run: Run, agent: Path, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://evil.example")
    code, _out, err = run("run", agent, "--anthropic", "--yes", "--arg", "issue=7")
    assert code == 2
    assert "https" in err
    assert not api.requests
