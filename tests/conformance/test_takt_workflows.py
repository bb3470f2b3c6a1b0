"""Expressions and rules of workflows against what upstream makes of them."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import ConditionFault
from stepflow_gui.formats.takt.state_expression import ExpressionFault, parse_expression
from stepflow_gui.run.takt.machine.choosing import Chosen
from stepflow_gui.run.takt.machine.piece import Movement, PieceRule
from stepflow_gui.run.takt.machine.state_values import Facts, StateError, is_true
from stepflow_gui.run.takt.machine.workflow_choosing import SubResult, choose_in_order
from tests.conformance.takt_comparing import Case, recorded, report


def test_state_expressions(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        return _value(case["expression"], case["state"])

    report(subtests, recorded(conformance, "head/when.json"), observed)


def test_choice_in_order(conformance: Path, subtests: pytest.Subtests) -> None:
    [state, *_others] = (case["state"] for case in recorded(conformance, "head/when.json"))
    report(subtests, recorded(conformance, "head/evaluate.json"), lambda case: _choice(case, state))


def _value(text: str, state: Facts) -> dict[str, Any]:
    expression = parse_expression(text)
    if isinstance(expression, ExpressionFault):
        return {"error": True}
    try:
        return {"value": is_true(expression, state)}
    except StateError:
        return {"error": True}


def _choice(case: dict[str, Any], state: Facts) -> dict[str, Any]:
    subs = case["parallel"] or []
    movement = Movement("m", tuple(_rule(rule) for rule in case["rules"]), tuple(Movement(sub["name"]) for sub in subs))
    results = [
        SubResult(None, failed=True) if sub.get("error") else SubResult(_rule(sub["rules"][sub["matched"]]))
        for sub in subs
    ]
    found = choose_in_order(movement, case["selected_label"], results, state, interactive=case["interactive"])
    return {"index": found.rule} if isinstance(found, Chosen) else {"error": "no_rule_matched"}


def _rule(rule: str | dict[str, Any]) -> PieceRule:
    said: dict[str, Any] = {"condition": rule} if isinstance(rule, str) else rule
    condition = parse_condition(said["condition"], "workflow")
    assert not isinstance(condition, ConditionFault)
    return PieceRule(said["condition"], condition, interactive_only=said.get("interactive_only", False))
