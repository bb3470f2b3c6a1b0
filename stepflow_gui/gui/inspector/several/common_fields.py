"""The form of several steps: the fields that all have, each with the value of all or as a place of different ones.

Knows no Qt. The lines have the pointers of the first step.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats.fields import ANY, Shape, shape_at
from stepflow_gui.gui.inspector.forms.form_fields import FormField, FormPart, FormSection, sections
from stepflow_gui.gui.inspector.forms.parts import movement_parts, step_parts
from stepflow_gui.text.pointer import parent

_WORDS = {"text", "prose"}  # controls that differ by the length of a value only
_ABSENT = object()


class CommonForm(NamedTuple):
    """What several steps have in common. `targets` are the lines that stand for where an intent of all goes.

    `left_out` is how many fields some of the steps have and others don't.
    """

    sections: tuple[FormSection, ...]
    targets: Mapping[str, str]
    left_out: int


def common_form(flow: Flow, steps: Sequence[Step], table: Shape, known: str) -> CommonForm:
    """The form of the steps together; `table` and `known` are what the fields of the flow are known by."""
    names = movement_parts() if flow.format == "takt" else step_parts()
    whole = [_form(step, table, known, names) for step in steps]
    lines = [_by_place(form, step.pointer) for form, step in zip(whole, steps, strict=True)]
    found, targets = _target_lines(steps, lines)
    routed = {"transitions", "rules"} if any(step.transitions for step in steps) else set()
    ids = {key for key in steps[0].raw if all(step.raw.get(key) == step.id for step in steps)}
    kept = [_common_section(section, lines, steps[0].pointer, routed | ids) for section in whole[0]]
    result = [section for section in kept if section.lines or section.head or section.missing]
    if found:
        result.insert(0, FormSection("", steps[0].pointer, tuple(found), ()))
    return CommonForm(tuple(result), targets, _left_out(lines, routed | ids))


def _left_out(lines: Sequence[Mapping[str, FormField]], without: set[str]) -> int:
    """How many fields some steps have in an object that all have, and others don't."""
    count = 0
    for place in {place for each in lines for place, line in each.items() if not line.absent}:
        if place.split("/")[1] in without or all(place in each for each in lines):
            continue
        holder = parent(place)
        count += not holder or all(holder in each and each[holder].control == "group" for each in lines)
    return count


def _form(step: Step, table: Shape, known: str, parts: Sequence[FormPart]) -> list[FormSection]:
    return sections(step.raw, shape_at(table, step.pointer, known) or ANY, step.pointer, known, parts)


def _by_place(form: Sequence[FormSection], root: str) -> dict[str, FormField]:
    every = (line for each in form for line in (*([each.head] if each.head else []), *each.lines))
    return {line.pointer.removeprefix(root): line for line in every}


def _common_section(
    section: FormSection, lines: Sequence[Mapping[str, FormField]], root: str, without: set[str]
) -> FormSection:
    """A part of the first step's form with only what all have."""
    kept: list[FormField] = []
    head: FormField | None = None
    closed: str | None = None
    for line in (*([section.head] if section.head else []), *section.lines):
        place = line.pointer.removeprefix(root)
        if place.split("/")[1] in without or (closed is not None and place.startswith(closed)):
            continue
        common = _merged([each.get(place) for each in lines])
        if common is None or not common.heads:
            closed = place + "/"
        if common is None:
            continue
        if line is section.head and common.heads:
            head = common
        else:
            kept.append(common)
    if section.head is not None and head is None:  # what stood below it has no depth of its own there
        kept = [line for line in kept if line.pointer == section.head.pointer]
    missing = [field for field in section.missing if all(f"/{field.name}" not in each for each in lines)]
    missing = [field for field in missing if field.name not in without]
    return section._replace(lines=tuple(kept), head=head, missing=tuple(missing))


def _merged(found: Sequence[FormField | None]) -> FormField | None:
    """One line for those at the same place of several steps; None where one of them has none."""
    lines = [line for line in found if line is not None]
    first = lines[0]
    if len(lines) < len(found) or any(line.role != first.role or line.control == "deep" for line in lines):
        return None
    there = next((line for line in lines if not line.absent), first)
    controls = {line.control for line in lines if not line.absent} or {first.control}
    variants = len({_known_by(line) for line in lines})
    alike = controls == {"group"} and len({line.form for line in lines}) == 1
    if alike and not any(line.absent for line in lines):
        names = [{field.name for field in line.missing} for line in lines]
        missing = tuple(field for field in first.missing if all(field.name in each for each in names))
        return first._replace(missing=missing, variants=0)
    if variants == 1:
        return first._replace(variants=1)
    control = next(iter(controls)) if len(controls) == 1 else "text" if controls <= _WORDS else "json"
    control = "json" if control in {"group", "list"} else "text" if control == "prose" else control
    return there._replace(pointer=first.pointer, control=control, absent=False, length=0, missing=(), variants=variants)


def _known_by(line: FormField) -> object:
    return _ABSENT if line.absent else json.dumps(line.value, sort_keys=True)


def _target_lines(
    steps: Sequence[Step], lines: Sequence[Mapping[str, FormField]]
) -> tuple[list[FormField], dict[str, str]]:
    """A line for each intent that goes to one place in every step, and the intents by the lines' pointers."""
    found: list[FormField] = []
    targets: dict[str, str] = {}
    for rule in steps[0].transitions:
        own = [_target_line(step, step.transition(rule.intent), each) for step, each in zip(steps, lines, strict=True)]
        given = [line for line in own if line is not None]
        if len(given) < len(own):
            continue
        variants = len({_known_by(line) for line in given})
        targets[given[0].pointer] = rule.intent
        found.append(given[0]._replace(key=rule.as_written, depth=0, role="field", variants=variants))
    return found, targets


def _target_line(step: Step, rule: Transition | None, lines: Mapping[str, FormField]) -> FormField | None:
    if rule is None or rule.cases:
        return None
    below = rule.pointer.removeprefix(step.pointer)
    led = [line for place, line in lines.items() if place.startswith(below + "/") and line.names == "step"]
    return led[0] if len(led) == 1 and not led[0].absent and led[0].control == "text" else None
