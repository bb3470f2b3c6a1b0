"""The table of rules says without loading them which look at files of a format."""

import pytest

from stepflow_gui.lint.rules.table import AFTERWARDS, MODULES, checked_rule, rules_for


@pytest.mark.parametrize("format_id", ["takt", "climpt", "checks"])
def test_no_rule_of_a_format_is_left_out(format_id: str) -> None:
    every = [checked_rule(code).rule.code for code in MODULES if code not in AFTERWARDS]
    wanted = [code for code in every if checked_rule(code).rule.applies_to(format_id)]
    assert [each.rule.code for each in rules_for(format_id)] == wanted
