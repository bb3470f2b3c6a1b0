"""A piece and the workflow that it became are compared by what they mean, not by what keys are called."""

from pathlib import Path

import pytest

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.comparison import AgentComparison, compare_agents

STEPS = (
    "  - name: a\n    persona: You work.\n    instruction: Do it.\n    rules: [{condition: ok, next: b}]\n"
    "  - name: b\n    persona: You look.\n    instruction: See.\n    rules: [{condition: ok, next: COMPLETE}]\n"
)
PIECE = f"name: x\nmax_movements: 5\ninitial_movement: a\nmovements:\n{STEPS}"
WORKFLOW = f"name: x\nmax_steps: 5\ninitial_step: a\nsteps:\n{STEPS}"


def _compared(tmp_path: Path, old: str, new: str) -> AgentComparison:
    agents = []
    for name, text in (("old", old), ("new", new)):
        path = tmp_path / name / "pieces" / "x.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        agent = open_agent(path)
        assert isinstance(agent, AgentFolder)
        agents.append(agent)
    return compare_agents(*agents)


@pytest.mark.parametrize(("old", "new"), [(PIECE, WORKFLOW), (WORKFLOW, PIECE)])
def test_other_words_are_as_many_changes_and_no_new_list(old: str, new: str, tmp_path: Path) -> None:
    flow = _compared(tmp_path, old, new).flow
    assert flow is not None
    assert [change.kind for change in flow.fields] == ["renamed"] * 3
    assert not flow.steps
    assert not flow.edges


def test_variables_of_other_words_change_no_step(tmp_path: Path) -> None:
    old = PIECE.replace("See.", "'{movement_iteration} of {max_movements}'")
    new = WORKFLOW.replace("See.", "'{step_iteration} of {max_steps}'")
    flow = _compared(tmp_path, old, new).flow
    assert flow is not None
    assert not flow.steps
    assert [change.pointer for change in flow.fields if change.follows] == ["/steps/1/instruction"]


def test_what_changed_besides_is_found_in_its_step(tmp_path: Path) -> None:
    changed = WORKFLOW.replace("max_steps: 5", "max_steps: 6").replace("instruction: See.", "instruction: Look.")
    flow = _compared(tmp_path, PIECE, changed).flow
    assert flow is not None
    assert [(step.kind, step.id) for step in flow.steps] == [("changed", "b")]
    others = [(change.kind, change.old, change.new) for change in flow.others]
    assert ("changed", 5, 6) in others
    assert ("renamed", "movements", "steps") in others


def test_words_of_steps(tmp_path: Path) -> None:
    older = PIECE.replace("persona:", "agent:").replace("instruction:", "instruction_template:")
    flow = _compared(tmp_path, older, PIECE).flow
    assert flow is not None
    assert {(change.kind, change.old, change.new) for change in flow.fields} == {
        ("renamed", "agent", "persona"),
        ("renamed", "instruction_template", "instruction"),
    }


def test_a_key_beside_the_other_word_is_a_key_of_its_own(tmp_path: Path) -> None:
    flow = _compared(tmp_path, PIECE, PIECE + "max_steps: 7\n").flow
    assert flow is not None
    assert [(change.kind, change.new) for change in flow.fields] == [("added", 7)]
