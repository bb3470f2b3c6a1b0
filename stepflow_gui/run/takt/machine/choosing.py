"""Which rule of a piece's movement is taken: aggregates, tags, then the AI judge (takt.md 5 and 6)."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.conditions_model import Aggregate, AskedOfJudge, Label
from stepflow_gui.formats.takt.runners import TaktRunner
from stepflow_gui.run.takt.machine.piece import Movement, PieceRule
from stepflow_gui.run.takt.machine.tags import chosen_by_tag

Method = Literal["aggregate", "phase3_tag", "phase1_tag", "ai_judge", "ai_judge_fallback", "state"]


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
    movement: Movement, output: Output, answers: Sequence[int | None], runner: TaktRunner, *, interactive: bool
) -> Chosen | JudgeQuestion | NoneMatched:
    """The rule that is taken, or what the AI judge must answer first; `answers` are those it gave, in order.

    Only for movements with rules.
    """
    aggregate = first_true_aggregate(movement, output.subs)
    if aggregate is not None:
        return Chosen(aggregate, "aggregate")
    for text, method in _tagged(output):
        index = chosen_by_tag(text, movement.name)
        if index is not None and index < len(movement.rules) and _may(movement.rules[index], interactive):
            return Chosen(index, method)
    return _by_judge(movement, answers, runner, interactive=interactive)


def first_true_aggregate(movement: Movement, subs: Sequence[str | None]) -> int | None:
    """The first all() or any() that holds over what the sub-steps took; None where none does."""
    if not movement.subs:
        return None
    for index, rule in enumerate(movement.rules):
        if isinstance(rule.condition, Aggregate) and _holds(rule.condition, subs):
            return index
    return None


def _tagged(output: Output) -> tuple[tuple[str, Method], ...]:
    return (output.tag, "phase3_tag"), (output.text, "phase1_tag")


def _holds(aggregate: Aggregate, subs: Sequence[str | None]) -> bool:
    texts = [wanted.text for wanted in aggregate.wanted if isinstance(wanted, Label)]
    if not aggregate.every:
        return any(taken in texts for taken in subs if taken is not None)
    if aggregate.positional:
        return list(subs) == texts
    return bool(subs) and all(taken == texts[0] for taken in subs)


def _by_judge(
    movement: Movement, answers: Sequence[int | None], runner: TaktRunner, *, interactive: bool
) -> Chosen | JudgeQuestion | NoneMatched:
    visible = [(index, rule) for index, rule in enumerate(movement.rules) if _may(rule, interactive)]
    asked = [(index, rule.condition.text) for index, rule in visible if isinstance(rule.condition, AskedOfJudge)]
    left = list(answers)
    if asked:
        if not left:
            return JudgeQuestion(tuple((place, text) for place, (_index, text) in enumerate(asked)), "ai_judge")
        answer = left.pop(0)
        if answer is not None and 0 <= answer < len(asked):
            return Chosen(asked[answer][0], "ai_judge")
    if not left:
        return JudgeQuestion(tuple((index, rule.text) for index, rule in visible), "ai_judge_fallback")
    answer = left.pop(0)
    if answer is None or answer < 0:
        return NoneMatched()
    if runner.judge_counts_visible_rules:  # so a hidden rule in front shifts what can be chosen
        return Chosen(answer, "ai_judge_fallback") if answer < len(visible) else NoneMatched()
    return Chosen(answer, "ai_judge_fallback") if answer in dict(visible) else NoneMatched()


def _may(rule: PieceRule, interactive: bool) -> bool:
    return interactive or not rule.interactive_only
