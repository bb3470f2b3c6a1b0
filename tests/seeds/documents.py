"""The registries that the guides show in full, as they show them."""

from typing import Any

Json = dict[str, Any]


def _prompt(*parts: str) -> Json:
    return dict(zip(("c1", "c2", "c3"), parts, strict=True))


def _checked(key: str, name: str, prompt: str, most: int, check: Json) -> Json:
    return {
        "id": key,
        "name": name,
        "prompt": _prompt("steps", "phase", prompt),
        "iterations": {"min": 1, "max": most},
        "check": {**check, "responseFormat": {"result": "ok|ng", "message": "string"}},
    }


CHECKS: Json = {
    "$schema": "https://raw.githubusercontent.com/tettuan/climpt/main/agents/schemas/steps_registry.schema.json",
    "version": "2.0.0",
    "basePath": "prompts",
    "entryStep": "s_a8f3",
    "steps": {
        "s_a8f3": _checked(
            "s_a8f3",
            "Code Analysis",
            "analyze",
            1,
            {
                "prompt": _prompt("checks", "step", "analyze"),
                "onPass": {"next": "s_b2c1"},
                "onFail": {"retry": True, "maxRetries": 2},
            },
        ),
        "s_b2c1": _checked(
            "s_b2c1",
            "Implementation",
            "implement",
            5,
            {
                "prompt": _prompt("checks", "step", "implement"),
                "onPass": {"next": "s_c9d4"},
                "onFail": {"fallback": "s_a8f3"},
            },
        ),
        "s_c9d4": _checked(
            "s_c9d4",
            "Review",
            "review",
            1,
            {
                "prompt": _prompt("checks", "completion", "final"),
                "onPass": {"complete": True},
                "onFail": {"fallback": "s_b2c1"},
            },
        ),
    },
}
