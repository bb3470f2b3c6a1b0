"""`stepflow test`: scripts that pass and fail, coverage, JUnit, exit codes."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.run.flows import validated
from tests.run.traces.test_trace import opened

from .conftest import Run

PASSES = """
title: Through, with one failure
answers: [{intent: handoff}, {intent: closing}, {intent: handoff}, {intent: closing}]
validators: {git-clean: [{passed: false, error: ' M a'}, {passed: true}]}
expect:
  path: [continuation.issue, closure.issue, continuation.issue, closure.issue]
  end: {kind: closing, step: closure.issue}
"""


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return opened(tmp_path, validated()).folder


def add(agent: Path, name: str, text: str) -> None:
    file = agent / "flow_tests" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def test_tests_that_pass(run: Run, agent: Path) -> None:
    add(agent, "a.yaml", PASSES)
    add(agent, "deep/b.jsonl", '{"intent": "handoff"}\n{"intent": "closing"}\n')
    add(agent, "notes.md", "no script")
    code, out, err = run("test", agent, "--no-prompts")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "passed  a.yaml: The run is complete: closure.issue closed it."
    assert lines[1].startswith("passed  deep/b.jsonl: ")
    assert lines[2].startswith("2 passed, steps 2/2 (100 %), edges ")
    assert run("test", agent, "--quiet").out.splitlines() == lines[2:]
    assert run("test", agent, "--only", "b.").out.splitlines()[-1].startswith("1 passed")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (
            PASSES.replace("path: [continuation.issue, closure.issue, ", "path: [continuation.issue, "),
            6,
            "The path diverges at visit 2: closure.issue instead of continuation.issue after continuation.issue.",
        ),
        (PASSES.replace(", closure.issue]", "]"), 6, "visit 4: closure.issue instead of the end after … closure.issue"),
        (PASSES.replace("kind: closing", "kind: limit"), 6, "The end is “closing”, not “limit”"),
        (PASSES.replace("step: closure.issue}", "step: continuation.issue}"), 6, "Ended at closure.issue, not at"),
        (
            "{answers: [{intent: handoff}, {intent: closing}], expect: {success: false}}",
            1,
            "A success was not expected",
        ),
        ("{answers: [{intent: abort}]}", 1, "No success"),
        ("{answers: [{answer: 3}]}", 1, "The run was stopped"),
        ("{answers: [{answer: 3}], expect: {end: {error: no_entry}}}", 1, "Stopped by “fail_fast”, not by “no_entry”"),
        ("{answers: [{intent: abort}], expect: {end: {error: no_entry}}}", 1, "Not stopped by “no_entry”"),
        ("{answers: [{intent: handoff}]}", 1, "The script ends, but closure.issue waits"),
        ("- intent: abort\n- intent: next", 1, "No success"),
        ("answers:\n- intent: abort\n- intent: next\nexpect: {end: abort}", 3, "1 line of the script was not needed"),
        ("- {step: nowhere, intent: next}", 1, "which is not a step"),
        ("\n- {intent: 3}", 2, "wrong type"),
    ],
)
def test_tests_that_fail(run: Run, agent: Path, text: str, line: int, said: str) -> None:
    add(agent, "a.yaml", text)
    code, out, _err = run("test", agent)
    assert code == 1
    first = out.splitlines()
    assert first[0] == "FAILED  a.yaml"
    assert any(each.startswith(f"  .agent/demo/flow_tests/a.yaml:{line}: ") and said in each for each in first), out
    assert "0 passed, 1 failed" in out


def test_a_script_that_fits_no_longer_is_reported_once(run: Run, agent: Path) -> None:
    add(agent, "a.yaml", PASSES.replace("answers: [", "answers: [{step: closure.issue, intent: closing}, "))
    lines = run("test", agent).out.splitlines()
    assert len(lines) == 3
    assert lines[1].endswith("Line 3 of the script answers “closure.issue”, but continuation.issue was asked.")


@pytest.mark.parametrize(
    "text",
    [
        "{answers: [{answer: 3}], expect: {end: {error: fail_fast, step: continuation.issue}}}",
        "{answers: [{answer: 3}], expect: {end: {error: GATE_INTERPRETATION_ERROR}}}",
        "{answers: [{intent: abort}], expect: {end: abort, success: false}}",
        "{answers: [{intent: abort}, {intent: next, times: any}], expect: {end: abort}}",
        "{answers: [{intent: next, times: any}], maxIterations: 3, expect: {end: limit}}",
    ],
)
def test_what_ends_badly_as_expected_passes(run: Run, agent: Path, text: str) -> None:
    add(agent, "a.yaml", text)
    code, out, _err = run("test", agent)
    assert code == 0, out


def test_too_little_covered_is_a_failure(run: Run, agent: Path) -> None:
    add(agent, "a.yaml", "{answers: [{intent: abort}], expect: {end: abort}}")
    code, out, _err = run("test", agent, "--coverage-min", "steps=60", "--coverage-min", "validators=0", "--coverage")
    assert code == 1
    assert "steps: 50 % covered, 60 % required" in out
    assert "validators: " not in out
    assert "not covered: closure.issue\n" in out
    assert "not covered: closure.issue – closing\n" in out
    assert "not covered: git-clean\n" in out
    assert run("test", agent, "--coverage-min", "steps=50").code == 0


def test_junit_is_xml_whatever_the_message(run: Run, agent: Path) -> None:
    add(agent, "a.yaml", PASSES)
    add(agent, "b <&>.yaml", '{answers: [{failed: "\\u0001 <&\\"> \\uFFFE"}, {intent: abort}]}')
    code = run("test", agent, "--junit", "out.xml", "--coverage-min", "edges=100").code
    assert code == 1
    root = ET.fromstring(Path("out.xml").read_text("utf-8"))
    assert (root.get("tests"), root.get("failures")) == ("3", "2")
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert list(cases) == ["a.yaml", "b <&>.yaml", "coverage edges"]
    assert cases["a.yaml"].find("failure") is None
    assert cases["a.yaml"].get("classname") == "demo"
    failure = cases["b <&>.yaml"].find("failure")
    assert failure is not None
    assert "No success" in (failure.get("message") or "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no scripts found"),
        (["--coverage-min", "edges"], "for --coverage-min: expected steps, edges, validators or rules"),
        (["--coverage-min", "roads=3"], "for --coverage-min: expected steps, edges, validators or rules"),
        (["--coverage-min", "edges=101"], "for --coverage-min: expected steps, edges, validators or rules"),
    ],
)
def test_what_can_not_be_tested_is_code_2(run: Run, agent: Path, arguments: list[str], said: str) -> None:
    code, out, err = run("test", agent, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_junit_that_can_not_be_written_is_code_2(run: Run, agent: Path) -> None:
    add(agent, "a.yaml", PASSES)
    code, _out, err = run("test", agent, "--junit", "no/where.xml")
    assert code == 2
    assert "no/where.xml: can't be written" in err


def test_commands_run_only_if_wished(run: Run, tmp_path: Path, agent: Path) -> None:
    content = validated()
    for validator in content["validators"].values():
        validator |= {"command": "touch ran", "successWhen": "exitCode:0"}
    opened(tmp_path, content)
    add(agent, "a.yaml", "[{intent: handoff}, {intent: closing}]")
    assert run("test", agent).code == 0
    assert not (tmp_path / "ran").exists()
    assert run("test", agent, "--trust").code == 0
    assert (tmp_path / "ran").exists()


def test_the_bundled_example_passes(run: Run, checkout: Path) -> None:
    assert run("test", checkout / "resources" / "examples" / "issue-flow").code == 0


def test_only_looks_at_the_name_that_is_shown(run: Run, agent: Path) -> None:
    add(agent, "a.yaml", PASSES)
    add(agent, "deep/b.yaml", PASSES)
    assert run("test", agent, "--only", "deep/").out.count("passed  ") == 1


def test_a_run_by_a_script_heeds_what_it_expects(run: Run, agent: Path) -> None:
    text = "answers: [{intent: handoff}, {intent: closing}]\nexpect: {end: limit}\n"
    add(agent, "a.yaml", text)
    code, _out, err = run("run", agent, "--script", agent / "flow_tests/a.yaml", "--no-prompts")
    assert (code, "a.yaml:2: The end is “closing”, not “limit”" in err) == (1, True)
    add(agent, "a.yaml", text.replace("limit", "closing"))
    assert run("run", agent, "--script", agent / "flow_tests/a.yaml", "--no-prompts").code == 0
