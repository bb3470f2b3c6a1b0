"""A closure step that starts a program in place of the model: its arguments and its answer (runtime-semantics 8)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.javascript.values import ABSENT, text_of
from stepflow_gui.run.machine.answer_text import json_of
from stepflow_gui.text.json.tree import JsonValue

DEFAULT_TIMEOUT = 30000  # milliseconds
_PLACE = re.compile(r"\$\{context\.([^}]+)\}")


class Program(NamedTuple):
    """A program to start. `args` as the registry has them; `timeout` in milliseconds."""

    command: str
    args: tuple[str, ...]
    timeout: int


class Unresolved(NamedTuple):
    """An argument asks for a key that doesn't exist."""

    key: str


def program_of(step: Step, era: Era) -> Program | None:
    """The program of a closure step; None where it has none, or the era doesn't start any."""
    if not era.starts_program(step):
        return None
    runner = step.raw["runner"]
    args, timeout = runner.get("args"), runner.get("timeout")
    listed = args if isinstance(args, list) else []
    if not isinstance(timeout, int) or isinstance(timeout, bool) or timeout <= 0:
        timeout = DEFAULT_TIMEOUT
    return Program(runner["command"], tuple(text_of(arg) for arg in listed), timeout)


def filled_arguments(args: Sequence[str], context: Mapping[str, JsonValue]) -> list[str] | Unresolved:
    """The arguments with `${context.key}` replaced; a key is flat, whatever it holds."""
    filled = []
    for arg in args:
        for place in _PLACE.finditer(arg):
            if context.get(place[1].strip()) is None:
                return Unresolved(place[1].strip())
        filled.append(_PLACE.sub(lambda place: text_of(context[place[1].strip()]), arg))
    return filled


def answer_of_program(stdout: str) -> dict[str, Any]:
    """The structured answer: the JSON object that the program printed, else its text as `raw`."""
    value = json_of(stdout)
    if isinstance(value, dict):
        return value
    return {"raw": stdout} if value is ABSENT else {"raw": stdout, "parsed": value}
