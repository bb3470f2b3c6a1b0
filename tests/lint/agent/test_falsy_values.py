"""Values of agent.json in place of which climpt takes none: an error just where it refuses the file."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from stepflow_gui.formats.climpt.agent.check import check_complete, check_raw
from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import changed, whole
from stepflow_gui.lint.fixing import any_fixes, fix_all
from tests.lint.conftest import Lint, Open

AGENT: dict[str, Any] = json.loads(files_of(changed())["agent.json"])
OLDEST, NEWEST = "climpt-2026-03-14", "climpt-2026-04-20"
OTHER_REASONS = {"SF807", "SF808"}  # a file that doesn't exist, another name than the folder's


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


@pytest.mark.parametrize(
    ("value", "runtime"),
    [
        ("", NEWEST),
        (0, NEWEST),
        (False, NEWEST),
        (None, NEWEST),
        ([], NEWEST),
        ("x", NEWEST),
        ("", OLDEST),
        ("x", "climpt-2026-04-01"),
        (False, "climpt-2026-04-08"),
        ("x", "guide"),
        ("", "guide"),
    ],
)
def test_a_value_is_an_error_just_where_the_runner_refuses_it(value: object, runtime: str, lint_example: Lint) -> None:
    for path in places(AGENT):
        agent = copy.deepcopy(AGENT)
        holder: Any = agent
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value
        era = ERAS[runtime]
        refused = era.checks_agent and any(
            not each.is_warning for each in [*check_raw(agent, era), *check_complete(agent, era)]
        )
        found = lint_example(whole(json.dumps(agent), "agent.json"), LintSettings(runtime))
        errors = [
            each
            for each in found
            if each.severity == "error" and each.file.name == "agent.json" and each.code not in OTHER_REASONS
        ]
        assert len(errors) == refused, (path, errors)


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("/description", "SF801"),
        ("/parameters/issue/description", "SF801"),
        ("/version", "SF004"),  # there null is of a wrong type
        ("/runner/flow/systemPromptPath", "SF801"),
    ],
)
def test_null_counts_as_missing_and_is_told_once(place: str, code: str, lint_example: Lint) -> None:
    found = [each for each in lint_example({f"agent.json#{place}": None}) if each.code in {"SF004", "SF801"}]
    assert [(each.code, each.pointer) for each in found] == [(code, found[0].pointer)]


def test_a_null_gets_the_default_in_its_place(open_example: Open) -> None:
    agent = open_example({"agent.json#/description": None})
    (change,) = fix_all([agent], lint, any_fixes).changes
    held = json.loads(change.after.text)
    assert held["description"] == ""
    assert list(held) == list(AGENT)
