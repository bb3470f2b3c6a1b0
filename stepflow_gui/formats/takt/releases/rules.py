"""How each release reads the rules of a step, sub-step or judge."""

import re
from typing import Literal

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import Condition, ConditionFault, Label, LabelWhen, When
from stepflow_gui.formats.takt.releases.notes import T_037, T_050, T_053, Notes, Path
from stepflow_gui.formats.takt.releases.sets import Releases, Row, before, between, row
from stepflow_gui.text.json.tree import JsonValue

Place = Literal["parent", "step", "sub", "judge"]
_ENDS = ("COMPLETE", "ABORT")
_SLIPS = {'condition all("")', "condition that only starts with all(", "condition of blanks"}
_AGGREGATE = re.compile(r"\s*(all|any)\(")
_WHOLE_AGGREGATE = re.compile(r"(all|any)\((.+)\)", re.DOTALL)
_WHOLE_AI = re.compile(r'ai\("(.+)"\)', re.DOTALL)


def hold_rules(
    notes: Notes, rules: JsonValue, place: Place, path: Path, active: Releases, *, callable_file: bool, calls: bool
) -> None:
    """Note how releases read a list of rules. `calls`: it is that of a step that calls a workflow."""
    if not isinstance(rules, list):
        if isinstance(rules, dict):  # for the sub-steps of a fragment
            notes.refuse("type", path, active & before("0.55.0"))
        else:
            notes.mistake("type", path, active)
        return
    for index, rule in enumerate(rules):
        where = (*path, index)
        if not isinstance(rule, dict):
            notes.mistake("type", where, active)
            continue
        _hold_keys(notes, rule, place, where, active)
        _hold_condition(notes, rule, place, where, active)
        if place == "judge":
            if not isinstance(rule.get("next"), str):
                notes.mistake("type", (*where, "next"), active)
            continue
        if "next" in rule and not isinstance(rule["next"], str):
            notes.mistake("type", (*where, "next"), active)
        if "return" in rule and place != "sub":
            _hold_return(notes, rule, where, active & T_037, callable_file=callable_file)
        if calls:
            _hold_of_call(notes, rule, (*where, "condition"), active)
    if place != "judge":
        _hold_appendices(notes, rules, path, active & T_053)


def _hold_return(notes: Notes, rule: dict[str, JsonValue], path: Path, reads: Releases, *, callable_file: bool) -> None:
    if "next" in rule:
        notes.mistake("next_and_return", path, reads)
    elif not callable_file:
        notes.mistake("return_noncallable", path, reads)


def _hold_of_call(notes: Notes, rule: dict[str, JsonValue], path: Path, active: Releases) -> None:
    """Note a condition that can't be asked where a workflow is called."""
    if rule.get("condition") not in _ENDS:
        notes.refuse("call_result", path, active & between("0.36.0", "0.36.0"))
    if isinstance(_condition(rule), When | LabelWhen):
        notes.mistake("call_condition", path, active & T_053)


def _hold_appendices(notes: Notes, rules: list[JsonValue], path: Path, active: Releases) -> None:
    """Note the rules of a label that ask for another appendix than the first of them."""
    first: dict[str, JsonValue] = {}
    for index, rule in enumerate(rules):
        condition = _condition(rule) if isinstance(rule, dict) else None
        label = condition.label if isinstance(condition, LabelWhen) else condition
        if isinstance(rule, dict) and isinstance(label, Label):
            appendix = rule.get("appendix")
            if first.setdefault(label.text, appendix) != appendix:
                key = "condition" if appendix is None else "appendix"
                notes.mistake("appendix_conflict", (*path, index, key), active)


def _condition(rule: dict[str, JsonValue]) -> Condition | ConditionFault | None:
    """A rule's condition as releases read it that parse all of them."""
    text = rule.get("condition")
    return parse_condition(text, "workflow") if isinstance(text, str) and text.strip() else None


def _hold_keys(notes: Notes, rule: dict[str, JsonValue], place: Place, path: Path, active: Releases) -> None:
    for key in rule:
        if key in {"condition", "next"}:
            continue
        level = "sub_rule" if place == "sub" and row("sub_rule", key) is not None else "rule"
        if place == "judge":
            notes.refuse(key, (*path, key), active & T_053)
            notes.drop((*path, key), active & ~T_053)
        else:
            notes.key(level, key, (*path, key), active)


def _hold_condition(notes: Notes, rule: dict[str, JsonValue], place: Place, path: Path, active: Releases) -> None:
    condition = rule.get("condition")
    where = (*path, "condition")
    if "condition" not in rule:
        takes_when = between("0.36.0", "0.52.0") if "when" in rule else 0
        notes.mistake("required", where, active & ~takes_when)
        if not isinstance(rule.get("when", "…"), str) or rule.get("when") == "":
            notes.mistake("type", (*path, "when"), active & takes_when)
        return
    if "when" in rule:
        notes.mistake("condition_or_when", where, active & between("0.36.0", "0.52.0"))
    if not isinstance(condition, str) or not condition:
        notes.mistake("type", where, active)
        return
    for name in _forms(condition, place):
        level, _, form = name.rpartition("/")
        found = row(level or "rule", form) or Row(0, 0, 0)
        refuse = notes.mistake if form in _SLIPS else notes.refuse
        refuse(form, where, found.refused & active)
    if isinstance(parse_condition(condition, "workflow"), ConditionFault):
        refuse = notes.refuse if condition.strip() else notes.mistake
        refuse("condition_syntax", where, active & (T_050 if _AGGREGATE.match(condition) else T_053))


def _forms(condition: str, place: Place) -> list[str]:
    """The rows that a condition falls under."""
    text = condition.strip()
    found: list[str] = []
    if not text:
        return ["condition of blanks"]
    if text.startswith("ai("):
        found.append('condition ai("…")' if _WHOLE_AI.fullmatch(text) else "condition ai('…')")
    if _AGGREGATE.match(text):
        whole = _WHOLE_AGGREGATE.fullmatch(text)
        if whole is None:
            pass  # a label, up to 0.49
        elif '"' not in whole[2]:
            starts = isinstance(parse_condition(condition, "workflow"), ConditionFault)
            bare = "parallel_parent_rule/aggregate with a bare argument"
            found.append("condition that only starts with all(" if starts else bare)
        elif not re.search(r'"[^"]+"', whole[2]):
            found.append('condition all("")')
        if place == "sub":
            found.append("sub_rule/aggregate in a sub rule")
        elif place != "parent":
            found.append('condition all("…") on a step without parallel')
    if "companion." in text and "when(" in text:
        found.append("condition when(companion.…)")
    return found
