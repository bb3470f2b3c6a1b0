"""Conditions of pieces and workflows against what upstream reads in them."""

from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import (
    Aggregate,
    AskedOfJudge,
    Condition,
    ConditionFault,
    Label,
    LabelWhen,
    When,
)
from tests.conformance.takt_comparing import Case, recorded, report


def test_conditions_of_pieces(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        return _of_piece(parse_condition(case["condition"], "piece"))

    report(subtests, recorded(conformance, "seed/conditions.json"), observed)


def test_conditions_of_workflows(conformance: Path, subtests: pytest.Subtests) -> None:
    def observed(case: Case) -> Case:
        return _of_workflow(parse_condition(case["condition"], "workflow"))

    report(subtests, recorded(conformance, "head/conditions.json"), observed)


def _of_piece(found: Condition | ConditionFault) -> dict[str, Any]:
    match found:
        case ConditionFault():
            return {"kind": "error", "error": found.kind}
        case AskedOfJudge():
            return {"kind": "ai", "text": found.text}
        case Aggregate():
            texts = [wanted.text for wanted in found.wanted if isinstance(wanted, Label)]
            return {"kind": "all" if found.every else "any", "args": texts}
        case Label():
            return {"kind": "plain", "text": found.text}
        case _:
            raise AssertionError(found)


def _of_workflow(found: Condition | ConditionFault) -> dict[str, Any]:
    return {"ok": False} if isinstance(found, ConditionFault) else {"ok": True, "parsed": _parsed(found)}


def _parsed(found: Condition) -> dict[str, Any]:
    match found:
        case When():
            return {"kind": "when", "expression": found.text}
        case LabelWhen():
            return {"kind": "and", "left": _parsed(found.label), "right": _parsed(found.when)}
        case Aggregate():
            wanted = [_parsed(each) for each in found.wanted]
            parsed = {"kind": "aggregate", "aggregate": "all" if found.every else "any", "targetConditions": wanted}
            return {"kind": "and", "left": parsed, "right": _parsed(found.when)} if found.when else parsed
        case Label():
            return {"kind": "semantic", "label": found.text}
        case _:
            raise AssertionError(found)
