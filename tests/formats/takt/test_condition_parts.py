"""Conditions split into their parts and put together again, without loss; an invalid one is reported at its place."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.read import read_flow
from stepflow_gui.formats.takt.condition_parts import (
    FORMS,
    Form,
    Parts,
    fault_of,
    parts_of,
    results_of,
    rewritten,
    written,
)
from stepflow_gui.formats.takt.conditions import parse_condition
from stepflow_gui.formats.takt.conditions_model import ConditionFault, Notation
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.expression_parts import (
    ClausePart,
    clauses_of,
    expression_of,
    fault_of_clause,
    references_in,
)
from stepflow_gui.formats.takt.state_expression import ExpressionFault, parse_expression
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.sampling import examples


def flows_in(corpus: Path) -> list[tuple[Flow, Notation]]:
    found = []
    for file in sorted(corpus.joinpath("takt").rglob("*.y*ml")):
        document = ParsedFile.read(file, Source(file.read_text("utf-8")))
        flow = read_flow(document)
        if flow.format == "takt":
            found.append((flow, era_of_file(document.root).notation))
    return found


def test_every_real_condition_is_its_parts(corpus: Path) -> None:
    seen = set()
    for flow, notation in flows_in(corpus):
        for step in (each for outer in flow.steps.values() for each in (outer, *outer.subs)):
            for rule in step.transitions:
                parts = parts_of(rule.as_written, notation)
                assert rewritten(rule.as_written, parts, notation) == rule.as_written
                if isinstance(parse_condition(rule.as_written, notation), ConditionFault):
                    assert fault_of(parts, notation)
                    continue
                seen.add((notation, parts.form))
                assert fault_of(parts, notation) is None
                assert parts_of(written(parts, notation), notation) == parts
                if parts.when:
                    clauses = clauses_of(parts.when)
                    assert not isinstance(clauses, ExpressionFault)
                    assert parse_expression(expression_of(clauses)) == parse_expression(parts.when)
                    assert not any(fault_of_clause(clause) for clause in clauses)
    assert seen >= {("piece", "label"), ("piece", "all"), ("workflow", "any"), ("workflow", "when")}


@pytest.mark.parametrize(
    ("notation", "text", "parts"),
    [
        ("piece", "Done", Parts("label", ("Done",))),
        ("piece", " Done ", Parts("label", (" Done ",))),
        ("piece", 'ai("is it "so"?")', Parts("ai", ('is it "so"?',))),
        ("piece", 'all("a" and "b")', Parts("all", ("a", "b"))),
        ("piece", 'any("a","b")', Parts("any", ("a", "b"))),
        ("piece", "all()", Parts("label", ("all()",))),
        ("piece", "when(x)", Parts("label", ("when(x)",))),
        ("workflow", "  Done  ", Parts("label", ("Done",))),
        ("workflow", "any(a, b)", Parts("any", ("a", "b"), bare=True)),
        ("workflow", r'all("say \"a\"", "b")', Parts("all", ('say "a"', "b"))),
        (
            "workflow",
            "ok && when(context.task.big == true)",
            Parts("label", ("ok",), "context.task.big == true"),
        ),
        ("workflow", "all(ok) && when(true)", Parts("all", ("ok",), "true", bare=True)),
        ("workflow", "when(context.task.n >= 3)", Parts("when", (), "context.task.n >= 3")),
        ("workflow", "all(ok && when(true), b)", Parts("all", ("ok && when(true)", "b"), bare=True)),
    ],
)
def test_forms_are_distinguished_and_kept_as_written(notation: Notation, text: str, parts: Parts) -> None:
    assert parts_of(text, notation) == parts
    assert rewritten(text, parts, notation) == text


@pytest.mark.parametrize(
    ("notation", "parts", "text"),
    [
        ("piece", Parts("all", ("a", "b")), 'all("a", "b")'),
        ("piece", Parts("ai", ("done?",)), 'ai("done?")'),
        ("workflow", Parts("any", ("a", "say (b)"), bare=True), 'any("a", "say (b)")'),
        ("workflow", Parts("any", ("a", 'b"c\\')), r'any("a", "b\"c\\")'),
        ("workflow", Parts("label", ("ok",), " true "), "ok && when(true)"),
        ("workflow", Parts("when", (), "true"), "when(true)"),
    ],
)
def test_new_ones_are_written_in_quotes(notation: Notation, parts: Parts, text: str) -> None:
    assert written(parts, notation) == text
    assert fault_of(parts, notation) is None


@pytest.mark.parametrize(
    ("notation", "parts", "number"),
    [
        ("piece", Parts("label", (" ",)), 0),
        ("piece", Parts("ai", ("",)), 0),
        ("piece", Parts("all", ("a", 'b"c')), 1),
        ("piece", Parts("any", ("a", "")), 1),
        ("piece", Parts("any", ("a\nb",)), 0),
        ("workflow", Parts("when", (), ""), None),
        ("workflow", Parts("when", (), "context.task.x == "), None),
        ("workflow", Parts("label", ("ok",), "x &&"), None),
        ("workflow", Parts("label", ('ai("x")',)), 0),
        ("workflow", Parts("all", ("a", 'any("b")')), 1),
        ("workflow", Parts("label", ("a && b",)), 0),
    ],
)
def test_what_makes_no_condition_is_reported_at_its_part(notation: Notation, parts: Parts, number: int | None) -> None:
    fault = fault_of(parts, notation)
    assert fault is not None
    assert fault.number == number
    assert fault.message


@given(st.sampled_from(["piece", "workflow"]), st.data())
@settings(max_examples=examples(150), deadline=None)
def test_what_has_no_fault_is_read_as_it_was_meant(notation: Notation, data: st.DataObject) -> None:
    text = st.text('ab"\\()&, \n', max_size=6)
    form: Form = data.draw(st.sampled_from(FORMS[notation]))
    many = data.draw(st.lists(text, min_size=1, max_size=3)) if form in {"all", "any"} else [data.draw(text)]
    texts = () if form == "when" else tuple(many)
    when = data.draw(st.sampled_from(["", "true", "context.a.b == 1"])) if notation == "workflow" else ""
    parts = Parts(form, texts, when)
    if fault_of(parts, notation) is not None or form == "label":
        return
    again = parts_of(written(parts, notation), notation)
    wanted = tuple(each.strip() for each in texts) if notation == "workflow" else texts
    assert (again.form, again.texts, again.when) == (form, wanted, when)


def test_clauses_are_added_with_and_and_or() -> None:
    clauses = clauses_of(
        'context.a.b == "x" && true || contains(effect.s.t.list, 3) && exists(context.a.b, item.f == 1)'
    )
    assert not isinstance(clauses, ExpressionFault)
    assert clauses == [
        ClausePart("context.a.b", "==", '"x"'),
        ClausePart("true"),
        ClausePart("effect.s.t.list", "contains", "3", other=True),
        ClausePart("context.a.b", "exists", "item.f == 1"),
    ]
    clauses[3] = ClausePart("context.a.c", "<", "7", other=True)
    assert expression_of(clauses) == ('context.a.b == "x" && true || contains(effect.s.t.list, 3) || context.a.c < 7')
    assert fault_of_clause(ClausePart("context.a.b", "==", ""))
    assert fault_of_clause(ClausePart("", "==", "1"))
    assert fault_of_clause(ClausePart("context.a.b", "==", "1 && true"))


def test_results_and_references_are_those_of_the_file(tmp_path: Path) -> None:
    text = """
name: w
max_steps: 3
steps:
  - name: a
    structured_output: {schema: s}
    rules:
      - condition: ok && when(structured.a.n > 2 || exists(context.task.items, item.x == 1))
        next: b
  - name: b
    parallel:
      - name: c
        rules: [{condition: fine && when(true)}, {condition: when(false)}, {condition: fine}]
    rules: [{condition: all(fine), next: COMPLETE}]
"""
    flow = read_flow(ParsedFile.read(tmp_path / ".takt" / "workflows" / "w.yaml", Source(text)))
    assert results_of(flow.steps["b"].subs[0], "workflow") == ["fine", "error"]
    assert references_in(flow) == ["structured.a.n", "context.task.items", "structured.a."]
