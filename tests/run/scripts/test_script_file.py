"""Scripts as files: their forms, when lines have their turn, and what is reported where one doesn't fit."""

import json

import pytest

from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.state import Answered, Validated
from stepflow_gui.run.responders.script import ScriptProblem
from stepflow_gui.run.responders.scripted import ScriptResponder
from stepflow_gui.run.scripts.script_file import Expectation, Script, misfits, not_needed, read_script_file
from stepflow_gui.run.scripts.scripted import ScriptResult, run_script
from stepflow_gui.run.session import Run
from tests.run.flows import Json, flow, registry, step, validated

LOOP = registry(
    step("initial.a", "work", next="initial.a", handoff="closure.a"), step("closure.a", "closure", closing=None)
)
DOCUMENT = """
title: Twice round   # a comment
entry: initial.a
args: {topic: auth, day: 2026-01-02, count: 3, on: true}
answers:
  - intent: next
    times: 2
  - intent: handoff
  - step: closure.a
    intent: closing
expect:
  path: [initial.a, initial.a, initial.a, closure.a]
  end: {kind: closing, step: closure.a}
"""


def script(text: str, name: str = "") -> Script:
    found = read_script_file(text, name)
    assert isinstance(found, Script), found
    return found


def play(content: Json, text: str, name: str = "") -> ScriptResult:
    return run_script(flow(content), script(text, name).lines)


def steps(result: ScriptResult) -> list[str | None]:
    return [entry.step for entry in result.trace[1:] if isinstance(entry.event, Answered)]


def problem(text: str, name: str = "") -> ScriptProblem:
    found = read_script_file(text, name)
    assert isinstance(found, ScriptProblem), found
    return found


def test_yaml_holds_answers_settings_and_what_is_expected() -> None:
    found = script(DOCUMENT, "a.yaml")
    assert found == script(DOCUMENT)  # known by its look as well
    assert (found.title, found.entry) == ("Twice round", "initial.a")
    assert found.args == {"topic": "auth", "day": "2026-01-02", "count": 3, "on": True}
    path = ("initial.a", "initial.a", "initial.a", "closure.a")
    assert found.expected == Expectation(12, path, "closing", "closure.a")
    result = run_script(flow(LOOP), found.lines)
    assert result.success
    assert tuple(steps(result)) == path


@pytest.mark.parametrize("name", ["a.json", "", "a.yaml"])
def test_json_is_a_list_of_lines_or_a_document(name: str) -> None:
    lines = [{"intent": "handoff"}, {"intent": "closing"}]
    for content in (lines, {"answers": lines}):
        assert play(LOOP, json.dumps(content, indent=2), name).success


def test_json_lines_may_begin_with_settings() -> None:
    text = '{"entry": "closure.a", "expect": {"success": true}}\n{"intent": "closing"}\n'
    for name in ("a.jsonl", ""):
        found = script(text, name)
        assert found.entry == "closure.a"
        assert found.expected == Expectation(1, success=True)
        assert [line.line for line in found.lines] == [2]
    assert len(script('{"intent": "closing"}').lines) == 1


def test_a_line_waits_for_its_visit_wherever_it_stands() -> None:
    text = """
- {step: initial.a, visit: 3, intent: handoff}
- {step: closure.a, visit: ">=1", intent: closing}
- {step: initial.a, visit: 1-2, intent: next}
"""
    result = play(LOOP, text)
    assert result.success
    assert steps(result) == ["initial.a"] * 3 + ["closure.a"]
    assert result.unused == 0


def test_a_table_gives_the_answers_of_each_step_by_visit() -> None:
    text = """
steps:
  initial.a: [{intent: next, times: 2}, {intent: handoff}]
  closure.a: [{intent: closing, times: any}]
"""
    assert steps(play(LOOP, text)) == ["initial.a"] * 3 + ["closure.a"]


def test_a_line_for_any_number_of_times_is_taken_as_long_as_it_fits() -> None:
    text = '[{"step": "initial.a", "visit": 4, "intent": "handoff"}, {"step": "initial.a", "intent": "next", '
    text += '"times": "any"}, {"intent": "closing"}]'
    result = play(LOOP, text)
    assert result.success
    assert len(steps(result)) == 5


def test_validators_are_reported_by_visit_by_table_and_by_what_they_wrote() -> None:
    answers = "answers: [{intent: handoff}, {intent: closing}, {intent: handoff}, {intent: closing}]\n"
    first = answers + "validators: {git-clean: [{exitCode: 0, stdout: ' M a'}, {exitCode: 0}]}"
    result = play(validated(), first)
    assert result.success
    assert result.state.failures == {"closure.issue": 1}
    second = answers + "validators: {git-clean: [{passed: false, error: dirty}, {passed: true}]}"
    assert play(validated(), second).success


def test_an_alias_is_accepted_as_an_intent() -> None:
    result = play(LOOP, "[{intent: next}, {intent: handoff}, {intent: done}]")
    assert result.success
    answer = result.trace[-1].event
    assert isinstance(answer, Answered)
    assert answer.answer == {"stepId": "closure.a", "next_action": {"action": "done"}}


def test_a_query_can_be_made_to_fail() -> None:
    result = play(LOOP, "[{failed: the line is dead}, {intent: handoff}, {intent: closing}]")
    assert result.success
    assert result.state.memory.errors == 1


@pytest.mark.parametrize(
    ("text", "name", "line", "word"),
    [
        ('[\n{"intent": "next"},\n{"intent": 3}]', "a.json", 3, "intent"),
        ('[\n{"intent": "next"}\n{"intent": 3}]', "a.json", 2, "not JSON"),
        ("- intent: next\n- {intent: a: b}\n", "a.yaml", 2, "not YAML"),
        ("a: &a [*a]\n", "a.yaml", 1, "alias"),
        ("- {answer: .inf}", "a.yaml", 1, "no such number"),
        ("? [1]\n: 2\n", "a.yaml", 1, "key"),
        ("3", "a.yaml", 1, "has no answers"),
        ("answers: 3", "", 1, "answers"),
        ("answers: []\nentri: a", "", 2, "entri"),
        ("answers: []\nera: climpt-1999", "", 2, "climpt-1999"),
        ("answers: []\nmaxIterations: 0", "", 2, "maxIterations"),
        ("answers: []\nargs: []", "", 2, "args"),
        ("expect: {path: a}", "", 1, "path"),
        ("expect:\n  end: happily", "", 2, "happily"),
        ("expect: {ends: closing}", "", 1, "ends"),
        ("expect: {end: {knd: closing}}", "", 1, "knd"),
        ("steps: {a: {intent: next}}", "", 1, "“a”"),
        ("- {intent: next, times: 0}", "", 1, "times"),
        ("- {intent: next, visit: 2}", "", 1, "visit"),
        ("- {step: a, intent: next, visit: soon}", "", 1, "visit"),
        ("- {step: a, intent: next, visit: 2, times: 3}", "", 1, "exclude"),
        ("steps:\n  a:\n  - {intent: next, times: 0}", "", 3, "times"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(text: str, name: str, line: int, word: str) -> None:
    found = problem(text, name)
    assert found.line == line
    assert word in found.message


def test_lines_about_what_the_registry_lacks_are_reported_with_what_was_meant() -> None:
    text = "- {step: initial.b, intent: next}\n- {validator: git-clear, passed: true}\n- {step: closure.a, exitCode: 0}"
    found = misfits(script(text), flow(validated()))
    assert [each.line for each in found] == [1, 2, 3]
    assert "“initial.b”, which is not a step" in found[0].message
    assert "“git-clear”" in found[1].message
    assert "Did you mean “git-clean”?" in found[1].message
    assert misfits(script("[{step: closure.a, intent: closing}]"), flow(LOOP)) == []


def test_what_was_not_needed_is_reported_line_by_line() -> None:
    text = """- {intent: abort}
- {validator: git-clean, passed: true}
- {step: closure.issue, visit: 2, intent: closing}
- {intent: next}
- {intent: next}
- {intent: next, times: any}
- {step: closure.issue, visit: ">=2", intent: closing}
- {validator: git-clean, visit: 3, exitCode: 0}
"""
    run = Run(flow(validated()))
    run.start()
    responder = ScriptResponder(script(text).lines, run.machine.flow, GUIDE, Simulated())
    responder.answer(None, run.state)
    found = not_needed(responder.unused)
    assert [each.line for each in found] == [2, 3, 4, 8]
    assert "the validator “git-clean”, which didn't run then" in found[0].message
    assert "visit 2 of closure.issue, which didn't come" in found[1].message
    assert "2 lines of the script were not needed, the first is line 4" in found[2].message


def test_a_misfit_names_file_and_line_and_leaves_the_run_where_it_is() -> None:
    lines = script("[{intent: next}, {step: closure.a, intent: closing}, {intent: handoff}]").lines
    run = Run(flow(LOOP))
    run.start()
    responder = ScriptResponder(lines, run.machine.flow, GUIDE, Simulated(), "tests/a.yaml")
    first = responder.answer(None, run.state)
    assert isinstance(first, Answered)
    run.send(first)
    misfit = responder.answer(None, run.state)
    assert isinstance(misfit, NoAnswer)
    assert misfit.kind == "misfit"
    assert misfit.message.startswith("tests/a.yaml: Line 1 of the script answers “closure.a”")
    run.answer({"next_action": {"action": "handoff"}})  # a person helps, and the script goes on
    again = responder.answer(None, run.state)
    assert isinstance(again, Answered)


def test_a_run_that_steps_back_finds_the_same_lines_again() -> None:
    text = "answers: [{intent: next}, {intent: next}, {intent: handoff}, {intent: closing}, {intent: handoff}, "
    text += "{intent: closing}]\nvalidators: {git-clean: [{passed: false}, {passed: true}]}"
    run = Run(flow(validated()))
    responder = ScriptResponder(script(text).lines, run.machine.flow, GUIDE, Simulated())
    run.start()

    def on() -> None:
        waiting = run.validator
        event = responder.preset_result(waiting, run.state) if waiting else responder.answer(None, run.state)
        assert isinstance(event, Answered | Validated), event
        run.send(event)
        assert run.state.error is None, run.state.error

    for _round in range(2):
        while run.state.outcome is None:
            on()
            where = run.state
            run.back()
            on()
            assert run.state == where
        assert run.state.outcome.success
        assert responder.unused == []
        while run.back():
            pass
