"""What keeps a value from being a transition, a target or a condition with its targets."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stepflow_gui.lint.rules.prelude import _
from stepflow_gui.text.json.tree import JsonValue

UNREAD = ("closing", "complete", "repeat", "abort")  # the runner needs no rule for these


class TransitionFault(NamedTuple):
    """The value at fault. `text` has placeholders for intent, step and the kind of the value."""

    intent: str
    keys: tuple[str, ...]  # below the transition
    value: JsonValue
    text: str

    @property
    def is_empty(self) -> bool:
        """Whether it is a target that is an empty text."""
        return self.keys == ("target",) and self.value == ""


def transition_faults(transitions: Mapping[str, JsonValue]) -> Iterator[TransitionFault]:
    """The first fault of each transition."""
    for intent, rule in transitions.items():
        found = _fault(rule) or _spare(rule)
        if found:
            yield TransitionFault(intent, *found)


_Fault = tuple[tuple[str, ...], JsonValue, str]


def _fault(rule: JsonValue) -> _Fault | None:
    if not isinstance(rule, dict):
        return (), rule, _("The transition “{intent}” of “{step}” is {kind}, not an object with a “target”")
    if "target" in rule:
        target = rule["target"]
        if target == "":
            return ("target",), target, _("The target of “{intent}” of “{step}” is empty")
        if target is None or isinstance(target, str):
            return None
        return (
            ("target",),
            target,
            _("The target of “{intent}” of “{step}” must be a step's id or null but is {kind}"),
        )
    if rule.get("condition") is None or rule.get("targets") is None:
        return (
            (),
            rule,
            _("The transition “{intent}” of “{step}” has neither a “target” nor a “condition” with its “targets”"),
        )
    return _conditional_fault(rule["condition"], rule["targets"])


def _conditional_fault(condition: JsonValue, targets: JsonValue) -> _Fault | None:
    if not isinstance(condition, str):
        text = _("The condition of “{intent}” of “{step}” must be a string but is {kind}")
        return ("condition",), condition, text
    if not isinstance(targets, dict):
        return ("targets",), targets, _("The targets of “{intent}” of “{step}” must be an object but are {kind}")
    if all(target == "" for target in targets.values()):
        return ("targets",), targets, _("“{intent}” of “{step}” has a condition but no targets")
    for case, target in targets.items():
        if target is not None and not isinstance(target, str):
            text = _("A target of “{intent}” of “{step}” must be a step's id or null but is {kind}")
            return ("targets", case), target, text
    return None


def _spare(rule: JsonValue) -> _Fault | None:
    fallback = rule.get("fallback") if isinstance(rule, dict) else None
    if fallback is None or isinstance(fallback, str):
        return None
    return ("fallback",), fallback, _("The fallback of “{intent}” of “{step}” must be a step's id but is {kind}")
