"""The template language of retry prompts: lists, conditions, values; blocks of one kind don't nest (semantics 8)."""

import re
from collections.abc import Mapping

from stepflow_gui.run.javascript.values import ABSENT, text_of, value_at
from stepflow_gui.text.json.tree import JsonValue

_EACH = re.compile(r"\{\{#each\s+([\w.]+)\}\}(.*?)\{\{/each\}\}", re.DOTALL | re.ASCII)
_IF = re.compile(r"\{\{#if\s+([\w.]+)\}\}(.*?)(?:\{\{else\}\}(.*?))?\{\{/if\}\}", re.DOTALL | re.ASCII)
_ITEM = re.compile(r"\{\{this(?:\.([\w.]+))?\}\}", re.ASCII)
_VALUE = re.compile(r"\{\{([\w.]+)\}\}", re.ASCII)


def fill_template(template: str, params: Mapping[str, JsonValue]) -> str:
    """The text with the values filled in; one that isn't there leaves nothing."""
    values = dict(params)
    text = _EACH.sub(lambda block: _each(value_at(values, block[1]), block[2]), template)
    text = _IF.sub(lambda block: (block[2] if _holds(value_at(values, block[1])) else block[3]) or "", text)
    return _VALUE.sub(lambda place: _text(value_at(values, place[1])), text)


def _each(items: JsonValue, body: str) -> str:
    if not isinstance(items, list):
        return ""
    return "".join(_with_item(body, item) for item in items)


def _with_item(body: str, item: JsonValue) -> str:
    return _ITEM.sub(lambda place: _text(item if place[1] is None else value_at(item, place[1])), body)


def _holds(value: JsonValue) -> bool:
    return value is not ABSENT and (bool(value) or isinstance(value, dict))


def _text(value: JsonValue) -> str:
    if value is ABSENT or value is None:
        return ""
    if isinstance(value, list):
        return ", ".join("" if item is None else text_of(item) for item in value)
    return text_of(value)
