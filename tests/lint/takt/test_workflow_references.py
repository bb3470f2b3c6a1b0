"""What a workflow refers to: facets, schemas, called workflows, reports; and values that only look right."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.files.store import ReadProblem

HEAD = """\
name: sample
max_steps: 5
initial_step: one
personas: {writer: ../facets/personas/writer.md}
policies: {style: ../facets/policies/style.md}
instructions: {write: ../facets/instructions/write.md}
report_formats: {short: ../facets/output-contracts/short.md}
steps:
"""
ONE = """\
  - name: one
    persona: writer
    policy: style
    edit: false
    instruction: write
    output_contracts: {report: [{name: r.md, format: short}]}
    rules: [{condition: ok, next: two}, {condition: again, next: one}]
"""
TWO = "  - name: two\n    edit: false\n    instruction: see to it\n    rules: [{condition: ok, next: COMPLETE}]\n"
CALLS = "  - name: two\n    kind: workflow_call\n    call: child\n    rules: [{condition: RESULT, next: COMPLETE}]\n"
CHILD = """\
name: child
subworkflow: {callable: true, returns: [fine, poor]}
initial_step: only
steps:
  - {name: only, edit: false, instruction: do it, rules: [{condition: good, return: fine}]}
"""
FILES = ("personas/writer", "policies/style", "instructions/write", "output-contracts/short")


def _found(tmp_path: Path, text: str, *, runtime: str = "takt-latest", without: tuple[str, ...] = ()) -> list[str]:
    home = tmp_path / ".takt"
    for name in FILES:
        (home / "facets" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "facets" / f"{name}.md").write_text("text {task}")
    (home / "workflows").mkdir()
    (home / "workflows" / "child.yaml").write_text(CHILD)
    path = home / "workflows" / "x.yaml"
    path.write_text(text)
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    codes = {"T015", *without}
    return [f"{each.code} {each.message}" for each in lint(agent, LintSettings(runtime)) if each.code not in codes]


def test_a_sound_one_has_no_finding(tmp_path: Path) -> None:
    assert _found(tmp_path, HEAD + ONE + TWO) == []


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("persona: writer", "persona: wirter", "T013 “wirter” is neither a key of “personas” nor a file of facets"),
        ("policy: style", "policy: [style, other]", "T013 “other” is neither a key of “policies” nor a file of facets"),
        ("instruction: write", "instruction: writes", "T013 “writes” is neither"),
        ("format: short", "format: long", "T013 “long” is neither a key of “report_formats”"),
        (
            "    edit: false\n",
            "    edit: false\n    structured_output: {schema_ref: nowhere}\n",
            "T013 There is no schema",
        ),
        ("    edit: false\n", "    edit: false\n    session_key: '  '\n", "SF004 “session_key” is empty: TAKT 0.60"),
        (
            "    edit: false\n",
            "    edit: false\n    kind: worker\n",
            "SF004 “kind” is “worker”, and must be one of agent",
        ),
        (
            "    edit: false\n",
            "    edit: false\n    mode: weird\n",
            "SF004 “mode” is “weird”, and must be one of system",
        ),
        ("{condition: ok, next: two}", "{condition: '  ', next: two}", "T008 The condition of “one” can't be read"),
        ("instruction: write", "instruction: 'read {report:late.md}'", "T017 A run may reach “one” without"),
    ],
)
def test_what_is_wrong_is_found(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    two = TWO.replace("    rules", "    output_contracts: {report: [{name: late.md, format: short}]}\n    rules")
    found = _found(tmp_path, HEAD + (ONE + two).replace(right, wrong, 1))
    assert len(found) == 1, found
    assert found[0].startswith(said)


@pytest.mark.parametrize("word", ["writer", "helper"])
def test_a_facet_of_the_project_is_found_by_its_word(word: str, tmp_path: Path) -> None:
    path = tmp_path / ".takt" / "facets" / "personas" / "helper.md"
    path.parent.mkdir(parents=True)
    path.write_text("You help.")
    assert _found(tmp_path, HEAD + ONE.replace("persona: writer", f"persona: {word}") + TWO) == []


def test_where_there_is_no_map_a_slip_of_a_facets_name_is_found(tmp_path: Path) -> None:
    text = HEAD.replace("personas: {writer: ../facets/personas/writer.md}\n", "") + ONE + TWO
    assert _found(tmp_path / "a", text) == []
    assert _found(tmp_path / "b", text.replace("persona: writer", "persona: wirter"))[0].startswith("T013 “wirter”")
    assert _found(tmp_path / "c", text.replace("persona: writer", "persona: planner")) == []  # one that is bundled


@pytest.mark.parametrize(
    ("result", "found"), [("fine", []), ("COMPLETE", []), ("fien", ["T029"]), ("splendid", ["T029"])]
)
def test_a_rule_on_what_a_called_workflow_returns(result: str, found: list[str], tmp_path: Path) -> None:
    every = _found(tmp_path, HEAD + ONE + CALLS.replace("RESULT", result))
    said = [each for each in every if "has no rule for" not in each]
    assert [each.partition(" ")[0] for each in said] == found
    assert all("“two” calls “child”, which can't end with" in each for each in said)


def test_a_steps_name_is_no_use_of_an_entry(tmp_path: Path) -> None:
    text = HEAD.replace("instructions: {", "instructions: {two: ../facets/instructions/write.md, ") + ONE + TWO
    path = tmp_path / "x.yaml"
    path.write_text(text)
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    assert [each.message for each in lint(agent) if each.code == "T015"] == [
        "Nothing refers to “two” of “instructions”"
    ]


@pytest.mark.parametrize(
    ("field", "setting"),
    [
        ("mcp_servers: {a: {command: b}}", "workflow_mcp_servers"),
        ("quality_gates: [{type: command, command: make}]", "workflow_command_gates"),
    ],
)
def test_what_the_project_has_to_allow(field: str, setting: str, tmp_path: Path) -> None:
    text = HEAD + ONE + TWO.replace("    edit: false\n", f"    edit: false\n    {field}\n")
    (said,) = _found(tmp_path / "a", text)
    assert f"isn't allowed unless .takt/config.yaml has “{setting}”: TAKT 0.60 refuses to load the file" in said
    (tmp_path / "b" / ".takt").mkdir(parents=True)
    (tmp_path / "b" / ".takt" / "config.yaml").write_text(f"{setting}: {{stdio: true}}\n")
    assert _found(tmp_path / "b", text) == []


@pytest.mark.parametrize("key", ["provider: p", "model: m", "provider_options: {}"])
@pytest.mark.parametrize("where", ["judge", "workflow_config"])
def test_settings_that_moved_are_told_in_judges_and_the_configuration(key: str, where: str, tmp_path: Path) -> None:
    judge = f"judge: {{{key}, rules: [{{condition: ok, next: COMPLETE}}]}}"
    of_monitor = f"loop_monitors: [{{cycle: [one, one], {judge}}}]\n"
    added = of_monitor if where == "judge" else f"workflow_config: {{{key}}}\n"
    found = _found(tmp_path, HEAD.replace("steps:\n", f"{added}steps:\n") + ONE + TWO)
    assert any("belongs in .takt/runtime.yaml since 0.60: TAKT 0.60 refuses to load the file" in each for each in found)


@pytest.mark.parametrize("brace", ["{", "}", "{}", "{0}", "{x}", "%s"])
def test_names_may_hold_braces(tmp_path: Path, brace: str) -> None:
    """What a file names is put into messages; it is not a message itself."""
    text = (
        f"name: 'w{brace}'\nsubworkflow: {{callable: true, returns: ['needs{brace}fix']}}\ninitial_step: 'on{brace}'\n"
        f"max_steps: 5\nx{brace!r}: 1\nsteps:\n  - name: 'one{brace}'\n    persona: 'p{brace}'\n"
        f"    sesion: 'a{brace}'\n"
        f"    instruction: 'read {{report:{brace}.md}} {brace}'\n    rules:\n"
        f"      - {{condition: 'a{brace}', return: 'need{brace}fix'}}\n      - {{condition: 'b', next: 'oen{brace}'}}\n"
    )
    file = tmp_path / ".takt" / "workflows" / "w.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    failed: list[object] = []
    found = lint_as_configured(file, None, failed.append)
    assert not isinstance(found, ReadProblem)
    assert found
    assert failed == []


@pytest.mark.parametrize(
    ("name", "runtime", "said"),
    [
        ("stict", "takt-0.50", ["T013 There are no options “stict” here: unless some are bundled, TAKT 0.50"]),
        ("strict", "takt-0.50", []),
        ("readonly", "takt-0.59", []),
    ],
)
def test_options_that_a_step_extends_are_looked_up(name: str, runtime: str, said: list[str], tmp_path: Path) -> None:
    path = tmp_path / ".takt" / "provider-options" / "strict.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("codex: {reasoning_effort: high}\n")
    text = ONE.replace("    edit: false\n", f"    edit: false\n    provider_options: {{extends: {name}}}\n")
    found = _found(tmp_path, HEAD + text + TWO, runtime=runtime, without=("T017",))
    assert [each.split(" refuses")[0] for each in found] == said
