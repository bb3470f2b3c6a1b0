"""Upstream's verdict handlers: what was reported to each, and whether it calls the run finished (semantics 11).

A handler receives an iteration from the runner, or only when it builds a prompt itself, depending on the era.
"""

import json
import re
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.javascript.values import ABSENT, trimmed, value_at
from stepflow_gui.run.machine.answer_text import json_of
from stepflow_gui.run.machine.verdict import DEFAULT_CHECKS, DEFAULT_KEYWORD, Verdict
from stepflow_gui.text.json.tree import JsonValue

_ALWAYS_TOLD = frozenset({"detect:graph", "poll:state"})
_KEEPING = frozenset({"count:iteration", "detect:graph", "poll:state"})
_HANDLER_LIMIT = 100  # of count:iteration where nothing is configured
_DEEPEST = 20  # composites inside composites


class HandlerMemory(NamedTuple):
    """What a handler knows of the iterations so far."""

    iteration: int = 0
    summaries: int = 0  # how many it was handed
    answer: JsonValue = None
    texts: tuple[str, ...] = ()
    outside: bool = False  # the state outside that poll:state or meta:custom asks for holds
    latest: str | None = None  # the verdict in the summary that it was handed last
    closing: str | None = None  # the verdict in the last answer of a closure at the boundary that had one

    def summary(
        self, answer: JsonValue, texts: tuple[str, ...] | None, outside: bool = False, iteration: int | None = None
    ) -> "HandlerMemory":
        """With the summary of another iteration at hand; `iteration` None: its number isn't reported."""
        number, summaries, _answer, _texts, _outside, latest, closing = self
        number = number if iteration is None else iteration
        return HandlerMemory(number, summaries, answer, texts or (), outside, latest, closing)

    def handed(self) -> "HandlerMemory":
        """After the summary at hand was given to the handler, to ask it whether the run is finished."""
        return self._replace(summaries=self.summaries + 1, latest=_verdict_in(self.answer))

    def at_boundary(self, answer: JsonValue) -> "HandlerMemory":
        """After the boundary hook of a closure step with that answer."""
        return self._replace(closing=_verdict_in(answer) or self.closing)


def has_text(texts: tuple[str, ...] | None, failed: str | None) -> bool:
    """Whether the model wrote a text; an answer without texts counts as having one."""
    return failed is None if texts is None else any(texts)


NOTHING_REPORTED = HandlerMemory()


def is_finished(verdict: Verdict, reported: HandlerMemory, prompted: HandlerMemory, era: Era) -> bool:
    """Whether the handler calls the run finished.

    `reported` is what the runner can have reported to it, `prompted` what came with the last prompt it built.
    """
    if verdict.type == "meta:composite":
        return _composite(verdict, prompted, era, 0)
    seen = reported if era.reports_summaries or verdict.type in _ALWAYS_TOLD else prompted
    counted = reported.iteration or prompted.iteration
    return _finished(verdict, seen._replace(iteration=counted, outside=reported.outside), era)


def kept_verdict(verdict: Verdict, reported: HandlerMemory, era: Era) -> str | None:
    """The verdict that the handler reports at the end: that of the boundary; a count also takes it from the summary."""
    if not era.keeps_verdict or verdict.type not in _KEEPING:
        return None
    return reported.closing or (reported.latest if verdict.type == "count:iteration" else None)


def _verdict_in(answer: JsonValue) -> str | None:
    found = answer.get("verdict") if isinstance(answer, dict) else None
    return found if isinstance(found, str) and found else None


def _composite(verdict: Verdict, prompted: HandlerMemory, era: Era, depth: int) -> bool:
    """Only the first member receives anything: what came with a prompt that it built."""
    members = verdict.members
    found = [
        _composite(member, seen, era, depth + 1)
        if member.type == "meta:composite" and depth < _DEEPEST
        else _finished(member, seen, era)
        for member, seen in zip(members, [prompted, *[NOTHING_REPORTED] * len(members)], strict=False)
    ]
    return all(found) if verdict.config.get("operator") == "and" else any(found)


def _finished(verdict: Verdict, seen: HandlerMemory, era: Era) -> bool:
    match verdict.type:
        case "count:iteration":
            return seen.iteration >= verdict.number("maxIterations", _HANDLER_LIMIT)
        case "count:check":
            return seen.summaries >= verdict.number("maxChecks", DEFAULT_CHECKS)
        case "detect:keyword":
            keyword = verdict.config.get("verdictKeyword")
            keyword = keyword if isinstance(keyword, str) and keyword else DEFAULT_KEYWORD
            return any(keyword in text for text in seen.texts)
        case "detect:structured":
            return _signalled(verdict, seen, era)
        case "detect:graph":
            return _completed(seen.answer, era)
    return seen.outside


def _completed(answer: JsonValue, era: Era) -> bool:
    if not isinstance(answer, dict):
        return False
    if answer.get("status") == "completed" or answer.get("complete") is True:
        return True
    return not era.reports_summaries and value_at(answer, "next_action.action") == "complete"


def _signalled(verdict: Verdict, seen: HandlerMemory, era: Era) -> bool:
    wanted = verdict.config.get("signalType")
    required = verdict.config.get("requiredFields")
    if isinstance(required, list) and not era.reports_summaries:
        required = None
    answer = seen.answer if isinstance(seen.answer, dict) else None
    if not isinstance(wanted, str):
        return False
    fenced = any(f"```{wanted}" in text for text in seen.texts)
    if answer is not None:
        verdict_field = wanted in (answer.get("type"), answer.get("signal"))
        ended = answer.get("status") == "completed" or answer.get("result") == "complete"
        return (verdict_field or ended or fenced) and _has(answer, required)
    if not fenced:
        return False
    block = next((value for text in seen.texts for value in _fences(wanted, text)), None)
    return not required if block is None else _has(block, required)


def _fences(wanted: str, text: str) -> list[dict[str, JsonValue]]:
    blocks = re.findall(rf"```{re.escape(wanted)}[^\n]*\n(.*?)```", text, re.DOTALL)
    values = (json_of(trimmed(block)) for block in blocks)
    return [value for value in values if isinstance(value, dict)]


def _has(answer: dict[str, JsonValue], required: JsonValue) -> bool:
    if isinstance(required, list):
        return all(name in answer for name in required if isinstance(name, str))
    if isinstance(required, dict):
        return all(_same(answer.get(name, ABSENT), value) for name, value in required.items())
    return True


def _same(value: JsonValue, wanted: JsonValue) -> bool:
    if isinstance(value, dict | list) and isinstance(wanted, dict | list):
        return json.dumps(value) == json.dumps(wanted)
    return isinstance(value, bool) is isinstance(wanted, bool) and value == wanted
