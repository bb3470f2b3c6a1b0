"""Which steps of a flow belong together: by entry, topic, stage, in equal parts, or as a person grouped them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.flow.entry_regions import regions, successors
from stepflow_gui.flow.layout.arcs import entry_keys
from stepflow_gui.flow.layout.dimensions import entry_label
from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.messages import _

By = Literal["none", "entry", "topic", "stage", "parts", "hand"]
BY: tuple[By, ...] = ("none", "entry", "topic", "stage", "parts", "hand")
LARGE = 50  # steps; a larger flow is grouped by itself, and its groups begin folded
_OWN = 0.6  # of the steps that only one entry reaches, so that flows are grouped by entry
_NAMED = 0.8  # … that have a topic that others have too
_TOPICS = range(3, 21)
_PARTS = range(3, 21)
_A_PART = 25  # steps
_REST, _SECTIONS = "\0rest", "\0sections"  # names of groups that no file can have
_STAGE_WORDS = frozenset({"initial", "continuation", "verification", "closure", "complete", "section"})

Made = Mapping[str, Sequence[str]]
"""The steps of the groups that a person made, by name."""


class StepGroup(NamedTuple):
    """Steps that belong together. `key` differs from that of every other group and from every step's id."""

    key: str
    name: str
    steps: tuple[str, ...]  # in the order of the file


class Grouping(NamedTuple):
    """Groups, and the keys of those that are folded."""

    groups: Sequence[StepGroup] = ()
    folds: Collection[str] = frozenset()


def grouped(flow: Flow, by: By, made: Made | None = None) -> list[StepGroup]:
    """The groups of a flow, in the order of their first steps. Each step is in at most one of them."""
    if by == "none":
        return []
    if by == "hand":
        return _named(flow, by, _by_hand(flow, made or {}))
    flowing = [step for step in flow.steps.values() if not step.is_section]
    finders: dict[By, Callable[[Flow, Sequence[Step]], dict[str, str]]] = {
        "entry": _by_entry,
        "topic": _by_topic,
        "stage": _by_stage,
        "parts": _in_parts,
    }
    found = finders[by](flow, flowing)
    if not found:
        return []
    found = {step.id: found.get(step.id) or _REST for step in flowing}
    found |= {step.id: _SECTIONS for step in flow.steps.values() if step.is_section}
    return _named(flow, by, found)


def usual_grouping(flow: Flow) -> By:
    """How a flow is grouped where no grouping was chosen: not at all up to `LARGE` steps."""
    if len(flow.steps) <= LARGE:
        return "none"
    flowing = [step for step in flow.steps.values() if not step.is_section]
    enough = len(flowing)
    if len(_by_entry(flow, flowing)) >= _OWN * enough:
        return "entry"
    topics = _by_topic(flow, flowing)
    if len(set(topics.values())) in _TOPICS and len(topics) >= _NAMED * enough:
        return "topic"
    return "parts"


def _named(flow: Flow, by: By, group_of: Mapping[str, str]) -> list[StepGroup]:
    steps: dict[str, list[str]] = {}
    for step in flow.steps:
        if step in group_of:
            steps.setdefault(group_of[step], []).append(step)
    rest = _("Several entries") if by == "entry" else _("Others")
    own_names = {} if by == "hand" else {_REST: rest, _SECTIONS: _("Prompt sections")}
    found: list[StepGroup] = []
    for name, members in steps.items():
        key = f"{by} {len(found) + 1 if by == 'parts' else name}"
        while key in flow.steps:
            key += " "
        found.append(StepGroup(key, own_names.get(name, name), tuple(members)))
    return found


def _by_hand(flow: Flow, made: Made) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, steps in made.items():
        for step in steps:
            if step in flow.steps:
                found.setdefault(step, name)
    return found


def _by_entry(flow: Flow, _steps: Sequence[Step]) -> dict[str, str]:
    entries = {node: keys for node, keys in entry_keys(flow).items() if node.name in flow.steps}
    names = [entry_label(keys) for keys in entries.values()]
    return {step: names[number] for step, number in regions(flow, entries).items()}


def _by_topic(flow: Flow, steps: Sequence[Step]) -> dict[str, str]:
    """The topics that several steps have."""
    topics = {step.id: _topic(flow, step) for step in steps}
    counts = Counter(topics.values())
    return {step: topic for step, topic in topics.items() if topic and counts[topic] > 1}


def _topic(flow: Flow, step: Step) -> str:
    """The first part of the id after the stage; of a TAKT movement its persona."""
    if flow.format == "takt":
        persona = step.raw.get("persona")
        return persona if isinstance(persona, str) else ""
    parts = step.id.split(".")
    after = parts[1:] if parts[0] in _STAGE_WORDS and len(parts) > 1 else parts
    return after[0]


def _by_stage(_flow: Flow, steps: Sequence[Step]) -> dict[str, str]:
    stages = {step.id: _stage(step) for step in steps}
    return {step: stage for step, stage in stages.items() if stage}


def _stage(step: Step) -> str:
    first = step.id.partition(".")[0]
    return first if first in _STAGE_WORDS else step.c2.value if step.c2 else ""


def _in_parts(flow: Flow, steps: Sequence[Step]) -> dict[str, str]:
    """Equal parts of the steps in the order in which a run comes to them, named by their first and last."""
    order = _walked(flow, [step.id for step in steps])
    count = min(max(round(len(order) / _A_PART), _PARTS[0]), _PARTS[-1], max(len(order), 1))
    found: dict[str, str] = {}
    used: set[str] = set()
    for number in range(count):
        part = order[len(order) * number // count : len(order) * (number + 1) // count]
        if part:
            name = f"{flow.steps[part[0]].title} – {flow.steps[part[-1]].title}"
            found.update(dict.fromkeys(part, f"{name} ({number + 1})" if name in used else name))
            used.add(name)
    return found


def _walked(flow: Flow, steps: Iterable[str]) -> list[str]:
    """Steps as they follow each other from the entries on, the first transition first."""
    targets = successors(flow)
    entries = [node.name for node in entry_keys(flow) if node.name in flow.steps]
    wanted = dict.fromkeys(steps)
    found: dict[str, None] = {}
    for start in (*entries, *wanted):
        waiting = [start]
        while waiting:
            step = waiting.pop()
            if step in wanted and step not in found:
                found[step] = None
                waiting += reversed(targets.get(step, ()))
    return list(found)
