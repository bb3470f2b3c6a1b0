"""The summary of a failed validator: by the family of its extractors, with numbers, files and cause."""

import pytest

from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.run.validators.summary import summarize

TESTS = CommandResult(1, "FAILED | adds\nadds\n  got 3\nFAILED | splits\nsplits\n  no\n", "")
TYPES = CommandResult(
    1, "", "error: no such name at lib/m.ts:4:2\nerror: no such name at lib/m.ts:9:1\nerror: wrong at lib/n.ts:1:1\n"
)


@pytest.mark.parametrize("extractor", ["parseTestOutput", "failedTests", "errorOutput"])
def test_failed_tests(extractor: str) -> None:
    found = summarize({"log": extractor}, TESTS)
    assert found is not None
    assert (found.text, found.severity) == ("2 of 2 tests failed", "error")
    assert (found.files, found.cause) == (("adds", "splits"), "adds\ngot 3")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("3 passed | 2 failed", "2 of 5 tests failed"),
        ("3 passed\n2 failed", "0 tests failed"),
        ("2 failed, 3 passed", "0 tests failed"),
        ("nothing", "0 tests failed"),
    ],
)
def test_totals_stand_on_one_line_with_those_that_passed_first(written: str, text: str) -> None:
    found = summarize({"log": "errorOutput"}, CommandResult(1, written, ""))
    assert found is not None
    assert (found.text, found.files, found.cause) == (text, (), None)


@pytest.mark.parametrize("extractor", ["parseTypeErrors", "errors", "extractFiles", "files"])
def test_type_errors_with_the_number_of_their_files(extractor: str) -> None:
    found = summarize({"log": extractor}, TYPES)
    assert found is not None
    assert (found.text, found.files, found.cause) == (
        "3 type errors in 2 files",
        ("lib/m.ts", "lib/n.ts"),
        "no such name",
    )
    found = summarize({"log": extractor}, CommandResult(1, "", "TS1: odd\n"))
    assert found is not None
    assert (found.text, found.files) == ("1 type error in 0 files", ())
    found = summarize({"log": extractor}, CommandResult(1, "", "fine"))
    assert found is not None
    assert (found.text, found.cause) == ("no type errors", None)


def test_other_extractors_have_none() -> None:
    assert summarize({"log": "lintErrors", "x": "nobody", "y": 3}, TYPES) is None
    assert summarize(None, TYPES) is None
