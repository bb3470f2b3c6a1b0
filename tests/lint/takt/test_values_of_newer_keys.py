"""Values of keys that releases between the two notations read: refused by those that read them, in any file."""

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.piece import whole_piece
from tests.lint.conftest import Lint

HEAD = "name: x\nmax_movements: 5\ninitial_movement: a\n"
STEP = "movements:\n  - name: a\n    edit: true\n    persona: c\n    instruction: x\n"
RULES = "    rules:\n      - {condition: done, next: COMPLETE}\n"


def _found(top: str, step: str, runtime: str, lint_example: Lint) -> list[tuple[str, str]]:
    text = f"{HEAD}{top}{STEP}{step}{RULES}"
    return [(each.code, each.message) for each in lint_example(whole_piece(text), LintSettings(runtime))]


@pytest.mark.parametrize(
    ("top", "step", "said"),
    [
        ("", "    team_leader: 5\n", "“team_leader” of “a” must be an object but is a number"),
        ("", "    team_leader: {max_parts: two}\n", "“max_parts” of “a” must be a whole number but is a string"),
        ("", "    team_leader: {part_edit: 3}\n", "“part_edit” of “a” must be true or false but is a number"),
        ("", "    arpeggio: 3\n", "“arpeggio” of “a” must be an object but is a number"),
        ("", "    provider_options: [1]\n", "“provider_options” has an invalid value"),
        ("", "    provider_options: {codex: 1}\n", "“codex” has an invalid value"),
        ("", "    mcp_servers: [a]\n", "“mcp_servers” of “a” must be an object but is a list"),
        ("", "    provider: {model: opus}\n", "“type” is missing"),
        ("", "    provider: {type: clade}\n", "“type” is “clade”, and must be one of claude, codex,"),
        ("piece_config: {provider_options: 3}\n", "", "“provider_options” has an invalid value"),
    ],
)
def test_what_the_release_refuses(top: str, step: str, said: str, lint_example: Lint) -> None:
    found = _found(top, step, "takt-0.29", lint_example)
    (message,) = [message for code, message in found if code == "SF004"]
    assert message.startswith(said)
    assert "TAKT 0.29 refuses to load the file" in message


@pytest.mark.parametrize("step", ["    team_leader: 5\n", "    team_leader: {max_parts: two}\n"])
def test_a_release_that_drops_the_key_takes_any_value(step: str, lint_example: Lint) -> None:
    found = _found("", step, "takt-0.12", lint_example)
    assert not [message for code, message in found if code == "SF004"]


def test_a_key_inside_that_is_dropped_is_no_wrong_type(lint_example: Lint) -> None:
    found = _found("", "    team_leader: {max_concurrency: two}\n", "takt-0.29", lint_example)
    assert [code for code, _message in found if code in {"SF004", "T025"}] == ["T025"]


@pytest.mark.parametrize(
    ("top", "step", "key", "meant"),
    [
        ("", "    provider_options: {claue: {sandbox: {}}}\n", "claue", "claude"),
        ("piece_config: {runtme: {prepare: [gradle]}}\n", "", "runtme", "runtime"),
        ("piece_config: {provider_optons: {codex: {}}}\n", "", "provider_optons", "provider_options"),
    ],
)
def test_misspelt_keys_of_settings_are_told(top: str, step: str, key: str, meant: str, lint_example: Lint) -> None:
    (message,) = [
        message for code, message in _found(top, step, "takt-0.29", lint_example) if code in {"T025", "SF005"}
    ]
    assert f"“{key}”" in message
    assert f"Did you mean “{meant}”?" in message


FLOW = "name: x\nmax_steps: 5\ninitial_step: a\n"
STEPS = "steps:\n  - name: a\n    edit: true\n    persona: c\n    instruction: x\n"


@pytest.mark.parametrize(
    ("text", "runtime", "field"),
    [
        (f"{FLOW}schemas: {{s: 3}}\n{STEPS}{RULES}", "takt-0.60", "s"),
        (f"{FLOW}steps:\n  - name: a\n    kind: workflow_call\n    call: 5\n{RULES}", "takt-0.60", "call"),
        (f"{FLOW}{STEPS}    structured_output: {{schema_ref: [s]}}\n{RULES}", "takt-0.60", "schema_ref"),
        (f"{FLOW}{STEPS}    promotion: [{{at: [2], model: m}}]\n{RULES}", "takt-0.58", "at"),
        (f"{FLOW}auto_routing: 5\n{STEPS}{RULES}", "takt-0.52", "auto_routing"),
        (f"{FLOW}{STEPS}    rules:\n      - {{when: 5, next: COMPLETE}}\n", "takt-0.50", "when"),
    ],
)
def test_what_releases_of_workflows_refuse(text: str, runtime: str, field: str, lint_example: Lint) -> None:
    found = lint_example(whole_piece(text), LintSettings(runtime))
    (message,) = [each.message for each in found if each.severity == "error"]
    assert f"“{field}”" in message
    assert "refuses to load the file" in message


def test_rules_for_all_steps_may_be_names(lint_example: Lint) -> None:
    text = f"{FLOW}all_steps:\n  rules: [common, {{ref: more, position: before}}]\n{STEPS}{RULES}"
    found = lint_example(whole_piece(text), LintSettings("takt-0.60"))
    assert not [each.message for each in found if each.code in {"SF004", "T025"}]


def test_a_misspelt_option_of_a_provider_is_told(lint_example: Lint) -> None:
    found = _found("", "    provider_options: {claude: {allowed_tols: [Read]}}\n", "takt-0.30", lint_example)
    (message,) = [message for code, message in found if code == "T025"]
    assert message.endswith("Did you mean “allowed_tools”?")
