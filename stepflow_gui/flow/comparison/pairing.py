"""Which steps of two flows are the same one: by their id, else by what they hold."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.text.json.tree import JsonValue, kind_of
from stepflow_gui.text.pointer import join

_ALIKE = 0.6  # share of equal fields from which a step counts as renamed
_LEAST = 3  # equal fields that such a step must have
_MOST_PAIRS = 40_000  # beyond them only steps that hold just the same are found

Leaf = tuple[str, str, JsonValue]  # where it is in its step, its JSON type, its value
_ITSELF: Leaf = ("", "itself", None)


class Pair(NamedTuple):
    """A step on both sides; None on the side that lacks it."""

    old: Step | None
    new: Step | None


def pair_steps(old: Flow, new: Flow) -> list[Pair]:
    """All steps in the order of the new flow; removed ones follow the one that they were behind."""
    renames = renamed_steps(old, new)
    old_of = {becomes: before for before, becomes in renames.items()}
    behind: dict[str | None, list[Pair]] = {}
    anchor: str | None = None
    for step_id, step in old.steps.items():
        if step_id in new.steps or step_id in renames:
            anchor = renames.get(step_id, step_id)
        else:
            behind.setdefault(anchor, []).append(Pair(step, None))
    pairs = behind.get(None, [])
    for step_id, step in new.steps.items():
        pairs.append(Pair(old.steps.get(old_of.get(step_id, step_id)), step))
        pairs += behind.get(step_id, ())
    return pairs


def renamed_steps(old: Flow, new: Flow) -> dict[str, str]:
    """The ids that became others: where a step is gone and one that holds the same, or nearly so, has come."""
    gone = {step.id: _leaves(step) for step in old.steps.values() if step.id not in new.steps}
    come = {step.id: _leaves(step) for step in new.steps.values() if step.id not in old.steps}
    found: dict[str, str] = {}
    waiting: dict[frozenset[Leaf], list[str]] = {}
    for step_id, leaves in come.items():
        if leaves:
            waiting.setdefault(leaves, []).append(step_id)
    for step_id, leaves in gone.items():
        if waiting.get(leaves):
            found[step_id] = waiting[leaves].pop(0)
    taken = set(found.values())
    left = {step_id: leaves for step_id, leaves in gone.items() if step_id not in found}
    free = {step_id: leaves for step_id, leaves in come.items() if step_id not in taken}
    if len(left) * len(free) <= _MOST_PAIRS:
        found |= _most_alike(left, free)
    return {step_id: found[step_id] for step_id in gone if step_id in found}


def _most_alike(gone: Mapping[str, frozenset[Leaf]], come: Mapping[str, frozenset[Leaf]]) -> dict[str, str]:
    ranked = []
    for at, (before, old) in enumerate(gone.items()):
        for place, (after, new) in enumerate(come.items()):
            equal = len(old & new)
            share = equal / max(len(old), len(new), 1)
            if equal >= _LEAST and share >= _ALIKE:
                ranked.append((-share, abs(at - place), at, place, before, after))
    found: dict[str, str] = {}
    taken: set[str] = set()
    for *_, before, after in sorted(ranked):
        if before not in found and after not in taken:
            found[before] = after
            taken.add(after)
    return found


def _leaves(step: Step) -> frozenset[Leaf]:
    """What a step holds but its id: where it names itself, that it does."""
    return frozenset(_walk(step))


def _walk(step: Step) -> Iterator[Leaf]:
    stack: list[tuple[str, JsonValue]] = [("", step.raw)]
    while stack:
        place, value = stack.pop()
        if isinstance(value, dict) and value:
            stack += [(join(place, key), inner) for key, inner in value.items()]
        elif isinstance(value, list) and value:
            stack += [(join(place, at), inner) for at, inner in enumerate(value)]
        elif value == step.id:
            if place != "/stepId":
                yield (place, *_ITSELF[1:])
        elif place:
            yield place, kind_of(value), None if isinstance(value, dict | list) else value
