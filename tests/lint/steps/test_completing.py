"""SF107: what is offered to a step that lacks something, and that the registry is sound with it."""

import json
from typing import Any

import pytest

from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import REMOVED, changed
from tests.lint.conftest import Open
from tests.lint.test_fixes import fixed

FIRST = "/steps/initial.issue"


@pytest.mark.parametrize("step", ["initial.issue", "continuation.issue", "closure.issue"])
@pytest.mark.parametrize("field", ["outputSchemaRef", "structuredGate", "transitions"])
def test_one_missing_field_is_distinguished_from_the_others(step: str, field: str, open_example: Open) -> None:
    agent = open_example(changed({f"/steps/{step}/{field}": REMOVED}))
    (fix,) = next(each for each in lint(agent) if each.code == "SF107").fixes
    assert not fix.safe
    assert lint(fixed(agent, fix)) == []


@pytest.mark.parametrize("field", ["outputSchemaRef", "structuredGate", "transitions"])
@pytest.mark.parametrize("last", [False, True])
def test_a_null_is_written_over(field: str, last: bool, open_example: Open) -> None:
    fields = [field] if last else [field, "name"]
    agent = open_example(changed({f"{FIRST}/{each}": REMOVED for each in fields}))
    path = agent.registry.path
    registry = json.loads(path.read_text("utf-8"))
    step = registry["steps"]["initial.issue"]
    step |= {field: None} if last else {field: None, "name": "initial issue"}
    path.write_text(json.dumps(registry, indent=2), "utf-8")
    agent = agent.reread([path])
    (fix,) = next(each for each in lint(agent) if each.code == "SF107").fixes
    after = fixed(agent, fix)
    assert lint(after) == []
    assert after.registry.source.text.count(f'"{field}"') == path.read_text("utf-8").count(f'"{field}"')


def test_of_two_the_one_that_is_there_is_written_over_and_the_other_added(open_example: Open) -> None:
    agent = open_example(changed({f"{FIRST}/outputSchemaRef": REMOVED, f"{FIRST}/transitions": None}))
    (fix,) = next(each for each in lint(agent) if each.code == "SF107").fixes
    assert lint(fixed(agent, fix)) == []


def test_schemas_of_the_older_form_are_named_by_pointer(open_example: Open) -> None:
    """In the format with `complete`, definitions are named by where they stand."""
    changes: dict[str, Any] = {
        "issue.schema.json#/definitions": {"initial.issue": {"type": "object"}, "continuation.issue": {}},
        "/steps/continuation.issue/outputSchemaRef/schema": "#/definitions/continuation.issue",
        f"{FIRST}/outputSchemaRef": REMOVED,
        "issue.schema.json#/initial.issue": REMOVED,
    }
    agent = open_example(changed(changes, base="complete"))
    (fix,) = next(each for each in lint(agent) if each.code == "SF107").fixes
    assert '"#/definitions/initial.issue"' in fix.edits[0].text


@pytest.mark.parametrize(
    "changes",
    [
        {f"{FIRST}/structuredGate": REMOVED, f"{FIRST}/transitions": REMOVED},
        {f"{FIRST}/outputSchemaRef": REMOVED, "issue.schema.json#/initial.issue": REMOVED},
        {f"{FIRST}/transitions": REMOVED, f"{FIRST}/structuredGate/allowedIntents": ["next", "jump"]},
    ],
)
def test_nothing_is_offered_where_something_is_unknown(changes: dict[str, Any], open_example: Open) -> None:
    found = next(each for each in lint(open_example(changed(changes))) if each.code == "SF107")
    assert found.fixes == ()
