"""Registries that the tests of this folder run: the guide's three patterns and parts to build others."""

import json
from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.formats.detect import detect
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict
from stepflow_gui.run.session import Run
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

Json = dict[str, Any]
FIELD = "next_action.action"


def step(step_id: str, kind: str | None = None, /, gate: Json | None = None, **rules: Any) -> Json:
    """A gated step: its transitions by intent (a step id, None for the end, a rule), which are what it may emit."""
    c2, _, c3 = step_id.partition(".")
    body: Json = {"stepId": step_id, "name": step_id, "c2": c2, "c3": c3, "edition": "default"}
    if kind:
        body["stepKind"] = kind
    body["structuredGate"] = {"allowedIntents": list(rules), "intentField": FIELD} | (gate or {})
    body["transitions"] = {
        intent: rule if isinstance(rule, dict) else {"target": rule} for intent, rule in rules.items()
    }
    return body


def registry(*steps: Json, **rest: Any) -> Json:
    """A registry that starts at its first step."""
    return {
        "agentId": "demo",
        "version": "1.0.0",
        "c1": "steps",
        "entryStep": steps[0]["stepId"],
        "steps": {each["stepId"]: each for each in steps},
    } | rest


def flow(content: Json, format_id: str | None = None) -> Flow:
    """A registry as the product reads it."""
    document = ParsedFile.read(Path("steps_registry.json"), Source(json.dumps(content)))
    return read_registry(document, format_id or detect(document) or "closing")


def started(content: Json, verdict: Verdict = NO_VERDICT, entry: str | None = None) -> Run:
    """A run that waits for its first answer."""
    run = Run(flow(content), verdict)
    run.start(entry)
    return run


def say(run: Run, *words: str, **more: Any) -> None:
    """Answer the active steps, one word each, in the field that the gates here read."""
    for word in words:
        run.answer({"next_action": {"action": word}, **more})


def path(run: Run) -> list[str | None]:
    """The steps that were asked, in order."""
    asked = [
        state for before, state in zip(run.states, run.states[1:], strict=False) if state.iteration != before.iteration
    ]
    return [state.step for state in asked]


SIMPLE = registry(
    step("initial.issue", "work", next="continuation.issue", repeat="initial.issue"),
    step("continuation.issue", "work", next="continuation.issue", repeat="continuation.issue", handoff="closure.issue"),
    step("closure.issue", "closure", closing=None, repeat="closure.issue"),
)

PROJECT = registry(
    step(
        "initial.project.preparation", "work", next="continuation.project.preparation", handoff="initial.project.review"
    ),
    step(
        "continuation.project.preparation",
        "work",
        next="continuation.project.preparation",
        handoff="initial.project.review",
    ),
    step(
        "initial.project.review",
        "work",
        next="continuation.project.review",
        repeat="initial.project.again",
        handoff="initial.project.closure",
    ),
    step(
        "continuation.project.review",
        "work",
        next="continuation.project.review",
        repeat="initial.project.again",
        handoff="initial.project.closure",
    ),
    step("initial.project.again", "work", next="continuation.project.again", handoff="initial.project.review"),
    step("continuation.project.again", "work", handoff="initial.project.review"),
    step("initial.project.closure", "closure", closing=None),
)

GIT_CLEAN = {
    "type": "command",
    "command": "git status --porcelain",
    "successWhen": "empty",
    "failurePattern": "git-dirty",
    "extractParams": {},
}
TYPE_CHECK = {
    "type": "command",
    "command": "deno check",
    "successWhen": "exitCode:0",
    "failurePattern": "type-error",
    "extractParams": {},
}


def validated(key: str = "closure.issue", **on_failure: Any) -> Json:
    """The guide's third pattern: two validators before the closure, keyed as asked."""
    return registry(
        step("continuation.issue", "work", next="continuation.issue", handoff="closure.issue"),
        step("closure.issue", "closure", closing=None, repeat="closure.issue"),
        validators={"git-clean": dict(GIT_CLEAN), "type-check": dict(TYPE_CHECK)},
        failurePatterns={
            "git-dirty": {"description": "dirty", "edition": "failed", "adaptation": "git-dirty"},
            "type-error": {"description": "types", "edition": "failed"},
        },
        validationSteps={
            key: {
                "stepId": key,
                "c2": "retry",
                "c3": "issue",
                "validationConditions": [{"validator": "git-clean"}, {"validator": "type-check"}],
                "onFailure": on_failure or {"action": "retry"},
            }
        },
    )
