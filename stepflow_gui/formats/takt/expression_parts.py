"""The expression of when(…) as a row of clauses and back; and the places in the state that a workflow speaks of."""

import json
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import Aggregate, Condition, ConditionFault, LabelWhen, When
from stepflow_gui.formats.takt.state_expression import (
    Clause,
    ComparisonExpression,
    Constant,
    Contains,
    Exists,
    Expression,
    ExpressionFault,
    StateReference,
    Truth,
    Unreadable,
    parse_expression,
)
from stepflow_gui.messages import _

Sign = Literal["", "==", "!=", "<", "<=", ">", ">=", "contains", "exists"]
"""How a clause sets its two sides in relation: `contains` a value in a list, `exists` an item for which it holds."""
SIGNS: tuple[Sign, ...] = ("", "==", "!=", "<", "<=", ">", ">=", "contains", "exists")


class ClausePart(NamedTuple):
    """One clause. `other`: it begins an alternative; never set for the first clause."""

    left: str
    sign: Sign = ""
    right: str = ""
    other: bool = False


def clauses_of(text: str) -> list[ClausePart] | ExpressionFault:
    """The clauses of an expression in their order."""
    found = parse_expression(text)
    return found if isinstance(found, ExpressionFault) else list(_clauses(found))


def expression_of(clauses: Sequence[ClausePart]) -> str:
    """The expression that clauses make."""
    text = ""
    for clause in clauses:
        joint = (" || " if clause.other else " && ") if text else ""
        text += joint + clause_text(clause)
    return text


def clause_text(clause: ClausePart) -> str:
    """One clause as it is written."""
    left, right = clause.left.strip(), clause.right.strip()
    if clause.sign in {"contains", "exists"}:
        return f"{clause.sign}({left}, {right})"
    return f"{left} {clause.sign} {right}" if clause.sign else left


def fault_of_clause(clause: ClausePart) -> str:
    """Why a clause can't be read; empty where it can."""
    if not clause.left.strip():
        return _("A place in the state is missing here")
    if clause.sign and not clause.right.strip():
        return _("A value is missing here")
    found = parse_expression(clause_text(clause))
    if isinstance(found, ExpressionFault):
        return found.message
    return "" if len(list(_clauses(found))) == 1 else _("This is more than one clause")


def references_in(flow: Flow) -> list[str]:
    """The places in the state that the conditions of a workflow speak of, and where steps leave what they give out."""
    found: dict[str, None] = {}
    for step in flow.steps.values():
        for each in (step, *step.subs):
            for rule in each.transitions:
                found |= dict.fromkeys(places_of(parse_condition(rule.as_written, "workflow")))
            if "structured_output" in each.raw:
                found[f"structured.{each.id}."] = None
    return list(found)


def _clauses(found: Expression) -> Iterator[ClausePart]:
    for at, alternative in enumerate(found.alternatives):
        for number, clause in enumerate(alternative):
            yield _part(clause)._replace(other=at > 0 and number == 0)


def _part(clause: Clause) -> ClausePart:
    match clause:
        case Truth(of):
            return ClausePart(_side(of))
        case Unreadable(text, _message):
            return ClausePart(text)
        case ComparisonExpression(left, operator, right):
            return ClausePart(left.text, operator, _side(right))
        case Contains(items, value):
            return ClausePart(items.text, "contains", _side(value))
        case Exists(items, inner):
            return ClausePart(items.text, "exists", " && ".join(clause_text(_part(each)) for each in inner))


def _side(of: Constant | StateReference) -> str:
    return of.text if isinstance(of, StateReference) else json.dumps(of.value, ensure_ascii=False)


def places_of(condition: Condition | ConditionFault) -> Iterator[str]:
    """The places in the state that a condition speaks of."""
    match condition:
        case When(_text, expression):
            for clause in _clauses(expression):
                if clause.left not in {"true", "false"}:
                    yield clause.left
        case LabelWhen(_label, when):
            yield from places_of(when)
        case Aggregate(_every, wanted, when):
            for each in (*wanted, *([when] if when else [])):
                yield from places_of(each)
