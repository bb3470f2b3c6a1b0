"""JSON merged value by value: the changes of one side made again, as text edits, on the other side's text."""

import json
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Literal, NamedTuple

from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.json.values import same_values
from stepflow_gui.text.pointer import join, parent, split

Found = tuple[str, str | None, str | None, str | None]


class _Nothing:
    """A placeholder for a side without a member of a key."""


_NOTHING = _Nothing()
_Side = JsonValue | _Nothing


class _Trio(NamedTuple):
    pointer: str
    base: _Side
    ours: _Side
    theirs: _Side


class _Changes:
    """What is to be done to their text so that it holds our changes."""

    def __init__(self) -> None:
        self.values: dict[str, JsonValue] = {}
        self.gone: list[str] = []
        self.new: dict[str, dict[str, JsonValue]] = {}  # by the object that gets the members

    def take(self, trio: _Trio) -> None:
        """Put our side into their text."""
        if isinstance(trio.ours, _Nothing):
            if not isinstance(trio.theirs, _Nothing):
                self.gone.append(trio.pointer)
        elif isinstance(trio.theirs, _Nothing):
            self.new.setdefault(parent(trio.pointer), {})[split(trio.pointer)[-1]] = trio.ours
        else:
            self.values[trio.pointer] = trio.ours


def merge_json(base: JsonTree, ours: JsonTree, theirs: JsonTree, choices: Mapping[str, str]) -> tuple[str, list[Found]]:
    """Their text with our changes in it, and the conflicts: pointer, and what base, ours and theirs have there.

    All three trees must be valid and without doubled keys. The order of an object's members is theirs.
    """
    roots = [tree.root for tree in (base, ours, theirs)]
    changes, conflicts = _Changes(), list[Found]()
    stack = [_Trio("", *(root.value if root is not None else _NOTHING for root in roots))]
    while stack:
        trio = stack.pop()
        if _same(trio.ours, trio.theirs) or _same(trio.ours, trio.base):
            continue
        if _same(trio.theirs, trio.base):
            changes.take(trio)
            continue
        inner = _members(trio)
        if inner is not None:
            stack.extend(reversed(inner))
            continue
        both = _both_lists(trio)
        if both is not None:
            changes.take(trio._replace(ours=both))
            continue
        conflicts.append((trio.pointer, _shown(trio.base), _shown(trio.ours), _shown(trio.theirs)))
        if choices.get(trio.pointer) != "theirs":
            changes.take(trio)
    return _written(theirs, changes, ours), conflicts


def _members(trio: _Trio) -> list[_Trio] | None:
    """The members of the three, where both sides have an object."""
    ours, theirs = trio.ours, trio.theirs
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return None
    base = trio.base if isinstance(trio.base, dict) else {}
    keys = dict.fromkeys([*ours, *theirs, *base])
    return [
        _Trio(join(trio.pointer, key), base.get(key, _NOTHING), ours.get(key, _NOTHING), theirs.get(key, _NOTHING))
        for key in keys
    ]


def _both_lists(trio: _Trio) -> list[JsonValue] | None:
    """Lists of names, such as intents, hold what either side added and lack what either took out."""
    ours, theirs = _names(trio.ours), _names(trio.theirs)
    base = _names(trio.base) if isinstance(trio.base, list) else []
    if ours is None or theirs is None or base is None:
        return None
    was, mine, other = set(base), set(ours), set(theirs)
    kept = [item for item in theirs if item in mine or item not in was]
    return [*kept, *(item for item in ours if item not in was and item not in other)]


def _names(side: _Side) -> list[str] | None:
    """The texts of a list that holds nothing else and none twice."""
    if not isinstance(side, list):
        return None
    names = [item for item in side if isinstance(item, str)]
    return names if len(set(names)) == len(side) else None


def _same(one: _Side, other: _Side) -> bool:
    if isinstance(one, _Nothing) or isinstance(other, _Nothing):
        return one is other
    return same_values(one, other)


def _shown(side: _Side) -> str | None:
    return None if isinstance(side, _Nothing) else json.dumps(side, ensure_ascii=False, indent=2)


def _written(theirs: JsonTree, changes: _Changes, ours: JsonTree) -> str:
    values = [json_edit.set_value(theirs, pointer, value) for pointer, value in changes.values.items()]
    tree = _edited(theirs, chain.from_iterable(values))
    if changes.gone:
        tree = _edited(tree, json_edit.remove(tree, *changes.gone))
    waiting = [(pointer, run) for pointer, new in changes.new.items() for run in _runs(ours, pointer, new)]
    while waiting:  # what goes to one place goes there one after the other, so the edits never touch
        edits: list[TextEdit] = []
        taken: set[tuple[str, str]] = set()
        later: list[tuple[str, _Run]] = []
        known: dict[str, set[str]] = {}
        for pointer, run in waiting:
            if pointer not in known:
                known[pointer] = _keys(tree, pointer)
            side, beside = _beside(known[pointer], run)
            if (pointer, beside) in taken:
                later.append((pointer, run))
                continue
            taken.add((pointer, beside))
            edits += json_edit.insert_members(tree, pointer, run.members, **({side: beside} if side else {}))
        tree = _edited(tree, edits)
        waiting = later
    return tree.source.text


class _Run(NamedTuple):
    """New members that stand together on our side, and where: the keys of the object, from `start` to `end`."""

    members: dict[str, JsonValue]
    keys: list[str]
    start: int
    end: int


def _runs(ours: JsonTree, pointer: str, new: Mapping[str, JsonValue]) -> list[_Run]:
    """The runs of new members of an object, in their order."""
    node = ours.at(pointer)
    keys = [member.key for member in node.members()] if node is not None else []
    runs: list[_Run] = []
    at = 0
    while at < len(keys):
        end = at
        while end < len(keys) and keys[end] in new:
            end += 1
        if end > at:
            runs.append(_Run({key: new[key] for key in keys[at:end]}, keys, at, end))
        at = end + 1
    return runs


def _keys(tree: JsonTree, pointer: str) -> set[str]:
    node = tree.at(pointer)
    return {member.key for member in node.members()} if node is not None else set()


def _beside(there: set[str], run: _Run) -> tuple[Literal["after", "before", ""], str]:
    """The key beside which a run goes: the nearest before it that is there, else the nearest behind it."""
    after = next((run.keys[at] for at in range(run.start - 1, -1, -1) if run.keys[at] in there), None)
    if after is not None:
        return "after", after
    before = next((run.keys[at] for at in range(run.end, len(run.keys)) if run.keys[at] in there), None)
    return ("", "") if before is None else ("before", before)


def _edited(tree: JsonTree, edits: Iterable[TextEdit]) -> JsonTree:
    return read_json(tree.source.with_text(apply(tree.source.text, edits)))
