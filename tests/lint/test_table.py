"""The table of rules says without loading them which look at files of a format."""

import pytest

from stepflow_gui.lint.rule import SHAPES
from stepflow_gui.lint.rules.table import AFTERWARDS, MODULES, checked_rule, codes_for, rules_for


@pytest.mark.parametrize(
    "format_id", ["closing", "c3l", "complete", "checks", "takt", "adt-kind-address", *SHAPES, "unheard-of", None]
)
def test_no_rule_of_a_format_is_left_out(format_id: str) -> None:
    every = [checked_rule(code).rule.code for code in MODULES if code not in AFTERWARDS]
    wanted = [code for code in every if checked_rule(code).rule.applies_to(format_id)]
    assert [each.rule.code for each in rules_for(format_id)] == wanted


def test_a_rule_of_one_format_is_loaded_for_that_one_alone() -> None:
    """A row in the table's formats spares the current form the loading of each of them."""
    assert [code for code in codes_for("closing") if not checked_rule(code).rule.applies_to("closing")] == []
