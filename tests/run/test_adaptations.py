"""Repeats along an adaptationChain, as a run and an exploration meet them, in climpt 1.14 and under the guide."""

from pathlib import Path

import pytest

from stepflow_gui.formats.climpt.eras import CLIMPT_1_14, ERAS, era_for, guide_for
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import REMOVED, changed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.agent_run import era_named
from stepflow_gui.run.host.permissions import command_allowed
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.route import chain_of
from stepflow_gui.run.machine.state import START, Answered, Start, State, Stopped
from stepflow_gui.run.machine.verdict import verdict_of


def opened(tmp_path: Path, **changes: object) -> AgentFolder:
    folder = tmp_path / ".agent" / "issue-flow"
    for name, text in files_of(changed(changes, base="adt-kind-address")).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    agent = open_agent(folder)
    assert isinstance(agent, AgentFolder)
    return agent


def repeated(agent: AgentFolder, era_name: str, times: int) -> list[str | None]:
    """The adaptation after each repeat of the first step; the error's code where the run stops."""
    machine = Machine(agent.flow, verdict_of(agent.agent), era_named(era_name, agent.flow.format))
    state, _effects = machine.step(START, Start(args={"issue": 1}))
    seen: list[str | None] = []
    for _ in range(times):
        state, effects = machine.step(state, Answered({"next_action": {"action": "repeat"}}))
        stopped = next((effect for effect in effects if isinstance(effect, Stopped)), None)
        seen.append(stopped.error.code if stopped else state.memory.adaptation)
    return seen


EXHAUSTED = "AGENT_ADAPTATION_CHAIN_EXHAUSTED"
FIRST = "/steps/initial.issue/adaptationChain"


@pytest.mark.parametrize("era", ["guide", "climpt-1.14"])
def test_each_repeat_takes_an_element_and_the_one_too_many_stops_the_run(tmp_path: Path, era: str) -> None:
    agent = opened(tmp_path, **{FIRST: ["again", "last"]})
    assert repeated(agent, era, 3) == ["again", "last", EXHAUSTED]


def test_without_a_chain_there_is_one_repeat(tmp_path: Path) -> None:
    assert repeated(opened(tmp_path, **{FIRST: REMOVED}), "climpt-1.14", 2) == ["default", EXHAUSTED]


def test_a_run_that_stopped_there_goes_on_with_another_answer(tmp_path: Path) -> None:
    agent = opened(tmp_path, **{FIRST: []})
    machine = Machine(agent.flow, verdict_of(agent.agent), CLIMPT_1_14)
    state, _effects = machine.step(START, Start(args={"issue": 1}))
    state, _effects = machine.step(state, Answered({"next_action": {"action": "repeat"}}))
    assert state.error is not None
    state, _effects = machine.step(state, Answered({"next_action": {"action": "next"}}))
    assert (state.error, state.step) == (None, "continuation.issue")


def test_a_text_in_place_of_a_chain_counts_letter_by_letter(tmp_path: Path) -> None:
    agent = opened(tmp_path, **{FIRST: "ab"})
    assert chain_of(agent.flow.steps["initial.issue"]) == ("a", "b")
    assert chain_of(None) == ("default",)


def test_the_shape_is_judged_by_its_own_runtime_and_run_by_the_guide() -> None:
    assert era_for("adt-kind-address").name == "climpt-1.14"
    assert era_for("entry-pair").name == "climpt-2026-04-20"
    assert guide_for("adt-kind-address").name == "guide"
    assert list(ERAS)[:2] == ["guide", "climpt-1.14"]
    assert isinstance(START, State)


@pytest.mark.parametrize(
    ("command", "before", "now"),
    [
        ("gh issue view 1", True, True),
        ("gh issue close 1", False, False),
        ("gh issue pin 1", True, False),
        ("gh issue edit 1 --title x", True, False),
        ("gh pr review 3 --approve", True, False),
        ("gh pr view 3", True, True),
        ("gh release upload v1 a.zip", True, False),
        ("gh label create x", True, False),
        ("gh label list", True, True),
        ("gh repo delete a/b", True, False),
        ("gh project item-add 1", True, False),
        ("gh project list", True, True),
    ],
)
def test_climpt_1_14_refuses_more_commands(command: str, before: bool, now: bool) -> None:
    assert command_allowed(command) is before
    assert command_allowed(command, CLIMPT_1_14) is now
