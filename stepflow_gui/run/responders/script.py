"""Answers from a script: JSON Lines, an object for each answer, in the order in which they are given.

`{"step": "initial.issue", "answer": {…}}` answers with that JSON; `{"intent": "next"}`, with `case` for a conditional
transition and `target` for a jump, with one that means it; `"verdict": true` tells that an external verdict holds.
`{"validator": "git-clean", "passed": false, "error": "…"}` is the result of a validator. `step` and `validator` are
checked against the run where they are given. Validators that the script doesn't speak of pass.
"""

import json
from typing import Any, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.responders.manual import Pick
from stepflow_gui.text.json_tree import JsonValue

_ANSWER_KEYS = frozenset({"step", "answer", "verdict", "texts"})
_INTENT_KEYS = frozenset({"step", "intent", "case", "target", "verdict"})
_VALIDATOR_KEYS = frozenset({"validator", "passed", "error", "recoverable"})


class ScriptAnswer(NamedTuple):
    """A line that answers a step, with a JSON value or with what it is to mean. `line` counts from 1."""

    line: int
    step: str | None
    answer: JsonValue
    pick: Pick | None = None  # takes the place of `answer`
    texts: tuple[str, ...] = ()
    told: bool = False


class ScriptValidated(NamedTuple):
    """A line that says how a validator went; `validator` None: whichever runs."""

    line: int
    validator: str | None
    passed: bool
    error: str = ""
    recoverable: bool = True


ScriptLine = ScriptAnswer | ScriptValidated


class ScriptProblem(NamedTuple):
    """Why a script can't be used, and the line, from 1, that is to be corrected."""

    line: int
    message: str


def read_script(text: str) -> tuple[ScriptLine, ...] | ScriptProblem:
    """The lines of a script; blank ones are skipped. The first that is wrong is told."""
    lines: list[ScriptLine] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        found = _line(number, line)
        if isinstance(found, ScriptProblem):
            return found
        lines.append(found)
    return tuple(lines)


def _line(number: int, line: str) -> ScriptLine | ScriptProblem:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return ScriptProblem(number, _("Line {line} of the script is no JSON.").format(line=number))
    if not isinstance(value, dict):
        return ScriptProblem(number, _("Line {line} of the script is no JSON object.").format(line=number))
    kind = next((key for key in ("answer", "intent", "passed") if key in value), None)
    if kind is None:
        message = _("Line {line} of the script has neither “answer” nor “intent” nor “passed”.")
        return ScriptProblem(number, message.format(line=number))
    keys = {"answer": _ANSWER_KEYS, "intent": _INTENT_KEYS, "passed": _VALIDATOR_KEYS}[kind]
    unknown = next((key for key in value if key not in keys), None)
    if unknown is not None:
        message = _("Line {line} of the script: “{key}” has no place beside “{kind}”.")
        return ScriptProblem(number, message.format(line=number, key=unknown, kind=kind))
    wrong = next((key for key in value if not _fits(key, value[key])), None)
    if wrong is not None:
        message = _("Line {line} of the script: the value of “{key}” is of the wrong type.")
        return ScriptProblem(number, message.format(line=number, key=wrong))
    return _made(number, kind, value)


def _fits(key: str, value: JsonValue) -> bool:
    if key == "answer":
        return True
    if key in {"verdict", "passed", "recoverable"}:
        return isinstance(value, bool)
    if key == "texts":
        return isinstance(value, list) and all(isinstance(text, str) for text in value)
    return isinstance(value, str)


def _made(number: int, kind: str, value: dict[str, Any]) -> ScriptLine:
    if kind == "passed":
        return ScriptValidated(
            number, value.get("validator"), value["passed"], value.get("error", ""), value.get("recoverable", True)
        )
    pick = Pick(value["intent"], value.get("case"), value.get("target")) if kind == "intent" else None
    texts = tuple(value.get("texts", ()))
    return ScriptAnswer(number, value.get("step"), value.get("answer"), pick, texts, value.get("verdict", False))
