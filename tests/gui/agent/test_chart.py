"""The chart reaches every verdict type, and asks for what each needs."""

import pytest

from stepflow_gui.formats.climpt.agent.check import check_raw
from stepflow_gui.formats.climpt.agent.fields import VERDICTS
from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.gui.agent.chart import FIRST, QUESTIONS, first_conditions, settings_of, unread


def goals(at: str) -> list[str]:
    if at not in QUESTIONS:
        return [at]
    return [goal for answer in QUESTIONS[at].answers for goal in goals(answer.goal)]


def test_every_path_ends_at_a_type_and_every_type_is_reached_once() -> None:
    assert sorted(goals(FIRST)) == sorted(VERDICTS)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_all_that_a_type_needs_is_asked_for(verdict: str) -> None:
    asked = {field.name for field in settings_of(verdict)}
    assert {*VERDICTS[verdict].needed} - asked <= {"conditions"}


def test_what_other_types_read_is_left_over() -> None:
    config = {"verdictKeyword": "x", "maxIterations": 3, "own": 1}
    assert unread("count:check", config) == ["verdictKeyword"]
    assert unread("detect:keyword", config) == []
    assert unread("detect:keyword", None) == []


def test_conditions_begin_with_what_they_need() -> None:
    made = first_conditions([name for name in VERDICTS if name != "meta:composite"])
    for condition in made:
        agent = {"name": "a", "displayName": "A", "runner": {"verdict": condition}}
        kinds = {problem.kind for problem in check_raw(agent, GUIDE)}
        assert kinds <= {"verdict_config_required"}
    assert made[1] == {"type": "count:iteration", "config": {"maxIterations": 10}}
