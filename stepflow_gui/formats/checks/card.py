"""The parts of a step's check shown in a picture: its prompt, and the words that its answer may use."""

from collections.abc import Iterable
from typing import Literal

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.vocabulary import INTENTS

Outcome = Literal["", "passed", "failed", "fallback"]
"""After a check that passed, failed, or failed and goes back; empty where there is none, or several."""
_OUTCOMES: dict[str, Outcome] = {"pass": "passed", "fail": "failed", "retry": "failed", "fallback": "fallback"}
_PLAIN = "default"
_UNSAID = "–"


def check_line(step: Step) -> str:
    """The check in one line, as `checks/step/analyze · ok|ng`; empty for a step without one."""
    check = step.raw.get("check")
    if not isinstance(check, dict):
        return ""
    words = check.get("responseFormat")
    result = words.get("result") if isinstance(words, dict) else None
    parts = [_prompt(check.get("prompt")), result if isinstance(result, str) else ""]
    return " · ".join(part for part in parts if part)


def ports_of(step: Step) -> tuple[str, ...]:
    """The transitions that can be drawn from a step with a check; () for one without."""
    return INTENTS if isinstance(step.raw.get("check"), dict) and step.gate is None else ()


def outcome_after(intents: Iterable[str]) -> Outcome:
    """The outcome after which an edge of these transitions is taken."""
    found = {_OUTCOMES.get(intent, "") for intent in intents}
    if found == {"failed", "fallback"}:
        return "failed"
    return found.pop() if len(found) == 1 else ""


def _prompt(prompt: object) -> str:
    if not isinstance(prompt, dict):
        return _UNSAID
    path = prompt.get("path")
    if isinstance(path, str) and path:
        return path
    parts = [prompt.get(key) for key in ("c1", "c2", "c3")]
    named = "/".join(part for part in parts if isinstance(part, str) and part) or _UNSAID
    special = [prompt.get(key) for key in ("edition", "adaptation")]
    return "_".join([named, *(each for each in special if isinstance(each, str) and each not in {"", _PLAIN})])
