"""Two JSON values compared: every field that differs, with its place on each side. Iterative: any depth."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.text.json.tree import JsonValue, kind_of
from stepflow_gui.text.json.values import equal_leaves
from stepflow_gui.text.pointer import join

_VARIABLE = re.compile(r"\{(\w+)\}")
Kind = Literal["added", "removed", "changed", "renamed"]
NO_RENAMES: Mapping[str, str] = {}


class FieldChange(NamedTuple):
    """One difference. A value that is wholly new or gone is one, however much it holds.

    The pointer is None on the side that has nothing there. `renamed` is a key whose name changed; what differs
    below it comes in changes of its own. `follows`: only because a step, or what a variable stands for, is named
    otherwise.
    """

    kind: Kind
    old_pointer: str | None
    new_pointer: str | None
    old: JsonValue = None
    new: JsonValue = None
    follows: bool = False

    @property
    def pointer(self) -> str:
        """Where it stands: on the new side, else on the old."""
        found = self.new_pointer if self.new_pointer is not None else self.old_pointer
        assert found is not None
        return found


class _Pair(NamedTuple):
    old_pointer: str
    new_pointer: str
    old: JsonValue
    new: JsonValue


def compare_values(
    old: JsonValue,
    new: JsonValue,
    renames: Mapping[str, str] = NO_RENAMES,
    *,
    words: Mapping[str, str] = NO_RENAMES,
    at: tuple[str, str] = ("", ""),
) -> list[FieldChange]:
    """The differences in the order of the new side; what is gone stands before its neighbours.

    The order of an object's keys, and how a number is written, make none. `renames` are names replaced by others,
    old to new: a key or a text that follows them is marked so. `words` are keys that mean what others do: where one
    stands in the place of the other, the key is renamed. `at` is where the values are.
    """
    found: list[FieldChange] = []
    signs = _Signs()
    stack: list[_Pair | FieldChange] = [_Pair(*at, old, new)]
    while stack:
        top = stack.pop()
        if isinstance(top, FieldChange):
            found.append(top)
        elif isinstance(top.old, dict) and isinstance(top.new, dict):
            stack.extend(reversed(list(_members(top, renames, words))))
        elif isinstance(top.old, list) and isinstance(top.new, list):
            stack.extend(reversed(list(_items(top, signs))))
        elif not equal_leaves(top.old, top.new):
            texts = isinstance(top.old, str) and isinstance(top.new, str)
            follows = texts and top.new in {renames.get(str(top.old)), _in_other_words(str(top.old), words)}
            found.append(FieldChange("changed", *top, follows))
    return found


def _in_other_words(text: str, words: Mapping[str, str]) -> str:
    """A text with the variables whose names are keys that mean what others do under these."""
    return _VARIABLE.sub(lambda found: f"{{{words.get(found[1], found[1])}}}", text) if words else text


def _members(pair: _Pair, renames: Mapping[str, str], words: Mapping[str, str]) -> Iterator[_Pair | FieldChange]:
    old, new = pair.old, pair.new
    renamed = {
        named[key]: key
        for named in (words, renames)
        for key in old
        if key in named and key not in new and named[key] in new and named[key] not in old
    }
    kept = set(renamed.values())
    gone = [key for key in old if key not in new and key not in kept]
    for key in gone:
        yield FieldChange("removed", join(pair.old_pointer, key), None, old[key])
    for key, value in new.items():
        place = join(pair.new_pointer, key)
        if key in old:
            yield _Pair(join(pair.old_pointer, key), place, old[key], value)
        elif key in renamed:
            before = renamed[key]
            yield FieldChange("renamed", join(pair.old_pointer, before), place, before, key, before in renames)
            yield _Pair(join(pair.old_pointer, before), place, old[before], value)
        else:
            yield FieldChange("added", None, place, None, value)


def _items(pair: _Pair, signs: "_Signs") -> Iterator[_Pair | FieldChange]:
    """The elements: a common beginning and end are skipped, what is between is compared."""
    old, new = pair.old, pair.new
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if not signs.same(old[at], new[at])), shorter)
    rest = shorter - first
    last = next((at for at in range(rest) if not signs.same(old[-1 - at], new[-1 - at])), rest)
    before, after = old[first : len(old) - last], new[first : len(new) - last]
    if _is_set(before) and _is_set(after):
        yield from _set_items(pair, first, before, after)
        return
    both = min(len(before), len(after))
    for at in range(first, first + both):
        yield _Pair(join(pair.old_pointer, at), join(pair.new_pointer, at), old[at], new[at])
    for at in range(both, len(before)):
        yield FieldChange("removed", join(pair.old_pointer, first + at), None, before[at])
    for at in range(both, len(after)):
        yield FieldChange("added", None, join(pair.new_pointer, first + at), None, after[at])


def _set_items(
    pair: _Pair, first: int, before: Sequence[JsonValue], after: Sequence[JsonValue]
) -> Iterator[_Pair | FieldChange]:
    """Elements like intents: which are gone and which have come; another order of those that stay is one change."""
    olds, news = {_mark(item) for item in before}, {_mark(item) for item in after}
    if [_mark(item) for item in before if _mark(item) in news] != [
        _mark(item) for item in after if _mark(item) in olds
    ]:
        yield FieldChange("changed", *pair)
        return
    gone = [at for at, item in enumerate(before) if _mark(item) not in news]
    come = [at for at, item in enumerate(after) if _mark(item) not in olds]
    if len(gone) == len(come) == len(before) == len(after):  # each in the place of another
        for at in gone:
            places = join(pair.old_pointer, first + at), join(pair.new_pointer, first + at)
            yield _Pair(*places, before[at], after[at])
        return
    for at in gone:
        yield FieldChange("removed", join(pair.old_pointer, first + at), None, before[at])
    for at in come:
        yield FieldChange("added", None, join(pair.new_pointer, first + at), None, after[at])


def _is_set(items: Sequence[JsonValue]) -> bool:
    plain = all(not isinstance(item, dict | list) for item in items)
    return plain and len({_mark(item) for item in items}) == len(items)


def _mark(item: JsonValue) -> tuple[str, JsonValue]:
    return kind_of(item), item


class _Signs:
    """Gives equal values the same number, each value looked through once: lists in lists stay quick to compare."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}  # what a value consists of
        self._of: dict[int, int] = {}  # by the identity of an object or array, which the caller holds on to

    def same(self, a: JsonValue, b: JsonValue) -> bool:
        """Whether two values are equal."""
        if not isinstance(a, dict | list) or not isinstance(b, dict | list):
            return equal_leaves(a, b)
        return self._sign(a) == self._sign(b)

    def _sign(self, value: JsonValue) -> int:
        stack = [value]
        while stack:
            top = stack[-1]
            if id(top) in self._of:
                stack.pop()
                continue
            inner = top.values() if isinstance(top, dict) else top
            waiting = [each for each in inner if isinstance(each, dict | list) and id(each) not in self._of]
            if waiting:
                stack += waiting
                continue
            if isinstance(top, dict):
                parts: object = frozenset((key, self._part(each)) for key, each in top.items())
            else:
                parts = tuple(self._part(each) for each in top)
            self._of[id(top)] = self._known.setdefault(parts, len(self._known))
            stack.pop()
        return self._of[id(value)]

    def _part(self, value: JsonValue) -> tuple[str, JsonValue]:
        return ("", self._of[id(value)]) if isinstance(value, dict | list) else _mark(value)
