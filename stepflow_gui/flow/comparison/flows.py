"""Two flows compared: steps, edges, entries, and every field, those included that no canvas shows."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from stepflow_gui.flow.comparison.pairing import Pair, pair_steps
from stepflow_gui.flow.comparison.values import NO_RENAMES, FieldChange, compare_values
from stepflow_gui.flow.model import Entry, Flow, Move, Step
from stepflow_gui.text.pointer import parent

StepKind = Literal["added", "removed", "changed", "renamed"]
EdgeKind = Literal["added", "removed", "changed"]


class StepChange(NamedTuple):
    """A step that differs, with its own fields. A renamed one may have changed besides."""

    kind: StepKind
    old: Step | None
    new: Step | None
    fields: tuple[FieldChange, ...] = ()

    @property
    def step(self) -> Step:
        """As the new side has it, else the old."""
        step = self.new or self.old
        assert step is not None
        return step

    @property
    def id(self) -> str:
        """Its id there."""
        return self.step.id


class EdgeChange(NamedTuple):
    """A transition that differs: that of an intent, and of a case of its condition, at a step.

    `step` is the id that the step has on the new side; of a step that is gone the one it had. Moves are None where
    there is no such transition.
    """

    kind: EdgeKind
    step: str
    intent: str
    case: str | None
    old: Move | None
    new: Move | None


class EntryChange(NamedTuple):
    """An entry that differs: the step of a verdict type, or of `entryStep` (None). Targets are None where none is."""

    kind: EdgeKind
    key: str | None
    continuation: bool
    old: str | None
    new: str | None


class FlowComparison:
    """All that differs. Read-only by convention."""

    __slots__ = ("edges", "entries", "fields", "new", "old", "others", "renames", "steps")

    def __init__(self, old: Flow, new: Flow, words: Mapping[str, str] = NO_RENAMES) -> None:
        pairs = pair_steps(old, new)
        self.old = old
        self.new = new
        self.renames: dict[str, str] = {  # ids of steps, old to new
            pair.old.id: pair.new.id for pair in pairs if pair.old and pair.new and pair.old.id != pair.new.id
        }
        self.fields: tuple[FieldChange, ...] = tuple(
            compare_values(_value(old), _value(new), self.renames, words=words)
        )  # every one, in file order
        of_step, self.others = _by_step(self.fields, pairs)  # others: outside the steps
        self.steps: tuple[StepChange, ...] = tuple(_step_changes(pairs, of_step))
        self.edges: tuple[EdgeChange, ...] = tuple(_edge_changes(old, new, self.renames))
        self.entries: tuple[EntryChange, ...] = tuple(_entry_changes(old, new, self.renames))

    @property
    def same(self) -> bool:
        """Whether nothing differs but how the files are written."""
        return not self.fields and not self.edges and not self.entries


def compare_flows(old: Flow, new: Flow, *, words: Mapping[str, str] = NO_RENAMES) -> FlowComparison:
    """Compare two readings of a flow; linear in what they hold, but for the steps that were renamed and changed.

    `words` are keys of one side that mean what others do on the other.
    """
    return FlowComparison(old, new, words)


def _value(flow: Flow) -> object:
    return flow.document.root.value if flow.document.root else None


def _by_step(
    fields: Iterable[FieldChange], pairs: Iterable[Pair]
) -> tuple[dict[str, list[FieldChange]], tuple[FieldChange, ...]]:
    """The fields of each step by its pointer on the new side (else the old), and those of no step."""
    news = {pair.new.pointer for pair in pairs if pair.new}
    olds = {pair.old.pointer: pair.new.pointer if pair.new else "" for pair in pairs if pair.old}
    of_step: dict[str, list[FieldChange]] = {}
    others: list[FieldChange] = []
    for change in fields:
        if change.new_pointer is not None:
            holder = _holder(change.new_pointer, news)
        else:
            holder = _holder(change.old_pointer or "", olds)
            holder = olds[holder] if holder is not None else None
        if holder is None:
            others.append(change)
        elif holder:  # of a step that is gone it is the only one
            of_step.setdefault(holder, []).append(change)
    return of_step, tuple(others)


def _holder(pointer: str, steps: set[str] | dict[str, str]) -> str | None:
    while pointer and pointer not in steps:
        pointer = parent(pointer)
    return pointer or None


def _step_changes(pairs: Iterable[Pair], of_step: Mapping[str, list[FieldChange]]) -> Iterator[StepChange]:
    for old, new in pairs:
        if new is None:
            yield StepChange("removed", old, None)
        elif old is None:
            yield StepChange("added", None, new)
        else:
            fields = tuple(change for change in of_step.get(new.pointer, ()) if change.new_pointer != new.pointer)
            if old.id != new.id:
                yield StepChange("renamed", old, new, fields)
            elif not all(change.follows for change in fields):
                yield StepChange("changed", old, new, fields)


_EdgeKey = tuple[str, str, str | None, int]  # step, intent, case, and which of several alike


def _edges(flow: Flow, renames: Mapping[str, str]) -> dict[_EdgeKey, Move]:
    found: dict[_EdgeKey, Move] = {}
    for move in flow.moves():
        step = renames.get(move.step, move.step)
        count = 0
        while (step, move.intent, move.case, count) in found:
            count += 1
        found[step, move.intent, move.case, count] = move
    return found


def _edge_changes(old: Flow, new: Flow, renames: Mapping[str, str]) -> Iterator[EdgeChange]:
    before, after = _edges(old, renames), _edges(new, {})
    for key, move in before.items():
        if key not in after:
            yield EdgeChange("removed", *key[:3], move, None)
    for key, move in after.items():
        was = before.get(key)
        if was is None:
            yield EdgeChange("added", *key[:3], None, move)
        elif (_renamed(was.target, renames), was.limit, was.implied) != (move.target, move.limit, move.implied):
            yield EdgeChange("changed", *key[:3], was, move)


def _renamed(step: str | None, renames: Mapping[str, str]) -> str | None:
    return renames.get(step, step) if step is not None else None


def _entry_changes(old: Flow, new: Flow, renames: Mapping[str, str]) -> Iterator[EntryChange]:
    before, after = _entries(old), _entries(new)
    for key, target in before.items():
        if key not in after:
            yield EntryChange("removed", *key, target, None)
    for key, target in after.items():
        if key not in before:
            yield EntryChange("added", *key, None, target)
        elif _renamed(before[key], renames) != target:
            yield EntryChange("changed", *key, before[key], target)


def _entries(flow: Flow) -> dict[tuple[str | None, bool], str | None]:
    return {(entry.key, entry.continuation): _target(entry) for entry in flow.entries}


def _target(entry: Entry) -> str | None:
    return entry.target.value if entry.target else None
