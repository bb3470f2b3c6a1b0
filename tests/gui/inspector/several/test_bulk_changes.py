"""A change of several steps: one edit a step, one entry, and the same bytes after its undo, in every format."""

from pathlib import Path

import pytest

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.changes import Retarget, SetField
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.tables import table_of_flow
from stepflow_gui.gui.inspector.several.bulk_changes import StepsTarget, groups_of, plan_in_all
from stepflow_gui.gui.inspector.several.common_fields import CommonForm, common_form
from stepflow_gui.lint.diagnostic import Diagnostic, FileEdit, Fix, Range
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.edit import apply, inverse
from stepflow_gui.text.source import Position
from tests.project.converting.agents import from_template, opened

TEMPLATES = ("issue-flow", "complete-flow", "check-flow", "addressed-flow", "takt-piece")


def agent_of(template: str, folder: Path, checkout: Path) -> AgentFolder:
    """An agent or a piece as `stepflow new` makes it."""
    if template != "takt-piece":
        return from_template(folder, checkout, template)
    source = checkout / "resources" / "templates" / template / "files"
    (piece,) = [file for file in source.rglob("*.yaml") if file.parent.name == "pieces"]
    made = folder / ".takt" / "pieces" / "demo.yaml"
    made.parent.mkdir(parents=True)
    made.write_text(piece.read_text("utf-8").replace("@name@", "demo").replace("@title@", "Demo"), "utf-8")
    return opened(made)


def steps_of(agent: AgentFolder) -> list[Step]:
    return [step for step in agent.flow.steps.values() if not step.is_section][:3]


def form_of(agent: AgentFolder, steps: list[Step]) -> CommonForm:
    return common_form(agent.flow, steps, *table_of_flow(agent.flow))


@pytest.mark.parametrize("template", TEMPLATES)
def test_each_common_text_is_set_by_one_edit_a_step_and_undone_to_the_byte(
    template: str, tmp_path: Path, checkout: Path
) -> None:
    agent = agent_of(template, tmp_path, checkout)
    steps = steps_of(agent)
    form = form_of(agent, steps)
    target = StepsTarget(agent, steps[0], form.targets)
    text = agent.registry.source.text
    made = 0
    for section in form.sections:
        for line in section.lines:
            if line.control not in {"text", "prose"} or line.pointer in form.targets or line.shape is None:
                continue
            below = line.pointer.removeprefix(steps[0].pointer)
            new = next((each for each in line.shape.choices if each != line.value), "quite-new")
            found = plan_in_all(agent, target.set_to(line, new), steps)
            if isinstance(found, Refusal):
                continue  # as it is for one step alone
            edits = found.edits[agent.registry.path]
            assert len(edits) == len(steps) or line.key in {"next", "fallback"}, line.pointer
            after = apply(text, edits)
            assert apply(after, inverse(text, edits)) == text
            changed = agent.with_buffers({agent.registry.path: agent.registry.source.with_text(after)})
            for step in steps:
                node = changed.registry.tree.at(step.pointer + below)
                assert node is not None
                assert node.value == new
            made += 1
    assert made


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_field_of_the_form_is_had_by_all(template: str, tmp_path: Path, checkout: Path) -> None:
    agent = agent_of(template, tmp_path, checkout)
    steps = steps_of(agent)
    form = form_of(agent, steps)
    lines = [line for section in form.sections for line in section.lines if line.pointer not in form.targets]
    assert lines
    for line in lines:
        below = line.pointer.removeprefix(steps[0].pointer)
        nodes = [agent.registry.tree.at(step.pointer + below) for step in steps]
        if line.variants == 1 and not line.absent:
            assert {repr(node.value) for node in nodes if node} == {repr(line.value)}
            assert all(nodes)
        elif line.differs:
            assert len({repr(node.value if node else None) for node in nodes}) > 1
        else:
            assert line.control == "group" or all(node is None for node in nodes)
    ids = [step.id for step in steps]
    assert not [line for line in lines if line.key in {"stepId", "id"} and line.depth == 0 and line.value in ids]


def test_a_target_is_set_in_all_though_each_has_another(tmp_path: Path, checkout: Path) -> None:
    agent = agent_of("issue-flow", tmp_path, checkout)
    steps = steps_of(agent)
    form = form_of(agent, steps)
    line = next(line for section in form.sections for line in section.lines if line.pointer in form.targets)
    assert (line.key, line.variants) == ("repeat", 3)
    change = StepsTarget(agent, steps[0], form.targets).set_to(line, steps[1].id)
    assert change == Retarget(steps[0].id, "repeat", steps[1].id)
    found = plan_in_all(agent, change, steps)
    assert isinstance(found, Plan)
    assert found.title == "Set target of “repeat” in 3 steps"
    assert sum(map(len, found.edits.values())) == 2  # the second goes there already


def test_a_refusal_of_one_step_refuses_all_and_names_it(tmp_path: Path, checkout: Path) -> None:
    agent = agent_of("issue-flow", tmp_path, checkout)
    steps = steps_of(agent)
    found = plan_in_all(agent, SetField(f"{steps[0].pointer}/transitions/next/target", 5), steps)
    assert isinstance(found, Refusal)
    assert steps[2].id in found.reason or found.reason


def diagnostic(step: str, at: int, text: str, message: str = "wrong", title: str = "Mend it") -> Diagnostic:
    place = Range(Position(1, at, at), Position(1, at + 1, at + 1))
    fix = Fix(title, True, (FileEdit(Path("/a.json"), place, text),))
    return Diagnostic(
        "SF999", "some-rule", "warning", message, Path("/a.json"), None, f"/{at}", step, place, (), (fix,)
    )


def test_one_fix_for_all_is_only_offered_where_all_write_the_same() -> None:
    (same,) = groups_of([diagnostic("a", 1, "x"), diagnostic("b", 5, "x")])
    (fix,) = same.joint_fixes()
    assert [edit.range.start.offset for edit in fix.edits] == [1, 5]
    (differing,) = groups_of([diagnostic("a", 1, "x"), diagnostic("b", 5, "y")])
    assert differing.joint_fixes() == []
    (removing,) = groups_of([diagnostic("a", 1, "", title="Remove a"), diagnostic("b", 5, "", title="Remove b")])
    assert removing.joint_fixes() == []
    (alone,) = groups_of([diagnostic("a", 1, "x")])
    assert alone.joint_fixes() == []


def test_a_group_says_the_message_only_where_it_is_one() -> None:
    (same,) = groups_of([diagnostic("a", 1, "x"), diagnostic("b", 5, "x")])
    assert (same.text, same.steps) == ("SF999  wrong", 2)
    (others,) = groups_of([diagnostic("a", 1, "x"), diagnostic("b", 5, "x", "worse")])
    assert others.text == "SF999  some-rule"
