"""Findings of pieces are suppressed in the YAML itself: written, applied, removed, and reported if unused."""

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import PIECE, piece, whole_piece
from stepflow_gui.lint.fixing import fix_all, safe_fixes
from stepflow_gui.lint.suppressions.adding import places_for, registry_edits
from stepflow_gui.lint.suppressions.removal import edits_without
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.edit import apply
from stepflow_gui.text.source import Source
from tests.lint.conftest import Open

READONLY = ("permission_mode: edit", "permission_mode: readonly")  # of “implement”, which edits
WORKFLOW = """\
name: flow
max_steps: 5
initial_step: plan
steps:
  - name: plan
    instruction: Do {max_iterations}.
    edit: false
    rules:
      - condition: Done
        next: COMPLETE
"""


def with_text(agent: AgentFolder, text: str) -> AgentFolder:
    return agent.with_buffers({agent.registry.path: Source(text)})


def kept_back(agent: AgentFolder) -> list[Suppressed]:
    kept: list[Suppressed] = []
    assert lint(agent, suppressed=kept) == []
    return kept


def test_where_it_may_stand_and_that_it_is_taken_back_without_a_trace(open_example: Open) -> None:
    agent = open_example(piece(READONLY))
    before = agent.registry.source.text
    (found,) = lint(agent)
    places = places_for(found, agent.registry)
    assert [(place.extent, place.name) for place in places] == [("step", "implement"), ("file", "")]
    for place in places:
        edits = registry_edits(agent.registry, place, found.code, "so be it")[agent.registry.path]
        after = with_text(agent, apply(before, edits))
        assert set(before.splitlines()) <= set(after.registry.source.text.splitlines())
        (kept,) = kept_back(after)
        assert kept.found.code == "T020"
        assert kept.excuses[0].reason == "so be it"
        back = edits_without(kept.excuses, after.registry, {})
        assert back is not None
        assert apply(after.registry.source.text, back[agent.registry.path]) == before


def test_one_more_beside_another(open_example: Open) -> None:
    marks = "    x-stepflow:\n      ignore:\n        - code: T022\n          reason: both\n"
    agent = open_example(
        piece(READONLY, ("    edit: true\n", "    edit: true\n" + marks), ("It can't be done", "Done"))
    )
    (found,) = lint(agent)
    edits = registry_edits(agent.registry, places_for(found, agent.registry)[0], found.code, "and this")
    after = with_text(agent, apply(agent.registry.source.text, edits[agent.registry.path]))
    assert sorted(kept.found.code for kept in kept_back(after)) == ["T020", "T022"]


def test_of_another_movement_it_is_of_no_use_and_is_taken_out(open_example: Open) -> None:
    marks = "    x-stepflow:\n      ignore:\n        - {code: T020, reason: why}\n"
    agent = open_example(piece(READONLY, ("  - name: implement\n", marks + "  - name: implement\n")))
    assert [each.code for each in lint(agent)] == ["SF091", "T020"]
    (fixed,) = fix_all([agent], lint, safe_fixes).agents
    assert fixed.registry.source.text == PIECE.replace(*READONLY)


def test_at_the_top_of_a_workflow_it_would_be_refused(open_example: Open) -> None:
    agent = open_example(whole_piece(WORKFLOW))
    (found,) = lint(agent)
    (place,) = places_for(found, agent.registry)
    assert (place.extent, place.pointer) == ("step", "/steps/0")
    edits = registry_edits(agent.registry, place, found.code, "so be it")
    after = with_text(agent, apply(WORKFLOW, edits[agent.registry.path]))
    assert [kept.found.code for kept in kept_back(after)] == ["T017"]


@pytest.mark.parametrize(
    "text",
    ["- a\n", "name: x\nmovements: [{name: a, x-stepflow: no}]\n", "name: x\nmovements:\n  - name: a\n\tb: c\n"],
)
def test_in_odd_files_there_is_no_place_in_a_movement(text: str, open_example: Open) -> None:
    agent = open_example(whole_piece(text.replace("- a\n", "movements:\n- a\n")))
    for found in lint(agent):
        assert all(place.extent == "file" for place in places_for(found, agent.registry))
