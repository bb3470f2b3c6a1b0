"""Which rule of a workflow's step is taken: the first that holds, in the file's order (takt.md 13.3)."""

from collections.abc import Sequence
from typing import NamedTuple

from stepflow_gui.formats.takt.conditions_model import Aggregate, Condition, Label, LabelWhen, SubCondition, When
from stepflow_gui.run.takt.machine.choosing import Chosen, NoneMatched
from stepflow_gui.run.takt.machine.piece import Movement, PieceRule
from stepflow_gui.run.takt.machine.state_values import Facts, is_true

ERROR = "error"  # what a sub-step that failed has as its result


class SubResult(NamedTuple):
    """What a sub-step of a parallel one came to. `rule`: the one it took; None: it took none."""

    rule: PieceRule | None
    failed: bool = False


def labels_of(movement: Movement, *, interactive: bool) -> tuple[str, ...]:
    """The labels that a judge chooses from, each once, in the file's order; of fewer than two none is asked for."""
    conditions = (rule.condition for rule in movement.rules if interactive or not rule.interactive_only)
    labels = (label_of(condition) for condition in conditions)
    return tuple(dict.fromkeys(label for label in labels if label is not None))


def label_of(condition: Condition) -> str | None:
    """The label that a condition waits for; None where it waits for none."""
    if isinstance(condition, LabelWhen):
        return condition.label.text
    return condition.text if isinstance(condition, Label) else None


def choose_in_order(
    movement: Movement, label: str | None, subs: Sequence[SubResult], facts: Facts, *, interactive: bool
) -> Chosen | NoneMatched:
    """The first rule that holds. `label` is the judge's choice. Raises StateError where the state can't be read."""
    for index, rule in enumerate(movement.rules):
        if rule.interactive_only and not interactive:
            continue
        condition = rule.condition
        if isinstance(condition, Aggregate):
            if subs and _aggregate(condition, subs, facts):
                return Chosen(index, "aggregate")
        elif _holds(condition, label, facts):
            return Chosen(index, "state" if isinstance(condition, When) else "phase3_tag")
    return NoneMatched()


def _holds(condition: object, label: str | None, facts: Facts) -> bool:
    match condition:
        case Label():
            return condition.text == label
        case When():
            return is_true(condition.expression, facts)
        case LabelWhen():
            return condition.label.text == label and is_true(condition.when.expression, facts)
        case _:
            return False


def _aggregate(aggregate: Aggregate, subs: Sequence[SubResult], facts: Facts) -> bool:
    wanted = aggregate.wanted
    if not aggregate.every:
        found = any(_result(sub, each, facts) for sub in subs for each in wanted)
    elif aggregate.positional:
        found = len(wanted) == len(subs) and all(
            _result(sub, each, facts) for sub, each in zip(subs, wanted, strict=True)
        )
    else:
        found = all(_result(sub, wanted[0], facts) for sub in subs)
    return found and (aggregate.when is None or is_true(aggregate.when.expression, facts))


def _result(sub: SubResult, wanted: SubCondition, facts: Facts) -> bool:
    """Whether a sub-step came to what an aggregate asks of it."""
    if sub.failed:
        return wanted == Label(ERROR)
    return sub.rule is not None and _same(sub.rule.condition, wanted, facts)


def _same(taken: object, wanted: SubCondition, facts: Facts) -> bool:
    match wanted:
        case Label():
            label = taken.label if isinstance(taken, LabelWhen) else taken
            return label == wanted
        case When():
            return is_true(wanted.expression, facts)
        case LabelWhen():
            return _same(taken, wanted.label, facts) and is_true(wanted.when.expression, facts)
