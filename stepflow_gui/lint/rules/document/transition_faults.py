"""What keeps a value from being a transition: a target, or a condition with its targets."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.prelude import ERROR, WARNING, _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

UNREAD = ("closing", "complete", "repeat", "abort")  # the runner needs no rule for these


class TransitionFault(NamedTuple):
    """The value at fault. `text` has placeholders for intent, step and the kind of the value."""

    pointer: str
    intent: str
    value: JsonValue
    text: str
    severity: Severity


def transition_faults(
    transitions: Mapping[str, JsonValue], pointer: str, *, all_looked_at: bool
) -> Iterator[TransitionFault]:
    """The first fault of each transition. `all_looked_at`: also of targets that no run needs."""
    for intent, rule in transitions.items():
        empty = isinstance(rule, dict) and rule.get("target") == ""
        if empty and intent not in UNREAD:
            continue  # SF203, SF212, SF310 and SF321 look at these
        found = _fault(rule)
        if found:
            keys, value, text = found
            unread = intent in UNREAD and isinstance(rule, dict) and not (all_looked_at and keys == ("target",))
            severity = WARNING if unread else ERROR
            yield TransitionFault(join(pointer, intent, *keys), intent, value, text, severity)


def _fault(rule: JsonValue) -> tuple[tuple[str, ...], JsonValue, str] | None:
    if not isinstance(rule, dict):
        return (), rule, _("The transition “{intent}” of “{step}” is {kind}: it must be an object with a “target”")
    if "target" in rule:
        target = rule["target"]
        if target == "":
            return ("target",), target, _("The target of “{intent}” of “{step}” is empty, so the rule counts as none")
        if target is None or isinstance(target, str):
            return None
        return (
            ("target",),
            target,
            _("The target of “{intent}” of “{step}” must be a step's id or null, and is {kind}"),
        )
    if rule.get("condition") is None or rule.get("targets") is None:
        return (
            (),
            rule,
            _("The transition “{intent}” of “{step}” has neither a “target” nor a “condition” with its “targets”"),
        )
    return _conditional_fault(rule["condition"], rule["targets"])


def _conditional_fault(condition: JsonValue, targets: JsonValue) -> tuple[tuple[str, ...], JsonValue, str] | None:
    if not isinstance(condition, str):
        text = _("The condition of “{intent}” of “{step}” must be a text, and is {kind}")
        return ("condition",), condition, text
    if not isinstance(targets, dict):
        return ("targets",), targets, _("The targets of “{intent}” of “{step}” must be an object, and are {kind}")
    if all(target == "" for target in targets.values()):
        text = _("“{intent}” of “{step}” has a condition but no targets: no answer has a next step")
        return ("targets",), targets, text
    for case, target in targets.items():
        if target is not None and not isinstance(target, str):
            text = _("A target of “{intent}” of “{step}” must be a step's id or null, and is {kind}")
            return ("targets", case), target, text
    return None
