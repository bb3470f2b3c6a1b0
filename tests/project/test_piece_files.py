"""The facets of a piece: those of each movement, those that are listed, and whose files change its findings."""

from pathlib import Path

import pytest

from stepflow_gui.lint.engine.project_status import ProjectChecker
from stepflow_gui.lint.examples.piece import FILE, PIECE_FILES
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.agent_listing import listing_of
from stepflow_gui.project.finding.files_of_registry import RegistryOwners
from stepflow_gui.project.step_files import files_by_step, new_text, step_files

HEAD = """\
name: flow
max_steps: 5
initial_step: plan
personas:
  coder: ../facets/personas/coder.md
steps:
  - name: plan
    persona: coder
    policy: [coding, ../policies/own.md]
    instruction: plan
    knowledge: nobody-has-this
  - uses: shared/check
"""


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    """A piece with its files, in a project."""
    return written(tmp_path / ".takt", PIECE_FILES) / FILE


@pytest.fixture
def workflow(tmp_path: Path) -> Path:
    """A workflow whose files are facets, two called by a word alone, and a shared step."""
    files = [f"facets/{name}.md" for name in ("personas/coder", "policies/coding", "instructions/plan")]
    texts = dict.fromkeys(files, "As usual.\n") | {"workflows/flow.yaml": HEAD}
    return written(tmp_path / ".takt", texts | {"steps/shared/check.yaml": "name: check\n"}) / "workflows/flow.yaml"


def written(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def opened(path: Path) -> AgentFolder:
    agent = open_agent(path)
    assert isinstance(agent, AgentFolder)
    return agent


def told(agent: AgentFolder, movement: str) -> list[tuple[str, str, bool]]:
    files = step_files(agent, agent.flow.steps[movement])
    return [(file.kind, file.name, file.found is not None) for file in files]


def test_a_movement_has_the_files_that_it_names_and_those_of_its_sub_steps(piece: Path) -> None:
    (piece.parent.parent / "personas/coder.md").unlink()
    agent = opened(piece)
    assert told(agent, "plan") == [
        ("persona", "planner", True),
        ("instruction", "plan", True),
        ("report-format", "plan", True),
    ]
    assert told(agent, "review") == [("persona", "planner", True), ("persona", "coder", False)]
    (_persona, lost) = step_files(agent, agent.flow.steps["review"])
    assert new_text(agent, agent.flow.steps["review"], lost) == "# Coder\n"
    # The judge of a loop is asked about the movement that the loop begins with.
    assert told(agent, "implement") == [
        ("persona", "coder", False),
        ("policy", "coding", True),
        ("persona", "planner", True),
    ]
    assert list(files_by_step(agent)) == ["plan", "implement", "review"]


def test_newer_workflows_call_facets_by_a_word_and_share_steps(workflow: Path) -> None:
    agent = opened(workflow)
    assert told(agent, "plan") == [
        ("persona", "coder", True),
        ("policy", "coding", True),
        ("policy", "../policies/own.md", False),
        ("instruction", "plan", True),
    ]
    assert told(agent, "check") == [("shared-step", "shared/check", True)]


def test_a_piece_is_listed_with_its_facets_and_the_missing_are_marked(piece: Path) -> None:
    (piece.parent.parent / "policies/coding.md").unlink()
    listing = listing_of(opened(piece))
    assert [(file.role, file.path.stem, file.there) for file in listing.files] == [
        ("facet", "plan", True),
        ("facet", "plan", True),
        ("facet", "coder", True),
        ("facet", "planner", True),
        ("registry", "issue-flow", True),
        ("facet", "coding", False),
    ]
    examined = ProjectChecker(piece.parents[1]).examine(piece)
    assert examined.missing == {piece.parent.parent / "policies/coding.md": "warning"}


def test_a_file_outside_the_project_isnt_listed(piece: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    piece.write_text(piece.read_text("utf-8").replace("../policies/coding.md", "../../../elsewhere/coding.md"), "utf-8")
    agent = opened(piece)
    assert {file.path.name for file in listing_of(agent).files} == {
        "issue-flow.yaml",
        "plan.md",
        "coder.md",
        "planner.md",
    }
    assert ("policy", "coding", False) not in told(agent, "implement")


@pytest.mark.parametrize(
    "name", ["facets/personas/coder.md", "facets/policies/coding.md", "policies/own.md", "steps/shared/check.yaml"]
)
def test_a_facet_belongs_to_the_workflow_there_or_not(name: str, workflow: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    path = tmp_path / ".takt" / name
    assert RegistryOwners().of(path) == [workflow]
    if name != "steps/shared/check.yaml":
        path.unlink(missing_ok=True)
        assert RegistryOwners().of(path) == [workflow]
    assert RegistryOwners().of(path.with_name("other.md")) == []


def test_the_workflow_that_a_step_calls_is_among_its_files(workflow: Path) -> None:
    called = "  - {name: hand-over, call: part, rules: [{condition: COMPLETE, next: COMPLETE}]}\n"
    workflow.write_text(workflow.read_text() + called)
    assert told(opened(workflow), "hand-over") == []
    workflow.with_name("part.yaml").write_text("name: part\nsubworkflow: {callable: true}\nsteps: []\n")
    agent = opened(workflow)
    assert told(agent, "hand-over") == [("called-workflow", "part", True)]
    assert "part" not in [file.path.stem for file in listing_of(agent).files]
