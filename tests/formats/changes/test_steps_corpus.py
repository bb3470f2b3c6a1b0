"""Steps added to, copied in and taken out of real registries: sound flows stay sound, and undo leaves no trace."""

from pathlib import Path

import pytest

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import AddStep, DuplicateStep, RemoveStep, StepKind
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.lint.diagnostic import Diagnostic
from tests.conftest import Thin
from tests.formats.changes.hand import Agent, check_undo, new_findings, unconnected
from tests.real_agents import opened

NEW: dict[StepKind, str] = {
    "work": "continuation.fresh",
    "verification": "verification.fresh",
    "closure": "closure.fresh",
    "section": "section.fresh",
}


def snapshots(corpus: Path) -> list[Path]:
    found = sorted((corpus / "climpt").glob("*/*/steps_registry.json"))
    assert len(found) > 80
    return found


def about(findings: list[Diagnostic], step: str) -> list[str]:
    odd = [found for found in findings if found.step == step and (found.code, found.severity) not in unconnected]
    return [f"{found.code} {found.message}" for found in odd]


@pytest.mark.parametrize("kind", NEW)
def test_a_new_step_is_as_sound_as_its_neighbours(corpus: Path, thin: Thin, kind: StepKind) -> None:
    """In one registry in six; --full: in each."""
    added = 0
    taken = thin(snapshots(corpus), 6)
    for path in taken:
        agent = Agent(opened(path))
        step = NEW[kind]
        if agent.folder.format == "complete":
            step = step.replace("closure.", "complete.")
        planned = plan(agent.folder, AddStep(step, kind))
        if isinstance(planned, Refusal):
            assert kind == "verification", planned
            assert agent.folder.format == "complete"
            continue
        done = agent.done(AddStep(step, kind))
        check_undo(agent, done)
        assert done.agent.folder.format == agent.folder.format
        assert {key: value for key, value in done.agent.steps.items() if key != step} == agent.steps
        body = done.agent.steps[step]
        assert body["stepId"] == step
        assert done.agent.folder.flow.steps[step].kind in {kind, None} or kind == "section"
        told = {("SF701", "error")} if any("schema file" in note for note in done.plan.notes) else set()
        told.add(("SF230", "info"))  # a step for climpt 1.14 repeats once, as its neighbours do
        told |= {(each.code, each.severity) for each in agent.findings if each.severity != "error"}  # it is like them
        assert new_findings(agent, done.agent).keys() <= unconnected | told, (
            path,
            about(done.agent.findings, step),
            body,
        )
        added += 1
    assert added > len(taken) / 2


def test_a_copy_is_as_sound_as_its_original(corpus: Path, thin: Thin) -> None:
    """A step in four of one registry in six; --full: of each."""
    for path in thin(snapshots(corpus), 6):
        agent = Agent(opened(path))
        for step in list(agent.folder.flow.steps)[::4]:
            copy = f"{step}-copy" if "{" not in step else "fresh.copy"
            done = agent.done(DuplicateStep(step, copy))
            check_undo(agent, done)
            assert {key: value for key, value in done.agent.steps.items() if key != copy} == agent.steps
            assert list(done.agent.steps).index(copy) == list(agent.steps).index(step) + 1
            original = about(agent.findings, step)
            # A fallbackKey is judged by the id's words too, which a copy's id extends.
            copied = [each for each in about(done.agent.findings, copy) if not each.startswith("SF505")]
            assert len(copied) <= len(original), (path, step)


def test_removing_refuses_what_others_need_and_takes_the_rest(corpus: Path, thin: Thin) -> None:
    """Each step of one registry in nine; --full: in three."""
    removed = refused = 0
    taken = thin(snapshots(corpus)[::3], 3)
    for path in taken:
        agent = Agent(opened(path))
        for step in agent.folder.flow.steps:
            needed = any(move.target == step and move.step != step for move in agent.folder.flow.moves())
            needed = needed or any(entry.target and entry.target.value == step for entry in agent.folder.flow.entries)
            planned = plan(agent.folder, RemoveStep(step))
            if isinstance(planned, Refusal):
                assert "force" in planned.options
                assert planned.places
                refused += 1
            else:
                assert not needed, (path, step)
                removed += 1
            done = agent.done(RemoveStep(step, force=True))
            check_undo(agent, done)
            assert done.agent.steps == {key: value for key, value in agent.steps.items() if key != step}
            if not needed and not isinstance(planned, Refusal):
                assert done.plan.edits == planned.edits
                assert new_findings(agent, done.agent).keys() <= unconnected, (path, step)
    assert removed > len(taken) / 2
    assert refused > len(taken)
