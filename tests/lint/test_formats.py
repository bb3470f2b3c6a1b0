"""The output formats for other programs: their shapes, and that nothing in a file forges a line or a command."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.diagnostic import Related
from stepflow_gui.lint.engine.outcome import LintOutcome, judge
from stepflow_gui.lint.report.table import FORMATS
from stepflow_gui.lint.rules.table import MODULES
from stepflow_gui.project.agent_folder import AgentFolder

from .conftest import Open

STEP = "/steps/initial.issue"
SCHEMA = Path(__file__).parent / "sarif-2.1.0-subset.schema.json"
NASTY = "x\n::error::forged\r\n%0A<b>&\"'\x1b[2K\x85\u2028\u202e\x00\ufffe\ud800{0}[a](1)"
FOUND = {
    f"{STEP}/transitions/next/target": "continuation.isue",
    f"{STEP}/structuredGate/allowedIntents": ["next", "repeat", "jump"],
    "/entryStepMapping/poll:state": "次👍",
    f"{STEP}/name": 7,
}


def report(outcome: LintOutcome, form: str, folder: Path) -> str:
    return "\n".join(FORMATS[form].lines(outcome, folder))


@pytest.fixture
def agent(open_example: Open) -> AgentFolder:
    return open_example(FOUND)


@pytest.fixture
def outcome(agent: AgentFolder) -> LintOutcome:
    return judge([agent])


@pytest.fixture
def nasty(open_example: Open) -> tuple[LintOutcome, Path]:
    """What names that want to be something else come to."""
    agent = open_example({f"{STEP}/transitions/next/target": NASTY, f"/steps/{NASTY.replace('/', '~1')}": 7})
    return judge([agent]), agent.root


def test_concise_is_one_line_a_finding(outcome: LintOutcome, agent: AgentFolder) -> None:
    lines = list(FORMATS["concise"].lines(outcome, agent.root))
    assert len(lines) == len(outcome.diagnostics) + 1
    assert re.match(r"\.agent/issue-flow/\S+:\d+:\d+: (error|warning|info) SF\d{3}: ", lines[0])
    assert "error" in lines[-1]
    colored = list(FORMATS["concise"].lines(outcome, agent.root, color=True))
    assert "\x1b[1;31merror SF402\x1b[0m" in colored[0]


def test_text_is_another_name_for_full(outcome: LintOutcome, agent: AgentFolder) -> None:
    assert report(outcome, "text", agent.root) == report(outcome, "full", agent.root)


def test_jsonl_is_the_diagnostics_of_json(outcome: LintOutcome, agent: AgentFolder) -> None:
    lines = [json.loads(line) for line in FORMATS["jsonl"].lines(outcome, agent.root)]
    assert lines == json.loads(report(outcome, "json", agent.root))["diagnostics"]


def test_a_byte_order_mark_fix_is_reported(open_example: Open) -> None:
    agent = open_example()
    path = agent.registry.path
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    outcome = judge([agent.reread([path])])
    (found,) = json.loads(report(outcome, "json", agent.folder))["diagnostics"]
    assert found["fixes"][0]["withoutByteOrderMark"] == ["steps_registry.json"]


# GitHub


def test_github_gives_a_command_a_finding(outcome: LintOutcome, agent: AgentFolder) -> None:
    lines = list(FORMATS["github"].lines(outcome, agent.root))
    assert len(lines) == len(outcome.diagnostics)
    found = next(line for line in lines if "SF301" in line)
    line, column, _offset = next(each for each in outcome.diagnostics if each.code == "SF301").range.start
    place = f"line={line},endLine={line},col={column},endColumn={column + 19}"
    start = f"::error file=.agent/issue-flow/steps_registry.json,{place},title=SF301 target-unknown::“next”"
    assert found.startswith(start)
    assert any(line.startswith("::warning ") for line in lines)


def test_github_escapes_what_its_commands_mean(nasty: tuple[LintOutcome, Path]) -> None:
    lines = list(FORMATS["github"].lines(*nasty))
    assert all(re.fullmatch(r"::(error|warning|notice) [^:]*::[^\n\r]*", line) for line in lines)
    assert any("%250A" in line for line in lines)


# GitLab


def test_gitlab_has_what_code_quality_needs(outcome: LintOutcome, agent: AgentFolder) -> None:
    found = json.loads(report(outcome, "gitlab", agent.root))
    assert len(found) == len(outcome.diagnostics)
    assert {each["severity"] for each in found} <= {"major", "minor", "info"}
    assert len({each["fingerprint"] for each in found}) == len(found)
    for each in found:
        assert each.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert each["location"]["path"].startswith(".agent/")
        assert each["location"]["positions"]["begin"]["line"] > 0


def test_a_fingerprint_stays_when_lines_move(agent: AgentFolder, outcome: LintOutcome) -> None:
    before = {each["fingerprint"] for each in json.loads(report(outcome, "gitlab", agent.root))}
    path = agent.registry.path
    path.write_text(path.read_text("utf-8").replace("{", "{\n\n", 1), "utf-8")
    after = json.loads(report(judge([agent.reread([path])]), "gitlab", agent.root))
    assert {each["fingerprint"] for each in after} == before


# JUnit


def test_junit_is_xml_with_errors_as_failures(outcome: LintOutcome, agent: AgentFolder) -> None:
    root = ET.fromstring(report(outcome, "junit", agent.root).encode("utf-8"))
    errors, _warnings, _infos = outcome.counts
    assert (root.tag, root.get("failures")) == ("testsuites", str(errors))
    assert len(root.findall("testsuite/testcase")) == len(outcome.diagnostics) == int(root.get("tests") or 0)
    assert len(root.findall("testsuite/testcase/failure")) == errors
    case = next(case for case in root.iter("testcase") if (case.get("name") or "").startswith("SF301"))
    line = next(each for each in outcome.diagnostics if each.code == "SF301").range.start.line
    file = ".agent/issue-flow/steps_registry.json"
    assert (case.get("classname"), case.get("file"), case.get("line")) == (file, file, str(line))


def test_junit_names_no_two_cases_alike(outcome: LintOutcome, agent: AgentFolder) -> None:
    first = outcome.diagnostics[0]
    outcome.diagnostics = [first, first._replace(message="another"), *outcome.diagnostics[1:]]
    root = ET.fromstring(report(outcome, "junit", agent.root).encode("utf-8"))
    names = [case.get("name") or "" for case in root.iter("testcase")]
    assert names[1] == f"{names[0]} (2)"
    assert len(set(names)) == len(names)


def test_junit_has_a_case_for_a_clean_file(open_example: Open) -> None:
    agent = open_example()
    root = ET.fromstring(report(judge([agent]), "junit", agent.root).encode("utf-8"))
    assert [case.get("classname") for case in root.iter("testcase")] == [".agent/issue-flow/steps_registry.json"]


def test_junit_holds_what_xml_can_not(nasty: tuple[LintOutcome, Path]) -> None:
    text = report(nasty[0], "junit", nasty[1])
    told = [each.get("message") or "" for each in ET.fromstring(text.encode("utf-8")).iter("failure")]
    assert any("<b>&\"'" in message and "\\ufffe\\ud800" in message for message in told)


# rdjson


def test_rdjson_counts_columns_in_bytes(open_example: Open) -> None:
    agent = open_example({"/c1": "次👍", "/entryStep": "gone"})
    path = agent.registry.path
    text = path.read_text("utf-8").replace('"c1": "次👍",\n  ', '"c1": "次👍", ')
    path.write_text(text, "utf-8")
    agent = agent.reread([path])
    outcome = judge([agent])
    found = json.loads(report(outcome, "rdjson", agent.root))
    for each, diagnostic in zip(found["diagnostics"], outcome.diagnostics, strict=True):
        line = text.split("\n")[diagnostic.range.start.line - 1]
        start = each["location"]["range"]["start"]
        before = line.encode("utf-8")[: start["column"] - 1].decode("utf-8")
        assert len(before) == diagnostic.range.start.column - 1
    assert any(each["location"]["range"]["start"]["column"] > 20 for each in found["diagnostics"])


def test_rdjson_suggests_what_one_edit_can_express(outcome: LintOutcome, agent: AgentFolder) -> None:
    found = json.loads(report(outcome, "rdjson", agent.root))["diagnostics"]
    unknown = next(each for each in found if each["code"]["value"] == "SF301")
    assert unknown["severity"] == "ERROR"
    assert unknown["suggestions"] == [
        {"range": unknown["location"]["range"], "text": '"continuation.issue"'},
    ]


# SARIF


def sarif(outcome: LintOutcome, folder: Path) -> dict[str, Any]:
    log = json.loads(report(outcome, "sarif", folder))
    assert isinstance(log, dict)
    jsonschema.Draft4Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(log)
    return log


def test_sarif_is_as_its_schema_wants(outcome: LintOutcome, agent: AgentFolder) -> None:
    (run,) = sarif(outcome, agent.root)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted({found.code for found in outcome.diagnostics})
    for result, found in zip(run["results"], outcome.diagnostics, strict=True):
        assert rules[result["ruleIndex"]] == result["ruleId"] == found.code
        region = result["locations"][0]["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) == found.range.start[:2]
        assert result["level"] == {"error": "error", "warning": "warning", "info": "note"}[found.severity]
        assert len(result.get("relatedLocations", [])) == len(found.related)


def test_sarif_names_files_as_uris(open_example: Open) -> None:
    agent = open_example({"issue.schema.json#/odd": "\ud800"})
    schema = agent.folder / "schemas" / "issue.schema.json"
    odd = schema.with_name("a b#%次.json")
    schema.rename(odd)
    registry = agent.registry.path
    registry.write_text(registry.read_text("utf-8").replace("issue.schema.json", odd.name), "utf-8")
    (run,) = sarif(judge([agent.reread([registry, schema, odd])]), agent.root)["runs"]
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert ".agent/issue-flow/schemas/a%20b%23%25%E6%AC%A1.json" in uris
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"].endswith("/")


def test_sarif_of_nasty_names_holds_no_placeholder_and_no_link(nasty: tuple[LintOutcome, Path]) -> None:
    (run,) = sarif(*nasty)["runs"]
    texts = [result["message"]["text"] for result in run["results"]]
    assert any("{{0}}" in text and "\\[a\\](1)" in text for text in texts)


def test_sarif_has_each_place_and_fix_once(outcome: LintOutcome, agent: AgentFolder) -> None:
    found = next(each for each in outcome.diagnostics if each.fixes)
    place = Related(found.file, None, found.range, "here")
    outcome.diagnostics = [found._replace(related=(place, place), fixes=found.fixes * 2)]
    outcome.files *= 2
    (run,) = sarif(outcome, agent.root)["runs"]
    assert len(run["artifacts"]) == len(run["results"][0]["relatedLocations"]) == 1
    assert len(run["results"][0]["fixes"]) == len(found.fixes)


def test_sarif_has_for_each_rule_what_a_list_and_a_page_show(outcome: LintOutcome, agent: AgentFolder) -> None:
    outcome.diagnostics = [outcome.diagnostics[0]._replace(code=code) for code in MODULES]
    (run,) = sarif(outcome, agent.root)["runs"]
    assert len(run["tool"]["driver"]["rules"]) == len(MODULES)
    for rule in run["tool"]["driver"]["rules"]:
        short = rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"].startswith(short)
        assert short.endswith((".", "…")), rule["id"]
        assert len(short) < 300
        assert rule["help"]["markdown"].count("\n\n") >= 2


def test_sarif_of_nothing_is_a_log(open_example: Open) -> None:
    agent = open_example()
    (run,) = sarif(judge([agent]), agent.root)["runs"]
    assert run["results"] == []


# All of them


@pytest.mark.parametrize("form", ["sarif", "gitlab", "rdjson"])
def test_strict_readers_of_json_are_given_no_half_letters_and_no_controls(
    form: str, nasty: tuple[LintOutcome, Path]
) -> None:
    text = report(nasty[0], form, nasty[1])
    assert "\\\\ud800" in text
    assert not re.search(r"(?<!\\)\\u(d[89a-f]|00[01])", text)


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_in_a_file_moves_the_cursor_or_ends_a_line(form: str, nasty: tuple[LintOutcome, Path]) -> None:
    text = report(nasty[0], form, nasty[1])
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e\ud800-\udfff]", text)
    assert not any(line.startswith("::error::forged") for line in text.splitlines())
    assert text.encode("utf-8")


@pytest.mark.parametrize("form", FORMATS)
def test_findings_of_a_configuration_are_reported_too(form: str, open_example: Open) -> None:
    agent = open_example()
    (agent.folder / "stepflow.toml").write_text('[[per-path]]\npaths = ["gone/"]\nignore = ["SF5"]\n', "utf-8")
    text = report(judge([agent], configs=Configs()), form, agent.root)
    assert "SF095" in text
    assert "stepflow.toml" in text
