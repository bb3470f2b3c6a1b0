"""An answer made by hand: form and JSON are one, and each method to break it does what its name implies."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import ERAS, GUIDE
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.answer_form.draft import AnswerDraft
from stepflow_gui.run.answer_form.fields import AnswerField
from stepflow_gui.run.answer_form.forecast import Forecast, forecast
from stepflow_gui.run.answer_form.invalid_samples import Breakage
from stepflow_gui.run.session import Run
from tests.run.flows import flow, registry, started, step


@pytest.fixture
def example(checkout: Path) -> AgentFolder:
    found = open_agent(checkout / "resources" / "examples" / "issue-flow")
    assert isinstance(found, AgentFolder)
    return found


@pytest.fixture
def draft(example: AgentFolder) -> AnswerDraft:
    at = example.flow.steps["initial.issue"]
    return AnswerDraft(example.flow, at, example.schema(at).value, GUIDE)


def field(draft: AnswerDraft, *keys: str) -> AnswerField:
    at = draft.fields
    for key in keys:
        at = next(each for each in at.children if each.key == key)
    return at


def test_it_begins_with_a_valid_answer(draft: AnswerDraft) -> None:
    assert draft.value["stepId"] == "initial.issue"
    assert draft.value["next_action"]["action"] == "next"
    assert not draft.breaches
    assert json.loads(draft.text) == draft.value
    answered = draft.answered()
    assert answered is not None
    assert answered.answer == draft.value


def test_a_field_changes_the_text_and_the_text_the_fields(draft: AnswerDraft) -> None:
    told: list[str] = []
    draft.on_change(lambda: told.append(draft.text))
    draft.set("/next_action/action", "repeat")
    assert '"action": "repeat"' in draft.text
    draft.write('{"stepId": "initial.issue", "summary": 7}')
    assert field(draft, "summary").value == 7
    assert not field(draft, "summary").fits
    assert {breach.pointer for breach in draft.breaches} == {"/summary", "/analysis", "/next_action"}
    assert draft.text == '{"stepId": "initial.issue", "summary": 7}', "what is typed stays as it is typed"
    assert len(told) == 2


def test_text_that_is_no_json_keeps_the_fields_and_cant_be_answered(draft: AnswerDraft) -> None:
    before = draft.value
    draft.write('{"stepId": }')
    assert draft.problem is not None
    assert "column 12" in draft.problem.message
    assert draft.value == before
    assert draft.answered() is None
    for text in ("NaN", "1e400", "[" * 100_000, "1" * 5000):
        draft.write(text)
        assert draft.problem is not None
    draft.set("/summary", "x")
    assert draft.problem is None


def test_optional_values_and_items_come_and_go(draft: AnswerDraft) -> None:
    affected = field(draft, "analysis", "affected")
    assert not affected.present
    draft.add(affected)
    draft.add(field(draft, "analysis", "affected"))
    draft.set("/analysis/affected/0", "a.py")
    assert draft.value["analysis"]["affected"] == ["a.py"]
    assert field(draft, "analysis", "affected", "0").removable
    draft.remove("/analysis/affected/0")
    assert draft.value["analysis"]["affected"] == []
    draft.remove("/analysis/affected")
    assert "affected" not in draft.value["analysis"]
    assert not draft.breaches


def test_another_form_keeps_what_both_have() -> None:
    schema: dict[str, Any] = {
        "properties": {
            "what": {
                "oneOf": [
                    {
                        "properties": {"kind": {"const": "file"}, "name": {"type": "string"}},
                        "required": ["kind", "name"],
                    },
                    {"properties": {"kind": {"const": "page"}, "name": {"type": "string"}}, "required": ["kind"]},
                ]
            }
        },
        "required": ["what"],
    }
    content = registry(step("initial.a", next=None))
    found = flow(content)
    made = AnswerDraft(found, found.steps["initial.a"], schema, GUIDE)
    made.set("/what/name", "README")
    made.take_form(field(made, "what"), 1)
    assert made.value == {"what": {"kind": "page", "name": "README"}}
    assert field(made, "what").forms == ("file", "page")
    assert field(made, "what").form == 1


def test_a_step_without_a_schema_has_a_form_from_its_gate() -> None:
    gate = {"handoffFields": ["data.issue"], "targetField": "next_action.target"}
    run = started(
        registry(step("initial.a", gate=gate, next="continuation.a", repeat=None), step("continuation.a", next=None))
    )
    made = AnswerDraft(run.machine.flow, run.machine.flow.steps["initial.a"], None, GUIDE)
    assert made.from_gate
    assert field(made, "next_action", "action").choices == ("next", "repeat", "abort")
    assert not field(made, "data", "issue").present
    made.set("/data/issue", "7")
    assert made.value == {"stepId": "initial.a", "next_action": {"action": "next"}, "data": {"issue": "7"}}
    assert _will(run, made).to == "continuation.a"


def _will(run: Run, made: AnswerDraft) -> Forecast:
    answered = made.answered()
    assert answered is not None
    return forecast(run.machine, run.state, answered)


def _broken(made: AnswerDraft, name: str) -> Breakage:
    return next(each for each in made.breakages if each.name == name)


@pytest.fixture
def run(example: AgentFolder) -> Run:
    run = Run(example.flow)
    run.start("initial.issue")
    return run


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("missing_intent", "stops", "next_action.action"),
        ("alias", "goes", "“next”"),
        ("wrong_case", "goes", "“next”"),
        ("unknown_word", "stops", "maybe"),
        ("not_allowed", "stops", "allowedIntents"),
        ("wrong_step_id", "goes", "“next”"),
        ("no_output", "stays", "asked again"),
        ("query_error", "stays", "asked again"),
    ],
)
def test_each_corrupted_answer_does_what_was_announced(
    draft: AnswerDraft, run: Run, name: str, kind: str, words: str
) -> None:
    way = _broken(draft, name)
    draft.break_it(way)
    told = _will(run, draft)
    assert told.kind == kind
    assert words in told.message
    before = run.state
    answered = draft.answered()
    assert answered is not None
    run.send(answered)
    assert before.step == "initial.issue", "a forecast changes nothing"
    if kind == "stops":
        assert run.state.error is not None
        assert run.state.error.message == told.message
    else:
        assert run.state.step == told.to


def test_no_output_takes_the_place_of_the_answer_until_it_is_fixed(draft: AnswerDraft) -> None:
    draft.break_it(_broken(draft, "no_output"))
    answered = draft.answered()
    assert answered is not None
    assert answered.answer is None
    assert answered.texts
    draft.mend()
    assert draft.answered() == draft.answered()
    assert draft.instead is None
    draft.break_it(_broken(draft, "query_error"))
    failed = draft.answered()
    assert failed is not None
    assert failed.failed
    draft.set("/summary", "on")
    assert draft.instead is None


def test_a_missing_transition_is_explained() -> None:
    gate = {"allowedIntents": ["next", "repeat", "jump", "closing", "escalate", "handoff"]}
    found = flow(registry(step("initial.a", gate=gate, next=None)))
    made = AnswerDraft(found, found.steps["initial.a"], None, GUIDE)
    way = _broken(made, "not_allowed")
    assert way.answered is None
    assert way.why
    made.break_it(way)
    assert made.value == {"stepId": "initial.a", "next_action": {"action": "next"}}


def test_what_is_written_beside_the_answer_goes_along(draft: AnswerDraft) -> None:
    draft.beside = "TASK_COMPLETE"
    answered = draft.answered()
    assert answered is not None
    assert answered.texts == ("TASK_COMPLETE",)


def test_every_step_of_real_agents_can_be_answered_and_broken_in_every_era(corpus: Path) -> None:
    registries = sorted(corpus.rglob("steps_registry.json"))[:40]
    count = 0
    for path in registries:
        agent = open_agent(path)
        if not isinstance(agent, AgentFolder):
            continue
        for each in agent.flow.steps.values():
            for era in ERAS.values() if isinstance(ERAS, dict) else ERAS:
                made = AnswerDraft(agent.flow, each, agent.schema(each).value or None, era)
                for way in made.breakages:
                    assert (way.answered is None) == bool(way.why)
                    count += 1
    assert count > 1000
