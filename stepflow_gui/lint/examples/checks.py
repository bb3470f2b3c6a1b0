"""The registry with checks that the rules about those take for their examples, and its prompts."""

from typing import Any

CHECKS_PROMPTS = {
    "prompts/system.md": "You work on issues.\n",
    "prompts/steps/phase/analyze/f_default.md": "Find out what the issue is about.\n",
    "prompts/steps/phase/implement/f_default.md": "Solve the issue.\n",
    "prompts/checks/step/analyze/f_default.md": "Is the issue understood?\n",
    "prompts/checks/step/implement/f_default.md": "Is the issue solved?\n",
}


def checks_registry() -> dict[str, Any]:
    """Two steps: the first goes on or is tried again, the second ends the run or falls back."""
    return {
        "agentId": "issue-flow",
        "version": "1.0.0",
        "basePath": "prompts",
        "entryStep": "s_a8f3",
        "steps": {
            "s_a8f3": _step("s_a8f3", "Analysis", "analyze", {"next": "s_b2c1"}, {"next": "s_a8f3"}),
            "s_b2c1": _step("s_b2c1", "Implementation", "implement", {"complete": True}, {"fallback": "s_a8f3"}),
        },
    }


def _step(step_id: str, name: str, topic: str, on_pass: dict[str, Any], on_fail: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": step_id,
        "name": name,
        "prompt": {"c1": "steps", "c2": "phase", "c3": topic},
        "iterations": {"min": 1, "max": 1},
        "check": {
            "prompt": {"c1": "checks", "c2": "step", "c3": topic},
            "responseFormat": {"result": "ok|ng", "message": "string"},
            "onPass": on_pass,
            "onFail": on_fail,
        },
    }
