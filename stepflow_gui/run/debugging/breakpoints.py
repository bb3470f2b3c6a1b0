"""Breakpoints: where a run is to pause."""

from collections.abc import Iterable
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.checks.vocabulary import INTENTS as CHECK_INTENTS
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.condition import Condition, ConditionProblem, read_condition
from stepflow_gui.run.debugging.places import is_path
from stepflow_gui.run.debugging.run_moment import RunMoment
from stepflow_gui.run.machine.closure_checks import unknown_validator
from stepflow_gui.text.json.tree import JsonValue

ANY = "*"
_ALWAYS = Condition("", ())


class Breakpoint(NamedTuple):
    """Pauses a run where all that is given holds.

    With `validator` (`*`: any) before that validator runs; with `intent` after an answer of that intent, at `step`
    where one is given; else before `step` is asked. `step` None: any step.
    """

    step: str | None = None
    intent: str | None = None
    validator: str | None = None
    condition: Condition = _ALWAYS
    enabled: bool = True

    @property
    def is_plain(self) -> bool:
        """Whether it is just a step, as a click on the canvas sets it."""
        return self.step is not None and self.intent is None and self.validator is None and not self.condition.tests

    def hits(self, here: RunMoment) -> bool:
        """Whether a run that has just come to this moment is to pause there."""
        return self.enabled and self._is_at(here) and self.condition.holds(here)

    def words(self) -> str:
        """Its text, for lists and for the reason of a pause."""
        if self.validator is not None:
            text = _("any validator") if self.validator == ANY else _("validator {name}").format(name=self.validator)
            place = f"{text} · {self.step}" if self.step else text
        elif self.intent is not None:
            place = f"{self.step or _('any step')} · {self.intent}"
        else:
            place = self.step or _("any step")
        return _("{place} if {condition}").format(place=place, condition=self.condition.text) if self._asks else place

    @property
    def _asks(self) -> bool:
        return bool(self.condition.tests)

    def _is_at(self, here: RunMoment) -> bool:
        if self.validator is not None:
            return here.is_checked(None if self.validator == ANY else self.validator, self.step)
        if self.intent is not None:
            return here.has_answered(self.intent, self.step)
        return here.is_asked(self.step)


class Breakpoints:
    """Those of one agent, in the order in which they were set."""

    __slots__ = ("_every",)

    def __init__(self, every: Iterable[Breakpoint] = ()) -> None:
        self._every = list(every)

    def __len__(self) -> int:
        return len(self._every)

    def __getitem__(self, row: int) -> Breakpoint:
        return self._every[row]

    @property
    def every(self) -> tuple[Breakpoint, ...]:
        """All of them."""
        return tuple(self._every)

    def add(self, new: Breakpoint) -> None:
        """Set one; the same again changes nothing."""
        if new not in self._every:
            self._every.append(new)

    def replace(self, row: int, new: Breakpoint) -> None:
        """Change one."""
        self._every[row] = new

    def remove(self, row: int) -> None:
        """Take one away."""
        del self._every[row]

    def toggle(self, step: str) -> bool:
        """Take away all that are set at a step, or set a plain one; whether there is one now."""
        kept = [each for each in self._every if each.step != step]
        if len(kept) < len(self._every):
            self._every = kept
            return False
        self._every.append(Breakpoint(step))
        return True

    def steps(self) -> dict[str, bool]:
        """The steps with a breakpoint, and whether any of theirs is on."""
        found: dict[str, bool] = {}
        for each in self._every:
            if each.step is not None:
                found[each.step] = found.get(each.step, False) or each.enabled
        return found

    def hit(self, here: RunMoment) -> Breakpoint | None:
        """The first that pauses a run here."""
        return next((each for each in self._every if each.hits(here)), None)


def breakpoint_of(step: str, intent: str, validator: str, condition: str) -> Breakpoint | ConditionProblem:
    """A breakpoint from a form's fields; "" is any."""
    read = read_condition(condition)
    if isinstance(read, ConditionProblem):
        return read
    return Breakpoint(step.strip() or None, intent.strip() or None, validator.strip() or None, read)


def missing_in(flow: Flow, era: Era, point: Breakpoint) -> str | None:
    """What a breakpoint names that doesn't exist, so no run would ever pause at it; None where all is."""
    if point.step is not None and point.step not in flow.steps:
        return _("There is no step “{step}”").format(step=point.step)
    known = {*era.words.values(), *intents_in(flow)} if era.checks is None else CHECK_INTENTS
    if point.intent is not None and point.intent not in known:
        return _("No step has an intent “{intent}”.").format(intent=point.intent)
    wrong = None if point.validator in {None, ANY} else unknown_validator(flow, [point.validator or ""])
    if wrong is not None:
        return wrong
    for test in point.condition.tests:
        if not is_path(flow, test.path):
            text = _("“{path}” can't be used in a condition. Use visit, handoff.issue or {example}.")
            step = next(iter(flow.steps), "initial.issue")
            return text.format(path=test.path, example=f"context.{step}.title")
    return None


def intents_in(flow: Flow) -> list[str]:
    """The intents that the gates of a flow list, in its order; where it has checks, the names of their transitions."""
    if flow.format == "checks":
        return list(CHECK_INTENTS)
    gates = [step.gate for step in flow.steps.values() if step.gate]
    return list(dict.fromkeys(intent.value for gate in gates for intent in gate.intents))


def as_json(points: Iterable[Breakpoint]) -> list[JsonValue]:
    """Breakpoints as they are kept between two starts of the program."""
    return [
        {
            "step": point.step,
            "intent": point.intent,
            "validator": point.validator,
            "condition": point.condition.text,
            "enabled": point.enabled,
        }
        for point in points
    ]


def breakpoints_of(kept: JsonValue) -> list[Breakpoint]:
    """The breakpoints that were kept; what can't be read is left out."""
    found = [_breakpoint(item) for item in kept] if isinstance(kept, list) else []
    return [point for point in found if point is not None]


def _breakpoint(kept: JsonValue) -> Breakpoint | None:
    if not isinstance(kept, dict):
        return None
    step, intent, validator, condition = (kept.get(key) for key in ("step", "intent", "validator", "condition"))
    texts = [text if isinstance(text, str) else "" for text in (step, intent, validator, condition)]
    made = breakpoint_of(texts[0], texts[1], texts[2], texts[3])
    if isinstance(made, ConditionProblem) or not any(texts):
        return None
    return made._replace(enabled=kept.get("enabled") is not False)
