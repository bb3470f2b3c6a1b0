"""Values of fields that only newer workflows have: what TAKT 0.60 refuses is an error (SF004)."""

import pytest

from stepflow_gui.lint.examples.piece import whole_piece
from tests.lint.conftest import Lint

WORKFLOW = """\
name: demo
initial_step: plan
max_steps: 5
steps:
  - name: plan
    instruction: do it now
    {field}
    rules:
      - condition: ok
        next: COMPLETE
"""


@pytest.mark.parametrize(
    ("field", "refused"),
    [
        ("delay_before_ms: soon", True),
        ("delay_before_ms: 60000", False),
        ("requires_user_input: maybe", True),
        ("requires_user_input: true", False),
        ("arpeggio: true", True),
        ("structured_output: 5", True),
        ("structured_output: { schema_ref: task }", False),
        ("team_leader: { part_permission_mode: edti }", True),
        ("team_leader: { part_permission_mode: edit, max_parts: 2, anything: 1 }", False),
        ("tags: review", True),
        ("tags: [review]", False),
        ("allow_git_commit: 1", True),
    ],
)
def test_what_is_refused(field: str, refused: bool, lint_example: Lint) -> None:
    found = [each for each in lint_example(whole_piece(WORKFLOW.format(field=field))) if each.severity == "error"]
    assert [each.code for each in found] == (["SF004"] if refused else [])


@pytest.mark.parametrize(("value", "kind"), [("-1", "a number"), ("[5]", "a list"), ("many", "a text")])
def test_a_limit_is_a_whole_number_or_the_word(value: str, kind: str, lint_example: Lint) -> None:
    step = "steps:\n  - name: a\n    instruction: do\n    rules:\n      - {condition: ok, next: COMPLETE}\n"
    found = lint_example(whole_piece(f"name: x\nmax_steps: {value}\ninitial_step: a\n{step}"))
    (message,) = [each.message for each in found if each.severity == "error"]
    assert f"must be a whole number of at least 1 or “infinite”, and is {kind}" in message
