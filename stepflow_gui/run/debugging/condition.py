"""Conditions of breakpoints: `visit >= 3 and handoff.x is missing or iteration == 9`. Nothing is evaluated."""

import json
import re
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.debugging.run_moment import RunMoment
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.text.json.tree import JsonValue

_TEST = re.compile(
    r"""\s*(?P<path>[^\s=!<>"]+)\s*
    (?:
        is\s+(?P<state>missing|present)
      | (?P<sign>==|!=|>=|<=|=|>|<|contains\b)\s*
        (?P<value>"(?:[^"\\]|\\.)*"|[^\s=<>!][^\s]*)
    )\s*""",
    re.VERBOSE,
)
_JOINED = re.compile(r"(?:and|(?P<other>or))\s", re.IGNORECASE)


class ConditionTest(NamedTuple):
    """One comparison: `sign` is one of == != >= <= > < contains missing present."""

    path: str
    sign: str
    value: JsonValue = None

    def holds(self, here: RunMoment) -> bool:
        """Whether it is true of a run now. Values that can't be compared are not."""
        found = here.value(self.path)
        match self.sign:
            case "missing":
                return found is ABSENT
            case "present":
                return found is not ABSENT
            case "==":
                return _same(found, self.value)
            case "!=":
                return not _same(found, self.value)
            case "contains":
                return _contains(found, self.value)
        return _ordered(found, self.sign, self.value)


class Condition(NamedTuple):
    """All tests of one alternative must hold. `text` is what the person wrote.

    `alternatives`: the places of tests, from 0, with which another alternative begins.
    """

    text: str
    tests: tuple[ConditionTest, ...]
    alternatives: tuple[int, ...] = ()

    def holds(self, here: RunMoment) -> bool:
        """Whether it is true of a run now."""
        ends = (*self.alternatives, len(self.tests))
        parts = zip((0, *self.alternatives), ends, strict=True)
        return any(all(test.holds(here) for test in self.tests[start:end]) for start, end in parts)


class ConditionProblem(NamedTuple):
    """Why a text is not a condition. `at`: the character, from 0, from which on it can't be read."""

    at: int
    message: str


def read_condition(text: str) -> Condition | ConditionProblem:
    """A condition as a person writes it; an empty text always holds."""
    tests: list[ConditionTest] = []
    alternatives: list[int] = []
    at = 0
    while text[at:].strip():
        if tests:
            joined = _JOINED.match(text, at)
            if joined is None:
                return _problem(text, at)
            if joined["other"]:
                alternatives.append(len(tests))
            at = joined.end()
        found = _TEST.match(text, at)
        if found is None:
            return _problem(text, at)
        sign = found["state"] or ("==" if found["sign"] == "=" else found["sign"])
        tests.append(ConditionTest(found["path"], sign, None if found["state"] else _value(found["value"])))
        at = found.end()
    return Condition(text.strip(), tuple(tests), tuple(alternatives))


def _problem(text: str, at: int) -> ConditionProblem:
    at += len(text[at:]) - len(text[at:].lstrip())
    message = _("“{rest}” can't be read. A condition looks like “visit >= 3 and handoff.issue is missing”.")
    return ConditionProblem(at, message.format(rest=text[at : at + 40]))


def _value(written: str) -> JsonValue:
    """JSON where it is some, else the word itself, so that texts need no quotes."""
    try:
        value: JsonValue = json.loads(written)
    except ValueError:
        return written
    return value


def _same(found: JsonValue, wanted: JsonValue) -> bool:
    if found is ABSENT:
        return False
    if isinstance(found, bool) is not isinstance(wanted, bool):
        return False
    return found == wanted or (isinstance(found, str) and not isinstance(wanted, str) and found == json.dumps(wanted))


def _contains(found: JsonValue, wanted: JsonValue) -> bool:
    if isinstance(found, str):
        return (wanted if isinstance(wanted, str) else json.dumps(wanted)) in found
    return wanted in found if isinstance(found, list | dict) and not isinstance(wanted, list | dict) else False


def _ordered(found: JsonValue, sign: str, wanted: JsonValue) -> bool:
    if isinstance(found, bool) or isinstance(wanted, bool):
        return False
    if isinstance(found, int | float) and isinstance(wanted, int | float):
        difference = float(found) - float(wanted)
    elif isinstance(found, str) and isinstance(wanted, str):
        difference = (found > wanted) - (found < wanted)
    else:
        return False
    return {"<": difference < 0, ">": difference > 0, "<=": difference <= 0, ">=": difference >= 0}[sign]
