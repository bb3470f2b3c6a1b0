"""The engine: one cause is one finding, a rule that raises keeps the others speaking, all is in order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.flow.model import Step
from stepflow_gui.lint.diagnostic import ERROR, WARNING, order
from stepflow_gui.lint.engine import engine
from stepflow_gui.lint.engine.deduplication import RuleFinding, merge
from stepflow_gui.lint.engine.engine import RuleFailure, lint
from stepflow_gui.lint.engine.outcome import judge
from stepflow_gui.lint.rule import STEP, Finding, Rule
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.rules.table import CheckedRule, rules_for
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source, Span
from tests.lint.conftest import Lint, Open

DOCUMENT = ParsedFile.read(Path("/registry.json"), Source("{}"))
FIRST = Rule("SF900", "first", WARNING)
SECOND = Rule("SF901", "second", ERROR, defers_to=("SF900",))


def finding(at: int, cause: str | None) -> Finding:
    return Finding(f"at {at}", Span(at, at + 1), None, cause=cause)


def test_of_one_cause_the_first_rule_speaks_with_the_worst_severity_and_shows_the_rest() -> None:
    (spoken,) = merge([RuleFinding(SECOND, finding(5, "a")), RuleFinding(FIRST, finding(1, "a"))], DOCUMENT)
    assert spoken.rule is FIRST
    assert spoken.severity == ERROR
    assert [side.message for side in spoken.finding.sides] == ["at 5"]


def test_causes_are_kept_apart_and_findings_without_one_stay() -> None:
    found = [
        RuleFinding(FIRST, finding(1, "a")),
        RuleFinding(SECOND, finding(2, "b")),
        RuleFinding(FIRST, finding(3, None)),
    ]
    assert {(each.rule, each.finding.message) for each in merge(found, DOCUMENT)} == {
        (FIRST, "at 1"),
        (SECOND, "at 2"),
        (FIRST, "at 3"),
    }


def test_what_stands_at_one_place_is_shown_once() -> None:
    (spoken,) = merge([RuleFinding(FIRST, finding(1, "a")), RuleFinding(SECOND, finding(1, "a"))], DOCUMENT)
    assert spoken.finding.sides == []


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more rule: it finds something in a step, then raises."""

    def check(step: Step, _scope: RuleContext) -> Iterator[Finding]:
        yield Finding("found before it failed", step.key_span, step.pointer)
        raise LookupError("a bug")

    def with_failing(format_id: str | None, _wanted: object) -> list[CheckedRule]:
        return [CheckedRule(Rule("SF999", "failing", WARNING, looks_at=STEP), check), *rules_for(format_id)]

    monkeypatch.setattr(engine, "rules_for", with_failing)


@pytest.mark.usefixtures("failing")
def test_a_rule_that_raises_is_reported_and_the_others_go_on(open_example: Open) -> None:
    failures: list[RuleFailure] = []
    agent = open_example({"/entryStep": "gone"})
    found = lint(agent, on_failure=failures.append)
    assert [each.code for each in found] == ["SF402", "SF999"]
    assert [(each.code, each.file, str(each.error)) for each in failures] == [("SF999", agent.registry.path, "a bug")]


@pytest.mark.usefixtures("failing")
def test_without_a_taker_the_exception_comes_through(open_example: Open) -> None:
    with pytest.raises(LookupError, match="a bug"):
        lint(open_example())


def test_diagnostics_are_in_order_of_file_place_and_code(lint_example: Lint) -> None:
    found = lint_example(
        {
            "/entryStep": "gone",
            "/steps/initial.issue/fallbackKey": "a.b",
            "/steps/closure.issue/fallbackKey": "c.d",
            "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["continue", "repeat"],
        }
    )
    assert [each.code for each in found] == ["SF207", "SF402", "SF501", "SF501"]
    assert found == sorted(found, key=order)


def test_the_live_text_is_judged_not_the_one_on_disk(open_example: Open) -> None:
    agent = open_example()
    schema = agent.registry.path.parent / "schemas" / "issue.schema.json"
    text = schema.read_text("utf-8").replace('"handoff"', '"jump"')
    edited = agent.with_buffers({schema: Source(text)})
    assert lint(agent) == []
    assert {each.code for each in lint(edited)} == {"SF201"}


def test_a_schema_that_two_agents_share_is_reported_once(tmp_path: Path, open_example: Open) -> None:
    first = open_example({"issue.schema.json#/odd": "\ud800"})
    second_file = first.registry.path.parent / "other.json"
    second_file.write_bytes(first.registry.path.read_bytes())
    second = open_agent(second_file)
    assert isinstance(second, AgentFolder)
    outcome = judge([first, second])
    assert [each.code for each in outcome.diagnostics] == ["SF003"]
    assert outcome.counts == (0, 1, 0)
    assert len(outcome.files) == 2
