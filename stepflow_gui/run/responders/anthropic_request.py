"""What is sent to the Messages API for a step: its prompts, the talk so far, and how the answer's form is asked for."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from stepflow_gui.formats.strict_schema import unsupported
from stepflow_gui.run.responders.anthropic_progress import AnswerMode

TOOL = "answer"
_KEY = re.compile(r"[A-Za-z0-9_.-]{1,64}")  # a property that a tool may have
_MOST_OPTIONAL = 24  # properties that a strict schema may leave open
_CALL_IT = "Give your answer by calling the tool “answer”, once. Do not answer in any other way."
_IN_WORDS = "Answer with one JSON value that follows this JSON Schema, and with nothing else:\n\n"
_ANNOTATIONS = frozenset({"$schema", "$id", "$comment", "definitions", "$defs", "default", "examples", "deprecated"})


class Exchange(NamedTuple):
    """A question of a run and the model's answer."""

    asked: str
    answered: str


def mode_of(schema: Mapping[str, Any] | None, forced_tool: bool) -> AnswerMode:
    """The best mode to ask for an answer of a schema; a model that can't be forced to call a tool is asked to."""
    if schema is None:
        return "free"
    if is_strict(schema):
        return "format"
    if not is_tool_input(schema):
        return "words"
    return "forced_tool" if forced_tool else "tool"


def weaker(mode: AnswerMode, refusal: str, schema: Mapping[str, Any]) -> AnswerMode | None:
    """The next best mode, where the API refused the request because of its mode; None for other refusals."""
    if mode == "format" and re.search(r"output_config|output_format|schema|grammar", refusal):
        return "forced_tool" if is_tool_input(schema) else "words"
    if mode == "forced_tool" and "tool_choice" in refusal:
        return "tool"
    if mode in {"forced_tool", "tool"} and re.search(r"tools|input_schema", refusal):
        return "words"
    return None


def request_for(
    *,
    model: str,
    prompt: str,
    system: str | None,
    talk: Sequence[Exchange],
    schema: Mapping[str, Any] | None,
    mode: AnswerMode,
    max_tokens: int,
) -> dict[str, Any]:
    """The body of the request. There is never a tool but the one that takes the answer."""
    messages: list[dict[str, str]] = []
    for turn in talk:
        messages += [{"role": "user", "content": turn.asked}, {"role": "assistant", "content": turn.answered}]
    messages.append({"role": "user", "content": prompt})
    request: dict[str, Any] = {"model": model, "max_tokens": max_tokens, "messages": messages}
    system_parts = [system] if system and system.strip() else []
    if schema is not None and mode == "format":
        request["output_config"] = {"format": {"type": "json_schema", "schema": bare(schema)}}
    elif schema is not None and mode in {"forced_tool", "tool"}:
        request["tools"] = [{"name": TOOL, "description": _description(schema), "input_schema": bare(schema)}]
        if mode == "forced_tool":
            request["tool_choice"] = {"type": "tool", "name": TOOL, "disable_parallel_tool_use": True}
        else:
            request["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
            system_parts.append(_CALL_IT)
    elif schema is not None and mode == "words":
        system_parts.append(_IN_WORDS + json.dumps(bare(schema), ensure_ascii=False))
    if system_parts:
        request["system"] = "\n\n".join(system_parts)
    return request


def is_strict(schema: Mapping[str, Any]) -> bool:
    """Whether the API's structured outputs can hold a schema as it is."""
    optional = 0
    for each in subschemas(schema):
        if "$ref" in each or next(unsupported(dict(each)), None) is not None:
            return False
        properties = each.get("properties")
        if isinstance(properties, Mapping):
            if each.get("additionalProperties") is not False:
                return False
            required = each.get("required")
            optional += len(properties) - len(set(required) & set(properties) if isinstance(required, list) else ())
    return schema.get("type") == "object" and optional <= _MOST_OPTIONAL


def is_tool_input(schema: Mapping[str, Any]) -> bool:
    """Whether a schema can be that of a tool: an object with plain keys, its alternatives not at the top."""
    if schema.get("type") != "object" or any(key in schema for key in ("anyOf", "oneOf", "allOf", "$ref")):
        return False
    return all(
        _KEY.fullmatch(key) is not None
        for each in subschemas(schema)
        for key in (each["properties"] if isinstance(each.get("properties"), Mapping) else ())
    )


def bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what only describes the file that it is from."""
    return {key: value for key, value in schema.items() if key not in _ANNOTATIONS}


def subschemas(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A schema and all that it applies, each before what is inside it."""
    waiting: list[object] = [schema]
    while waiting:
        at = waiting.pop()
        if not isinstance(at, Mapping):
            continue
        yield at
        for key in ("properties", "patternProperties", "dependentSchemas"):
            inner = at.get(key)
            waiting += inner.values() if isinstance(inner, Mapping) else ()
        for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            inner = at.get(key)
            waiting += inner if isinstance(inner, list) else ()
        items = at.get("items")
        waiting += items if isinstance(items, list) else [items]
        waiting += [at.get(key) for key in ("additionalProperties", "not", "if", "then", "else", "contains")]


def _description(schema: Mapping[str, Any]) -> str:
    answered = schema.get("description")
    return answered if isinstance(answered, str) and answered else "Takes the answer."
