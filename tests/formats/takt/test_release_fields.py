"""The fields that forms offer for a piece are those that its release reads."""

import pytest

from stepflow_gui.formats.fields import Shape, field_at
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
    older = {"agent", "agent_name", "transitions", "on_no_status", "status_rules_prompt", "report", "step", "when"}
    newest = {"finding_contract", "rate_limit_fallback", "auto_routing", "overrides"}  # of 0.36-0.59, moved since
    of_judges = {"provider", "model", "provider_options", "session_key"}
    for shape, level in LEVELS:
        names = {field.name for field in shape.fields}
        keys = {key for key, row in KEYS.get(level, {}).items() if key.isidentifier() and "read" in row}
        assert keys - names - older - newest - (of_judges if level == "judge" else set()) == set(), level


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
