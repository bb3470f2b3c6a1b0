"""The lines of a script: what each defines of an answer, a validator or a program, and when it is its turn.

`{"step": "initial.issue", "answer": {…}}` answers with that JSON; `{"intent": "next"}`, with `case` for a conditional
transition and `target` for a jump, with one that means it; `"verdict": true` means that an external verdict holds;
`{"step": …, "failed": "…"}` lets the query itself fail. `{"validator": "git-clean", "passed": false, "error": "…"}` is
the result of a validator, `{"validator": "git-clean", "exitCode": 1, "stdout": "…"}` one that is still to be judged.
`{"step": "closure.merge", "exitCode": 0, "stdout": "…"}` is how the program of a closure step ended.
`{"step": "s_a8f3", "check": "ok", "message": "…"}` answers the check of a step: `ok`, `ng` or another word or value of
`result`; an object is the whole answer, null none, and `texts` beside null what the model wrote. The step itself needs
no line: it has run.

Lines are used in the order of the file, each `times` times (1 by default; "any": as long as it
fits). A line with `visit` (2, "2-4" or ">=3"; counted from 1, by step or validator) waits for that visit instead,
wherever it stands. `step` and `validator` are held against the run where they are given. Validators that the script
doesn't speak of pass, or are run where commands are run.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.machine.picks import Pick
from stepflow_gui.text.json.tree import JsonValue

ENDLESS = 1 << 62
_TURN = frozenset({"visit", "times"})
_KEYS = {
    "answer": _TURN | {"step", "answer", "verdict", "texts"},
    "intent": _TURN | {"step", "intent", "case", "target", "verdict", "texts"},
    "failed": _TURN | {"step", "failed", "texts"},
    "check": _TURN | {"step", "check", "message", "texts"},
    "passed": _TURN | {"validator", "passed", "error", "recoverable", "params"},
    "exitCode": _TURN | {"step", "validator", "exitCode", "stdout", "stderr"},
}
LINE_KEYS = frozenset().union(*_KEYS.values())
_VISITS = re.compile(r"(?P<least>>=)?\s*(?P<first>[1-9]\d{0,8})(?:\s*-\s*(?P<last>[1-9]\d{0,8}))?", re.ASCII)


class LineTurn(NamedTuple):
    """When a line is taken: `visits`, from and to, of its step or validator; None: in order, `times` times."""

    visits: tuple[int, int] | None = None
    times: int = 1


IN_ORDER = LineTurn()


class ScriptAnswer(NamedTuple):
    """A line that answers a step, with a JSON value or with what it is to mean. `line` counts from 1."""

    line: int
    step: str | None
    answer: JsonValue
    pick: Pick | None = None  # takes the place of `answer`
    texts: tuple[str, ...] | None = None
    verdict_reached: bool = False
    failed: str | None = None
    turn: LineTurn = IN_ORDER


class ScriptCheck(NamedTuple):
    """A line that answers the check of a step; `step` None: whichever's is asked."""

    line: int
    step: str | None
    answer: JsonValue
    texts: tuple[str, ...] | None = None
    turn: LineTurn = IN_ORDER


class ScriptValidated(NamedTuple):
    """The result of a validator in a script; `validator` None: whichever runs."""

    line: int
    validator: str | None
    passed: bool
    error: str = ""
    recoverable: bool = True
    params: Mapping[str, JsonValue] = {}
    turn: LineTurn = IN_ORDER


class ScriptOutput(NamedTuple):
    """The output of a command in a script: a validator's, or the program's of a closure step."""

    line: int
    validator: str | None
    step: str | None
    exit_code: int
    stdout: str = ""
    stderr: str = ""
    turn: LineTurn = IN_ORDER


ScriptLine = ScriptAnswer | ScriptCheck | ScriptValidated | ScriptOutput


class ScriptProblem(NamedTuple):
    """Why a script can't be used, and the line, from 1, that is to be corrected."""

    line: int
    message: str


def read_script(text: str) -> tuple[ScriptLine, ...] | ScriptProblem:
    """Read a script in JSON Lines, an object a line; blank ones are skipped. The first wrong line is reported."""
    values = json_lines(text)
    return values if isinstance(values, ScriptProblem) else read_lines(values)


def json_lines(text: str) -> list[tuple[int, JsonValue]] | ScriptProblem:
    """The values of JSON Lines with their line numbers."""
    found: list[tuple[int, JsonValue]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append((number, json.loads(line)))
        except (ValueError, RecursionError):
            return ScriptProblem(number, _("Line {line} of the script is not JSON.").format(line=number))
    return found


def read_lines(
    values: Iterable[tuple[int, JsonValue]], given: Mapping[str, JsonValue] | None = None
) -> tuple[ScriptLine, ...] | ScriptProblem:
    """Script lines from objects with their line numbers; `given` is added to each."""
    lines: list[ScriptLine] = []
    for number, value in values:
        found = _line(number, {**value, **given} if given and isinstance(value, dict) else value)
        if isinstance(found, ScriptProblem):
            return found
        lines.append(found)
    return tuple(lines)


def _line(number: int, value: JsonValue) -> ScriptLine | ScriptProblem:
    if not isinstance(value, dict):
        return ScriptProblem(number, _("Line {line} of the script is not a JSON object.").format(line=number))
    kind = next((key for key in _KEYS if key in value), None)
    if kind is None:
        message = _("Line {line} of the script has neither “answer” nor “intent” nor “passed”.")
        return ScriptProblem(number, message.format(line=number))
    unknown = next((key for key in value if key not in _KEYS[kind]), None)
    if unknown is not None:
        message = _("Line {line} of the script: “{key}” has no place beside “{kind}”.")
        return ScriptProblem(number, message.format(line=number, key=unknown, kind=kind))
    wrong = next((key for key in value if not _fits(key, value[key])), None)
    if wrong is not None:
        message = _("Line {line} of the script: the value of “{key}” is of the wrong type.")
        return ScriptProblem(number, message.format(line=number, key=wrong))
    turn = _turn(value)
    if isinstance(turn, str):
        return ScriptProblem(number, turn.format(line=number))
    return _made(number, kind, value, turn)


def _fits(key: str, value: JsonValue) -> bool:
    match key:
        case "answer":
            return True
        case "check":
            return isinstance(value, str | bool | dict) or value is None
        case "verdict" | "passed" | "recoverable":
            return isinstance(value, bool)
        case "texts":
            return isinstance(value, list) and all(isinstance(text, str) for text in value)
        case "params":
            return isinstance(value, dict)
        case "exitCode":
            return isinstance(value, int) and not isinstance(value, bool)
        case "visit" | "times":
            return isinstance(value, int | str) and not isinstance(value, bool)
    return isinstance(value, str)


def _turn(value: Mapping[str, JsonValue]) -> LineTurn | str:
    """When the line is taken; else what is wrong with it, with a place for the line."""
    visit, times = value.get("visit"), value.get("times")
    if times is not None and times != "any" and (not isinstance(times, int) or times < 1):
        return _("Line {line} of the script: “times” is a number from 1 on, or “any”.")
    if visit is None:
        return LineTurn(times=ENDLESS if times == "any" else times if isinstance(times, int) else 1)
    if times is not None:
        return _("Line {line} of the script: “times” and “visit” exclude each other; a visit may be “2-4” or “>=2”.")
    if not (value.get("step") or value.get("validator")):
        return _("Line {line} of the script: “visit” needs “step” or “validator”, whose visits it counts.")
    found = _VISITS.fullmatch(str(visit).strip())
    if found is None or (found["least"] and found["last"]):
        return _("Line {line} of the script: “visit” is a number from 1 on, “2-4” or “>=3”.")
    first = int(found["first"])
    return LineTurn((first, ENDLESS if found["least"] else int(found["last"] or first)))


def _made(number: int, kind: str, value: dict[str, JsonValue], turn: LineTurn) -> ScriptLine:
    text = {key: item for key, item in value.items() if isinstance(item, str)}
    if kind == "passed":
        params = value.get("params")
        return ScriptValidated(
            number,
            text.get("validator"),
            value["passed"] is True,
            text.get("error", ""),
            value.get("recoverable") is not False,
            params if isinstance(params, dict) else {},
            turn,
        )
    if kind == "exitCode":
        code = value["exitCode"]
        assert isinstance(code, int)
        streams = (text.get("stdout", ""), text.get("stderr", ""))
        return ScriptOutput(number, text.get("validator"), text.get("step"), code, *streams, turn)
    given = value.get("texts")
    texts = tuple(str(item) for item in given) if isinstance(given, list) else None
    if kind == "check":
        return ScriptCheck(number, text.get("step"), _judgement(value["check"], text.get("message")), texts, turn)
    pick = Pick(text["intent"], text.get("case"), text.get("target")) if kind == "intent" else None
    condition_met = value.get("verdict") is True
    return ScriptAnswer(
        number, text.get("step"), value.get("answer"), pick, texts, condition_met, text.get("failed"), turn
    )


def _judgement(judged: JsonValue, message: str | None) -> JsonValue:
    """The answer to a check that a line gives."""
    if judged is None or isinstance(judged, dict):
        return judged
    return {"result": judged} | ({"message": message} if message else {})
