"""Values of fields that only newer workflows have: what TAKT 0.60 refuses is an error (SF004)."""

import pytest

from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.text.edit import TextEdit, apply
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


@pytest.mark.parametrize(("value", "kind"), [("-1", "a number"), ("[5]", "a list"), ("many", "a string")])
def test_a_limit_is_a_whole_number_or_the_word(value: str, kind: str, lint_example: Lint) -> None:
    step = "steps:\n  - name: a\n    instruction: do\n    rules:\n      - {condition: ok, next: COMPLETE}\n"
    found = lint_example(whole_piece(f"name: x\nmax_steps: {value}\ninitial_step: a\n{step}"))
    (message,) = [each.message for each in found if each.severity == "error"]
    assert f"must be a whole number of at least 1 or “infinite” but is {kind}" in message


INNER = """\
subworkflow: { callable: true, visibility: internal, params: { tone: { type: string, facet_kind: policy } } }
facet_pools: { reviewers: { uses: reviewers } }
all_steps: { rules: [{ ref: careful, position: end }] }
name: demo
initial_step: plan
max_steps: 5
steps:
  - name: plan
    kind: system
    mode: system
    system_inputs: [{ type: pr, source: current, as: pr, where: { head_branch: main, draft: false } }]
    effects: [{ type: task, workflow: fix, base_branch: { name: main, create_if_missing: { from: main, push: true } } }]
    rules:
      - condition: when(true)
        next: COMPLETE
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("callable", "calable"),
        ("visibility", "visibiliti"),
        ("params", "parms"),
        ("facet_kind", "facet_kid"),
        ("uses", "usse"),
        ("rules: [{ ref", "ruels: [{ ref"),
        ("position", "postion"),
        ("source", "sorce"),
        ("head_branch", "head_brnach"),
        ("draft", "darft"),
        ("workflow: fix", "workfow: fix"),
        ("base_branch", "base_banch"),
        ("create_if_missing", "create_if_mising"),
        ("push", "psuh"),
    ],
)
def test_a_misspelt_key_inside_is_told_and_mended(right: str, wrong: str, lint_example: Lint) -> None:
    assert INNER.count(right) == 1
    before = {each.code for each in lint_example(whole_piece(INNER))}
    assert "T025" not in before
    text = INNER.replace(right, wrong)
    (found,) = (each for each in lint_example(whole_piece(text)) if each.code not in before)
    assert found.code == "T025"
    assert "drop" not in found.message  # no release was asked
    edits = [TextEdit(edit.range.start.offset, edit.range.end.offset, edit.text) for edit in found.fixes[0].edits]
    assert apply(text, edits) == INNER


def test_other_keys_inside_pass(lint_example: Lint) -> None:
    """What is known of them is what was seen."""
    text = INNER.replace("position: end", "position: end, anything: 1").replace("type: task", "type: task, label: x")
    assert not [each for each in lint_example(whole_piece(text)) if each.code == "T025"]


def test_a_misspelt_key_of_the_workflows_own_settings_is_mended(lint_example: Lint) -> None:
    text = INNER.replace("name: demo", "name: demo\nworkflow_config: { runtme: { prepare: [node] } }")
    (found,) = (each for each in lint_example(whole_piece(text)) if each.code == "T025")
    assert [fix.title for fix in found.fixes][:1] == ["Write “runtime”"]
