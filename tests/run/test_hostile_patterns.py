"""Wherever a registry, schema or configuration brings a regular expression along, none of them holds a run up."""

import time
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.c3_patterns import word_patterns
from stepflow_gui.lint.config.globs import Glob
from stepflow_gui.project.finding.ignore import IgnoreFile, is_ignored, pattern_of
from stepflow_gui.run.answer_form.starting import start_of
from stepflow_gui.run.machine.closure_checks import best_pattern
from stepflow_gui.run.machine.format_check import fits
from stepflow_gui.run.schema_errors import breaches
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.judging import succeeds

TEXT = "a" * 60 + "!"
HOSTILE = ["^(a+)+$", "^(a|a)*$", "(.*)*x", "^(?:a?){60}a{60}$", "^(?=(a+)+$)"]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_expressions(pattern: str) -> None:
    assert not fits(TEXT, {"type": "string", "pattern": pattern})
    assert succeeds(f"matches:{pattern}", CommandResult(0, TEXT, "")) is False
    assert best_pattern({"wrong": {"semanticMatch": [f"/{pattern}/"]}}, TEXT) is None
    assert isinstance(start_of({"type": "string", "pattern": pattern, "minLength": 60}, {}), str)
    [word] = word_patterns(f"directiveType:\n  pattern: {pattern}\n")
    assert not word.accepts(TEXT)


def test_what_is_unknown_blocks_nothing_and_is_not_a_success() -> None:
    repeated = r"^(.)\1$"
    assert fits("aa", {"type": "string", "pattern": repeated})
    assert succeeds(f"matches:{repeated}", CommandResult(0, "aa", "")) is None


@pytest.mark.parametrize("glob", ["*a*a*a*a*a*a*a*a*a*ab", "**/*a*a*a*a*a*a*a*a/*b", "**/a/" * 20 + "b"])
def test_path_patterns(glob: str, tmp_path: Path) -> None:
    pattern = pattern_of(glob)
    assert pattern is not None
    path = tmp_path / ("a" * 60)
    assert not is_ignored(path, True, [IgnoreFile(f"{tmp_path.as_posix()}/", (pattern,))])
    assert not Glob(glob, tmp_path).meets(path.joinpath(*"a" * 40))


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("place", ["beside", "referred to"])
def test_keys_that_are_left_over(pattern: str, place: str) -> None:
    schema: dict[str, Any] = {"patternProperties": {pattern: {"type": "string"}}}
    if place == "referred to":
        schema = {"$ref": "#/$defs/named", "$defs": {"named": schema}}
    began = time.process_time()
    (found,) = breaches({"type": "object", "unevaluatedProperties": False, **schema}, {TEXT: "x"})
    assert found.keyword == "unevaluatedProperties"
    assert time.process_time() - began < 1


def test_keys_that_a_pattern_means_are_not_left_over() -> None:
    schema = {
        "properties": {"x-a": {"minLength": 2}, "b": {"const": {"patternProperties": {"a": 1}}}},
        "patternProperties": {"^x-": {"type": "string"}, "(": {"type": "null"}},
        "unevaluatedProperties": False,
    }
    assert breaches(schema, {"x-a": "ok", "x-b": "", "b": {"patternProperties": {"a": 1}}}) == ()
    assert [each.pointer for each in breaches(schema, {"x-a": "o"})] == ["/x-a"]
    assert [each.pointer for each in breaches(schema, {"x-b": 1})] == ["/x-b"]
    assert [each.keyword for each in breaches(schema, {"y": "1"})] == ["unevaluatedProperties"]
