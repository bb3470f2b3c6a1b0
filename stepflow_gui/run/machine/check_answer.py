"""The answer to a check: whether it reports success of the step, read as upstream reads it (runtime-semantics 14)."""

import re
from typing import Literal, NamedTuple

from stepflow_gui.formats.checks.runners import PASSING
from stepflow_gui.run.javascript.values import ABSENT, trimmed
from stepflow_gui.run.machine.answer_text import json_of
from stepflow_gui.text.json.tree import JsonValue

Where = Literal["value", "fence", "whole", "words", "nowhere"]
_FENCE = re.compile(r"```json\s*(.*?)\s*```", re.DOTALL)
_WORDS = {
    True: ('"result": "ok"', '"result":"ok"', "result: ok"),
    False: ('"result": "ng"', '"result":"ng"', "result: ng"),
}


class CheckAnswer(NamedTuple):
    """What a check's answer means.

    `where` it was found: in a value that was given as such, a fenced block, the whole text, words of the text, or
    nowhere, which is a failure. `raw` is the value of `result`.
    """

    passed: bool
    message: str = ""
    where: Where = "value"
    raw: JsonValue = ABSENT


def read_check(answer: JsonValue, texts: tuple[str, ...] | None) -> CheckAnswer:
    """Read an answer: the value where one was given, else the last of the texts."""
    if answer is not None:
        return _of_value(answer, "value")
    text = texts[-1] if texts else ""
    fence = _FENCE.search(text)
    fenced = json_of(trimmed(fence[1])) if fence else ABSENT
    if fenced is not ABSENT:
        return _of_value(fenced, "fence")
    whole = json_of(trimmed(text))
    if whole is not ABSENT:
        return _of_value(whole, "whole")
    lowered = text.lower()
    for passed, words in _WORDS.items():
        if any(word in lowered for word in words):
            return CheckAnswer(passed, trimmed(text), "words", "ok" if passed else "ng")
    return CheckAnswer(passed=False, message=trimmed(text), where="nowhere")


def _of_value(value: JsonValue, where: Where) -> CheckAnswer:
    if not isinstance(value, dict):
        return CheckAnswer(passed=False, where=where)
    result, message = value.get("result", ABSENT), value.get("message")
    passed = result is True or (isinstance(result, str) and result in PASSING)
    return CheckAnswer(passed, message if isinstance(message, str) else "", where, result)
