"""Which releases of TAKT load a file, and what each of them drops of it.

One walk over the file answers for all releases: every note holds the set of releases for which it is so. A list of
movements is checked for the releases that read it (`movements` and `steps` can be in one file).
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from stepflow_gui.formats.takt.releases.graph import hold_graph
from stepflow_gui.formats.takt.releases.notes import (
    GIVEN_TWICE,
    T_036,
    UNKNOWN,
    UNKNOWN_KEY,
    Notes,
    Path,
    ReleaseNote,
    Surroundings,
)
from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases, before, between
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.formats.takt.releases.steps import hold_steps
from stepflow_gui.formats.takt.releases.top import hold_top
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.pointer import split

if TYPE_CHECKING:
    from stepflow_gui.text.yaml.tree import YamlTree  # which loads the library

_WORDS = ("steps", "movements")
_LISTS: tuple[Path, ...] = ((), *((word,) for word in _WORDS))
_BOTH_WORDS = between("0.34.0", "0.35.4")


class HeldAgainstReleases:
    """How all releases read a file: refusals and dropped keys, with the releases of each."""

    __slots__ = ("_at", "_range", "dropped", "refused")

    def __init__(self, refused: Iterable[ReleaseNote], dropped: Iterable[ReleaseNote]) -> None:
        self.refused = tuple(refused)
        self.dropped = tuple(dropped)
        self._range: Releases | None = None
        self._at: dict[Path, list[Releases]] | None = None

    @property
    def loads(self) -> Releases:
        """The releases that load the file and start a run with it."""
        return ALL & ~_any(self.refused)

    @property
    def reads_all(self) -> Releases:
        """The releases that load the file and drop nothing of it."""
        return self.loads & ~_any(self.dropped)

    @property
    def range(self) -> Releases:
        """The releases that the file is for: those that load it and drop the least of it, its mistakes left out.

        Where none loads it, those that refuse the least of it; none where it has no steps, or its text isn't YAML.
        """
        if self._range is None:
            refused = [note for note in self.refused if not note.mistake]
            dropped = [note for note in self.dropped if not note.mistake and note.reason != GIVEN_TWICE]
            known = ALL & ~_any(note for note in self.refused if note.path in _LISTS)
            loading, drops = _least(dropped, known & ~_any(refused))
            nearest, faults = _least((*refused, *dropped), known)
            # One word that a release refuses doesn't make the file one for others, which drop far more of it.
            self._range = loading if loading and drops <= faults + 1 else nearest
        return self._range

    def among(self, wanted: Releases | None) -> Releases:
        """Those of the wanted releases that load the file; its own range where there are none, or all are wanted."""
        return self.range if wanted is None else self.loads & wanted or self.range

    def contradicts(self, wanted: Releases | None) -> bool:
        """Whether releases load the file, and of the wanted ones none does."""
        return wanted is not None and bool(self.loads) and not self.loads & wanted

    def refusing(self, path: Path) -> Releases:
        """The releases that refuse the file because of a value at a path, or because it is missing."""
        return self._by_path(path)[0]

    def refusing_key(self, path: Path) -> Releases:
        """The releases that refuse the file because of the key at a path, or the form of its value."""
        return self._by_path(path)[1]

    def refusing_value(self, path: Path) -> Releases:
        """The releases that refuse the file because of the value at a path."""
        return self._by_path(path)[2]

    def dropping(self, path: Path) -> Releases:
        """The releases that drop what is at a path."""
        return self._by_path(path)[3]

    def _by_path(self, path: Path) -> tuple[Releases, ...]:
        if self._at is None:
            self._at = {}
            for note in self.refused:
                by_key = note.reason in {UNKNOWN_KEY, *note.path[-1:]}
                self._note(note, (0, 1 if by_key else 2))
            for note in self.dropped:
                if note.reason != GIVEN_TWICE:  # it is read anyway
                    self._note(note, (3,))
        return tuple(self._at.get(path, _NOTHING))

    def _note(self, note: ReleaseNote, places: tuple[int, ...]) -> None:
        assert self._at is not None
        found = self._at.setdefault(note.path, [*_NOTHING])
        for place in places:
            found[place] |= note.releases

    def refusals_by(self, release: Releases) -> list[ReleaseNote]:
        """Why releases refuse the file; an empty list where they load it."""
        return [note for note in self.refused if note.releases & release]

    def dropped_by(self, release: Releases) -> list[ReleaseNote]:
        """What releases that load the file drop of it."""
        return [note for note in self.dropped if note.releases & release & self.loads]


_NOTHING = (NONE, NONE, NONE, NONE)


def _any(notes: Iterable[ReleaseNote]) -> Releases:
    """The releases to which any note applies."""
    found = NONE
    for note in notes:
        found |= note.releases
    return found


def _least(notes: Iterable[ReleaseNote], among: Releases) -> tuple[Releases, int]:
    """Those of some releases to which the fewest notes apply, and how many these are."""
    alike = Counter(note.releases & among for note in notes)  # few: notes of a key are for the same releases
    counts: dict[int, Releases] = {}
    for at in range(among.bit_length()):
        if among >> at & 1:
            count = sum(times for releases, times in alike.items() if releases >> at & 1)
            counts[count] = counts.get(count, NONE) | 1 << at
    fewest = min(counts, default=0)
    return counts.get(fewest, NONE), fewest


@lru_cache(maxsize=8)  # rules, fixes and reports ask about the same few files
def held_against_releases(tree: JsonTree, around: Surroundings = UNKNOWN) -> HeldAgainstReleases:
    """What every release does with a file."""
    notes = Notes(around)
    root: JsonValue = tree.root.value if tree.root is not None else None
    if [problem for problem in tree.problems if problem.kind != "empty"]:
        notes.mistake("yaml", (), ALL)
    elif not isinstance(root, dict):
        notes.mistake("type", (), ALL)
    else:
        for duplicate in tree.duplicates():
            notes.mistake("yaml", tuple(split(duplicate.pointer)), ALL)
        hold_root(notes, root)
    return HeldAgainstReleases(tuple(notes.refused), tuple(notes.dropped))


def held_with_key(root: dict[str, JsonValue], key: str, word: str) -> HeldAgainstReleases:
    """What every release does with a file in which a key at the top is another word."""
    notes = Notes(UNKNOWN)
    hold_root(notes, {word if each == key else each: value for each, value in root.items()})
    return HeldAgainstReleases(notes.refused, notes.dropped)


def hold_root(notes: Notes, root: dict[str, JsonValue]) -> None:
    """Note how releases read the value of a whole file."""
    hold_top(notes, root)
    for key, active in _lists(root):
        steps = root.get(key)
        if not isinstance(steps, list) or not steps:
            notes.refuse("type", (key,), active)
            continue
        hold_steps(notes, root, steps, (key,), active)
        hold_graph(notes, root, steps, (key,), active)


def _lists(root: dict[str, JsonValue]) -> list[tuple[str, Releases]]:
    """The keys under which releases look for movements."""
    of_steps = before("0.4.0") | T_036
    of_movements = between("0.4.0", "0.33.2")
    if "movements" in root:
        return [("steps", of_steps), ("movements", of_movements | _BOTH_WORDS)]
    return [("steps", of_steps | _BOTH_WORDS), ("movements", of_movements)]


class ReleaseGuard:
    """Reports which releases, of those that a file is for, a change of it harms: they refuse it, or drop more."""

    def __init__(self, before: "YamlTree", runtime: str | None = None) -> None:
        self._before = held_against_releases(before)
        self._list = _list_word(before)
        self._wanted = releases_of_runtime(runtime)
        self._concerned = self._before.among(self._wanted)
        self._dropped = _at_least(self._before)

    def harmed(self, after: "YamlTree") -> Releases:
        """The releases that the file with this text is worse for."""
        now = held_against_releases(after)
        worse = self._concerned & ((self._before.loads & ~now.loads) | self._more_dropped(now))
        if worse and _list_word(after) != self._list and self._is_for_other_word(now):
            return NONE
        return NONE if worse and self._wanted is None and self._is_mended(now, worse) else worse

    def _is_for_other_word(self, now: HeldAgainstReleases) -> bool:
        """Whether the file is read, with its list under another word, by those that it is for, and wasn't before."""
        if self._wanted is None:
            return bool(now.reads_all) and not self._before.reads_all
        return bool(now.loads & self._wanted) and not self._before.loads & self._wanted

    def _is_mended(self, now: HeldAgainstReleases, worse: Releases) -> bool:
        """Whether releases are worse off only by what no release read before, and some read all of the file now.

        That stood below a misspelt key: releases that refuse it aren't those that the file is for.
        """
        left = {note.path for note in now.dropped if note.mistake}
        mended = [note.path[:-1] for note in self._before.dropped if note.mistake and note.path not in left]
        known = {(note.reason, note.path) for note in (*self._before.refused, *self._before.dropped)}
        new = [note for note in (*now.refused, *now.dropped) if (note.reason, note.path) not in known]
        return (
            bool(now.reads_all)
            and not self._before.reads_all
            and all(
                any(note.path[: len(at)] == at and len(note.path) > len(at) + 1 for at in mended)
                for note in new
                if note.releases & worse
            )
        )

    def _more_dropped(self, now: HeldAgainstReleases) -> Releases:
        """The releases that drop more keys of objects of a kind than before, wherever they stand: lists may move."""
        more = NONE
        for kind, counted in _at_least(now).items():
            known = self._dropped.get(kind, [])
            for number, releases in enumerate(counted):
                more |= releases & ~(known[number] if number < len(known) else NONE)
        return more


def _list_word(tree: "YamlTree") -> list[str]:
    """The words of a file for its list of movements."""
    root = tree.root.value if tree.root is not None else None
    return [word for word in _WORDS if word in root] if isinstance(root, dict) else []


def harmed(before: "YamlTree", after: "YamlTree") -> Releases:
    """The releases, of those that a file is for, that a change of it harms."""
    return ReleaseGuard(before).harmed(after)


def _at_least(held: HeldAgainstReleases) -> dict[tuple[str, ...], list[Releases]]:
    """By each kind of objects, the keys above them: the releases that drop one key or more, two or more, and so on."""
    counted: dict[tuple[str, ...], list[Releases]] = {}
    for note in held.dropped:
        levels = counted.setdefault(tuple(part for part in note.path[:-1] if isinstance(part, str)), [])
        left = note.releases
        for number, releases in enumerate(levels):
            levels[number], left = releases | left, releases & left
        if left:
            levels.append(left)
    return counted
