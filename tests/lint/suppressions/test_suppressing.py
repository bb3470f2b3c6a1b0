"""Suppressions: in the registry and in the configuration, by step, pointer and code, with a reason and a day."""

import json
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.cli.lint.statistics import statistics
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.engine.outcome import judge
from stepflow_gui.lint.fixing import fix_all
from stepflow_gui.lint.report.json import json_report
from stepflow_gui.lint.report.summary import summary
from stepflow_gui.lint.suppressions.adding import places_for, registry_edits
from stepflow_gui.lint.suppressions.removal import edits_without
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.edit import apply
from stepflow_gui.text.source import Source
from tests.lint.conftest import Lint, Open

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
    assert lint(agent, LintSettings(today="2030-06-30")) == []
    assert [each.code for each in lint(agent, LintSettings(today="2030-07-01"))] == ["SF501", "SF501", "SF092"]


def test_of_no_use_it_is_a_finding_at_its_place(open_example: Open) -> None:
    agent = open_example({f"{STEP}/x-stepflow": marks()})
    (finding,) = lint(agent)
    assert (finding.code, finding.pointer, finding.step) == (
        "SF091",
        f"{STEP}/x-stepflow/ignore/0",
        "initial.issue",
    )


def test_where_the_rule_is_off_its_use_is_unknown(open_example: Open) -> None:
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
        (7, "“x-stepflow” must be an object whose “ignore” is a list"),
        ({"foo": 1}, "unknown key “foo”"),
        ({"ignored": []}, "unknown key “ignored”. Did you mean “ignore”?"),
        ({"ignore": None}, "must be a list"),
        ({"ignore": [{"code": "SF501", "reason": 3}]}, "“reason” must be a string"),
        ({"ignore": [{"code": "SF501", "reason": ["a"], "until": "2030-12-31"}]}, "“reason” must be a string"),
        ({"ignore": [{"code": "SF501", "reason": "x", "until": "soon"}]}, "and is “soon”"),
        ({"ignore": [{"code": "SF501", "reason": "x", "until": ""}]}, "and is “”"),
        ({"ignore": 7}, "must be a list"),
        ({"ignore": [7]}, "an object with a “code”"),
        ({"ignore": [{}]}, "names no rule"),
        ({"ignore": [{"code": 7, "reason": "x"}]}, "names no rule"),
        ({"ignore": [{"code": "SF5", "reason": "x"}]}, "There is no rule “SF5”"),
        ({"ignore": [{"code": "SF501", "reason": "x", "until": "2030-02-31"}]}, "must be a date such as 2030-12-31"),
        ({"ignore": [{"code": "SF501", "reason": "x", "until": 7}]}, "must be a date such as 2030-12-31"),
    ],
)
def test_what_can_not_be_applied_is_reported(value: Any, says: str, lint_example: Lint) -> None:
    (finding,) = lint_example({"/x-stepflow": value})
    assert finding.code == "SF094"
    assert says in finding.message


@pytest.mark.parametrize(
    ("value", "at", "word"),
    [
        ({"foo": 1, "ignore": []}, "/foo", '"foo"'),
        ({"ignore": 7}, "/ignore", "7"),
        (7, "", "7"),
        ({"ignore": [{"code": "SF50l", "reason": "x"}]}, "/ignore/0/code", '"SF50l"'),
        ({"ignore": [{"code": "SF501", "reason": 3}]}, "/ignore/0/reason", "3"),
        ({"ignore": [{"code": "SF501", "reason": "x", "until": "soon"}]}, "/ignore/0/until", '"soon"'),
        ({"ignore": [{"code": "SF501", "reason": "x", "untill": "soon"}]}, "/ignore/0/untill", '"untill"'),
    ],
)
def test_what_is_wrong_is_marked(value: Any, at: str, word: str, open_example: Open) -> None:
    agent = open_example({f"{STEP}/x-stepflow": value})
    finding = next(each for each in lint(agent) if each.code == "SF094")
    start, end = finding.range
    assert finding.pointer == f"{STEP}/x-stepflow{at}"
    assert finding.step == "initial.issue"
    assert agent.registry.source.text[start.offset : end.offset] == word


@pytest.mark.parametrize("holder", [f"{STEP}/structuredGate", f"{STEP}/outputSchemaRef", "agent:/runner"])
def test_where_none_is_read_it_is_reported(holder: str, lint_example: Lint) -> None:
    place = holder.replace("agent:", "agent.json#") if holder.startswith("agent:") else holder
    (finding,) = lint_example({f"{place}/x-stepflow": marks()})
    assert finding.code == "SF005"
    assert "read at the root of the registry, in steps and in transitions" in finding.message
    assert (finding.pointer or "").endswith("/x-stepflow")


def test_an_unknown_key_is_reported_and_the_rest_applied(lint_example: Lint) -> None:
    (finding,) = lint_example({**BOTH, "/x-stepflow": marks(untill="2030-12-31")})
    assert finding.code == "SF094"
    assert "unknown key “untill”. Did you mean “until”?" in finding.message


@pytest.mark.parametrize("reason", [None, "", "  "])
def test_without_a_reason_it_is_applied_and_reported(reason: str | None, lint_example: Lint) -> None:
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


def test_a_path_that_meets_nothing_is_reported_once(open_example: Open) -> None:
    assert configured(open_example(), entry('path = "gone/"')) == [("SF095", None)]


# What is kept back, and taking it back


def kept_back(agent: AgentFolder, settings: LintSettings | None = None) -> list[Suppressed]:
    found: list[Suppressed] = []
    lint(agent, settings, suppressed=found)
    return found


def test_what_is_kept_back_is_given_with_reason_and_place(open_example: Open) -> None:
    agent = open_example({**BOTH, f"{STEP}/x-stepflow": marks(until="2999-01-01")})
    (kept,) = kept_back(agent)
    (excuse,) = kept.excuses
    assert (kept.found.code, kept.found.step, kept.found.fixes) == ("SF501", "initial.issue", ())
    assert (excuse.reason, excuse.until, excuse.file) == ("ours has dashes", "2999-01-01", agent.registry.path)
    assert excuse.pointer == f"{STEP}/x-stepflow/ignore/0"
    assert "ours has dashes" in agent.registry.source.text.splitlines()[excuse.range.start.line - 1 + 2]


def without(agent: AgentFolder, kept: Suppressed, configs: dict[Path, Source] | None = None) -> dict[Path, str]:
    edits = edits_without(kept.excuses, agent.registry, configs or {})
    assert edits is not None
    texts = {agent.registry.path: agent.registry.source, **(configs or {})}
    return {path: apply(texts[path].text, listed) for path, listed in edits.items()}


def test_taking_back_leaves_the_text_as_it_was(open_example: Open) -> None:
    agent = open_example(BOTH)
    before = agent.registry.source.text
    found = next(each for each in lint(agent) if each.step == "initial.issue")
    for place in places_for(found, agent.registry):
        edits = registry_edits(agent.registry, place, found.code, "so be it")[agent.registry.path]
        path = agent.registry.path
        after = agent.with_buffers({path: Source(apply(before, edits))})
        kept = next(each for each in kept_back(after) if each.found.step == "initial.issue")
        assert json.loads(without(after, kept)[path]) == json.loads(before)
        assert without(after, kept) == {path: before}


def test_taking_back_one_of_several_leaves_the_others(open_example: Open) -> None:
    two: dict[str, Any] = {"ignore": [*marks()["ignore"], {"code": "SF502", "reason": "other"}], "layout": 1}
    agent = open_example({f"{STEP}/fallbackKey": "initial-issue", f"{STEP}/x-stepflow": two})
    (kept,) = kept_back(agent)
    left = json.loads(without(agent, kept)[agent.registry.path])["steps"]["initial.issue"]["x-stepflow"]
    assert left == {"ignore": two["ignore"][1:], "layout": 1}


CONFIG = '# ours\nselect = ["ALL"]\n{before}\n[[suppress]]\ncode = "SF501"\nreason = """so\n[x]"""\n{after}'


@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), ("", '\n# why\n[[suppress]]\ncode = "SF502"\nreason = "b"\n'), ("[severity]\nSF501 = 'info'\n", "")],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_table_of_the_configuration_is_taken_out(before: str, after: str, newline: str, open_example: Open) -> None:
    agent = open_example({f"{STEP}/fallbackKey": "initial-issue"})
    path = agent.root / "stepflow.toml"
    text = CONFIG.replace('"""so\n[x]"""', '"so"').format(before=before, after=after).replace("\n", newline)
    path.write_bytes(text.encode())
    kept = kept_back(agent, Configs().of(agent.registry.path).settings(agent.registry.path, agent.format))
    left = without(agent, kept[0], {path: Source(text)})[path]
    wanted = f'# ours\nselect = ["ALL"]\n{before}{after}'.replace("\n", newline)
    assert left == wanted


@pytest.mark.parametrize(
    "text",
    [
        'suppress = [{code = "SF501", reason = "so"}]\n',
        '[[suppress]]\ncode = "SF501"\nreason = """so\n[x]"""\npath = "/**"\n',
    ],
)
def test_what_cannot_be_taken_out_surely_is_left_alone(text: str, open_example: Open) -> None:
    agent = open_example({f"{STEP}/fallbackKey": "initial-issue"})
    path = agent.root / "stepflow.toml"
    path.write_text(text)
    kept = kept_back(agent, Configs().of(agent.registry.path).settings(agent.registry.path, agent.format))
    assert edits_without(kept[0].excuses, agent.registry, {path: Source(text)}) is None


def test_a_run_counts_what_is_kept_back(open_example: Open) -> None:
    agent = open_example({**BOTH, "/x-stepflow": marks()})
    outcome = judge([agent])
    assert len(outcome.suppressed) == 2
    assert summary(outcome) == "No problems in 1 file, 2 suppressed"
    assert json.loads(json_report(outcome, agent.root))["summary"]["suppressed"] == 2
    assert "0 findings, 2 suppressed" in list(statistics(outcome, {}))[-1]
