"""The meaning of conditions in the two notations, and where they are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import (
    Aggregate,
    AskedOfJudge,
    ConditionFault,
    Label,
    LabelWhen,
    Notation,
)

_SIGNS = st.text(st.sampled_from('all(any"when()i,& |.=1x\\\n'), max_size=24)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("done", Label("done")),
        ('ai("it works")', AskedOfJudge("it works")),
        ("ai('it works')", Label("ai('it works')")),
        ('all("A", "B")', Aggregate(True, (Label("A"), Label("B")))),
        ('any("A") or any("B")', Aggregate(False, (Label("A"), Label("B")))),
        ("all()", Label("all()")),
    ],
)
def test_piece(text: str, found: object) -> None:
    assert parse_condition(text, "piece") == found


@pytest.mark.parametrize("text", ['all("")', "any(three of them)", "all(3) tests (ok)"])
def test_aggregate_without_a_quoted_text_is_refused_in_a_piece(text: str) -> None:
    found = parse_condition(text, "piece")
    assert isinstance(found, ConditionFault)
    assert (found.kind, text[found.start : found.end]) == ("aggregate_format", text[4:-1])


def test_positional_is_an_all_of_several_texts() -> None:
    one, several, some = (parse_condition(text, "piece") for text in ('all("A")', 'all("A","B")', 'any("A","B")'))
    positional = [isinstance(found, Aggregate) and found.positional for found in (one, several, some)]
    assert positional == [False, True, False]


@pytest.mark.parametrize(
    ("text", "kind", "at"),
    [
        ("", "empty", ""),
        ('ai("x")', "ai_removed", 'ai("x")'),
        ("approved && later", "condition_syntax", "later"),
        ("a && when(true) && when(true)", "condition_syntax", "when(true)"),
        ('all("A", B)', "aggregate_format", "B"),
        ('any(a, any("b"))', "aggregate_format", 'any("b")'),
        ("all(a,)", "aggregate_format", ""),
        ("when(context.a)", "when_reference", "context.a"),
        ("when(effect.m.ok == 1)", "when_reference", "effect.m.ok"),
        ("when(companion.a.b == 1)", "companion_reference", "companion.a.b"),
        ('when(structured.s.n > "2")', "when_syntax", '"2"'),
        ("when(exists(structured.s.l, item.n > 2))", "when_syntax", ">"),
        ("when(structured.s.n ==)", "when_syntax", ""),
        ("when(count(structured.s.l))", "when_syntax", "count"),
        ("when(3 == structured.s.n)", "when_syntax", "3"),
        ("when(structured.s.n == ~)", "when_syntax", "~"),
    ],
)
def test_refused_in_a_workflow_at_its_place(text: str, kind: str, at: str) -> None:
    found = parse_condition(text, "workflow")
    assert isinstance(found, ConditionFault), found
    assert (found.kind, text[found.start : found.end]) == (kind, at)
    assert found.message


def test_label_with_state_of_a_workflow() -> None:
    found = parse_condition(" approved  && when( structured.s.ok || contains(structured.s.tags, 1) ) ", "workflow")
    assert isinstance(found, LabelWhen)
    assert found.label == Label("approved")
    assert found.when.text == "structured.s.ok || contains(structured.s.tags, 1)"
    assert len(found.when.expression.alternatives) == 2


def test_thousands_of_parentheses_are_read() -> None:
    deep = "any(" * 20_000 + ")" * 20_000
    assert isinstance(parse_condition(deep, "workflow"), ConditionFault)
    assert isinstance(parse_condition(deep, "piece"), ConditionFault)


@pytest.mark.parametrize("notation", ["piece", "workflow"])
@given(text=_SIGNS)
def test_any_text_is_read_or_refused_inside_its_bounds(notation: Notation, text: str) -> None:
    found = parse_condition(text, notation)
    if isinstance(found, ConditionFault):
        assert 0 <= found.start <= found.end <= len(text)
