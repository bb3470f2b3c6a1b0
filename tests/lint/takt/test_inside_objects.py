"""Slips inside objects whose keys no table of releases has: MCP servers, gates, prepared tools, the first releases."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.lint.conftest import Lint

HEAD = "name: x\nmax_steps: 5\nsteps:\n  - name: a\n    persona: x\n    instruction: Do it.\n"
RULES = "    rules:\n      - {condition: ok, next: COMPLETE}\n"
FIRST = (
    "name: x\nmax_iterations: 5\ninitial_step: a\nsteps:\n  - name: a\n    agent: x\n    instruction_template: Do.\n"
)


def _said(text: str, runtime: str, lint_example: Lint) -> list[str]:
    return [f"{each.code} {each.message}" for each in lint_example(whole_piece(text), LintSettings(runtime))]


@pytest.mark.parametrize(
    ("text", "runtime", "said"),
    [
        (HEAD + "    mcp_servers: {files: {comand: npx}}\n" + RULES, "takt-0.40", ["comand", "command"]),
        (HEAD + "    mcp_servers: {web: {type: http, ulr: x}}\n" + RULES, "takt-0.40", ["ulr", "url"]),
        (HEAD + "    mcp_servers: {files: {command: npx, own: 1}}\n" + RULES, "takt-0.40", []),
        (HEAD + "    provider: {typ: codex}\n" + RULES, "takt-0.40", ["typ", "type"]),
        (HEAD + "    quality_gates: [{typ: command, command: x}]\n" + RULES, "takt-0.50", ["typ", "type"]),
        (HEAD + "    quality_gates: [text, {type: command, command: x}]\n" + RULES, "takt-0.50", []),
        (HEAD + RULES + "workflow_config: {runtime: {prepar: [node]}}\n", "takt-0.50", ["prepar", "prepare"]),
        (HEAD + RULES + "workflow_config: {runtime: {prepare: [node]}}\n", "takt-0.50", []),
        (
            FIRST + "    transitions: [{condtion: done, next_step: COMPLETE}]\n",
            "takt-0.2",
            ["condtion", "condition"],
        ),
        (
            FIRST + "    transitions: [{condition: done, nextstep: COMPLETE}]\n",
            "takt-0.2",
            ["nextstep", "next_step"],
        ),
        (FIRST + "    report: {nam: a.md, format: f}\n" + RULES, "takt-0.3", ["nam", "name"]),
        (FIRST + "    report: {name: a.md, format: f}\n" + RULES, "takt-0.3", []),
    ],
)
def test_a_slip_is_told_with_what_is_meant(text: str, runtime: str, said: list[str], lint_example: Lint) -> None:
    found = [each for each in _said(text, runtime, lint_example) if each.startswith("T025")]
    if not said:
        assert not found
        return
    (only,) = found
    assert f"“{said[0]}”" in only
    assert only.endswith(f"Did you mean “{said[1]}”?")


_OPTIONS = (
    HEAD.replace("max_steps", "max_movements").replace("steps:", "movements:") + "    provider_options: {%s}\n" + RULES
)


@pytest.mark.parametrize(
    ("options", "runtime", "said"),
    [
        (
            "claude: {allowed_tools: [Read]}",
            "takt-0.27",
            "“allowed_tools” here: it is dropped silently. TAKT 0.30–0.59 reads it",
        ),
        ("claude: {allowed_tools: [Read]}", "takt-0.30", ""),
        (
            "claude: {allowed_tools: [Read], sandbox: {}}",
            "takt-0.20..0.33",
            "TAKT 0.20–0.29 doesn't know “allowed_tools”",
        ),
        ("codex: {reasoning_effort: low}", "takt-0.33", "“reasoning_effort” here: it is dropped silently"),
        ("cdex: {}", "takt-0.33", "it is dropped silently. Did you mean “codex”?"),
    ],
)
def test_what_a_release_reads_of_provider_options(options: str, runtime: str, said: str, lint_example: Lint) -> None:
    found = [each for each in _said(_OPTIONS % options, runtime, lint_example) if each.startswith("T025")]
    assert len(found) == bool(said), found
    assert all(said in each for each in found), found


def test_a_slip_in_provider_options_that_a_release_refuses_is_an_error(lint_example: Lint) -> None:
    text = HEAD + "    provider_options: {cdex: {}}\n" + RULES
    (found,) = [each for each in lint_example(whole_piece(text), LintSettings("takt-0.56")) if each.code == "T025"]
    assert found.severity == "error"
    assert found.message.endswith("“cdex” here: it refuses to load the file. Did you mean “codex”?")


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("on_no_status: stya", "complete, continue, stay"),
        ("on_no_status: stay", None),
        ("description: x", None),
    ],
)
def test_the_words_for_no_status(keys: str, wanted: str | None, lint_example: Lint) -> None:
    text = f"{FIRST}    {keys}\n    transitions: [{{condition: done, next_step: COMPLETE}}]\n"
    found = [each for each in _said(text, "takt-0.2", lint_example) if each.startswith("SF004")]
    assert [f"must be one of {wanted}" in each for each in found] == ([True] if wanted else [])


def test_the_words_of_a_transition_are_listed(lint_example: Lint) -> None:
    text = FIRST + "    transitions: [{condition: aproved, next_step: COMPLETE}]\n"
    (found,) = [each for each in _said(text, "takt-0.2", lint_example) if each.startswith("SF004")]
    assert "must be one of done, blocked, approved" in found


@pytest.mark.parametrize("runtime", ["takt-0.36", "takt-0.45", "takt-0.49"])
def test_a_blank_condition_is_told_where_it_loads(runtime: str, lint_example: Lint) -> None:
    text = HEAD + "    rules:\n      - {condition: ' ', next: ABORT}\n      - {condition: ok, next: COMPLETE}\n"
    (found,) = [each for each in _said(text, runtime, lint_example) if each.startswith("T008")]
    assert found == "T008 A condition of “a” is blank: it isn't clear which result it stands for"


@pytest.mark.parametrize(
    ("item", "config", "said"),
    [
        ("node", "", None),
        ("gradel", "", "Did you mean “gradle”?"),
        ("./setup.sh", "", "“workflow_runtime_prepare”: TAKT 0.50 refuses to load the file"),
        ("./setup.sh", "workflow_runtime_prepare: {custom_scripts: true}\n", None),
    ],
)
def test_scripts_that_prepare_a_run_have_to_be_allowed(
    tmp_path: Path, item: str, config: str, said: str | None
) -> None:
    home = tmp_path / ".takt"
    (home / "workflows").mkdir(parents=True)
    (home / "config.yaml").write_text(f"language: en\n{config}")
    file = home / "workflows" / "x.yaml"
    file.write_text(f"{HEAD}{RULES}workflow_config: {{runtime: {{prepare: [{item}]}}}}\n")
    agent = open_agent(file)
    assert isinstance(agent, AgentFolder)
    found = [each.message for each in lint(agent, LintSettings("takt-0.50")) if each.code == "T028"]
    assert [each.endswith(said or "") for each in found] == ([True] if said else [])


GIVES = HEAD + "    structured_output: {schema_ref: plan}\n"
OTHER = "  - name: b\n    persona: x\n    instruction: Do it.\n    rules: [{condition: ok, next: COMPLETE}]\n"


def _rules(condition: str) -> str:
    return f"    rules:\n      - {{condition: {condition}, next: b}}\n      - {{condition: ok, next: COMPLETE}}\n"


@pytest.mark.parametrize(
    ("condition", "runtime", "said"),
    [
        ("when(structured.a.ready == true)", "takt-0.60", None),
        ("when(structured.b.ready == true)", "takt-0.60", "asks for the output of “b”, which has no"),
        ("good && when(structured.b.ready == true)", "takt-0.53", "asks for the output of “b”, which has no"),
        ("when(structured.b.ready == true)", "takt-0.52", None),
        ("structured.a.ready == true", "takt-0.49", None),
        ("structured.a.ready == true", "takt-0.50", "is plain text for TAKT 0.50: a state is asked for as when(…)"),
        ("structured.a.ready == true", None, None),
        ("coverage >= 80%", "takt-0.60", None),
        ("structured.output is fine", "takt-0.60", None),
    ],
)
def test_states_that_are_never_there(condition: str, runtime: str | None, said: str | None, lint_example: Lint) -> None:
    text = GIVES + _rules(f"'{condition}'") + OTHER
    found = [each.message for each in lint_example(whole_piece(text), LintSettings(runtime)) if each.code == "T008"]
    assert [(said or "") in each for each in found] == ([True] if said else [])


def test_two_words_of_the_same_limit_are_both_read(lint_example: Lint) -> None:
    both = "name: x\nmax_movements: 5\nmax_steps: 5\ninitial_movement: a\nmovements:\n  - name: a\n    persona: x\n"
    text = f"{both}    edit: true\n    instruction: Do it.\n{RULES}"
    for runtime in (None, "takt-0.35"):
        found = lint_example(whole_piece(text), LintSettings(runtime))
        assert not [each for each in found if each.code in {"T001", "T025", "T028", "T031"}]
