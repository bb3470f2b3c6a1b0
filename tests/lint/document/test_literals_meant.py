"""Texts where true, false or a number has to stand: what they stand for is offered, and nothing else."""

import pytest

from stepflow_gui.lint.rules.document.json_types import literal_meant
from tests.lint.conftest import Lint


@pytest.mark.parametrize(
    ("kind", "text", "meant"),
    [
        ("boolean", "ture", "true"),
        ("boolean", "False", "false"),
        ("boolean", " yes ", "true"),
        ("boolean", "off", "false"),
        ("boolean", "maybe", None),
        ("boolean", "", None),
        ("integer", "12", "12"),
        ("integer", "1O", "10"),
        ("integer", "-3", "-3"),
        ("integer", "1.5", None),
        ("integer", "007", None),  # 7 in one language, an octal number or a text in others
        ("integer", "Il", None),  # without a digit it is a word
        ("integer", "many", None),
        ("number", "1.5", "1.5"),
        ("string", "true", None),
    ],
)
def test_what_a_text_stands_for(kind: str, text: str, meant: str | None) -> None:
    assert literal_meant(kind, text) == meant


@pytest.mark.parametrize(
    ("place", "value", "written"),
    [
        ("/steps/initial.issue/usesStdin", "false", ["false"]),
        ("/steps/initial.issue/structuredGate/failFast", "ture", ["true"]),
        ("/steps/initial.issue/usesStdin", "stdin", []),
        ("agent.json#/runner/execution", {"worktree": {"enabled": "yes"}}, ["true"]),
    ],
)
def test_it_is_offered_in_json(place: str, value: object, written: list[str], lint_example: Lint) -> None:
    (found,) = [each for each in lint_example({place: value}) if each.code == "SF004"]
    assert [edit.text for fix in found.fixes for edit in fix.edits] == written
    assert not any(fix.safe for fix in found.fixes)
