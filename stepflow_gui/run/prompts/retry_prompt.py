"""The prompt that follows a failed validator: the failure pattern's file, else more general ones (semantics 8)."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.formats.climpt.prompts import body_start
from stepflow_gui.formats.climpt.validation import PLAIN_FAILURE
from stepflow_gui.run.javascript.values import ABSENT, text_of, value_at
from stepflow_gui.run.machine.run_config import RunConfig
from stepflow_gui.run.machine.state import Retry
from stepflow_gui.run.prompts.prompt_files import PromptShelf
from stepflow_gui.run.prompts.variables import Values
from stepflow_gui.text.json.tree import JsonValue

_VARIABLE = re.compile(r"\{uv-(\w+)\}", re.ASCII)
_GENERIC = "The check “{validator}” did not pass. Correct what it found, then finish again.\n\n{error}"
_FORMAT = "The answer lacks a JSON block of the form that is asked for. Give one in a ```json fence."
_EACH = re.compile(r"\{\{#each\s+([\w.]+)\}\}(.*?)\{\{/each\}\}", re.DOTALL | re.ASCII)
_IF = re.compile(r"\{\{#if\s+([\w.]+)\}\}(.*?)(?:\{\{else\}\}(.*?))?\{\{/if\}\}", re.DOTALL | re.ASCII)
_ITEM = re.compile(r"\{\{this(?:\.([\w.]+))?\}\}", re.ASCII)
_VALUE = re.compile(r"\{\{([\w.]+)\}\}", re.ASCII)


class RetryPrompt(NamedTuple):
    """The text, where it is from, and the files that were not found."""

    text: str
    source: Literal["retry", "retry_generic", "validation", "format"]
    path: Path | None = None
    missed: tuple[Path, ...] = ()


def retry_prompt(config: RunConfig, retry: Retry, values: Values, shelf: PromptShelf) -> RetryPrompt:
    """The prompt for another try. Variables without a value stay in the text, as the run shouldn't stop here."""
    if not retry.validator:
        return RetryPrompt(_FORMAT, "format")
    if retry.failure is None:
        return RetryPrompt(retry.error.strip(), "validation")
    missed: list[Path] = []
    for fields in _candidates(config, retry):
        paths = shelf.own_paths(fields, config.era)
        found = shelf.first(paths)
        if found is not None:
            body = found.text[body_start(found.text) :].strip()
            text = _VARIABLE.sub(lambda use: values.get(use[1], use[0]), fill_template(body, retry.params))
            return RetryPrompt(text, "retry", found.path, tuple(missed))
        missed += paths
    generic = _GENERIC.format(validator=retry.validator, error=retry.error).strip()
    return RetryPrompt(generic, "retry_generic", None, tuple(missed))


def _candidates(config: RunConfig, retry: Retry) -> list[dict[str, str | None]]:
    """The parts of the paths to look at, the best first: the pattern's own file, then that of all failures."""
    places = [(retry.validation.c2, retry.validation.c3)]
    closure = config.flow.steps.get(retry.closure)
    if config.era.closing == "trigger" and closure is not None and closure.c2 and closure.c3:
        places.insert(0, (closure.c2.value, closure.c3.value))
    failure = retry.failure
    editions: list[tuple[str | None, str | None]] = [(PLAIN_FAILURE, None)]
    if failure is not None and failure.known:
        editions.insert(0, (failure.edition or PLAIN_FAILURE, failure.adaptation))
    return [
        {"c2": c2, "c3": c3, "edition": edition, "adaptation": adaptation}
        for edition, adaptation in dict.fromkeys(editions)
        for c2, c3 in dict.fromkeys(places)
        if c2 and c3
    ]


def fill_template(template: str, params: Mapping[str, JsonValue]) -> str:
    """The text with the values filled in; a missing one leaves nothing."""
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
