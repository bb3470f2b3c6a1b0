"""Which fallback key somebody most likely meant by a badly formed one."""

import re
from collections.abc import Callable, Collection, Iterable

from stepflow_gui.flow.model import Step

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINT = re.compile(r"[^a-z0-9]+")

Nearest = Callable[[str, str, Iterable[str]], str | None]


def key_meant(key: str, step: Step, known: Collection[str], nearest: Nearest) -> str | None:
    """A key of the table where one fits, else the same words joined by underscores; None where no word is left."""
    spelled = _HUMP.sub("_", key).lower().lstrip("0123456789")  # a key begins with a letter
    words = [word for word in _JOINT.split(spelled) if word]
    plain = "_".join(words)
    guesses = [plain, *_guesses(words)]
    if not words:
        guesses = _guesses(_JOINT.split(step.id.lower()))
    found = next((guess for guess in guesses if guess in known), None)
    return found or (plain and nearest("SF501", plain, known)) or plain or None


def _guesses(words: list[str]) -> list[str]:
    """The keys of closures name their phase in the middle: closure.issue has issue_closure_default."""
    phase, rest = (words[0], words[1:]) if words else ("", [])
    return ["_".join(words), "_".join([*rest, phase, "default"])]
