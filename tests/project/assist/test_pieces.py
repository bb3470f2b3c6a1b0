"""Names in the text of a TAKT piece: gone to, found wherever they stand, renamed everywhere."""

from pathlib import Path

import pytest

from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.assist.go_to import definitions_at, references_at, why_no_definition
from stepflow_gui.project.assist.hover import about
from stepflow_gui.project.assist.renaming import renamable_at, renaming
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.edit import apply
from tests.formats.takt.test_changes import PIECE


@pytest.fixture
def agent(tmp_path: Path) -> AgentFolder:
    folder = tmp_path / ".takt" / "pieces"
    folder.mkdir(parents=True)
    (folder / "small.yaml").write_text(PIECE, encoding="utf-8")
    (tmp_path / ".takt" / "personas").mkdir()
    (tmp_path / ".takt" / "personas" / "coder.md").write_text("You code.", encoding="utf-8")
    found = open_agent(folder / "small.yaml")
    assert isinstance(found, AgentFolder)
    return found


def at(mark: str) -> int:
    """The offset of the `|` in a piece of the text."""
    before, after = mark.split("|")
    return PIECE.index(before + after) + len(before)


def renamed(agent: AgentFolder, mark: str, new: str) -> str:
    file = agent.text(agent.registry.path)  # as the source panel has it
    assert isinstance(file, TextFile)
    subject = renamable_at(agent, file, at(mark))
    assert not isinstance(subject, Refusal)
    plan = renaming(agent, subject, new).plan
    assert isinstance(plan, Plan)
    return apply(PIECE, plan.edits[agent.registry.path])


@pytest.mark.parametrize(
    "mark", ["cod|er: ../personas", "name: work\n    persona: |coder", "style\n        persona: cod|er"]
)
def test_an_entry_is_renamed_with_all_that_refer_to_it(mark: str, agent: AgentFolder) -> None:
    wanted = PIECE.replace("coder:", "builder:").replace("persona: coder", "persona: builder")
    assert renamed(agent, mark, "builder") == wanted


@pytest.mark.parametrize("mark", ["name: wo|rk", "next: |work", "cycle: [wo|rk"])
def test_a_movement_is_renamed_wherever_it_stands(mark: str, agent: AgentFolder) -> None:
    wanted = PIECE.replace("name: work", "name: build").replace("next: work", "next: build").replace("[work", "[build")
    assert renamed(agent, mark, "build") == wanted


@pytest.mark.parametrize(
    "mark", ["condition: Cl|ear", "max_it|erations", "next: AB|ORT", "# The pi|ece", "name: st|yle"]
)
def test_other_words_are_no_names(mark: str, agent: AgentFolder) -> None:
    assert isinstance(renamable_at(agent, agent.registry, at(mark)), Refusal)


def test_names_go_to_their_definition_and_entries_to_their_file(agent: AgentFolder) -> None:
    found = definitions_at(agent, agent.registry, at("name: work\n    persona: |coder"))
    assert [place.pointer for place in found] == ["/personas/coder"]
    assert definitions_at(agent, agent.registry, at("cod|er: ../personas"))[0].document.path.name == "coder.md"
    assert [place.pointer for place in definitions_at(agent, agent.registry, at("pl|anner: .."))] == [
        "/personas/planner"
    ]
    found = definitions_at(agent, agent.registry, at("initial_movement: pl|an"))
    assert [place.pointer for place in found] == ["/movements/0"]
    assert why_no_definition(agent, agent.registry, at("next: wo|rk")) == ""
    uses = references_at(agent, agent.registry, at("next: wo|rk"))
    assert [place.pointer for place in uses] == [
        "/movements/1",
        "/movements/0/rules/0/next",
        "/movements/2/rules/1/next",
        "/loop_monitors/0/cycle/0",
        "/loop_monitors/0/judge/rules/0/next",
    ]


def test_what_a_name_is_about_is_reported(agent: AgentFolder) -> None:
    entry = about(agent, agent.registry, at("name: work\n    persona: |coder"))
    assert entry is not None
    assert entry.lines == (
        "Who works: an entry of personas, a path or a text",
        "Entry of personas",
        "../personas/coder.md",
        "2 references",
    )
    field = about(agent, TextFile(agent.registry.path, agent.registry.source), at("max_it|erations"))
    assert field is not None
    assert (field.name, field.lines) == ("max_iterations", ("How many movements run at most",))
    movement = about(agent, agent.registry, at("next: wo|rk"))
    assert movement is not None
    assert "Goes to: Done → review" in movement.lines


def test_a_called_workflow_is_gone_to(tmp_path: Path) -> None:
    folder = tmp_path / ".takt" / "workflows"
    folder.mkdir(parents=True)
    text = "name: x\nsteps:\n  - {name: a, call: child}\n  - {name: b, call: nobody}\n"
    (folder / "x.yaml").write_text(text, encoding="utf-8")
    (folder / "child.yaml").write_text("name: child\n", encoding="utf-8")
    agent = open_agent(folder / "x.yaml")
    assert isinstance(agent, AgentFolder)
    (found,) = definitions_at(agent, agent.registry, text.index("child"))
    assert found.document.path == folder / "child.yaml"
    assert definitions_at(agent, agent.registry, text.index("nobody")) == []
