"""Finds a structured answer in what a model wrote (runtime-semantics 4)."""

import json
import re
from typing import Any, NoReturn

from stepflow_gui.run.javascript.values import ABSENT, trimmed
from stepflow_gui.text.json.tree import JsonValue

_FENCE = re.compile(r"```(?:json)?\s*\n?(.*?)```", re.DOTALL)


def answer_in(text: str) -> dict[str, Any] | list[Any] | None:
    """The object in a text: the whole, a fenced block, or from a brace to the end. A list only inside a fence."""
    whole = json_of(trimmed(text))
    if isinstance(whole, dict):
        return whole
    fence = _FENCE.search(text)
    fenced = json_of(trimmed(fence[1])) if fence else ABSENT
    if isinstance(fenced, dict | list):
        return fenced
    at = text.find("{")
    while at >= 0:
        found = json_of(trimmed(text[at:]))
        if isinstance(found, dict):
            return found
        at = text.find("{", at + 1)
    return None


def json_of(text: str) -> JsonValue:
    """The value of a JSON text, ABSENT where it is none; as strict as JavaScript."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return ABSENT


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)  # NaN and the infinities, which Python takes
