"""A slip that is used instead several places is corrected in all of them; a step that is a copy has one finding."""

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import Example, changed
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.lint.rules.validators.example_checks import checked
from tests.lint.conftest import Open
from tests.lint.steps.test_which_side import is_restored, misspelt

_PIECE = """name: x
initial_movement: planning
personas:
  planner: ../personas/planner.md
movements:
  - name: planning
    persona: planner
    rules: [{condition: ok, next: implement}, {condition: no, next: planning}]
  - name: implement
    persona: planner
    rules: [{condition: ok, next: COMPLETE}, {condition: again, next: planning}]
"""
_NOW = "/validationSteps/closure.polling/validationConditions"


@pytest.mark.parametrize(
    ("example", "right", "wrong"),
    [
        (changed(), '"target": "initial.issue"', '"target": "initial.isuse"'),
        (changed(), '"target": "continuation.issue"', '"target": "continuation.isue"'),
        (changed(), '"target": "closure.issue"', '"target": "clsure.issue"'),
        (changed(), '"intentField": "next_action.action"', '"intentField": "next_acton.action"'),
        (
            checked({_NOW: [{"validator": "git-clean"}, {"validator": "git-clean"}]}),
            '"validator": "git-clean"',
            '"validator": "git-claen"',
        ),
        (whole_piece(_PIECE), "next: planning", "next: plannnig"),
        (whole_piece(_PIECE), "persona: planner", "persona: plannre"),
    ],
)
def test_a_slip_in_all_references_is_corrected_there(
    example: Example, right: str, wrong: str, open_example: Open
) -> None:
    agent = open_example(example)
    assert is_restored(misspelt(agent, right, wrong), agent)


@pytest.mark.parametrize("wrong", ["initial.isuse", "intial.issue"])
def test_a_schema_of_which_the_name_is_misspelt_is_renamed(wrong: str, open_example: Open) -> None:
    agent = open_example(changed())
    schema = agent.folder / "schemas" / "issue.schema.json"
    document = agent.document(schema)
    right = document.source.text  # type: ignore[union-attr]
    schema.write_text(right.replace('"initial.issue"', f'"{wrong}"'))
    (found,) = [each for each in lint(agent.reread([schema])) if each.severity == "error"]
    assert (found.code, found.file, found.pointer) == ("SF702", schema, f"/{wrong}")
    (change,) = fix_all([agent.reread([schema])], lint, any_fixes).changes
    assert (change.path, change.after.text) == (schema, right)


@pytest.mark.parametrize("copied", ["initial.issue", "continuation.issue", "closure.issue"])
def test_a_copied_step_has_one_finding(copied: str, open_example: Open) -> None:
    agent = open_example(changed())
    step = agent.flow.steps[copied]
    source = agent.registry.source
    text = source.text[step.key_span.end : step.node.end]
    pasted = f'{source.text[: step.node.end]},\n    "{copied}.again"{text}{source.text[step.node.end :]}'
    (found,) = lint(agent.with_buffers({agent.registry.path: source.with_text(pasted)}))
    assert (found.code, found.step) == ("SF101", f"{copied}.again")
    assert f"copy of “{copied}”" in found.message
