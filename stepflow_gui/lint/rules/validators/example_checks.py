"""The example agent with a check before it closes."""

from collections.abc import Mapping
from typing import Any

from stepflow_gui.lint.examples.example import Base, Example, Removed, changed

_CHECKS: dict[str, Any] = {
    "/failurePatterns": {
        "git-dirty": {
            "description": "Some changes aren't committed",
            "edition": "failed",
            "adaptation": "git-dirty",
            "params": ["changedFiles"],
        }
    },
    "/validators": {
        "git-clean": {
            "type": "command",
            "command": "git status --porcelain",
            "successWhen": "empty",
            "failurePattern": "git-dirty",
            "extractParams": {"changedFiles": "parseChangedFiles"},
        }
    },
    "/validationSteps": {
        "closure.polling": {
            "stepId": "closure.polling",
            "name": "Checks before closing",
            "c2": "retry",
            "c3": "issue",
            "validationConditions": [{"validator": "git-clean"}],
            "onFailure": {"action": "retry", "maxAttempts": 3},
        }
    },
}
_STEP: dict[str, Any] = _CHECKS["/validationSteps"]["closure.polling"]
RETRY_PROMPT = "prompts/steps/retry/issue/f_failed_git-dirty.md"


def checked(
    changes: Mapping[str, Any] | None = None,
    *,
    base: Base = "closing",
    texts: Mapping[str, str | Removed] | None = None,
) -> Example:
    """The agent with one validator, its failure pattern and the retry prompt for it, changed."""
    laid = {RETRY_PROMPT: "Commit these files: {{changedFiles}}\n"} | dict(texts or {})
    return changed(_CHECKS | dict(changes or {}), base=base, texts=laid)


def addressed(changes: Mapping[str, Any] | None = None) -> Example:
    """The same with kind and address: the check runs after the query."""
    step = {key: value for key, value in _STEP.items() if key != "validationConditions"}
    own = {
        "/failurePatterns": _CHECKS["/failurePatterns"],
        "/validators": {"git-clean": _CHECKS["/validators"]["git-clean"] | {"phase": "postllm"}},
        "/validationSteps": {
            "closure.polling": step
            | {
                "address": {"c1": "steps", "c2": "retry", "c3": "issue", "edition": "failed"},
                "preflightConditions": [],
                "postLLMConditions": [{"validator": "git-clean"}],
            }
        },
    }
    laid = {RETRY_PROMPT: "Commit these files: {{changedFiles}}\n"}
    return changed(own | dict(changes or {}), base="adt-kind-address", texts=laid)
