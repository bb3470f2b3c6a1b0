"""What the rules about TAKT files read of them: all steps, conditions parsed, places by path."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from stepflow_gui.flow.model import Transition
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import (
    Aggregate,
    Condition,
    ConditionFault,
    Label,
    LabelWhen,
    Notation,
)
from stepflow_gui.formats.takt.load_check import LoadFault
from stepflow_gui.formats.takt.releases.faults import faults_of
from stepflow_gui.formats.takt.releases.sets import since
from stepflow_gui.lint.rules.prelude import RuleContext, Step
from stepflow_gui.lint.rules.takt.release_words import wanted_releases
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

TAKT = ("takt",)
ERROR_LABEL = "error"
_SEVERAL = since("0.3.9")  # before, all() and any() had one text


class StepPlace(NamedTuple):
    """A step, and the movement that it is a sub-step of, if it is one."""

    step: Step
    parent: Step | None

    @property
    def name(self) -> str:
        """How messages call it."""
        return self.step.id if self.parent is None else f"{self.parent.id} / {self.step.id}"


def all_steps(context: RuleContext) -> Iterator[StepPlace]:
    """The movements and their sub-steps, those that stand in this file."""
    for step in context.flow.steps.values():
        yield StepPlace(step, None)
        for sub in step.subs:
            if is_here(sub, step):
                yield StepPlace(sub, step)


def is_here(sub: Step, step: Step) -> bool:
    """Whether a sub-step stands in the file itself, not in a fragment."""
    return sub.pointer.startswith(step.pointer + "/")


def judges(context: RuleContext) -> Iterator[Step]:
    """The judges of loop monitors."""
    return (monitor.judge for monitor in context.flow.monitors if monitor.judge is not None)


def parsed(rule: Transition, context: RuleContext) -> Condition | ConditionFault | None:
    """What a rule's condition says; None where it has none."""
    if not rule.as_written:
        return None
    notation = notation_of(context)
    found = parse_condition(rule.as_written, notation)
    if isinstance(found, ConditionFault) and notation == "piece" and wanted_releases(context) & since("0.47.0"):
        newer = parse_condition(rule.as_written, "workflow")  # which may leave the quotes out
        return found if isinstance(newer, ConditionFault) else newer
    return found


def notation_of(context: RuleContext) -> Notation:
    """In which of the two notations the newest of the wanted releases reads conditions."""
    return "workflow" if wanted_releases(context) & since("0.53.0") else "piece"


def label_of(condition: Condition | ConditionFault | None, rule: Transition, context: RuleContext) -> str | None:
    """What aggregates compare with: up to 0.52 the condition as it is written, then its label."""
    if notation_of(context) == "piece":
        return rule.as_written or None
    if isinstance(condition, LabelWhen):
        return condition.label.text
    return condition.text if isinstance(condition, Label) else None


def aggregates(step: Step, context: RuleContext) -> Iterator[tuple[Transition, Aggregate]]:
    """The rules of a step whose conditions are all() or any()."""
    for rule in step.transitions:
        condition = parsed(rule, context)
        if isinstance(condition, Aggregate) and (len(condition.wanted) == 1 or wanted_releases(context) & _SEVERAL):
            yield rule, condition


def results_of(sub: Step, context: RuleContext) -> list[str]:
    """What a sub-step can end with, each once; what is not a label is left out."""
    labels = (label_of(parsed(rule, context), rule, context) for rule in sub.transitions)
    own = list(dict.fromkeys(label for label in labels if label is not None))
    if not wanted_releases(context) & since("0.53.0") or ERROR_LABEL in own:
        return own
    return [*own, ERROR_LABEL]  # where a sub-step that fails has a result


NO_LIST = "no-list"
"""The cause of findings about a missing list of movements: the one that names its misspelt key speaks."""


@lru_cache(maxsize=1)  # five rules ask for their part of them, one after the other
def faults_here(context: RuleContext) -> list[LoadFault]:
    """What loaders refuse of types and values; nothing in a text with mistakes."""
    return faults_of(context.registry.tree, context.takt, context.held, wanted_releases(context))


def span_of(context: RuleContext, fault: LoadFault) -> Span:
    """Where a fault is shown: at the value, for a missing key at what should have it, for an unknown one at the key."""
    tree = context.registry.tree
    if fault.kind == "unknown":
        span = tree.key_span(join(fault.pointer, fault.key))
        return span or _short(tree.root, context)
    pointer = fault.pointer
    while (node := tree.at(pointer)) is None and pointer:
        pointer = pointer.rpartition("/")[0]
    if fault.kind == "removed" or (node is not None and node.start == node.end):
        return tree.key_span(pointer) or _short(node, context)
    return _short(node, context)


def _short(node: Node | None, context: RuleContext) -> Span:
    """A value on one line; of a longer one its first line."""
    text = context.registry.source.text
    if node is None:
        return Span(0, min(1, len(text)))
    line = text[node.start : node.end].partition("\n")[0].rstrip()
    return Span(node.start, node.start + max(1, len(line)))


def first_line(context: RuleContext, node: Node) -> Span:
    """The first line of a value."""
    return _short(node, context)


def step_at(context: RuleContext, path: tuple[str | int, ...]) -> str | None:
    """The name of the movement that a path goes into."""
    root: JsonValue = context.registry.root.value if context.registry.root else None
    steps = root.get(context.takt.steps) if isinstance(root, dict) else None
    if path[:1] != (context.takt.steps,) or len(path) < 2 or not isinstance(steps, list):
        return None
    step = steps[path[1]] if isinstance(path[1], int) and path[1] < len(steps) else None
    name = step.get("name") if isinstance(step, dict) else None
    return name if isinstance(name, str) else None


def name_at(context: RuleContext, path: tuple[str | int, ...]) -> str | None:
    """The name of the movement or sub-step that a path goes into, of the innermost that has one."""
    tree = context.registry.tree
    names = (tree.at(join("", *path[:length], "name")) for length in range(len(path), 1, -1))
    return next((node.value for node in names if node is not None and isinstance(node.value, str)), None)
