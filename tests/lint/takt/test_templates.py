"""Variables of instructions that stand elsewhere: in the section map, and in files of their own."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.engine.outcome import judge
from stepflow_gui.lint.examples.example import Example
from stepflow_gui.lint.examples.piece import FILE, piece, whole_piece
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.document import TextFile
from tests.lint.conftest import Open

INSTRUCTION = "instructions/plan.md"
WORKFLOW = """\
name: flow
max_steps: 5
initial_step: plan
steps:
  - name: plan
    instruction: plan
    edit: false
    rules:
      - condition: Done
        next: COMPLETE
"""


def beside(example: Example, name: str, text: str) -> Example:
    return example._replace(texts={**example.texts, name: text})


def told(found: list[Diagnostic]) -> list[tuple[str, str, int, str]]:
    return [(each.code, each.file.name, each.range.start.line, each.message.partition(":")[0]) for each in found]


def test_a_file_of_the_section_map_is_read(open_example: Open) -> None:
    text = "# Plan\n\nLook at {task}, {Task} and {result}.\n{report:plans.md}\n"
    agent = open_example(beside(piece(), INSTRUCTION, text))
    found = lint(agent)
    assert told(found) == [
        ("T017", "plan.md", 3, "“{Task}” is not a variable"),
        ("T017", "plan.md", 4, "No movement writes the report “plans.md”. Did you mean “{report"),
    ]
    first, second = found
    assert (first.step, first.pointer, first.range.start.column, first.range.end.column) == ("plan", None, 17, 23)
    assert first.related == ()
    (side,) = second.related  # which of the pieces that share the file it is about
    assert (side.file.name, side.pointer, side.message) == (
        "issue-flow.yaml",
        "/instructions/plan",
        "the piece names the file here",
    )
    assert [fix.title for fix in first.fixes] == ["Write “{task}”"]


def test_what_concerns_a_shared_file_alone_is_reported_once(open_example: Open) -> None:
    one = open_example(beside(piece(), INSTRUCTION, "{Task} {report:plans.md}\n"))
    path = one.registry.path.with_name("other.yaml")
    renamed = piece(("initial_movement: plan\n", ""), ("- name: plan\n", "- name: planning\n"))
    path.write_text(str(renamed.texts[FILE]), "utf-8")
    other = open_agent(path)
    assert isinstance(other, AgentFolder)
    outcome = judge([one, other])
    told = [each.message.partition(" ")[0] for each in outcome.diagnostics if each.code == "T017"]
    assert told == ["“{Task}”", "No", "No"]


def test_the_fix_is_written_into_that_file(open_example: Open) -> None:
    agent = open_example(beside(piece(), INSTRUCTION, "Look at {Task}.\n"))
    fixed = fix_all([agent], lint, any_fixes)
    (changed,) = fixed.agents
    assert lint(changed) == []
    text = changed.text(changed.registry.path.parent.parent / INSTRUCTION)
    assert isinstance(text, TextFile)
    assert text.source.text == "Look at {task}.\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    instruction: plan\n", "    instruction: ../instructions/plan.md\n"),
        ("    instruction: plan\n", "    instruction_template: ../instructions/plan.md\n"),
    ],
)
def test_a_file_that_the_movement_names_itself_is_read(old: str, new: str, open_example: Open) -> None:
    found = lint(open_example(beside(piece((old, new)), INSTRUCTION, "{iteratoin} {movement_iteratin}\n")))
    assert ("T017", "plan.md", 1, "“{movement_iteratin}” is not a variable") in told(found)


def test_a_text_of_the_section_map_is_read_once(open_example: Open) -> None:
    inline = piece(
        ("  plan: ../instructions/plan.md\n", "  plan: |\n    Plan\n    {Task}.\n"),
        ("    instruction_template: Implement {task} as {report:plan.md} says.\n", "    instruction: plan\n"),
    )
    found = lint(open_example(inline))
    assert told(found) == [("T017", "issue-flow.yaml", 12, "“{Task}” is not a variable")]
    assert (found[0].pointer, found[0].step) == ("/instructions/plan", "plan")


def test_what_a_judge_is_asked_with_may_hold_the_count(open_example: Open) -> None:
    shared = piece(
        (
            "      instruction_template: This is round {cycle_count}. Is there progress?\n",
            "      instruction_template: ../instructions/plan.md\n",
        ),
    )
    assert lint(open_example(beside(shared, INSTRUCTION, "Round {cycle_count}.\n"))) == []
    found = lint(open_example(beside(piece(), INSTRUCTION, "Round {cycle_count}.\n")))
    assert [each.code for each in found] == ["T017"]


def test_other_facets_are_no_instructions(open_example: Open) -> None:
    assert lint(open_example(beside(piece(), "policies/coding.md", "{Task}\n"))) == []


def test_newer_workflows_find_the_file_by_its_word(open_example: Open) -> None:
    agent = open_example(beside(whole_piece(WORKFLOW), "facets/instructions/plan.md", "{max_iterations}\n"))
    assert told(lint(agent)) == [("T017", "plan.md", 1, "TAKT 0.34+ leaves “{max_iterations}” as it is")]


@pytest.mark.parametrize(
    ("text", "runtime", "told_of"),
    [
        ("{max_steps} {step_iteration}", None, []),  # so the file is for 0.36 and later
        ("{max_movements}", None, []),  # so it is for 0.34 or 0.35
        ("{max_movements} {max_steps}", None, ["TAKT 0.34–0.35 leaves “{max_steps}” as it is"]),
        ("{max_steps} {max_movements}", None, ["TAKT 0.36+ leaves “{max_movements}” as it is"]),
        ("{max_steps}", "takt-0.34..0.60", ["TAKT 0.34–0.35 leaves “{max_steps}” as it is"]),
    ],
)
def test_variables_tell_which_releases_a_file_is_for(
    text: str, runtime: str | None, told_of: list[str], open_example: Open
) -> None:
    agent = open_example(beside(whole_piece(WORKFLOW), "facets/instructions/plan.md", text))
    said = [each.message.partition(":")[0] for each in lint(agent, LintSettings(runtime)) if each.code == "T017"]
    assert said == told_of


def test_a_file_outside_or_that_is_no_text(open_example: Open, tmp_path: Path) -> None:
    agent = open_example(piece())
    path = agent.registry.path.parent.parent / INSTRUCTION
    path.write_bytes(b"{Task} \xff\n")
    found = lint(agent.reread([path]))
    assert told(found) == [("SF003", "plan.md", 1, "The prompt isn't UTF-8 from here on")]
    outside = tmp_path.parent / "outside.md"
    outside.write_text("{Task}\n", "utf-8")
    path.unlink()
    path.symlink_to(outside)
    assert [each.code for each in lint(agent.reread([path]))] == ["SF707"]


def test_a_file_that_is_missing_can_be_begun(open_example: Open) -> None:
    agent = open_example(piece(("../personas/coder.md", "../personas/deep/code-writer.md")))
    (found,) = lint(agent)
    assert (found.code, [fix.title for fix in found.fixes]) == ("T014", ["Create code-writer.md"])
    (changed,) = fix_all([agent], lint, any_fixes).agents
    assert lint(changed) == []
    text = changed.text(changed.registry.path.parent.parent / "personas" / "deep" / "code-writer.md")
    assert isinstance(text, TextFile)
    assert text.source.text == "# Code writer\n"
