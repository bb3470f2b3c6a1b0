"""Who answers checks: scripts, chance, a trace gone through again; and what is written down of them."""

import json
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.run.check_explanation import check_in_words
from stepflow_gui.run.explanation import explain
from stepflow_gui.run.machine.choices import Choice, choices, offered
from stepflow_gui.run.machine.picks import NG, OK, RAN, Pick, PickRefusal, answer_for
from stepflow_gui.run.responders.script import ScriptProblem, read_script
from stepflow_gui.run.scripts.script_file import Script, misfits, read_script_file
from stepflow_gui.run.scripts.scripted import ScriptResult, run_script
from tests.run import flows
from tests.run.checks.flows import CLIMPT, check, flow, path, registry, started, step

END = {"complete": True}


def scripted(*lines: dict[str, Any], content: dict[str, Any] | None = None) -> ScriptResult:
    """The run of a script on the guide's example, or on another registry."""
    read = read_script("\n".join(json.dumps(line) for line in lines))
    assert not isinstance(read, ScriptProblem)
    return run_script(flow(content) if content else flow(), read)


def test_a_script_answers_checks_alone() -> None:
    found = scripted(
        {"step": "s_a8f3", "check": "ok"}, {"check": "ng", "message": "tests fail"}, {"check": True, "times": 3}
    )
    assert found.success
    assert [entry.step for entry in found.trace if entry.is_visit] == ["s_a8f3", "s_b2c1", "s_a8f3", "s_b2c1", "s_c9d4"]
    said = [entry.judged.answer.message for entry in found.trace if entry.judged is not None]
    assert said == ["", "tests fail", "", "", ""]


@pytest.mark.parametrize(
    ("line", "passes"),
    [
        ({"check": "pass"}, True),
        ({"check": "OK"}, False),
        ({"check": False}, False),
        ({"check": {"result": True}}, True),
        ({"check": None}, False),
        ({"check": None, "texts": ['I think it is {"result": "ok"}.']}, True),
    ],
)
def test_a_line_may_be_worded_as_by_a_model(line: dict[str, Any], passes: bool) -> None:
    found = scripted(line, content=registry(s_0001=step(END, {})))
    assert found.success is passes


def test_a_line_may_give_what_a_step_wrote_or_that_its_query_failed() -> None:
    lines: list[dict[str, Any]] = [
        {"step": "s_a8f3", "answer": None, "texts": ["looked at it"]},
        {"check": "ok"},
        {"failed": "no network"},
    ]
    found = scripted(*lines)
    assert found.trace[1].event == (None, ("looked at it",), False, None, None, False)
    assert found.error is not None
    assert (found.error.kind, found.error.step) == ("query_failed", "s_b2c1")


@pytest.mark.parametrize(
    ("lines", "kind", "said"),
    [
        ([], "script_ended", "the check of s_a8f3 waits"),
        ([{"step": "s_b2c1", "check": "ok"}], "script_misfit", "check of “s_b2c1”, but s_a8f3 was asked"),
        ([{"validator": "v", "passed": True}], "script_misfit", "answers no check"),
        ([{"step": "s_b2c1", "answer": {}}], "script_misfit", "answers no check"),
    ],
)
def test_a_script_that_does_not_fit_is_reported(lines: list[dict[str, Any]], kind: str, said: str) -> None:
    found = scripted(*lines)
    assert found.error is not None
    assert found.error.kind == kind
    assert said in found.error.message


def test_visits_count_the_checks_of_a_step() -> None:
    text = json.dumps(
        {"steps": {"s_a8f3": [{"check": "ng"}, {"check": "ok", "times": "any"}], "s_b2c1": [{"check": "ok"}]}}
    )
    read = read_script_file(text, "a.json")
    assert isinstance(read, Script)
    found = run_script(flow(), [*read.lines])
    assert [entry.step for entry in found.trace if entry.is_visit] == ["s_a8f3", "s_a8f3", "s_b2c1", "s_c9d4"]


def test_lines_for_steps_that_are_not_there_are_reported() -> None:
    read = read_script_file('{"step": "s_a8f4", "check": "ok"}')
    assert isinstance(read, Script)
    (found,) = misfits(read, flow())
    assert "s_a8f3" in found.message


def test_a_check_in_a_flow_with_gates_is_a_misfit() -> None:
    read = read_script('{"check": "ok"}')
    assert not isinstance(read, ScriptProblem)
    found = run_script(flows.flow(flows.SIMPLE), read)
    assert found.error is not None
    assert "has none" in found.error.message


# By hand


def test_what_can_be_picked_shows_where_it_goes() -> None:
    run = started()
    assert [choice.pick for choice in run.choices()] == [RAN]
    run.answer(None)
    assert [(choice.pick, choice.next_step) for choice in run.choices()] == [(OK, "s_b2c1"), (NG, "s_a8f3")]
    check(run, False, False)
    run.answer(None)
    assert [(choice.pick, choice.next_step) for choice in run.choices()] == [(OK, "s_b2c1"), (NG, None)]
    run.choose(run.choices()[0])
    assert run.state.step == "s_b2c1"


def test_all_outcomes_of_a_check_are_known_before_a_run() -> None:
    content = registry(
        s_0001=step(END, {"retry": True, "maxRetries": 1, "fallback": "s_0002"}), s_0002=step(END, {"next": "s_x"})
    )
    found = {
        choice.intent: choice.next_step for choice in choices(flow(content), "s_0001", started(content).machine.era)
    }
    assert found == {"pass": None, "retry": "s_0001", "fallback": "s_0002"}
    upstream = choices(flow(content), "s_0001", ERAS[CLIMPT])
    assert [choice.intent for choice in upstream] == ["pass", "fallback"]


def test_a_check_shows_nothing_but_its_result() -> None:
    run = started()
    assert isinstance(answer_for(flow().steps["s_a8f3"], Pick("next"), run.machine.era), PickRefusal)
    assert answer_for(flow().steps["s_a8f3"], OK, run.machine.era) == {"result": "ok"}
    assert offered(run.machine.config, run.state) == [Choice(RAN, run.choices()[0].transition)]


# In words


def test_how_a_check_led_on_is_explained() -> None:
    run = started()
    run.answer(None)
    assert run.state.last is not None
    assert check_in_words(run.state.last) == ["The step has run; its check is asked."]
    check(run, "It is done.\nresult: ng")
    last = run.state.last
    assert last is not None
    assert explain(run.machine.flow, last) is None
    assert check_in_words(last) == [
        "“ng” is the result among the words of the answer: the check failed.",
        "It says: It is done.\nresult: ng",
        "“retry” of onFail goes to s_a8f3.",
    ]
    assert path(run) == ["s_a8f3"]
