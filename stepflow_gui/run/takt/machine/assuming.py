"""What a workflow's state has to be for a step to come to a rule: made up where somebody picks one (takt.md 13.3).

A person, a script or chance picks the rule. What its when(…), and those before it, ask for and was not
given is taken to be so.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product

from stepflow_gui.formats.takt.conditions_model import Aggregate, LabelWhen, When
from stepflow_gui.formats.takt.state_expression import (
    Clause,
    ComparisonExpression,
    Constant,
    Contains,
    Exists,
    Expression,
    StateReference,
    Truth,
)
from stepflow_gui.run.takt.machine.piece import Movement
from stepflow_gui.run.takt.machine.state_values import Facts, StateError
from stepflow_gui.text.json.tree import JsonValue

Path = tuple[str | int, ...]
_MOST_TRIED = 4_096  # states
_LONGEST_LIST = 8


def assumed(movement: Movement, rule: int, given: Facts, known: Facts, takes: Callable[[Facts], int | None]) -> Facts:
    """The facts to be added for a rule to be taken; {} where none are needed, or none help.

    `given` can't be changed; what else is `known` was assumed before, and is kept where it can be. `takes` gives the
    rule that is taken with some facts; it may raise StateError.
    """
    places: dict[Path, list[JsonValue]] = {}
    for each in movement.rules:
        for expression in _expressions(each.condition):
            for clauses in expression.alternatives:
                for clause in clauses:
                    _collect(clause, places)
    free = {path: values for path, values in places.items() if _at(given, path) is None}
    if not free or rule >= len(movement.rules):
        return {}
    options = [_usual_first(values, _at(known, path)) for path, values in free.items()]
    for values in islice(product(*options), _MOST_TRIED):
        made: Facts = {}
        for path, value in zip(free, values, strict=True):
            made = with_fact(made, path, value)
        try:
            found = takes(merged(merged(known, made), given))
        except StateError:
            continue
        if found == rule:
            return made
    return {}


def merged(facts: Facts, others: Facts) -> Facts:
    """Facts with others, which count more."""
    found = dict(facts)
    for key, value in others.items():
        before = found.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            found[key] = merged(before, value)
        else:
            found[key] = value
    return found


def with_fact(facts: Facts, path: Path, value: JsonValue) -> Facts:
    """Facts with a value at a path; lists in between are as long as needed."""
    found = _with(facts, path, value)
    return found if isinstance(found, dict) else {}


def facts_in_words(facts: Facts, before: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Each fact by its path, as expressions name it."""
    for key, value in facts.items():
        if isinstance(value, Mapping) and value:
            yield from facts_in_words(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _with(holder: JsonValue, path: Path, value: JsonValue) -> JsonValue:
    if not path:
        return value
    key, rest = path[0], path[1:]
    if isinstance(key, str):
        there = dict(holder) if isinstance(holder, Mapping) else {}
        return {**there, key: _with(there.get(key), rest, value)}
    items = list(holder) if isinstance(holder, list) else []
    items += [{}] * (min(key, _LONGEST_LIST) + 1 - len(items))
    if key < len(items):
        items[key] = _with(items[key], rest, value)
    return items


def _expressions(condition: object) -> Iterator[Expression]:
    match condition:
        case When():
            yield condition.expression
        case LabelWhen():
            yield condition.when.expression
        case Aggregate() if condition.when is not None:
            yield condition.when.expression


def _collect(clause: Clause, places: dict[Path, list[JsonValue]]) -> None:
    """Note which places a clause looks at, with values that make it true and false."""
    match clause:
        case Truth(of=StateReference() as place):
            _note(places, place, True, False)
        case ComparisonExpression(left=place, right=Constant(value=value)):
            _note(places, place, *_around(value))
        case ComparisonExpression(left=place, right=StateReference() as other):
            _note(places, place, 1, 0)
            _note(places, other, 1, 0)
        case Contains(items=place, value=Constant(value=value)):
            _note(places, place, [value], [])
        case Exists(items=place):
            _note(places, place, [_item(clause)], [])


def _around(value: JsonValue) -> tuple[JsonValue, ...]:
    """A value, and others that differ from it."""
    if isinstance(value, bool) or value is None:
        return (value, not value)
    if isinstance(value, int | float):
        return (value, value + 1, value - 1)
    return (value, f"not {value}")


def _item(clause: Exists) -> JsonValue:
    """An item of which all clauses hold."""
    found: Facts = {}
    for each in clause.clauses:
        if isinstance(each, ComparisonExpression) and isinstance(each.right, Constant):
            values = _around(each.right.value)
            found = with_fact(found, each.left.path, values[0] if each.operator in {"==", "<=", ">="} else values[1])
        elif isinstance(each, Contains) and isinstance(each.value, Constant):
            found = with_fact(found, each.items.path, [each.value.value])
    return found.get("item", {})


def _note(places: dict[Path, list[JsonValue]], place: StateReference, *values: JsonValue) -> None:
    noted = places.setdefault(place.path, [])
    noted += [value for value in values if not any(_is_same(value, each) for each in noted)]


def _usual_first(values: list[JsonValue], known: tuple[JsonValue] | None) -> list[JsonValue]:
    """Values to try, what is known before the others."""
    return values if known is None else [known[0], *(value for value in values if not _is_same(value, known[0]))]


def _is_same(left: JsonValue, right: JsonValue) -> bool:
    return isinstance(left, bool) is isinstance(right, bool) and left == right


def _at(facts: JsonValue, path: Path) -> tuple[JsonValue] | None:
    for key in path:
        holder: dict[str | int, JsonValue] = {}
        if isinstance(facts, Mapping):
            holder = dict(facts)
        elif isinstance(facts, list):
            holder = dict(enumerate(facts))
        if key not in holder:
            return None
        facts = holder[key]
    return (facts,)
