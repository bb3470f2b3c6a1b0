"""The examples of the steps registry guide, put together from the fragments in which it shows them."""

from typing import Any

Json = dict[str, Any]

GATE: Json = {
    "allowedIntents": ["next", "repeat", "handoff"],
    "intentSchemaRef": "#/properties/next_action/properties/action",
    "intentField": "next_action.action",
    "targetField": "next_action.details.target",
    "handoffFields": ["analysis.understanding", "analysis.approach"],
    "failFast": True,
    "fallbackIntent": "next",
}
SIMPLE_TARGETS: Json = {
    "next": {"target": "continuation.issue"},
    "repeat": {"target": "initial.issue"},
    "handoff": {"target": "closure.issue"},
}
TERMINAL: Json = {"closing": {"target": None}, "repeat": {"target": "closure.issue"}}
CONDITIONAL: Json = {
    "next": {
        "condition": "status",
        "targets": {
            "ready": "continuation.process",
            "blocked": "continuation.wait",
            "default": "continuation.fallback",
        },
    }
}
STEP: Json = {
    "stepId": "initial.issue",
    "name": "Issue Initial Prompt",
    "stepKind": "work",
    "c2": "initial",
    "c3": "issue",
    "edition": "default",
    "fallbackKey": "issue_initial_default",
    "uvVariables": ["issue"],
    "usesStdin": False,
    "outputSchemaRef": {"file": "issue.schema.json", "schema": "initial.issue"},
    "structuredGate": GATE,
    "transitions": SIMPLE_TARGETS,
}
ENTRIES: Json = {"poll:state": "initial.polling", "count:iteration": "initial.iteration"}
VALIDATOR: Json = {
    "git-clean": {
        "type": "command",
        "command": "git status --porcelain",
        "successWhen": "empty",
        "failurePattern": "git-dirty",
        "extractParams": {"changedFiles": "parseChangedFiles"},
    }
}
VALIDATION_STEP: Json = {
    "closure.issue": {
        "stepId": "closure.issue",
        "name": "Issue Validation",
        "c2": "retry",
        "c3": "issue",
        "validationConditions": [{"validator": "git-clean"}, {"validator": "type-check"}],
        "onFailure": {"action": "retry", "maxAttempts": 3},
    }
}
FAILURE_PATTERN: Json = {
    "git-dirty": {
        "description": "未コミットの変更がある",
        "edition": "failed",
        "adaptation": "git-dirty",
        "params": ["changedFiles", "untrackedFiles"],
    }
}


def step(step_id: str, kind: str, key: str, targets: dict[str, str | None], **more: Any) -> Json:
    """A step as the guide writes them, whose gate allows just what its transitions answer."""
    phase, topic, *variant = step_id.split(".")
    return {
        **STEP,
        "stepId": step_id,
        "name": step_id.replace(".", " ").title(),
        "stepKind": kind,
        "c2": phase,
        "c3": topic,
        **({"adaptation": variant[0]} if variant else {}),
        "fallbackKey": key,
        "outputSchemaRef": {"file": "issue.schema.json", "schema": step_id},
        "structuredGate": {
            "allowedIntents": list(targets),
            "intentSchemaRef": GATE["intentSchemaRef"],
            "intentField": GATE["intentField"],
        },
        "transitions": {intent: {"target": target} for intent, target in targets.items()},
        **more,
    }


def registry(*steps: Json, **more: Any) -> Json:
    """A registry that begins with its first step under the verdict type of the guide's agent."""
    return {
        "agentId": "iterator",
        "version": "1.0.0",
        "c1": "steps",
        "userPromptsBase": ".agent/iterator/prompts",
        "schemasBase": ".agent/iterator/schemas",
        "pathTemplate": "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md",
        "pathTemplateNoAdaptation": "{c1}/{c2}/{c3}/f_{edition}.md",
        "entryStepMapping": {"poll:state": steps[0]["stepId"]},
        "steps": {each["stepId"]: each for each in steps},
        **more,
    }


_INITIAL = step(
    "initial.issue", "work", "issue_initial_default", {"next": "continuation.issue", "repeat": "initial.issue"}
)
_CONTINUATION = step(
    "continuation.issue",
    "work",
    "continuation_issue",
    {"next": "continuation.issue", "repeat": "continuation.issue", "handoff": "closure.issue"},
)
_CLOSURE = step("closure.issue", "closure", "issue_closure_default", {"closing": None, "repeat": "closure.issue"})
_ONWARD: dict[str, str | None] = {"next": "continuation.issue", "handoff": "closure.issue"}

CONTRACT = registry(_INITIAL, _CONTINUATION, _CLOSURE)
"""The three steps of the table in which the schemas' enums and the transitions are compared."""

SIMPLE = registry(_INITIAL, step("continuation.issue", "work", "continuation_issue", _ONWARD), _CLOSURE)
"""The simplest pattern, as its diagram has it."""

MINIMAL = registry(
    step("initial.issue", "work", "initial_issue", {"next": "continuation.issue"}),
    step("continuation.issue", "work", "continuation_issue", {"handoff": "closure.issue"}),
    step("closure.issue", "closure", "issue_closure_default", {"closing": None}),
)
"""The smallest registry of three steps, as the guide's last section lists its transitions."""

WHOLE_STEP = registry(STEP, _CONTINUATION, _CLOSURE)
"""The guide's example of a step with its example of a gate and of simple targets."""

_PREPARED: dict[str, str | None] = {"next": "continuation.project.preparation", "handoff": "initial.project.review"}
_REVIEWED: dict[str, str | None] = {
    "next": "continuation.project.review",
    "repeat": "initial.project.again",
    "handoff": "initial.project.closure",
}
PROJECT = registry(
    step("initial.project.preparation", "work", "initial_project", _PREPARED),
    step("continuation.project.preparation", "work", "continuation_project_preparation", _PREPARED),
    step("initial.project.review", "work", "initial_project", _REVIEWED),
    step("continuation.project.review", "work", "continuation_project_review", _REVIEWED),
    step(
        "initial.project.again",
        "work",
        "initial_project",
        {"next": "continuation.project.again", "handoff": "initial.project.review"},
    ),
    step("continuation.project.again", "work", "continuation_project", {"handoff": "initial.project.review"}),
    step("initial.project.closure", "closure", "project_closure_default", {"closing": None}),
)
"""The project pattern: preparation, review, and again."""

VALIDATED = registry(
    step("continuation.issue", "work", "continuation_issue", {"handoff": "closure.issue"}),
    step("closure.issue", "closure", "issue_closure_default", {"closing": None}),
    validators={
        **VALIDATOR,
        "type-check": {
            "type": "command",
            "command": "deno task check",
            "successWhen": "exitCode:0",
            "failurePattern": "type-error",
        },
    },
    failurePatterns={
        **FAILURE_PATTERN,
        "type-error": {"description": "型エラー", "edition": "failed", "adaptation": "type-error"},
    },
    validationSteps=VALIDATION_STEP,
)
"""The retry pattern: two validators between closing and the end."""

_CHECKED = step("initial.issue", "work", "initial_issue", {"next": None})
CONDITIONAL_FLOW = registry(
    {
        **_CHECKED,
        "structuredGate": {**_CHECKED["structuredGate"], "handoffFields": ["progress.status"]},
        "transitions": CONDITIONAL,
    },
    *(
        step(f"continuation.{name}", "work", "continuation_issue", {"handoff": "closure.issue"})
        for name in ("process", "wait", "fallback")
    ),
    step("closure.issue", "closure", "issue_closure_default", {"closing": None}),
)
"""The guide's conditional transition among steps named as its targets."""
