"""Fixes whose edits are worked out once somebody wants more than their titles."""

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.lint.diagnostic import WARNING, FileEdit, Fix, Range
from stepflow_gui.lint.engine import engine
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.lint.engine.engine import RuleFailure, lint
from stepflow_gui.lint.rule import FLOW, DocumentEdits, Finding, Later, Proposal, Rule
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.table import CheckedRule
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span

from .conftest import Open

Asked = list[str]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """One rule, with three fixes; the names of those whose edits were asked for."""
    names: Asked = []

    def check(context: RuleContext) -> Iterator[Finding]:
        def good() -> DocumentEdits:
            names.append("good")
            return [(context.registry, TextEdit(0, 1, "{"))]

        def bad() -> DocumentEdits:
            names.append("bad")
            raise LookupError("a bug")

        def half() -> DocumentEdits:
            names.append("half")
            return [(context.registry, TextEdit(0, 1, "\ud800"))]

        proposals = (
            Proposal("good", Later(good, ["a word"], [Path("there.json")]), safe=True),
            Proposal("bad", Later(bad)),
            Proposal("half", Later(half, ["\ud800"])),
        )
        yield Finding("found", Span(0, 1), "", proposals=proposals)

    rules = [CheckedRule(Rule("SF999", "later", WARNING, looks_at=FLOW), check)]
    monkeypatch.setattr(engine, "rules_for", lambda *_: rules)
    return names


def test_edits_are_worked_out_once_and_for_those_who_ask(asked: Asked, open_example: Open) -> None:
    (found,) = lint(open_example())
    assert [(fix.title, fix.safe) for fix in found.fixes] == [("good", True), ("bad", False)]
    assert asked == ["half"]  # only the edits themselves determine whether a half letter is written as such
    good = found.fixes[0]
    assert [edit.text for edit in good.edits] == [edit.text for edit in good.edits] == ["{"]
    assert asked == ["half", "good"]


def test_a_failure_is_reported_when_it_comes(asked: Asked, open_example: Open) -> None:
    failures: list[RuleFailure] = []
    (found,) = lint(open_example(), on_failure=failures.append)
    assert not failures
    assert found.fixes[1].edits == ()
    assert [(each.code, str(each.error)) for each in failures] == [("SF999", "a bug")]


def test_the_window_gets_them_worked_out(asked: Asked, open_example: Open) -> None:
    failures: list[RuleFailure] = []
    lint_as_configured(open_example().registry.path, on_failure=failures.append)
    assert asked == ["half", "good", "bad"]
    assert len(failures) == 1


def test_given_and_worked_out_are_alike_and_travel_between_processes(open_example: Open) -> None:
    source = open_example().registry.source
    where = Range(source.position(0), source.position(1))
    edits = (FileEdit(Path("a.json"), where, "x"),)
    given, later, other = Fix("t", True, edits), Fix("t", True, lambda: edits), Fix("t", True, ())
    assert given == later == pickle.loads(pickle.dumps(Fix("t", True, lambda: edits)))
    assert len({given, later, other}) == 2
    assert repr(given) == repr(later)
    assert given != "t"
