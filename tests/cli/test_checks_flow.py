"""A flow with checks from the command line: by hand, by script, its tests, and what is refused."""

import json
from pathlib import Path

import pytest

from tests.cli.run.test_run_by_hand import by_hand
from tests.run.checks.flows import placed

from .conftest import Run

TEST = """
steps:
  s_a8f3: [{check: ng}, {check: ok}]
  s_b2c1: [{check: {result: ok}}]
  s_c9d4: [{check: ok, message: fine}]
expect: {path: [s_a8f3, s_a8f3, s_b2c1, s_c9d4], end: {kind: complete, step: s_c9d4}}
"""


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return placed(tmp_path)


def test_by_hand_a_check_is_ok_or_ng_or_what_a_model_might_write(checkout: Path, agent: Path) -> None:
    typed = "done\nng two tests fail\n1\nb\n1\nI see: result: ok\n1\n1\ndone\nok\n"
    code, out = by_hand(checkout, agent, typed, "--arg", "topic=auth")
    assert code == 0, out
    for line in (
        "1. s_a8f3: its check",
        "  │ Look at auth: checks Code Analysis",
        "  1) done → its check",
        "  2) ng → s_a8f3",
        "1. s_a8f3: check fails → s_a8f3 (retry): two tests fail",
        "2. s_a8f3: check passes → s_b2c1: I see: result: ok",
        "4. s_c9d4: check passes → end",
        "The run is complete: s_c9d4 was its last step.",
    ):
        assert line in out


def test_flow_tests_answer_checks(run: Run, agent: Path) -> None:
    (agent / "flow_tests").mkdir()
    (agent / "flow_tests" / "retry.yaml").write_text(TEST, "utf-8")
    code, out, err = run("test", agent)
    assert (code, err) == (0, "")
    assert "passed  retry.yaml" in out
    assert "steps 3/3 (100 %)" in out
    (agent / "flow_tests" / "retry.yaml").write_text(TEST.replace("complete", "check"), "utf-8")
    code, out, err = run("test", agent)
    assert code == 1
    assert "The end is “complete”, not “check”" in out


def test_used_up_retries_are_a_failure_and_the_shadow_shows_what_climpt_does(run: Run, agent: Path) -> None:
    script = agent / "script.jsonl"
    script.write_text(json.dumps({"check": "ng", "message": "no", "times": "any"}), "utf-8")
    code, out, _err = run("run", agent, "--script", script, "--shadow", "climpt-2026-01-09")
    assert code == 1
    assert "The run failed: the check of s_a8f3 did not pass, and no next step is defined. It says: no" in out
    assert "climpt-2026-01-09 diverges here: it ends well" in out
    code, out, _err = run("run", agent, "--script", script, "--runtime", "climpt-2026-01-09")
    assert code == 0


def test_a_loop_ends_at_the_limit(run: Run, agent: Path) -> None:
    registry = json.loads((agent / "steps_registry.json").read_text("utf-8"))
    registry["steps"]["s_a8f3"]["check"]["onFail"] = {"retry": True}
    (agent / "steps_registry.json").write_text(json.dumps(registry), "utf-8")
    script = agent / "script.jsonl"
    script.write_text('{"check": "ng", "times": "any"}', "utf-8")
    code, out, _err = run("run", agent, "--script", script, "--quiet")
    assert (code, out.splitlines()[-1]) == (1, "The run was stopped after 100 iterations, its limit.")
    code, out, _err = run("run", agent, "--script", script, "--quiet", "--max-iterations", "7")
    assert "after 7 iterations" in out


def test_the_explorer_shows_what_breaks(run: Run, agent: Path) -> None:
    registry = json.loads((agent / "steps_registry.json").read_text("utf-8"))
    registry["steps"]["s_b2c1"]["check"]["onFail"] = {"fallback": "s_dead"}
    (agent / "steps_registry.json").write_text(json.dumps(registry), "utf-8")
    code, out, _err = run("run", agent, "--explore")
    assert code == 1
    assert "“onFail” of s_b2c1 goes to “s_dead”, which is not a step." in out
