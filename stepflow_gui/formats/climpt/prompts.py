"""Reads prompt files: front matter, the variables they use, the text a run makes of them (runtime-semantics 9)."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from stepflow_gui.text.source import Span

INPUT_TEXT = "{input_text}"
_USED = re.compile(r"\{uv-(?P<name>\w+)\}|\{input_text\}", re.ASCII)
_RULE = "---"
_PREFIX = "uv-"


class Used(NamedTuple):
    """A variable where a prompt uses it; `name` is None for the input text."""

    name: str | None
    span: Span


class PromptText(NamedTuple):
    """A prompt as read: where its text begins, behind the front matter, and what it uses, in order."""

    start: int
    used: tuple[Used, ...]

    @property
    def names(self) -> list[str]:
        """The variables, each once."""
        return list(dict.fromkeys(use.name for use in self.used if use.name is not None))

    @property
    def reads_input(self) -> bool:
        """Whether the input text is used."""
        return any(use.name is None for use in self.used)


class Unfilled(NamedTuple):
    """Why a prompt can't be filled in: a variable that the step needs, one that the text uses, or the input text."""

    kind: Literal["needed", "used", "input"]
    name: str


def read_prompt(text: str) -> PromptText:
    """The content of a prompt file. Front matter is ignored."""
    start = body_start(text)
    return PromptText(start, tuple(Used(use["name"], Span(*use.span())) for use in _USED.finditer(text, start)))


def body_start(text: str) -> int:
    """Where the text begins behind its front matter: right behind the --- that begins a later line; 0 without one."""
    closing = text.find("\n" + _RULE, len(_RULE)) if text.startswith(_RULE) else -1
    return 0 if closing < 0 else closing + len("\n" + _RULE)


def variable_name(listed: str) -> str:
    """The name of a variable as `uvVariables` lists it: a leading uv- doesn't count."""
    return listed.removeprefix(_PREFIX)


def fill(
    text: str,
    values: Mapping[str, str],
    needed: Iterable[str] = (),
    *,
    input_text: str | None = None,
    needs_input: bool = False,
) -> str | Unfilled:
    """The text that the model is shown. No variable that a value holds is filled in, but the input text is.

    `needed` are the names of `uvVariables`, which must have values that aren't empty; `needs_input` is `usesStdin`.
    """
    for listed in needed:
        name = variable_name(listed)
        if not values.get(name):
            return Unfilled("needed", name)
    if needs_input and not input_text:
        return Unfilled("input", "input_text")
    body = text[body_start(text) :]
    missing = next((use["name"] for use in _USED.finditer(body) if use["name"] and use["name"] not in values), None)
    if missing is not None:
        return Unfilled("used", missing)
    body = _USED.sub(lambda use: values[use["name"]] if use["name"] else use[0], body)
    return body.replace(INPUT_TEXT, input_text or "").strip()
