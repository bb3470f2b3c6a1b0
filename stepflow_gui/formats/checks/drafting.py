"""What a new step, or a check that is missing, begins with: as the others of the file are written."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from stepflow_gui.flow.model import Flow
from stepflow_gui.text.json.tree import JsonValue

RESPONSE_FORMAT: dict[str, JsonValue] = {"result": "ok|ng", "message": "string"}
_STEP_FOLDERS = ("steps", "phase")
_CHECK_FOLDERS = ("checks", "step")


def step_address(flow: Flow, topic: str) -> dict[str, JsonValue]:
    """The address of a step's prompt."""
    prompts = (step.raw.get("prompt") for step in flow.steps.values())
    return _address(prompts, _STEP_FOLDERS, topic)


def check_address(flow: Flow, topic: str) -> dict[str, JsonValue]:
    """The address of the prompt of a check."""
    checks = (step.raw.get("check") for step in flow.steps.values())
    return _address((check.get("prompt") for check in checks if isinstance(check, dict)), _CHECK_FOLDERS, topic)


def new_check(flow: Flow, topic: str, following: str | None) -> dict[str, JsonValue]:
    """A check with both outcomes: on to the step `following` (None: the end), and again where it fails."""
    return {
        "prompt": check_address(flow, topic),
        "responseFormat": dict(RESPONSE_FORMAT),
        "onPass": on_pass(following),
        "onFail": {"retry": True},
    }


def on_pass(following: str | None) -> dict[str, JsonValue]:
    """The outcome that goes on, or ends."""
    return {"complete": True} if following is None else {"next": following}


def topic_of(name: str) -> str:
    """A name as the last folder of a prompt’s path."""
    return re.sub(r"[^\w]+", "-", name.strip().lower()).strip("-_") or "step"


def _address(prompts: Iterable[Any], usual: tuple[str, str], topic: str) -> dict[str, JsonValue]:
    """In the folders that most of the others lie in."""
    folders = Counter(
        (prompt["c1"], prompt["c2"])
        for prompt in prompts
        if isinstance(prompt, Mapping) and isinstance(prompt.get("c1"), str) and isinstance(prompt.get("c2"), str)
    )
    c1, c2 = folders.most_common(1)[0][0] if folders else usual
    return {"c1": c1, "c2": c2, "c3": topic}
