"""The rules of a step as another release reads them."""

from collections.abc import Callable, Mapping
from typing import Literal

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import (
    AskedOfJudge,
    Condition,
    ConditionFault,
    Label,
    LabelWhen,
    When,
)
from stepflow_gui.formats.takt.migrating.places import as_object, items
from stepflow_gui.formats.takt.migrating.text import PieceText
from stepflow_gui.formats.takt.piece import OLDER_NEXT, OLDER_RULES
from stepflow_gui.formats.takt.release_conditions import condition_as_read
from stepflow_gui.formats.takt.releases.never_chosen import readings
from stepflow_gui.formats.takt.releases.sets import NONE, Releases, between, named, since
from stepflow_gui.formats.takt.state_expression import Unreadable
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join

EVALUATED = between("0.36.0", "0.49.0")
"""Releases that evaluate a condition that looks like an expression; for others it is a label."""
_WHEN_KEY = between("0.36.0", "0.52.0")
_WHEN_CALL = since("0.50.0")
_ONE_ORDER = since("0.53.0")
_ALWAYS = "always"


def migrate_rules(text: PieceText, pointer: str, source: Releases, target: Releases) -> None:
    """Rewrite the conditions of a list of rules, and report those that the target takes otherwise."""
    if not text.has(pointer):
        return
    for index, rule in enumerate(items(text.value(pointer))):
        where = join(pointer, index)
        if "when" in as_object(rule) and "condition" not in as_object(rule):
            _when_key(text, where, source, target)
            continue
        condition = join(where, "condition")
        value = text.value(condition) if text.has(condition) else None
        if isinstance(value, str):
            _condition(text, condition, value, source, target)


def _when_key(text: PieceText, rule: str, source: Releases, target: Releases) -> None:
    expression = text.value(join(rule, "when"))
    if target & _WHEN_KEY or not target & _WHEN_CALL or not isinstance(expression, str):
        return  # what refuses the key says so
    if source & ~_WHEN_KEY:
        message = _("{release} didn't read “when”; the rule depends on it now")
        text.note(join(rule, "when"), message.format(release=named(source & ~_WHEN_KEY)))
    text.rename(join(rule, "when"), "condition")
    text.set(join(rule, "when"), f"when({expression})")


def _condition(text: PieceText, pointer: str, condition: str, source: Releases, target: Releases) -> None:
    asked = parse_condition(condition, "piece")
    if target & _ONE_ORDER and isinstance(asked, AskedOfJudge):
        text.set(pointer, asked.text)
        text.note(pointer, _("ai(…) is a label now: the judge chooses among all labels at once"))
        return
    before = {kind: releases for kind, releases in _kinds(condition, source).items() if kind != "other"}
    (now,) = _kinds(condition, target)
    expression = _whole_expression(condition)
    if set(before) == {"state"} and now != "state":
        if not source & ~EVALUATED and target & _WHEN_CALL:
            text.set(pointer, f"when({condition.strip()})")
            return
        if target & EVALUATED and expression and next(iter(_kinds(expression, target))) == "state":
            text.rename(pointer, "when")
            text.set(pointer, expression)
            return
    for kind, releases in before.items():
        message = _TAKEN_OTHERWISE.get((kind, now))
        if message is not None:
            text.note(pointer, message().format(release=named(releases)))


Kind = Literal["label", "state", "both", "unreadable", "other"]
"""What decides about a condition: who names the label, the state, both of them; nothing, as it ends the run."""

_TAKEN_OTHERWISE: Mapping[tuple[Kind, Kind], Callable[[], str]] = {
    ("label", "state"): lambda: _("evaluated as an expression; {release} took it for a label"),
    ("label", "both"): lambda: _("its when(…) is evaluated; {release} took all of it for a label"),
    ("state", "label"): lambda: _("a label for the judge; {release} evaluated it as an expression"),
    ("both", "label"): lambda: _("a label for the judge; {release} evaluated its when(…), too"),
    ("unreadable", "label"): lambda: _("a label for the judge; {release} ended the run there"),
    ("unreadable", "state"): lambda: _("evaluated as an expression; {release} ended the run there"),
    ("unreadable", "both"): lambda: _("its when(…) is evaluated; {release} ended the run there"),
    **{
        (kind, "unreadable"): lambda: _(
            "an expression that can't be read: the run ends there, as it didn't in {release}"
        )
        for kind in ("label", "state", "both")
    },
}


def _kinds(condition: str, releases: Releases) -> dict[Kind, Releases]:
    """What decides about a condition, with the releases in which that is so."""
    found: dict[Kind, Releases] = {}
    for reading in readings(releases):
        kind = _kind(condition_as_read(condition, reading.notation, reading.forms))
        found[kind] = found.get(kind, NONE) | reading.releases
    return found


def _kind(condition: Condition | ConditionFault) -> Kind:
    match condition:
        case When(_text, expression):
            readable = not any(
                isinstance(clause, Unreadable) for all_of in expression.alternatives for clause in all_of
            )
            return "state" if readable else "unreadable"
        case LabelWhen():
            return "both"
        case Label():
            return "label"
        case _:
            return "other"


def _whole_expression(condition: str) -> str:
    """The expression of a condition that is nothing but when(…); "" for another one."""
    found = parse_condition(condition, "workflow")
    return found.text.strip() if isinstance(found, When) else ""


def migrate_transitions(text: PieceText, step: str, target: Releases) -> None:
    """Write the transitions of a step as rules, where the target reads these; report what has no counterpart."""
    pointer = join(step, OLDER_RULES)
    if not target & since("0.3.0") or not text.has(pointer) or text.has(join(step, "rules")):
        return
    listed = items(text.value(pointer))
    for index, each in enumerate(listed):
        place, transition = join(pointer, index), as_object(each)
        if OLDER_NEXT in transition and "next" not in transition:
            text.rename(join(place, OLDER_NEXT), "next")
        if transition.get("condition") == _ALWAYS and len(listed) > 1:
            text.note(
                join(place, "condition"),
                _("“always” held for any status; it is one result among the others now: write when it holds"),
            )
    text.rename(pointer, "rules")
