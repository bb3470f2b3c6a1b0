"""Logs of climpt: simulated runs written as each release logs them are read as they were, and agree with their flow."""

from pathlib import Path

import pytest

from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.logs.climpt_comparing import compare_with_agent
from stepflow_gui.run.logs.logged_run import LoggedRun
from stepflow_gui.run.logs.opening import read_log
from stepflow_gui.run.machine.state import Answered
from tests.project.converting.agents import from_template
from tests.run.logs.written import simulated, write_log

ERAS = ("climpt-2026-03-14", "climpt-2026-04-01", "climpt-2026-04-08", "climpt-2026-04-20")


@pytest.mark.parametrize("template", ["issue-flow", "project-flow", "verified-flow", "minimal"])
@pytest.mark.parametrize("era", ERAS)
def test_a_logged_run_is_read_as_it_was_and_agrees_with_its_flow(
    era: str, template: str, checkout: Path, tmp_path: Path
) -> None:
    agent = from_template(tmp_path, checkout, template)
    file = tmp_path / "run.jsonl"
    lengths = set()
    for seed in range(12):
        happened, ran = simulated(agent, era, seed, args={"issue": 1})
        write_log(file, happened, ran, era, agent)
        run = read_log(file)
        assert isinstance(run, LoggedRun)
        asked = [each.entry for each in happened if isinstance(each.entry.event, Answered)]
        answered = [turn for turn in run.turns if turn.answer is not ABSENT]
        assert [turn.step for turn in answered] == [entry.step for entry in asked]
        assert [turn.answer for turn in answered] == [getattr(entry.event, "answer", None) for entry in asked]
        compared = compare_with_agent(agent, run, era, {"issue": 1})
        assert [each.difference for each in compared.turns if each.difference] == [], seed
        lengths.add(len(run.turns))
    assert len(lengths) > 1 or template == "minimal"
