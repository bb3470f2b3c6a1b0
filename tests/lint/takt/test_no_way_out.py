"""SF303 in pieces: a run that can be aborted isn't endless."""

import pytest

from stepflow_gui.lint.examples.piece import whole_piece
from tests.lint.conftest import Lint

PIECE = """\
name: demo
initial_step: a
max_steps: 5
steps:
  - name: a
    persona: You work.
    instruction: Do it.
    rules:
      - condition: ok
        next: {target}
"""


@pytest.mark.parametrize(
    ("target", "severity", "words"),
    [
        ("ABORT", "warning", "a run ends only by being aborted"),
        ("a", "error", "the run goes on until an error or its iteration limit"),
        ("COMPLETE", None, ""),
    ],
)
def test_only_what_happens_is_claimed(target: str, severity: str | None, words: str, lint_example: Lint) -> None:
    found = [each for each in lint_example(whole_piece(PIECE.format(target=target))) if each.code == "SF303"]
    assert [each.severity for each in found] == ([severity] if severity else [])
    assert all(words in each.message for each in found)
