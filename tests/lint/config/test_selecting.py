"""Choosing rules: selectors, which of them fits closer, layers that change what others set."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.selecting import (
    RuleSelection,
    SelectionLayer,
    fit,
    nearest_rule,
    rule_meant,
    selector_meant,
)
from stepflow_gui.lint.rules.table import MODULES, name_of

HERE, THERE = Path("/p/here.json"), Path("/p/there.json")


def on(choice: RuleSelection, code: str, file: Path = HERE) -> bool:
    return choice.verdict(code, [file]).on


def test_every_name_is_that_of_its_file() -> None:
    assert name_of("SF201") == "enum-transition-mismatch"
    assert len({name_of(code) for code in MODULES}) == len(MODULES)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("SF201", "SF201"),
        ("sf2", "SF2"),
        ("all", "ALL"),
        ("Enum-Transition-Mismatch", "enum-transition-mismatch"),
        ("SF99", None),
        ("enum", None),
        ("", None),
        ("SF2*", None),
    ],
)
def test_what_a_selector_means(word: str, meant: str | None) -> None:
    assert selector_meant(word) == meant


def test_one_rule_is_meant_by_its_code_or_name_only() -> None:
    assert rule_meant("sf201") == "SF201"
    assert rule_meant("enum-transition-mismatch") == "SF201"
    assert rule_meant("SF2") is None


def test_the_rule_most_like_a_word() -> None:
    assert nearest_rule("SF50l") == "SF501"
    assert nearest_rule("XY1234") is None
    assert nearest_rule("7") is None
    assert nearest_rule("enum-transition-mismach") == "enum-transition-mismatch"


def test_the_closer_selector_holds() -> None:
    assert fit("SF201", "ALL") < fit("SF201", "SF2") < fit("SF201", "SF20") < fit("SF201", "SF201")
    choice = RuleSelection([SelectionLayer("c", select=["SF201", "SF3"], ignore=["SF2", "SF301"])])
    assert [on(choice, code) for code in ("SF201", "SF202", "SF301", "SF302", "SF501")] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_without_wishes_all_is_on() -> None:
    choice = RuleSelection()
    assert all(on(choice, code) and choice.may_be_on(code) for code in MODULES)


def test_later_layers_go_before_and_select_restarts() -> None:
    base = SelectionLayer("file", ignore=["SF201"])
    assert not on(RuleSelection([base]), "SF201")
    assert on(RuleSelection([base, SelectionLayer("line", select=["SF2"])]), "SF201")
    assert not on(RuleSelection([base, SelectionLayer("line", select=["SF2"])]), "SF301")
    assert on(RuleSelection([base, SelectionLayer("line", extend=["SF201"])]), "SF201")


def test_layers_for_some_files_hold_for_those() -> None:
    some = SelectionLayer("file", ignore=["SF2"], extend=["SF501"], paths=lambda file: file == THERE)
    choice = RuleSelection([SelectionLayer("file", ignore=["SF501"]), some])
    assert (on(choice, "SF201"), on(choice, "SF201", THERE)) == (True, False)
    assert (on(choice, "SF501"), on(choice, "SF501", THERE)) == (False, True)
    assert choice.may_be_on("SF501")


def test_a_rule_that_is_off_everywhere_need_not_run() -> None:
    choice = RuleSelection([SelectionLayer("file", select=["SF2"])])
    assert not choice.may_be_on("SF301")


def test_severities_by_the_closest_selector() -> None:
    levels = SelectionLayer("file", severity={"SF2": "info", "SF201": "warning", "SF5": "off"})
    choice = RuleSelection([levels])
    assert choice.verdict("SF201", [HERE]) == (True, "warning", "file")
    assert choice.verdict("SF202", [HERE]) == (True, "info", "file")
    assert choice.verdict("SF501", [HERE]) == (False, None, "file")
    assert choice.verdict("SF301", [HERE]) == (True, None, None)
