"""Releases of TAKT as the setting `runtime` names them: `takt-0.27`, `takt-0.12..0.35`, `takt-latest`, `takt-head`."""

import re
from functools import cache

from stepflow_gui.formats.takt.releases.sets import Releases, between
from stepflow_gui.formats.takt.releases.table import RELEASES

PREFIX, LATEST, HEAD = "takt-", "latest", "head"
_OF_DATES = {"2026-02-07": "0.8.0-alpha.1", "2026-08-23": HEAD}  # runners that are named by their revision's date
_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6})(?:-(alpha|rc)\.?(\d{1,6}))?)?", re.ASCII)
_LAST = 10**9  # after every patch

Order = tuple[int, int, int, int]


@cache
def releases_of_runtime(runtime: str | None) -> Releases | None:
    """The releases that a runtime names; None for one that is not a release of TAKT.

    `0.27` is the newest release of that minor version. A number that isn't known is the release before it, of one after
    all that are known the newest (`newer_than_known`). A date is the release that has the format of that day.
    """
    if runtime is None or not runtime.startswith(PREFIX):
        return None
    first, dots, last = runtime.removeprefix(PREFIX).partition("..")
    end = _release(last if dots else first)
    start = _release(first, oldest=True) if dots else end
    if start is None or end is None or RELEASES.index(start) > RELEASES.index(end):
        return None
    return between(start, end)


def runtime_meant(word: str) -> str | None:
    """The runtime that a word which is none most likely stands for; None where it has no version in it.

    It is the versions of the word, in the order of time.
    """
    versions = [found[0] for found in _VERSION.finditer(word)][:2]
    if not versions:
        return None
    versions.sort(key=lambda text: _order(text, _LAST) or (0, 0, 0, 0))
    name = PREFIX + "..".join(versions)
    return name if releases_of_runtime(name) is not None else PREFIX + LATEST


def newer_than_known(runtime: str | None) -> bool:
    """Whether a runtime names a release after all that are known: the newest known one stands for it."""
    last = (runtime or "").removeprefix(PREFIX).rpartition("..")[2]
    order, newest = _order(last, 0), _order(RELEASES[-2], 0)
    return order is not None and newest is not None and order[:2] > newest[:2]


def _release(text: str, *, oldest: bool = False) -> str | None:
    """The release of a name; of those of a minor version the newest, or the oldest."""
    released = RELEASES[:-1]
    text = _OF_DATES.get(text, text)
    if text in RELEASES:
        return text
    if text in (LATEST, HEAD):
        return released[-1] if text == LATEST else RELEASES[-1]
    order = _order(text, _LAST)
    if order is None:
        return None
    if oldest and text.count(".") == 1:
        of_minor = [name for name in released if name.startswith(f"{text}.")]
        if of_minor:
            return of_minor[0]
    return max((name for name in released if (_order(name, 0) or order) <= order), key=released.index, default=None)


def _order(text: str, patch: int) -> Order | None:
    """How a version stands among others; `patch` is that of a version that names none."""
    found = _VERSION.fullmatch(text)
    if found is None:
        return None
    major, minor, given, _kind, number = found.groups()
    return int(major), int(minor), patch if given is None else int(given), _LAST if number is None else int(number)
