"""Sets of releases of TAKT, and the rows of the table as such sets.

A set is one number with a bit for each release (`RELEASES[0]` is the lowest): a file is held against all of them at
once, with `&` and `|`.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from stepflow_gui.formats.takt.releases.table import KEYS, RELEASES, VALUES
from stepflow_gui.messages import _

Releases = int
HEAD = RELEASES[-1]

_INDEX = {name: index for index, name in enumerate(RELEASES)}
NONE: Releases = 0
ALL: Releases = (1 << len(RELEASES)) - 1


class Row(NamedTuple):
    """The releases that read a key or value, that drop it silently, and that refuse the file because of it."""

    read: Releases
    dropped: Releases
    refused: Releases


@cache
def since(release: str) -> Releases:
    """That release and all after it. Raises KeyError for a name that is none."""
    return ALL & ~((1 << _INDEX[release]) - 1)


@cache
def between(first: str, last: str) -> Releases:
    """The releases from the first to the last, both included."""
    return since(first) & ((1 << (_INDEX[last] + 1)) - 1)


def before(release: str) -> Releases:
    """All releases before that one."""
    return ALL & ~since(release)


def names(releases: Releases) -> tuple[str, ...]:
    """The names of the releases of a set, oldest first."""
    return tuple(name for index, name in enumerate(RELEASES) if releases >> index & 1)


def newest_of(releases: Releases) -> str:
    """The name of the newest release of a set. Raises ValueError for the empty one."""
    if not releases:
        raise ValueError
    return RELEASES[releases.bit_length() - 1]


def runs(releases: Releases) -> Iterator[tuple[str, str]]:
    """A set as ranges of releases that follow each other: the first and the last of each."""
    first = None
    for index, name in enumerate(RELEASES):
        if releases >> index & 1 and first is None:
            first = name
        if first is not None and not releases >> (index + 1) & 1:
            yield first, name
            first = None


def written(releases: Releases) -> str:
    """A set as people read it: `0.12.0–0.29.0, 0.34.0`; "" for the empty one."""
    return ", ".join(first if first == last else f"{first}–{last}" for first, last in runs(releases))


def named(releases: Releases) -> str:
    """A set as a name of the program: `TAKT 0.12–0.29`; "" for the empty one."""
    return f"TAKT {spoken(releases)}" if releases else ""


def spoken(releases: Releases) -> str:
    """A set as people call it, patches only where not all are in it: `0.12–0.29, 0.36+`; "" for the empty one.

    The newest revision, which no release has yet, is `after 0.60` where no release is with it.
    """
    ranges = []
    for first, last in runs(releases):
        start, end = _whole_minor(first, first=True), _whole_minor(last, first=False)
        if first == HEAD:
            ranges.append(_("after {release}").format(release=_whole_minor(RELEASES[-2], first=False)))
        elif last == HEAD:
            ranges.append(f"{start}+")
        elif first == last:  # one of several releases of a minor version is called as a whole
            ranges.append(start if start == end else first)
        else:
            ranges.append(start if start == end else f"{start}–{end}")
    return ", ".join(ranges)


def minors_of(releases: Releases) -> tuple[str, ...]:
    """The minor versions of which a set has the newest release, oldest first: `0.27`."""
    newest = {".".join(name.split(".")[:2]): name for name in RELEASES[:-1]}
    return tuple(minor for minor, name in newest.items() if releases >> _INDEX[name] & 1)


def _whole_minor(release: str, *, first: bool) -> str:
    """The minor version of a release that is the first or the last of it; other releases as they are."""
    minor = ".".join(release.split(".")[:2])
    of_it = [name for name in RELEASES if name.startswith(f"{minor}.")]
    return minor if of_it and release == of_it[0 if first else -1] else release


@cache
def row(level: str, key: str) -> Row | None:
    """The row of a key at a level (`top`, `step`, `sub`, `rule`, `monitor`, `judge` …), None where there is none."""
    text = KEYS.get(level, {}).get(key)
    return _row(text) if text is not None else None


@cache
def key_row(level: str, key: str) -> Row | None:
    """The row of a key whatever its value; of one that has rows for its forms alone, what they have in common."""
    found = row(level, key)
    if found is not None:
        return found
    forms = [
        _row(text)
        for name, text in KEYS.get(level, {}).items()
        if name.startswith((f"{key}: ", f"{key} ", f"{key}.")) or key in name.split(" / ")
    ]
    if not forms:
        return None
    read, dropped, refused = NONE, NONE, ALL
    for form in forms:
        read, dropped, refused = read | form.read, dropped | form.dropped, refused & form.refused
    return Row(read, dropped & ~read, refused)


@cache
def value_row(key: str, value: str) -> Row | None:
    """The row of a value of a key that allows only some (`step.session`); None where no release allows it."""
    text = VALUES[key].get(value)
    return _row(text) if text is not None else None


def _row(text: str) -> Row:
    found = {"read": NONE, "dropped": NONE, "refused": NONE, "absent": NONE}
    entries = [entry.split() for entry in text.split(", ")]
    for index, (what, first) in enumerate(entries):
        until = since(entries[index + 1][1]) if index + 1 < len(entries) else NONE
        found[what] |= since(first) & ~until
    return Row(found["read"], found["dropped"], found["refused"])
