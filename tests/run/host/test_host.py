"""Runs of an agent on disk: schemas, programs, validators, models, as the host carries them out."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.run.machine.state import Answered, AtBoundary, ProgramEnded, Start
from stepflow_gui.run.validators.command_result import CommandResult
from tests.run.flows import SIMPLE, Json, registry, step, validated
from tests.run.hosted import Told, host, says

ENUM = {"type": "object", "properties": {"next_action": {"properties": {"action": {"enum": ["next", "repeat"]}}}}}
REF = {"file": "a.schema.json", "schema": "a"}


def one(**more: Any) -> Json:
    """A registry of one work step and one closure."""
    return registry(
        step("initial.a", "work", next="initial.a", handoff="closure.a") | more,
        step("closure.a", "closure", closing=None),
    )


def test_a_run_goes_through_its_files(tmp_path: Path) -> None:
    effects = Told([says("next"), says("handoff"), says("closing")])
    ran = host(tmp_path, SIMPLE, effects, needs_prompts=False).run()
    assert ran.outcome is not None
    assert ran.outcome.success
    assert [asked.query.step for asked in effects.asked] == ["initial.issue", "continuation.issue", "closure.issue"]
    boundary = [effect for happened in ran.history for effect in happened.effects if isinstance(effect, AtBoundary)]
    assert boundary == [AtBoundary("closure.issue", ())]


def test_a_schema_is_given_and_found_in_the_text(tmp_path: Path) -> None:
    content = one(outputSchemaRef=REF)
    files = {"schemas/a.schema.json": {"definitions": {"a": ENUM}}}
    text = 'I think so. {"next_action": {"action": "handoff"}}'
    effects = Told([Answered(None, ("first", text)), says("closing")])
    ran = host(tmp_path, content, effects, files=files, needs_prompts=False).run()
    assert ran.outcome is not None
    assert ran.outcome.success
    assert effects.asked[0].schema == ENUM | {"additionalProperties": False} | {
        "properties": {
            "next_action": {"properties": {"action": {"enum": ["next", "repeat"]}}, "additionalProperties": False}
        }
    }
    assert effects.asked[1].schema is None


def test_two_failures_to_resolve_the_schema_stop_the_run(tmp_path: Path) -> None:
    effects = Told([])
    files: Json = {"schemas/a.schema.json": {"definitions": {}}}
    ran = host(tmp_path, one(outputSchemaRef=REF), effects, files=files, needs_prompts=False).run()
    assert effects.asked == []
    assert ran.stopped is not None
    assert ran.stopped.error.code == "FAILED_SCHEMA_RESOLUTION"
    assert "“a” doesn't name a schema" in ran.stopped.error.message
    assert [happened.entry.iteration for happened in ran.history] == [0, 1, 2]
    assert ran.stopped.context == {"initial.a": {"iteration": 2, "hasErrors": True, "errorCount": 1}}


def test_a_missing_schema_file_is_no_failure(tmp_path: Path) -> None:
    effects = Told([says("handoff"), says("closing")])
    ran = host(tmp_path, one(outputSchemaRef=REF), effects, needs_prompts=False).run()
    assert ran.outcome is not None
    assert ran.outcome.success


def test_the_model_is_the_step_s_then_the_flow_s(tmp_path: Path) -> None:
    effects = Told([says("handoff"), says("closing")])
    settings = {"flow": {"defaultModel": "sonnet"}, "boundaries": {"permissionMode": "default"}}
    host(tmp_path, one(model="haiku"), effects, agent=settings, needs_prompts=False).run()
    assert [(asked.model, asked.permission_mode) for asked in effects.asked] == [
        ("haiku", "acceptEdits"),
        ("sonnet", "acceptEdits"),
    ]


def test_validators_run_their_commands_and_the_failure_reaches_the_next_prompt(tmp_path: Path) -> None:
    content = deepcopy(validated(action="retry", maxAttempts=1))
    files = {
        "prompts/steps/retry/issue/f_failed_git-dirty.md": "RETRY {{#each files}}{{this}};{{/each}} {uv-iteration}"
    }
    content["validators"]["git-clean"]["extractParams"] = {"files": "parseChangedFiles"}
    dirty, clean = CommandResult(0, " M a.ts\n"), CommandResult()
    effects = Told(
        [says("handoff"), says("closing"), says("handoff"), says("closing")], [dirty, clean, CommandResult(1)]
    )
    ran = host(tmp_path, content, effects, files=files, needs_prompts=False).run()
    assert effects.ran == ["git status --porcelain", "git status --porcelain", "deno check"]
    assert effects.prompts == [None, None, "RETRY a.ts; 3", None]
    assert effects.asked[2].query.step == "continuation.issue"
    assert ran.outcome is not None
    assert (ran.outcome.kind, ran.outcome.code) == ("validation", "AGENT_VALIDATION_ABORT")


def test_a_missing_file_fails_its_validator(tmp_path: Path) -> None:
    content = deepcopy(validated(action="abort"))
    content["validators"]["git-clean"] = {"type": "file", "path": "out.txt", "failurePattern": "git-dirty"}
    effects = Told([says("handoff"), says("closing")])
    ran = host(tmp_path, content, effects, needs_prompts=False).run()
    assert effects.ran == ["out.txt"]
    assert ran.outcome is not None
    assert ran.outcome.kind == "validation"


def test_a_validator_that_cannot_be_judged_stops_the_run(tmp_path: Path) -> None:
    content = deepcopy(validated())
    content["validators"]["git-clean"]["successWhen"] = "matches:["
    effects = Told([says("handoff"), says("closing")], [CommandResult()])
    ran = host(tmp_path, content, effects, needs_prompts=False).run()
    assert ran.stopped is not None
    assert (ran.stopped.error.kind, ran.stopped.error.code) == ("validator_fault", "AGENT_QUERY_ERROR")
    assert ran.state.waits == "validator"  # it can be answered by hand, or stepped back


PROGRAM = {"command": "deno", "args": ["--pr", "${context.pr}"], "timeout": 50}


def test_a_program_closes_in_place_of_the_model(tmp_path: Path) -> None:
    content = registry(
        step("initial.a", "work", handoff="closure.a"), step("closure.a", "closure", closing=None) | {"runner": PROGRAM}
    )
    effects = Told([says("handoff")], programs=[ProgramEnded(1, "no"), ProgramEnded(0, '{"verdict": "good"}')])
    ran = host(tmp_path, content, effects, needs_prompts=False).run(Start(args={"pr": 5}))
    assert [(request.args, request.program.timeout) for request in effects.started] == [(("--pr", "5"), 50)] * 2
    assert ran.outcome is not None
    assert (ran.outcome.success, ran.outcome.iterations, ran.outcome.verdict) == (True, 3, "good")
    assert "closure.a" not in ran.state.context


def test_a_program_without_its_values_is_not_started(tmp_path: Path) -> None:
    content = registry(
        step("initial.a", "work", handoff="closure.a"), step("closure.a", "closure", closing=None) | {"runner": PROGRAM}
    )
    effects = Told([says("handoff")])
    agent = {"verdict": {"type": "detect:graph", "config": {"maxIterations": 3}}}
    ran = host(tmp_path, content, effects, agent=agent, needs_prompts=False).run()
    assert effects.started == []
    assert ran.outcome is not None
    assert ran.outcome.kind == "limit"
    assert ran.state.memory.errors == 2


def test_inputs_that_are_missing_stop_the_run_where_they_are_needed(tmp_path: Path) -> None:
    wanting = {"inputs": {"plan": {"from": "initial.a.plan", "required": True}}}
    content = registry(
        step("initial.a", "work", next="initial.b"), step("initial.b", "work", next="initial.b") | wanting
    )
    ran = host(tmp_path, content, Told([says("next")]), needs_prompts=False).run()
    assert ran.stopped is not None
    assert (ran.stopped.error.kind, ran.stopped.step) == ("required_input_missing", "initial.b")
    effects = Told([says("next", plan="P"), says("abort")])
    files = {"prompts/steps/initial/b/f_default.md": "Plan: {uv-initial_a_plan}"}
    host(tmp_path, content, effects, files=files, needs_prompts=False).run()
    assert effects.prompts[1] == "Plan: P"


def test_an_answer_of_another_form_is_asked_for_again(tmp_path: Path) -> None:
    content = deepcopy(validated(action="retry"))
    content["validationSteps"]["closure.issue"]["outputSchema"] = {"type": "object", "required": ["ok"]}
    good = Answered({"next_action": {"action": "closing"}}, ('```json\n{"ok": 1}\n```',))
    effects = Told([says("handoff"), says("closing"), says("handoff"), good], [CommandResult(), CommandResult()])
    ran = host(tmp_path, content, effects, needs_prompts=False).run()
    assert effects.asked[2].prompt.source == "format"
    assert ran.outcome is not None, ran.stopped
    assert ran.outcome.success
    assert ran.state.failures == {}


@pytest.mark.parametrize(
    ("action", "calls"),
    [
        ("close", ("issue close 7",)),
        ("label-and-close", ("issue edit 7 --add-label done", "issue close 7")),
        ("odd", ("issue edit 7 --add-label done",)),
        (None, ("issue edit 7 --add-label done",)),
    ],
)
def test_what_would_happen_to_the_issue_is_reported_and_not_done(
    tmp_path: Path, action: str | None, calls: tuple[str, ...]
) -> None:
    agent = {
        "verdict": {"type": "poll:state"},
        "integrations": {"github": {"defaultClosureAction": "label-only", "labels": {"completion": {"add": ["done"]}}}},
    }
    effects = Told([says("handoff"), says("closing", closure_action=action)])
    ran = host(tmp_path, one(), effects, agent=agent, needs_prompts=False).run(Start(args={"issue": 7}))
    seen = [effect for happened in ran.history for effect in happened.effects if isinstance(effect, AtBoundary)]
    assert seen == [AtBoundary("closure.a", calls)]
