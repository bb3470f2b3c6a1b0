"""Which rule of a piece's movement is taken: aggregates, tags, then the AI judge (takt.md 5 and 6).

Where rules can be about the state (0.36 to 0.52) those that come before the one of a tag or of the judge go first, and
a rule `true` counts where nothing else holds.
"""

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.conditions_model import Aggregate, AskedOfJudge, Label, When
from stepflow_gui.formats.takt.runners import TaktRunner
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state_values import Facts, is_true
from stepflow_gui.run.takt.machine.tags import chosen_by_tag

Method = Literal["aggregate", "phase3_tag", "phase1_tag", "ai_judge", "ai_judge_fallback", "state", "status", "called"]


class Chosen(NamedTuple):
    """The rule that is taken, by its 0-based place, and what decided."""

    rule: int
    method: Method


class JudgeQuestion(NamedTuple):
    """What the AI judge is asked: which of the texts holds. Each has the 0-based number it is shown with."""

    texts: tuple[tuple[int, str], ...]
    method: Method


class NoneMatched(NamedTuple):
    """No rule could be chosen, which aborts the piece."""


class Output(NamedTuple):
    """The output of a movement so far. `subs`: per sub-step the condition of the rule it took, None for none."""

    text: str
    tag: str = ""  # what its judge phase gave
    subs: tuple[str | None, ...] = ()


def needs_judge_phase(movement: Movement) -> bool:
    """Whether a tag is asked for after the work is done: at least one rule is plain text."""
    return any(isinstance(rule.condition, Label) for rule in movement.rules)


def choose(
    movement: Movement,
    output: Output,
    answers: Sequence[int | None],
    runner: TaktRunner,
    *,
    interactive: bool,
    facts: Facts | None = None,
) -> Chosen | JudgeQuestion | NoneMatched:
    """The rule that is taken, or what the AI judge must answer first; `answers` are those it gave, in order.

    Only for movements with rules. Raises StateError where the state can't be read.
    """
    return _Choice(movement, runner, interactive, facts or {}).of(output, answers)


def first_true_aggregate(movement: Movement, subs: Sequence[str | None]) -> int | None:
    """The first all() or any() that holds over what the sub-steps took; None where none does."""
    if not movement.subs:
        return None
    for index, rule in enumerate(movement.rules):
        if isinstance(rule.condition, Aggregate) and _holds(rule.condition, subs):
            return index
    return None


def settled_aggregate(movement: Movement, subs: Sequence[str | None], at_work: Collection[int]) -> int | None:
    """The all() or any() that holds whatever the sub-steps come to that are still `at_work`, by their places.

    None where none does, or where a rule before it might hold then.
    """
    for index, rule in enumerate(movement.rules):
        aggregate = rule.condition
        if not isinstance(aggregate, Aggregate) or aggregate.when is not None:
            return None
        texts = [wanted.text for wanted in aggregate.wanted if isinstance(wanted, Label)]
        if not aggregate.every:
            if any(taken in texts for place, taken in enumerate(subs) if place not in at_work):
                return index
            possible = bool(at_work)
        else:
            wanted = texts if aggregate.positional else texts * len(subs)
            pairs = enumerate(zip(subs, wanted, strict=False))
            possible = all(place in at_work or taken == text for place, (taken, text) in pairs)
        if possible or len(texts) < len(aggregate.wanted):
            return None
    return None


class _Choice:
    """One choice among the rules that may be taken."""

    def __init__(self, movement: Movement, runner: TaktRunner, interactive: bool, facts: Facts) -> None:
        self._movement = movement
        self._runner = runner
        self._facts = facts
        self._visible = [
            (index, rule) for index, rule in enumerate(movement.rules) if interactive or not rule.interactive_only
        ]
        self._states = [(index, rule.condition) for index, rule in self._visible if isinstance(rule.condition, When)]
        others = (index for index, rule in self._visible if not isinstance(rule.condition, Aggregate | When))
        self._first = next(others, len(movement.rules))  # of the rules that aren't about state or sub-steps

    def of(self, output: Output, answers: Sequence[int | None]) -> Chosen | JudgeQuestion | NoneMatched:
        aggregate = first_true_aggregate(self._movement, output.subs)
        if aggregate is not None:
            return Chosen(aggregate, "aggregate")
        leading = self._state_between(-1, self._first)
        if leading is not None:
            return Chosen(leading, "state")
        may = dict(self._visible)
        texts: tuple[tuple[str, Method], ...] = (output.tag, "phase3_tag"), (output.text, "phase1_tag")
        for text, method in texts:
            index = chosen_by_tag(text, self._movement.name, first=self._runner.first_tag_counts)
            if index is not None and index in may:
                return self._unless_state(index, method)
        return self._by_judge(answers)

    def _by_judge(self, answers: Sequence[int | None]) -> Chosen | JudgeQuestion | NoneMatched:
        asked = [
            (index, rule.condition.text) for index, rule in self._visible if isinstance(rule.condition, AskedOfJudge)
        ]
        left = list(answers)
        if asked:
            if not left:
                return JudgeQuestion(tuple((place, text) for place, (_index, text) in enumerate(asked)), "ai_judge")
            answer = left.pop(0)
            if answer is not None and 0 <= answer < len(asked):
                return self._unless_state(asked[answer][0], "ai_judge")
        rest = self._state_between(self._first, len(self._movement.rules))
        if rest is not None:
            return Chosen(rest, "state")
        texts = self._texts_for_all()
        if texts or not self._runner.forms.state:
            if not left:
                return JudgeQuestion(texts, "ai_judge_fallback")
            chosen = self._of_all(left.pop(0), texts)
            if chosen is not None:
                return Chosen(chosen, "ai_judge_fallback")
        always = next((index for index, condition in self._states if _is_always(condition)), None)
        return NoneMatched() if always is None else Chosen(always, "state")

    def _texts_for_all(self) -> tuple[tuple[int, str], ...]:
        """What the judge is shown at last: rules that nothing but it decides, before there was state all of them."""
        decided = Aggregate | When if self._runner.forms.state else ()
        return tuple((index, rule.text) for index, rule in self._visible if not isinstance(rule.condition, decided))

    def _of_all(self, answer: int | None, texts: tuple[tuple[int, str], ...]) -> int | None:
        if answer is None or answer < 0:
            return None
        if self._runner.judge_counts_visible_rules:  # so a hidden rule in front shifts what can be chosen
            return answer if answer < len(texts) else None
        return answer if answer in dict(texts) else None

    def _unless_state(self, index: int, method: Method) -> Chosen:
        """A rule, or one over the state that comes before it and holds."""
        earlier = self._state_between(self._first, index)
        return Chosen(index, method) if earlier is None else Chosen(earlier, "state")

    def _state_between(self, after: int, before: int) -> int | None:
        """The first rule between two whose state holds; `true` waits until the end."""
        for index, condition in self._states:
            if after < index < before and not _is_always(condition) and is_true(condition.expression, self._facts):
                return index
        return None


def _is_always(condition: When) -> bool:
    return condition.text.strip() == "true"


def _holds(aggregate: Aggregate, subs: Sequence[str | None]) -> bool:
    texts = [wanted.text for wanted in aggregate.wanted if isinstance(wanted, Label)]
    if not aggregate.every:
        return any(taken in texts for taken in subs if taken is not None)
    if aggregate.positional:
        return list(subs) == texts
    return bool(subs) and all(taken == texts[0] for taken in subs)
