"""Both flows of a comparison in one, to be drawn: the old beside the new, each part with a sign of what became of it.

A transition whose target changed appears twice; the old one, and a removed one, has a minus sign before its intent.
So are entries, and each that differs has the sign of what became of it before its verdict type.
"""

import copy
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from stepflow_gui.flow.comparison.flows import EdgeChange, EntryChange, FlowComparison
from stepflow_gui.flow.model import Entry, Flow, Step, Transition
from stepflow_gui.messages import _

Mark = Literal["added", "removed", "changed"]
EdgeKey = tuple[str, str, str | None]  # step, intent, case of its condition
GONE = "\N{MINUS SIGN} "
_ENTRY_SIGNS: Mapping[Mark, str] = {"added": "+ ", "removed": GONE, "changed": "~ "}


class BothFlows(NamedTuple):
    """The flow to draw, and its differences: steps by id, transitions by step, intent and case, entries by target."""

    flow: Flow
    steps: Mapping[str, Mark]
    edges: Mapping[EdgeKey, Mark]
    entries: Mapping[str, Mark]  # "changed" where several verdict types enter at a step, and not all became the same


def both_flows(comparison: FlowComparison) -> BothFlows:
    """Put the old flow under the new one. Removed steps keep their place among those that are left."""
    old, new = comparison.old, comparison.new
    gone = {change.id: change.old for change in comparison.steps if change.kind == "removed" and change.old}
    flow = Flow(new.document, new.format)
    flow.agent_id, flow.version = new.agent_id, new.version
    flow.has_mapping = new.has_mapping
    flow.steps_span, flow.odd_steps = new.steps_span, list(new.odd_steps)
    flow.steps = {
        step.id: _copied(step, comparison.renames if step.id in gone else {})
        for step in _in_order(old, new, gone, comparison.renames)
    }
    steps: dict[str, Mark] = {
        change.id: "changed" if change.kind == "renamed" else change.kind
        for change in comparison.steps
        if change.kind != "removed" or change.id not in new.steps
    }
    edges: dict[EdgeKey, Mark] = {}
    old_ids = {now: was for was, now in comparison.renames.items()}
    for edge in comparison.edges:
        whole = edge.step in gone and edge.step not in new.steps  # a removed step is drawn with its own transitions
        if edge.new is not None or whole:
            edges[edge.step, edge.intent, edge.case] = edge.kind
        if edge.old is None or whole or _same_target(edge, comparison.renames):
            continue
        was = old.steps.get(old_ids.get(edge.step, edge.step))
        rule = was.transition(edge.intent) if was is not None else None
        if rule is not None and edge.step in flow.steps:
            ghost = _ghost(rule, edge, comparison.renames)
            flow.steps[edge.step].transitions.append(ghost)
            edges[edge.step, ghost.intent, None] = "removed"
    marks: dict[str, set[Mark | None]] = {}
    for entry, mark in _entries(comparison):
        flow.entries.append(entry)
        if entry.target is not None:
            marks.setdefault(entry.target.value, set()).add(mark)
    entries = {step: found for step, each in marks.items() if (found := _together(each)) is not None}
    return BothFlows(flow, steps, edges, entries)


def _together(marks: set[Mark | None]) -> Mark | None:
    """What became of an entry at which several verdict types enter."""
    return next(iter(marks)) if len(marks) == 1 else "changed"


def _entries(comparison: FlowComparison) -> Iterator[tuple[Entry, Mark | None]]:
    """The new entries, then those that are gone or went elsewhere; what differs has its sign before its key."""
    changes = {(change.key, change.continuation): change for change in comparison.entries}
    for entry in comparison.new.entries:
        change = changes.get((entry.key, entry.continuation))
        yield (_signed(entry, change.kind), change.kind) if change is not None else (entry, None)
    for entry in comparison.old.entries:
        change = changes.get((entry.key, entry.continuation))
        if change is not None and entry.target is not None and _was_elsewhere(change, comparison.renames):
            name = entry.target.value
            moved = entry._replace(target=entry.target.worded(comparison.renames.get(name, name)))
            yield _signed(moved, "removed"), "removed"


def _signed(entry: Entry, mark: Mark) -> Entry:
    return entry._replace(key=_ENTRY_SIGNS[mark] + (_("entry") if entry.key is None else entry.key))


def _was_elsewhere(change: EntryChange, renames: Mapping[str, str]) -> bool:
    return change.old is not None and renames.get(change.old, change.old) != change.new


def _in_order(old: Flow, new: Flow, gone: Mapping[str, Step], renames: Mapping[str, str]) -> list[Step]:
    """The new steps in their order, each followed by the removed ones that were behind it."""
    behind: dict[str | None, list[Step]] = {}
    last: str | None = None
    for step in old.steps.values():
        if step.id in gone:
            behind.setdefault(last, []).append(step)
        else:
            last = renames.get(step.id, step.id)
    ordered = [step for step in behind.pop(None, []) if step.id not in new.steps]
    for step in new.steps.values():
        ordered.append(step)
        ordered += [lost for lost in behind.pop(step.id, []) if lost.id not in new.steps]
    return ordered


def _copied(step: Step, renames: Mapping[str, str]) -> Step:
    made = copy.copy(step)
    made.transitions = [_pointing(rule, renames) for rule in step.transitions]
    return made


def _pointing(rule: Transition, renames: Mapping[str, str]) -> Transition:
    """A rule with its targets under their current names."""
    if not renames:
        return rule
    target = rule.target and rule.target.worded(renames.get(rule.target.value, rule.target.value))
    cases = tuple(
        case._replace(target=case.target and case.target.worded(renames.get(case.target.value, case.target.value)))
        for case in rule.cases
    )
    return rule._replace(target=target, cases=cases)


def _same_target(edge: EdgeChange, renames: Mapping[str, str]) -> bool:
    if edge.old is None or edge.new is None:
        return False
    was = edge.old.target
    return (renames.get(was, was) if was is not None else None) == edge.new.target


def _ghost(rule: Transition, edge: EdgeChange, renames: Mapping[str, str]) -> Transition:
    """The old transition of an intent, or of one case of it, as a rule of its own."""
    case = next((case for case in rule.cases if case.value == edge.case), None) if edge.case is not None else None
    target = case.target if case is not None else rule.target
    label = GONE + (edge.intent if edge.case is None else f"{edge.intent} = {edge.case}")
    return Transition(
        label,
        rule.key_span,
        rule.node,
        rule.pointer,
        target=target and target.worded(renames.get(target.value, target.value)),
        terminal=target is None and not rule.stays,
        stays=target is None and rule.stays,
    )
