"""What a when(…) expression is worth over a state (takt.md 13.3); missing references are errors, as upstream has it."""

from collections.abc import Mapping

from stepflow_gui.formats.takt.state_expression import (
    ORDERING,
    Clause,
    ComparisonExpression,
    Constant,
    Contains,
    Exists,
    Expression,
    StateReference,
    Truth,
    Unreadable,
)
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue

Facts = Mapping[str, JsonValue]  # by scope: context, structured, effect; `item` inside exists()


class StateError(Exception):
    """An expression that can't be evaluated. `message` is the reason."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def is_true(expression: Expression, facts: Facts) -> bool:
    """Whether an expression holds; what stands after the clause that decides isn't read. Raises StateError."""
    return any(all(_clause(clause, facts) for clause in clauses) for clauses in expression.alternatives)


def _clause(clause: Clause, facts: Facts) -> bool:
    match clause:
        case Truth():
            return _truth(clause, facts)
        case ComparisonExpression():
            return _compared(clause, facts)
        case Contains():
            value = _value(clause.value, facts)
            return any(_equal(item, value) for item in _items(clause.items, facts))
        case Unreadable():
            raise StateError(clause.message)
        case Exists():
            return any(
                all(_clause(each, {**facts, "item": item}) for each in clause.clauses)
                for item in _items(clause.items, facts)
            )


def _truth(clause: Truth, facts: Facts) -> bool:
    value = _value(clause.of, facts)
    if not isinstance(value, bool):
        name = clause.of.text if isinstance(clause.of, StateReference) else str(clause.of.value)
        raise StateError(_("{name} is neither true nor false").format(name=name))
    return value


def _compared(clause: ComparisonExpression, facts: Facts) -> bool:
    left, right = _value(clause.left, facts), _value(clause.right, facts)
    if clause.operator not in ORDERING:
        return _equal(left, right) is (clause.operator == "==")
    if not (_is_number(left) and _is_number(right)):
        raise StateError(_("{name} can't be compared by size: only numbers can").format(name=clause.left.text))
    assert isinstance(left, int | float)
    assert isinstance(right, int | float)
    match clause.operator:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def _items(place: StateReference, facts: Facts) -> list[JsonValue]:
    found = _value(place, facts)
    if not isinstance(found, list):
        raise StateError(_("{name} is not a list").format(name=place.text))
    return found


def _value(of: Constant | StateReference, facts: Facts) -> JsonValue:
    if isinstance(of, Constant):
        return of.value
    found: JsonValue = dict(facts)
    for key in of.path:
        inside = _inside(found, key)
        if inside is None:
            raise StateError(_("{name} doesn't exist").format(name=of.text))
        found = inside[0]
    return found


def _inside(holder: JsonValue, key: str | int) -> tuple[JsonValue] | None:
    if isinstance(key, str):
        return (holder[key],) if isinstance(holder, dict) and key in holder else None
    return (holder[key],) if isinstance(holder, list) and key < len(holder) else None


def _equal(left: JsonValue, right: JsonValue) -> bool:
    """Whether two values are the same; true is not 1."""
    return isinstance(left, bool) is isinstance(right, bool) and left == right


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
