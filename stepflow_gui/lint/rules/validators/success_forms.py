"""What is wrong with a `successWhen`, and what may have been meant (runtime-semantics 8)."""

import re
from typing import Literal

from stepflow_gui.formats.climpt.vocabulary import SUCCESS_WHEN

Fault = Literal["form", "number", "regex"]
"""Of no known form; an exit code that is no number; a regular expression that JavaScript refuses."""

# Compiled when they are needed: mistakes are rare, and a clean lint stays quick.
_INLINE_FLAGS = r"\(\?[a-zA-Z]+\)"
_NAMED_GROUP = r"\(\?<(?![=!])"
# What Python says of patterns that JavaScript refuses as well; of others it may only be Python that does.
_SHARED_MISTAKES = ("missing ), unterminated subpattern", "unbalanced parenthesis", "nothing to repeat")


def fault_of(value: str) -> Fault | None:
    """What keeps a check from ever passing; None where it can."""
    form, colon, rest = value.partition(":")
    if form + colon not in SUCCESS_WHEN:
        return "form"
    if form == "exitCode":
        return None if _begins_with_number(rest) else "number"
    return "regex" if form == "matches" and _is_refused(rest) else None


def _begins_with_number(text: str) -> bool:
    plain = text.strip()
    digit = plain[1:2] if plain[:1] in {"+", "-"} else plain[:1]
    return digit.isascii() and digit.isdecimal()


def _is_refused(pattern: str) -> bool:
    if re.search(_INLINE_FLAGS, pattern):
        return True
    if "[]" in pattern or "[^]" in pattern:  # JavaScript's empty classes, which Python reads otherwise
        return False
    try:
        re.compile(re.sub(_NAMED_GROUP, "(?P<", pattern))
    except re.error as error:
        return error.msg.startswith(_SHARED_MISTAKES)
    except (RecursionError, OverflowError):
        return False
    return False


def meant_by(value: str) -> str | None:
    """The form that somebody most likely meant; None where nothing says."""
    word, _colon, rest = value.strip().partition(":")
    plain = re.sub(r"[^a-z]", "", word.lower())
    if plain in {"empty", "isempty", "blank"}:
        return "empty"
    if plain in {"nonempty", "notempty"}:
        return r"matches:\S"
    if plain.startswith(("exit", "code", "status", "returncode")) or value.strip().isdecimal():
        found = re.search(r"\d+", value)
        return f"exitCode:{found[0]}" if found else "exitCode:0"
    if plain in {"success", "ok", "pass", "passed", "zero"}:
        return "exitCode:0"
    if plain in {"contain", "contains", "includes", "include"} and rest:
        return f"contains:{rest}"
    if plain in {"match", "matches", "regex", "regexp"} and rest:
        return f"matches:{rest}"
    return None
