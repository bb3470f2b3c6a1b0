"""What the loader's own check of types and values refuses in a TAKT file (takt.md 2, 3, 8, 13.1, 15)."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.formats.takt.eras import BY_STEPS, TaktEra
from stepflow_gui.formats.takt.fields import JUDGE_RULE, MOVEMENT, PIECE_FILE, RULE, SUB
from stepflow_gui.formats.takt.renames import REMOVED_FROM_STEPS, REMOVED_FROM_TOP
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

Kind = Literal[
    "type",
    "enum",
    "pattern",
    "minimum",
    "maximum",
    "required",
    "additional",
    "one_of",
    "form",
    "removed",
    "unknown",
]
Path = tuple[str | int, ...]


class LoadFault(NamedTuple):
    """Something that the loader refuses. `pattern` is an empty text, `unknown` a key in the object at the path."""

    kind: Kind
    path: Path
    key: str = ""  # that is unknown

    @property
    def pointer(self) -> str:
        """The place as a JSON Pointer: to the key itself where it is missing."""
        return join("", *self.path)


def load_faults(root: JsonValue, era: TaktEra) -> list[LoadFault]:
    """Everything that the check refuses, in no order that matters. Conditions and targets are checked elsewhere."""
    if not isinstance(root, dict):
        return [LoadFault("type", ())]
    found = [fault for fault in _faults(root, PIECE_FILE, era, ()) if not _judged_by_hand(fault.path, era)]
    found += _of_other_words(root, PIECE_FILE, era, ())
    found += _of_steps(root.get(era.steps), era)
    if era.refuses_unknown:
        found += _unknown(root, PIECE_FILE, era, (), REMOVED_FROM_TOP)
        found += [LoadFault("removed", (key,)) for key in REMOVED_FROM_TOP if key in root]
        found += _of_judges(root, era)
    return found


def blank_names(root: JsonValue, era: TaktEra) -> Iterator[LoadFault]:
    """What the loader of workflows refuses once that check is done: personas that are given and empty."""
    steps = root.get(era.steps) if isinstance(root, dict) and era.refuses_unknown else None
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        if not isinstance(step, dict):
            continue
        path: Path = (era.steps, index)
        subs = _lists_of_subs(step.get("parallel"), (*path, "parallel"), era)
        below = [((*where, at), sub) for where, listed in subs for at, sub in enumerate(listed)]
        for place, each in [(path, step), *below]:
            for key in ("persona", "persona_name"):
                value = each.get(key) if isinstance(each, dict) else None
                if isinstance(value, str) and not value.strip():
                    yield LoadFault("pattern", (*place, key))


def _faults(value: JsonValue, shape: Shape, era: TaktEra, path: Path) -> Iterator[LoadFault]:
    for misfit in misfits(value, shape, era.notation, path):
        yield LoadFault(misfit.kind, misfit.path)


def _of_other_words(value: dict[str, JsonValue], shape: Shape, era: TaktEra, path: Path) -> Iterator[LoadFault]:
    """Values of keys that only the other notation's table has: releases between the two read them."""
    known = {field.name for field in shape.fields if field.known_in(era.notation)}
    for field in shape.fields:
        if field.name in value and field.name not in known and field.name not in BY_STEPS:
            for misfit in misfits(value[field.name], field.shape, field.formats[0], (*path, field.name)):
                yield LoadFault(misfit.kind, misfit.path)


def _judged_by_hand(path: Path, era: TaktEra) -> bool:
    """Whether a place is in what has several forms: rules, sub-steps, reports and gates; `_of_steps` looks at those."""
    return path[:1] == (era.steps,) and (path[2:3] == ("parallel",) or _has_forms(path[2:3], era))


def _has_forms(inside: Path, era: TaktEra) -> bool:
    return inside in {("rules",), ("output_contracts",)} or (era.facets and inside == ("quality_gates",))


def _of_steps(steps: JsonValue, era: TaktEra) -> Iterator[LoadFault]:
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        if not isinstance(step, dict):
            continue
        path: Path = (era.steps, index)
        yield from _of_step(step, era, path)
        yield from _of_other_words(step, MOVEMENT, era, path)
        parallel = step.get("parallel")
        lists = list(_lists_of_subs(parallel, (*path, "parallel"), era))
        if era.facets and any("parallel" in sub for _where, subs in lists for sub in subs if isinstance(sub, dict)):
            yield LoadFault("one_of", (*path, "parallel"))
        for where, subs in lists:
            for at, sub in enumerate(subs):
                yield from _of_sub(sub, era, (*where, at))
        if "parallel" in step and not isinstance(parallel, list) and not (isinstance(parallel, dict) and era.facets):
            yield LoadFault("type", (*path, "parallel"))


def _lists_of_subs(parallel: JsonValue, path: Path, era: TaktEra) -> Iterator[tuple[Path, list[JsonValue]]]:
    if isinstance(parallel, list):
        yield path, parallel
    elif isinstance(parallel, dict) and era.facets:
        for key in ("fixed", "pool"):
            if isinstance(parallel.get(key), list):
                yield (*path, key), parallel[key]


def _of_sub(sub: JsonValue, era: TaktEra, path: Path) -> Iterator[LoadFault]:
    for fault in _faults(sub, SUB, era, path):
        if not _has_forms(fault.path[len(path) :][:1], era):
            yield fault
    if isinstance(sub, dict):
        yield from _of_step(sub, era, path)
        yield from _of_other_words(sub, SUB, era, path)


def _of_step(step: dict[str, JsonValue], era: TaktEra, path: Path) -> Iterator[LoadFault]:
    """The parts that have several forms, and the keys that are refused by name."""
    if "name" not in step and "uses" not in step and era.facets:
        yield LoadFault("required", (*path, "name"))
    if "rules" in step:
        yield from _of_rules(step["rules"], era, (*path, "rules"), shared="uses" in step)
    if "output_contracts" in step:
        yield from _of_contracts(step["output_contracts"], era, (*path, "output_contracts"))
    if era.facets and "quality_gates" in step:
        yield from _of_gates(step["quality_gates"], (*path, "quality_gates"))
    if era.refuses_unknown:
        yield from (LoadFault("removed", (*path, key)) for key in REMOVED_FROM_STEPS if key in step)


def _of_gates(gates: JsonValue, path: Path) -> Iterator[LoadFault]:
    """A gate is a text, or since 0.43 a command that is run."""
    if not isinstance(gates, list):
        yield LoadFault("type", path)
        return
    for index, gate in enumerate(gates):
        place: Path = (*path, index)
        if not isinstance(gate, dict):
            yield from () if isinstance(gate, str) else (LoadFault("type", place),)
            continue
        kind, command = gate.get("type"), gate.get("command")
        for key in ("type", "command"):
            if key not in gate:
                yield LoadFault("required", (*place, key))
        if "type" in gate and kind != "command":
            yield LoadFault("enum" if isinstance(kind, str) else "type", (*place, "type"))
        if "command" in gate and not (isinstance(command, str) and command.strip()):
            yield LoadFault("pattern" if isinstance(command, str) else "type", (*place, "command"))


def _of_rules(rules: JsonValue, era: TaktEra, path: Path, *, shared: bool) -> Iterator[LoadFault]:
    if isinstance(rules, dict) and shared and era.facets:
        yield from _of_rules(rules.get("self", []), era, (*path, "self"), shared=False)
        of_subs = rules.get("parallel")
        for name, inner in of_subs.items() if isinstance(of_subs, dict) else ():
            yield from _of_rules(inner, era, (*path, "parallel", name), shared=False)
        return
    yield from _faults(rules, Shape("list", of=RULE), era, path)
    if era.refuses_unknown:
        for index, rule in enumerate(rules if isinstance(rules, list) else ()):
            if isinstance(rule, dict):
                yield from _unknown(rule, RULE, era, (*path, index), ())


def _of_contracts(contracts: JsonValue, era: TaktEra, path: Path) -> Iterator[LoadFault]:
    shape = next(field.shape for field in MOVEMENT.fields if field.name == "output_contracts")
    for fault in _faults(contracts, shape, era, path):
        # What one report is, is checked below: an entry fits as a whole or not at all.
        if not (era.notation == "piece" and len(fault.path) > len(path) + 1):
            yield fault
    reports = contracts.get("report") if isinstance(contracts, dict) else None
    if era.notation == "piece" and isinstance(reports, list):
        for index, report in enumerate(reports):
            if not is_report(report):
                yield LoadFault("one_of", (*path, "report", index))


def is_report(report: JsonValue) -> bool:
    """Whether an entry is of one of the two forms: labels with file names, or name, order and format."""
    if not isinstance(report, dict):
        return False
    if all(isinstance(value, str) for value in report.values()):
        return True
    name = report.get("name")
    others = (report[key] for key in ("order", "format") if key in report)
    return isinstance(name, str) and bool(name) and all(isinstance(value, str) for value in others)


def _of_judges(root: dict[str, JsonValue], era: TaktEra) -> Iterator[LoadFault]:
    monitors = root.get("loop_monitors")
    for index, monitor in enumerate(monitors if isinstance(monitors, list) else ()):
        judge = monitor.get("judge") if isinstance(monitor, dict) else None
        if not isinstance(judge, dict):
            continue
        path: Path = ("loop_monitors", index, "judge")
        if "instruction_template" in judge:
            yield LoadFault("removed", (*path, "instruction_template"))
        rules = judge.get("rules")
        for at, rule in enumerate(rules if isinstance(rules, list) else ()):
            if isinstance(rule, dict):
                yield from _unknown(rule, JUDGE_RULE, era, (*path, "rules", at), ())


def _unknown(
    value: dict[str, JsonValue], shape: Shape, era: TaktEra, path: Path, named: tuple[str, ...]
) -> Iterator[LoadFault]:
    known = {field.name for field in shape.fields if field.known_in(era.notation)}
    yield from (LoadFault("unknown", path, key) for key in value if key not in known and key not in named)
