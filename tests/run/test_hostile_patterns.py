"""Wherever a registry, schema or configuration brings a regular expression along, none of them holds a run up."""

from pathlib import Path

import pytest

from stepflow_gui.formats.climpt.c3_patterns import word_patterns
from stepflow_gui.lint.config.globs import Glob
from stepflow_gui.project.finding.ignore import IgnoreFile, is_ignored, pattern_of
from stepflow_gui.run.answer_form.starting import start_of
from stepflow_gui.run.machine.closure_checks import best_pattern
from stepflow_gui.run.machine.format_check import fits
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


def test_what_can_not_be_told_holds_nothing_back_and_is_no_success() -> None:
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
