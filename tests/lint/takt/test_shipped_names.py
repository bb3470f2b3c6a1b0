"""Names of what TAKT ships: silent as they are, and what a misspelt one is taken back to."""

from pathlib import Path

import pytest

from stepflow_gui.formats.takt.releases.shipped import shipped
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

WORKFLOW = """\
name: x
initial_step: a
max_steps: 5
steps:
  - name: a
    persona: planner
    policy: [coding, testing]
    knowledge: architecture
    instruction: research-plan
    edit: false
    structured_output: {schema_ref: followup-task}
    output_contracts: {report: [{name: plan.md, format: plan-frontend}]}
    rules: [{condition: ok, next: b}]
  - name: b
    kind: workflow_call
    call: peer-review
    rules: [{condition: COMPLETE, next: c}, {condition: ABORT, next: ABORT}]
  - name: c
    uses: development-core-plan
    rules: [{condition: ok, next: COMPLETE}]
"""
RELEASE = LintSettings("takt-0.60")


def _agent(folder: Path, text: str) -> AgentFolder:
    path = folder / ".takt" / "workflows" / "x.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


def test_names_that_are_shipped_are_no_finding(tmp_path: Path) -> None:
    assert lint(_agent(tmp_path, WORKFLOW), RELEASE) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("planner", "plannr"),
        ("coding", "codign"),
        ("architecture", "architcture"),
        ("research-plan", "reasearch-plan"),
        ("followup-task", "folowup-task"),
        ("plan-frontend", "plan-frontent"),
        ("peer-review", "peer-reveiw"),
        ("development-core-plan", "develpment-core-plan"),
    ],
)
def test_a_misspelt_one_is_taken_back(right: str, wrong: str, tmp_path: Path) -> None:
    agent = _agent(tmp_path, WORKFLOW.replace(f" {right}\n", f" {wrong}\n").replace(right, wrong, 1))
    (found,) = lint(agent, RELEASE)
    assert (found.code, f"Did you mean “{right}”?" in found.message) == ("T013", True)
    assert not any(fix.safe for fix in found.fixes)
    (change,) = fix_all([agent], lambda each: lint(each, RELEASE), any_fixes).changes
    assert change.after.text == WORKFLOW


@pytest.mark.parametrize("word", ["gardener", "Planner"])
def test_a_word_of_ones_own_is_left_alone(word: str, tmp_path: Path) -> None:
    assert lint(_agent(tmp_path, WORKFLOW.replace("persona: planner", f"persona: {word}")), RELEASE) == []


def test_words_are_texts_where_releases_look_up_none(tmp_path: Path) -> None:
    text = "name: x\ninitial_movement: a\nmax_iterations: 3\nmovements:\n  - name: a\n    persona: plannr\n"
    text += "    edit: false\n    instruction: Do it.\n    rules: [{condition: ok, next: COMPLETE}]\n"
    (found,) = lint(_agent(tmp_path, text), LintSettings("takt-0.8"))
    assert found.code == "T013"
    assert "Did you mean" not in found.message


def test_the_names_are_those_of_the_real_files(corpus: Path) -> None:
    kinds = {
        **{kind: kind for kind in ("personas", "policies", "knowledge", "instructions", "provider-options", "schemas")},
        "report_formats": "output-contracts",
        "steps": "steps",
        "workflows": "workflows",
    }
    for kind, folder in kinds.items():
        listed = {
            Path(line).stem
            for era in ("seed-era", "head")
            for line in (corpus / "takt" / era / "files.txt").read_text("utf-8").splitlines()
            if Path(line).parent.name in ({folder, "pieces"} if kind == "workflows" else {folder})
            and Path(line).parts[0] == "builtins"
            and not {"templates", "partials"} & set(Path(line).parts)
        }
        assert shipped(kind) == listed, kind
