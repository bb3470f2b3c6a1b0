"""The fields that forms offer for a piece are those that its release reads."""

import pytest

from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.formats.takt.release_fields import LEVELS, table_of_release
from stepflow_gui.formats.takt.releases.places import row_at
from stepflow_gui.formats.takt.releases.table import GENERATIONS, KEYS, RELEASES

CAPS = [
    ("0.11.1", "piece", "max_iterations"),
    ("0.12.0", "piece", "max_movements"),
    ("0.35.4", "piece", "max_movements"),
    ("0.36.0", "workflow", "max_steps"),
]


@pytest.mark.parametrize(("release", "notation", "cap"), CAPS)
def test_the_limit_has_the_name_of_its_release(release: str, notation: str, cap: str) -> None:
    names = {field.name for field in table_of_release(release, notation).fields}
    assert names & {"max_iterations", "max_movements", "max_steps"} == {cap}


@pytest.mark.parametrize("release", GENERATIONS.values())
def test_no_field_that_the_release_does_not_read(release: str) -> None:
    notation = "workflow" if RELEASES.index(release) >= RELEASES.index("0.36.0") else "piece"
    table = table_of_release(release, notation)
    at = RELEASES.index(release)
    for level, shape in shapes(table):
        names = [field.name for field in shape.fields]
        assert len(names) == len(set(names))
        for name in names:
            row = row_at(level, name)
            assert row is None or row.read >> at & 1, f"{level}.{name}"


def test_each_plain_key_of_the_tables_has_a_field() -> None:
    """What a release reads can be set by the form; keys that forms of a value are noted under are left out."""
    other_names = {"step"}  # of a sub-step's name, in 0.34 and 0.35
    newest = {"finding_contract", "rate_limit_fallback", "auto_routing", "overrides"}  # of 0.36-0.59, moved since
    for shape, level in LEVELS:
        names = {field.name for field in shape.fields}
        keys = {key for key, row in KEYS.get(level, {}).items() if key.isidentifier() and "read" in row}
        assert keys - names - other_names - newest == set(), level


@pytest.mark.parametrize(
    ("release", "pointer", "values"),
    [
        ("0.26.0", "/movements/0/provider", ("claude", "codex", "mock", "opencode")),
        ("0.3.1", "/steps/0/permission_mode", ("default", "acceptEdits", "bypassPermissions")),
        ("0.50.0", "/steps/0/session", ("continue", "refresh")),
        ("0.51.0", "/steps/0/session", ("continue", "refresh", "compact")),
        ("0.1.1", "/steps/0/transitions/0/condition", ("done", "blocked", "approved", "rejected", "always")),
        ("0.11.0", "/interactive_mode", ("assistant", "persona", "quiet", "passthrough")),
    ],
)
def test_the_values_are_those_of_the_release(release: str, pointer: str, values: tuple[str, ...]) -> None:
    notation = "piece" if pointer.startswith("/movements") else "workflow"
    found = field_at(table_of_release(release, notation), pointer, notation)
    assert isinstance(found, Field)
    assert found.shape.choices == values


def test_a_provider_may_be_an_object_where_its_release_takes_one() -> None:
    found = field_at(table_of_release("0.30.0", "piece"), "/movements/0/provider", "piece")
    assert isinstance(found, Field)
    assert [each.kind for each in found.shape.either] == ["string", "object"]
    assert "copilot" in found.shape.either[0].choices


def test_a_rule_with_an_expression_of_its_own_has_no_condition() -> None:
    table = table_of_release("0.40.0", "workflow")
    rule = next(shape for level, shape in shapes(table) if level == "rule")
    assert rule.narrow is not None
    for value, names in (({"when": "context.a.b"}, {"when"}), ({"condition": "ok"}, {"when", "condition"})):
        narrowed = rule.narrow(rule, value)
        assert {field.name for field in narrowed.fields} & {"when", "condition"} == names
    newest = next(shape for level, shape in shapes(table_of_release("0.60.0", "workflow")) if level == "rule")
    assert newest.narrow is not None
    assert "condition" in {field.name for field in newest.narrow(newest, {"when": "x"}).fields}


def test_a_reviewer_of_a_piece_has_the_fields_of_later_pieces() -> None:
    table = table_of_release("0.27.0", "piece")
    for key in ("persona", "policy", "quality_gates", "required_permission_mode", "mcp_servers", "provider_options"):
        assert field_at(table, f"/movements/0/{key}", "piece") is not None
        assert field_at(table, f"/movements/0/parallel/0/{key}", "piece") is not None
    assert field_at(table, "/movements/0/kind", "piece") is None
    assert field_at(table_of_release("0.40.0", "workflow"), "/steps/0/kind", "workflow") is not None


def shapes(table: Shape) -> list[tuple[str, Shape]]:
    """The shapes of the levels in a table made for a release."""
    steps = next(field.shape for field in table.fields if field.name in {"movements", "steps"})
    assert steps.of is not None
    levels = {"parallel": "sub", "rules": "rule"}
    inside = [(levels[field.name], field.shape.of) for field in steps.of.fields if field.name in levels]
    return [("top", table), ("step", steps.of), *((level, shape) for level, shape in inside if shape is not None)]
