"""What the runner rejects, its place in the file, and what must not cause a crash."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.formats.climpt.agent.check import AgentProblem, check_complete, check_raw, check_schema, span_in
from stepflow_gui.formats.climpt.agent.defaults import with_defaults
from stepflow_gui.formats.climpt.agent.layouts import modern
from stepflow_gui.formats.climpt.eras import CLIMPT_1_14, CLIMPT_2026_04_08, CLIMPT_2026_04_20, ERAS, GUIDE
from stepflow_gui.formats.shape_check import Misfit
from tests.formats.agent.agents import CODE_IMPROVER, ITERATOR, changed, document_of, placed
from tests.formats.agent.test_agent_resolving import ANYTHING, PLACES


@pytest.mark.parametrize("era", ERAS.values(), ids=lambda era: era.name)
def test_the_reference_example_has_no_findings(era: Any) -> None:
    dropped = [("runner", "boundaries", "allowedTools"), ("runner", "boundaries", "permissionMode")]
    moved = dropped if era is CLIMPT_1_14 else []  # to a file of the project: the keys here are not read
    assert [found.path for found in check_schema(ITERATOR, era)] == moved
    assert check_raw(ITERATOR, era) == []
    assert check_complete(ITERATOR, era) == []


def test_the_flat_layout_is_refused_as_it_is_and_taken_once_its_parts_are_moved() -> None:
    kinds = {problem.kind for problem in check_raw(CODE_IMPROVER, GUIDE)}
    assert kinds == {"missing_field", "legacy_format", "unknown_top_level"}
    today = modern(CODE_IMPROVER, flat=True).value
    assert check_raw(today, GUIDE) == []
    assert check_complete(today, GUIDE) == []


def test_newer_parameter_checks_are_the_newest_eras() -> None:
    twice = {"a": {"type": "array", "description": "d", "cli": "--x", "default": "v"}}
    twice["b"] = {"type": "number", "description": "d", "cli": "--x"}
    agent = changed("/parameters", twice)
    assert [problem.kind for problem in check_raw(agent, CLIMPT_2026_04_20)] == [
        "param_default_type",
        "param_duplicate_cli",
    ]
    assert check_raw(agent, CLIMPT_2026_04_08) == []


@pytest.mark.parametrize(
    ("pointer", "value", "said", "text"),
    [
        ("/name", "Iterator", "/name", '"Iterator"'),
        ("/runner/boundaries/permissionMode", "dontAsk", "/runner/boundaries/permissionMode", '"dontAsk"'),
        ("/runner/verdict/config", {}, None, None),
        (
            "/runner/verdict",
            {"type": "detect:keyword", "config": {}},
            "/runner/verdict/config/verdictKeyword",
            "config",
        ),
        ("/parameters/issue/cli", None, "/parameters/issue/cli", "null"),
        ("/runner/flow", {}, "/runner/flow/systemPromptPath", "flow"),
    ],
)
def test_a_problem_has_its_place_in_the_file(pointer: str, value: Any, said: str | None, text: str | None) -> None:
    document = document_of(changed(pointer, value))
    assert document.root
    problems = check_complete(document.root.value, GUIDE)
    assert [problem.pointer for problem in problems] == ([said] if said else [])
    if said:
        span = span_in(document, problems[0])
        assert span
        assert document.source.text[span.start : span.end].strip('"') == (text or "").strip('"')


def test_a_missing_runner_is_reported_at_the_whole_file() -> None:
    document = document_of('{"name": "a", "displayName": "A"}')
    assert document.root
    (problem,) = check_raw(document.root.value, GUIDE)
    assert (problem.kind, problem.pointer) == ("missing_field", "/runner")
    assert span_in(document, problem) == document.root.span


def test_every_real_agent_of_todays_layout_is_taken_but_for_renamed_verdicts(corpus: Path) -> None:
    seen = 0
    for path in sorted((corpus / "climpt").glob("**/agent.json")):
        value = json.loads(path.read_bytes())
        if "verdict" in value.get("runner", {}):
            seen += 1
            kinds = {problem.kind for problem in check_complete(value, CLIMPT_2026_04_20) if not problem.is_warning}
            renamed = value["runner"]["verdict"]["type"] == "externalState"
            assert kinds == ({"verdict_type_invalid"} if renamed else set()), path
    assert seen > 30


@pytest.mark.parametrize("era", ERAS.values(), ids=lambda era: era.name)
def test_what_is_filled_in_is_no_part_of_the_table(era: Any) -> None:
    filled = with_defaults({}, era)
    before = json.dumps(filled, sort_keys=True)
    _spoil(filled)
    assert json.dumps(with_defaults({}, era), sort_keys=True) == before


def _spoil(value: Any) -> None:
    for inner in [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ():
        _spoil(inner)
    if isinstance(value, dict):
        value.update(spoilt=True)
    elif isinstance(value, list):
        value.append("spoilt")


@given(st.dictionaries(st.sampled_from(PLACES), ANYTHING, max_size=6), st.sampled_from(sorted(ERAS)))
def test_no_value_at_any_field_stops_the_checks(values: dict[str, Any], name: str) -> None:
    made = placed(values)
    before = json.dumps(made)
    era = ERAS[name]
    document = document_of(made)
    found: list[AgentProblem | Misfit] = [*check_raw(made, era), *check_complete(made, era), *check_schema(made, era)]
    for problem in found:
        assert span_in(document, problem)
    filled = with_defaults(made, era)
    assert with_defaults(filled, era) == filled
    assert json.dumps(made) == before


@given(ANYTHING)
def test_no_value_at_all_stops_the_checks(value: Any) -> None:
    assert check_raw(value, GUIDE) or isinstance(value, dict)
    assert check_schema(value, GUIDE)
    check_complete(value, GUIDE)
