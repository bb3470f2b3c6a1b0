"""Makes texts small by leaving out whatever isn't needed for a failure: delta debugging, greedily."""

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any

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
    text = _with_fewer_members(text, fails)
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


def _with_fewer_members(text: str, fails: Callable[[str], bool]) -> str:
    """A JSON text without the members and elements that can be left out, the outer ones first."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for path in list(_paths(value)):
        trial = copy.deepcopy(value)
        if _removed(trial, path) and fails(json.dumps(trial, indent=1)):
            value, text = trial, json.dumps(trial, indent=1)
    return text


def _paths(value: Any) -> Iterator[tuple[Any, ...]]:
    """The keys to everything in a value, level by level; of a list the last elements first."""
    level: list[tuple[tuple[Any, ...], Any]] = [((), value)]
    while level:
        below: list[tuple[tuple[Any, ...], Any]] = []
        for path, holder in level:
            keys = list(holder) if isinstance(holder, dict) else []
            keys = list(reversed(range(len(holder)))) if isinstance(holder, list) else keys
            below += [((*path, key), holder[key]) for key in keys]
        yield from (path for path, _inner in below)
        level = below


def _removed(value: Any, path: tuple[Any, ...]) -> bool:
    """Whether there was something at the keys, which is gone now."""
    for key in path[:-1]:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return False
    try:
        del value[path[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True
