"""Suppressions: in the registry and in the configuration, by step, pointer and code, with a reason and a day."""

from typing import Any

import pytest

from stepflow_gui.lint.config import Configs
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine import lint
from stepflow_gui.lint.fixing import fix_all
from stepflow_gui.lint.outcome import judge
from stepflow_gui.lint.settings import Settings
from stepflow_gui.project.agent_folder import AgentFolder

from .conftest import Lint, Open

STEP = "/steps/initial.issue"
OTHER = "/steps/continuation.issue"
BOTH = {f"{STEP}/fallbackKey": "initial-issue", f"{OTHER}/fallbackKey": "continuation-issue"}


def marks(code: str = "SF501", **more: Any) -> dict[str, Any]:
    return {"ignore": [{"code": code, "reason": "ours has dashes", **more}]}


def told(found: list[Diagnostic]) -> list[tuple[str, str | None]]:
    return [(each.code, each.step) for each in found]


# In the registry


def test_on_a_step_it_holds_for_that_step(lint_example: Lint) -> None:
    assert told(lint_example({**BOTH, f"{STEP}/x-stepflow": marks()})) == [("SF501", "continuation.issue")]


def test_on_the_root_it_holds_for_all(lint_example: Lint) -> None:
    assert lint_example({**BOTH, "/x-stepflow": marks("fallback-key-form")}) == []


def test_on_a_transition_it_holds_for_what_stands_there(lint_example: Lint) -> None:
    targets = {f"{STEP}/transitions/next/target": "gone", f"{STEP}/transitions/repeat/target": "gone"}
    before = told(lint_example(targets))
    after = told(lint_example({**targets, f"{STEP}/transitions/next/x-stepflow": marks("SF301")}))
    assert ("SF301", "initial.issue") in before
    assert len(after) == len(before) - 1


def test_on_a_step_it_holds_for_findings_in_its_schema(lint_example: Lint) -> None:
    enum = {
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["next", "repeat", "jump"]
    }
    assert told(lint_example(enum))[0][1] == "initial.issue"
    code = told(lint_example(enum))[0][0]
    assert lint_example({**enum, f"{STEP}/x-stepflow": marks(code)}) == []


@pytest.mark.parametrize("place", ["", STEP, f"{STEP}/transitions/next"])
def test_no_rule_minds_the_key(place: str, lint_example: Lint) -> None:
    assert lint_example({f"{place}/x-stepflow": {"ignore": []}}) == []


def test_its_last_day_still_counts(open_example: Open) -> None:
    agent = open_example({**BOTH, "/x-stepflow": marks(until="2030-06-30")})
    assert lint(agent, Settings(today="2030-06-30")) == []
    assert [each.code for each in lint(agent, Settings(today="2030-07-01"))] == ["SF501", "SF501", "SF092"]


def test_of_no_use_it_is_a_finding_at_its_place(open_example: Open) -> None:
    agent = open_example({f"{STEP}/x-stepflow": marks()})
    (finding,) = lint(agent)
    assert (finding.code, finding.pointer, finding.step) == (
        "SF091",
        f"{STEP}/x-stepflow/ignore/0",
        "initial.issue",
    )


def test_where_the_rule_is_off_its_use_can_not_be_told(open_example: Open) -> None:
    agent = open_example({f"{STEP}/x-stepflow": marks()})
    (agent.folder / "stepflow.toml").write_text('ignore = ["SF501"]', "utf-8")
    assert judge([agent], configs=Configs()).diagnostics == []


def test_in_a_broken_file_nothing_is_called_useless(open_example: Open) -> None:
    agent = open_example({f"{STEP}/x-stepflow": marks()})
    path = agent.registry.path
    path.write_text(path.read_text("utf-8")[:-20], "utf-8")
    assert "SF091" not in {each.code for each in lint(agent.reread([path]))}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (7, "an object with a “code”"),
        ({"ignore": 7}, "must be a list"),
        ({"ignore": [7]}, "an object with a “code”"),
        ({"ignore": [{}]}, "names no rule"),
        ({"ignore": [{"code": 7, "reason": "x"}]}, "names no rule"),
        ({"ignore": [{"code": "SF5", "reason": "x"}]}, "There is no rule “SF5”"),
        ({"ignore": [{"code": "SF501", "reason": "x", "until": "2030-02-31"}]}, "must be a day"),
        ({"ignore": [{"code": "SF501", "reason": "x", "until": 7}]}, "must be a day"),
    ],
)
def test_what_can_not_be_heeded_is_said(value: Any, says: str, lint_example: Lint) -> None:
    (finding,) = lint_example({"/x-stepflow": value})
    assert finding.code == "SF094"
    assert says in finding.message


def test_a_key_that_means_nothing_is_said_and_the_rest_heeded(lint_example: Lint) -> None:
    (finding,) = lint_example({**BOTH, "/x-stepflow": marks(untill="2030-12-31")})
    assert finding.code == "SF094"
    assert "“untill” means nothing here. Did you mean “until”?" in finding.message


@pytest.mark.parametrize("reason", [None, "", "  "])
def test_without_a_reason_it_is_heeded_and_told_of(reason: str | None, lint_example: Lint) -> None:
    entry = {"code": "SF501"} if reason is None else {"code": "SF501", "reason": reason}
    assert [each.code for each in lint_example({**BOTH, "/x-stepflow": {"ignore": [entry]}})] == ["SF093"]


def test_of_no_use_it_can_be_taken_out_with_what_is_left_empty(open_example: Open) -> None:
    agent = open_example({f"{STEP}/x-stepflow": marks()})
    fixed = fix_all([agent], lint)
    assert "x-stepflow" not in fixed.agents[0].registry.source.text
    assert lint(fixed.agents[0]) == []


# In the configuration


def configured(agent: AgentFolder, text: str) -> list[tuple[str, str | None]]:
    (agent.folder / "stepflow.toml").write_text(text, "utf-8")
    return told(judge([agent], configs=Configs()).diagnostics)


def entry(more: str = "", code: str = "SF501") -> str:
    return f'[[suppress]]\ncode = "{code}"\nreason = "ours has dashes"\n{more}\n'


@pytest.mark.parametrize(
    ("more", "left"),
    [
        ("", []),
        ('step = "initial.issue"', ["continuation.issue"]),
        ('pointer = "/steps/continuation.issue"', ["initial.issue"]),
        ('pointer = "/steps/continuation.issue/fallbackKey"', ["initial.issue"]),
        ('path = "steps_registry.json"', []),
        ("until = 2999-12-31", []),
    ],
)
def test_by_step_pointer_and_path(more: str, left: list[str], open_example: Open) -> None:
    found = configured(open_example(BOTH), entry(more))
    assert found == [("SF501", step) for step in left]


def test_a_day_that_is_over(open_example: Open) -> None:
    found = configured(open_example(BOTH), entry("until = 2024-12-31"))
    assert sorted(code for code, _step in found) == ["SF092", "SF501", "SF501"]


def test_in_the_configuration_without_a_reason(open_example: Open) -> None:
    assert configured(open_example(BOTH), '[[suppress]]\ncode = "SF501"\n') == [("SF093", None)]


def test_in_the_configuration_of_no_use(open_example: Open) -> None:
    assert configured(open_example(), entry()) == [("SF091", None)]


def test_of_no_use_only_where_all_its_registries_were_linted(open_example: Open) -> None:
    agent = open_example()
    other = agent.folder / "other" / "steps_registry.json"
    other.parent.mkdir()
    other.write_text("{}", "utf-8")
    assert configured(agent, entry()) == []
    assert configured(agent, entry('path = "steps_registry.json"')) == []
    assert configured(agent, entry('path = "/steps_registry.json"')) == [("SF091", None)]


def test_a_path_that_meets_nothing_is_told_of_once(open_example: Open) -> None:
    assert configured(open_example(), entry('path = "gone/"')) == [("SF095", None)]
