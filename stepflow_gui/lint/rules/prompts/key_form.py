"""What a fallback key looks like, and which phase it is for."""

import re

_FORM = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
PHASES = ("initial", "continuation", "closure")
_SUFFIX = "default"


def is_well_formed(key: str) -> bool:
    """Whether the key is made of words in lower case joined by underscores."""
    return _FORM.fullmatch(key) is not None


def phase_of(key: str) -> str | None:
    """The phase that a key names, in front or before its last word; None where it names none."""
    words = key.split("_")
    if words[0] in PHASES:
        return words[0]
    if len(words) > 2 and words[-1] == _SUFFIX and words[-2] in PHASES:
        return words[-2]
    return None
