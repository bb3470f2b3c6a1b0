"""What files of a step begin with that don't exist yet: prompts, retry prompts, output schemas."""

import json
import re
from collections.abc import Iterable
from typing import Any

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.prompts import INPUT_TEXT, variable_name
from stepflow_gui.formats.climpt.validation import FailurePattern

_PLAIN = re.compile(r"[^\W\d_][\w .()/+,!?-]*[\w.)!?]|[^\W\d_]")  # what YAML takes for a text without quotes
_ANSWER = {"result": "ok|ng", "message": "string"}
_MEANT = frozenset({"true", "false", "null", "yes", "no", "on", "off"})  # but not these


def prompt_text(step: Step) -> str:
    """A prompt with the step's name and all the variables that it lists."""
    listed = step.raw.get("uvVariables")
    names = [variable_name(name) for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    used = [f"{{uv-{name}}}" for name in dict.fromkeys(names) if name]
    if step.raw.get("usesStdin") is True:
        used.append(INPUT_TEXT)
    return _prompt(step.title, used)


def check_prompt_text(step: Step) -> str:
    """The prompt of a step's check, with the form of the answer that the check asks for."""
    check = step.raw.get("check")
    asked = check.get("responseFormat") if isinstance(check, dict) else None
    form = json.dumps(asked if isinstance(asked, dict) and asked else _ANSWER, ensure_ascii=False)
    return _prompt(step.title, [f"```json\n{form}\n```"])


def failure_prompt_text(pattern: FailurePattern) -> str:
    """A retry prompt with what failed and the values that it may show."""
    description = pattern.at.node.value.get("description")
    title = description if isinstance(description, str) and description else pattern.at.name
    return _prompt(title, [f"{{{{{text.value}}}}}" for text in pattern.params or ()])


def schema_text(steps: Iterable[Step]) -> str:
    """A schema file with as much of the schema of each step as its gate defines."""
    content: dict[str, Any] = {}
    for step in steps:
        if step.schema_ref and step.schema_ref.schema:
            _put(content, step.schema_ref.schema.value, _schema(step))
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _prompt(title: str, used: list[str]) -> str:
    title = " ".join(title.split())
    is_plain = _PLAIN.fullmatch(title) and title.casefold() not in _MEANT
    front = title if is_plain else json.dumps(title, ensure_ascii=False)
    return "\n\n".join([f"---\ntitle: {front}\n---", f"# {title}", *used]) + "\n"


def _put(content: dict[str, Any], name: str, schema: dict[str, Any]) -> None:
    bare = name.removeprefix("#")
    *holders, last = bare.removeprefix("/").split("/") if bare.startswith("/") else [bare]
    for holder in holders:
        content = content.setdefault(holder, {})
    content.setdefault(last, schema)


def _schema(step: Step) -> dict[str, Any]:
    gate = step.gate
    if gate is None or gate.intent_field is None or not gate.intent_field.value:
        return {"type": "object", "properties": {}}
    inner: dict[str, Any] = {"type": "string", "enum": [intent.value for intent in gate.intents]}
    for key in reversed(gate.intent_field.value.split(".")):
        inner = {"type": "object", "required": [key], "properties": {key: inner}}
    return inner
