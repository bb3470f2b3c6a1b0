"""Makes texts small by leaving out whatever isn't needed for a failure: delta debugging, greedily."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic

Fails = Callable[[Mapping[str, str]], bool]
_SMALL = 4000  # characters of a text that is worth trying letter by letter


def shrunk(files: Mapping[str, str], fails: Fails, seconds: float) -> dict[str, str]:
    """The smallest files found in the time that still fail: files, lines and characters left out."""
    end = monotonic() + seconds
    left = dict(files)

    def still(trial: Mapping[str, str]) -> bool:
        return monotonic() < end and fails(trial)

    names = _fewer(list(left), lambda kept: still({name: left[name] for name in kept}))
    left = {name: left[name] for name in names}
    before = None
    while before != left and monotonic() < end:
        before = dict(left)
        for name in left:
            left[name] = _shorter(left[name], partial(_fails_with, still, left, name))
    return left


def _fails_with(fails: Fails, files: Mapping[str, str], name: str, text: str) -> bool:
    return fails({**files, name: text})


def _shorter(text: str, fails: Callable[[str], bool]) -> str:
    if text and fails(""):
        return ""
    text = "".join(_fewer(text.splitlines(keepends=True), lambda lines: fails("".join(lines))))
    if len(text) > _SMALL:
        return text
    return "".join(_fewer(list(text), lambda letters: fails("".join(letters))))


def _fewer(parts: Sequence[str], fails: Callable[[Sequence[str]], bool]) -> list[str]:
    """The parts without those that can be left out, in pieces that become smaller."""
    kept = list(parts)
    size = len(kept)
    while size > 0:
        at = 0
        while at < len(kept):
            trial = kept[:at] + kept[at + size :]
            if len(trial) < len(kept) and fails(trial):
                kept = trial
            else:
                at += size
        size //= 2
    return kept
