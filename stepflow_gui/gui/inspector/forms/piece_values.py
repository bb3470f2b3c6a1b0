"""Initial values of what a user adds to a piece: a rule with a target, a sub-step like its siblings, a valid watch."""

from collections.abc import Callable, Collection, Iterable

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.takt.changes.places import era_of
from stepflow_gui.formats.takt.eras import ABORT, COMPLETE
from stepflow_gui.formats.takt.sections import report_names, sections_of
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import parent, split

_ROUNDS = 3


def begun_value(flow: Flow, pointer: str) -> JsonValue:
    """What is put in at a pointer; None where the table of fields knows what."""
    if flow.format != "takt":
        return None
    keys = split(pointer)
    holder = keys[-1] if keys[-1] in _FIRST else keys[-2] if len(keys) > 1 and keys[-1].isdecimal() else ""
    made = _FIRST.get(keys[-1]) or _MADE.get(holder)
    if made is None:
        return None
    owner = pointer if keys[-1] in _FIRST else parent(pointer)
    return made(flow, owner)


def _rule(flow: Flow, pointer: str) -> JsonValue:
    """A rule; only those of movements and judges have a target."""
    condition = _free(_("Done"), _conditions(flow, pointer))
    if "parallel" in split(pointer):
        return {"condition": condition}
    return {"condition": condition, "next": COMPLETE}


def _sub(flow: Flow, pointer: str) -> JsonValue:
    step = _step(flow, pointer.partition("/parallel")[0])
    subs = step.subs if step is not None else []
    results = [rule.as_written for rule in subs[0].transitions] if subs else [_("Done")]
    fields: dict[str, JsonValue] = {"name": _free("check", [sub.id for sub in subs], "_")}
    if subs and "persona" in subs[0].raw:
        fields["persona"] = subs[0].raw["persona"]
    fields[era_of(flow).instruction] = _("What is to be done here")
    return fields | {"rules": [{"condition": result} for result in dict.fromkeys(results)]}


def _monitor(flow: Flow, pointer: str) -> JsonValue:
    del pointer
    cycle = _cycle(flow)
    back = cycle[0] if cycle else COMPLETE
    rules = [{"condition": _("Progress"), "next": back}, {"condition": _("No progress"), "next": ABORT}]
    return {"cycle": [*cycle], "threshold": _ROUNDS, "judge": {"rules": [*rules]}}


def _report(flow: Flow, pointer: str) -> JsonValue:
    owner = pointer.partition("/output_contracts")[0]
    step = _step(flow, owner)
    taken = [text.value for text in report_names(step)] if step is not None else []
    stem = step.id if step is not None else "report"
    name = _free(stem, [each.removesuffix(".md") for each in taken], "-") + ".md"
    formats = sections_of(flow.document.root).get("report_formats", {})
    known = next((key for key in formats if key == stem), next(iter(formats), ""))
    return {"name": name, "format": known} if known or era_of(flow).notation == "workflow" else {"name": name}


def _cycle(flow: Flow) -> list[str]:
    """Two movements that go to each other, preferably not watched yet; else the first two."""
    found = [
        [step.id, target]
        for step in flow.steps.values()
        for target in _targets(step)
        if target != step.id and target in flow.steps and step.id in _targets(flow.steps[target])
    ]
    watched = [{text.value for text in monitor.cycle} for monitor in flow.monitors]
    fresh = [cycle for cycle in found if set(cycle) not in watched]
    return next(iter([*fresh, *found]), list(flow.steps)[:2])


def _named(flow: Flow, pointer: str) -> JsonValue:
    """A movement that the list doesn't name yet."""
    node = flow.document.tree.at(pointer)
    listed = node.value if node is not None else []
    return next((step for step in flow.steps if step not in listed), next(iter(flow.steps), ""))


def _targets(step: Step) -> Collection[str]:
    return [rule.target.value for rule in step.transitions if rule.target is not None]


def _conditions(flow: Flow, pointer: str) -> list[str]:
    node = flow.document.tree.at(pointer)
    values = [item.value for item in node.items()] if node is not None else []
    conditions = [value.get("condition") for value in values if isinstance(value, dict)]
    return [condition for condition in conditions if isinstance(condition, str)]


def _step(flow: Flow, pointer: str) -> Step | None:
    steps = (each for step in flow.steps.values() for each in (step, *step.subs))
    return next((step for step in steps if step.pointer == pointer), None)


def _free(wanted: str, taken: Iterable[str], joint: str = " ") -> str:
    known = set(taken)
    name, number = wanted, 1
    while name in known:
        number += 1
        name = f"{wanted}{joint}{number}"
    return name


_MADE: dict[str, Callable[[Flow, str], JsonValue]] = {
    "rules": _rule,
    "self": _rule,
    "parallel": _sub,
    "fixed": _sub,
    "pool": _sub,
    "loop_monitors": _monitor,
    "report": _report,
    "cycle": _named,
    "ignore_steps": _named,
}
"""By the list that an element is put into."""
_FIRST: dict[str, Callable[[Flow, str], JsonValue]] = {
    "rules": lambda flow, pointer: [_rule(flow, pointer)],
    "parallel": lambda flow, pointer: [_sub(flow, pointer)],
    "fixed": lambda flow, pointer: [_sub(flow, pointer)],
    "loop_monitors": lambda flow, pointer: [_monitor(flow, pointer)],
    "output_contracts": lambda flow, pointer: {"report": [_report(flow, pointer)]},
    "report": lambda flow, pointer: [_report(flow, pointer)],
}
"""By the field that doesn't exist yet: no empty list is of use."""
