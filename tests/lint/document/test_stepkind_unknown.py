"""SF004 on a stepKind that doesn't exist: loading fails where the step has a gate."""

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.example import REMOVED
from tests.lint.conftest import Lint

KIND = "/steps/continuation.issue/stepKind"


@pytest.mark.parametrize(
    ("runtime", "words"),
    [
        (None, "climpt-2026-03-14 drops the registry and finds no entry step, climpt 2026-04-01 and later refuse"),
        ("climpt-2026-04-08", "climpt-2026-04-08 refuses to load the registry"),
        ("guide", "climpt-2026-03-14 drops the registry and finds no entry step"),
    ],
)
def test_a_gate_makes_it_an_error(runtime: str | None, words: str, lint_example: Lint) -> None:
    found = lint_example({KIND: "wrok"}, LintSettings(runtime))
    (kind,) = [each for each in found if each.code == "SF004"]
    assert (kind.pointer, kind.severity) == (KIND, "error")
    assert words in kind.message
    assert [edit.text for edit in kind.fixes[0].edits] == ['"work"']


def test_an_empty_one_counts_as_absent(lint_example: Lint) -> None:
    assert {each.severity for each in lint_example({KIND: ""}) if each.code == "SF004"} == {"warning"}


def test_without_a_gate_no_one_reads_it(lint_example: Lint) -> None:
    gate = "/steps/continuation.issue/structuredGate"
    found = lint_example({KIND: "wrok", gate: REMOVED})
    assert {each.severity for each in found if each.code == "SF004"} == {"warning"}
