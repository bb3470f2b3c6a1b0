"""`stepflow explain` and `stepflow rules`."""

import json

import pytest

from stepflow_gui.cli.explain import explained
from stepflow_gui.lint.rules.table import MODULES, name_of
from stepflow_gui.lint.upstream_codes import UPSTREAM_CODES

from .conftest import Run


@pytest.mark.parametrize("word", ["SF501", "sf501", "fallback-key-form"])
def test_a_rule_is_explained_with_both_examples(word: str, run: Run) -> None:
    code, out, err = run("explain", word)
    assert (code, err) == (0, "")
    assert out.startswith("SF501 fallback-key-form (error; closing, complete)\n")
    for text in ("What it does:", "Why is this bad:", "Fix:", '"fallbackKey": "initial.issue"', '"initial_issue"'):
        assert text in out


def test_headings_and_the_severity_are_in_the_language_asked_for(run: Run) -> None:
    code, out, _err = run("explain", "SF501", "--lang", "ja")
    assert code == 0
    assert out.startswith("SF501 fallback-key-form (エラー; closing, complete)\n")
    assert not any(f"\n{heading}:" in out for heading in ("What it does", "Why is this bad", "Fix", "Bad", "Good"))


@pytest.mark.parametrize("code", MODULES)
def test_every_rule_can_be_explained(code: str) -> None:
    lines = list(explained(code))
    assert lines[0].startswith(f"{code} {name_of(code)} (")
    assert any(line.startswith("Bad: ") for line in lines)


@pytest.mark.parametrize("code", UPSTREAM_CODES)
def test_every_code_of_the_runner_leads_to_rules_or_says_that_none_can_tell(code: str) -> None:
    lines = list(explained(code.lower()))
    assert lines[0].startswith(f"{code} is an error of the runner")


def test_a_code_of_the_runner_leads_to_the_rules_that_find_it_before(run: Run) -> None:
    out = run("explain", "SR-TRANS-002").out
    assert out.splitlines()[1] == "  SF306 null-target"
    assert "\nSF306 null-target (" in out


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("SF30l", "there is no rule “SF30l”. Did you mean “SF301”?"),
        ("SR-TRANS-200", "Did you mean “SR-TRANS-"),
        ("zzz", "there is no rule “zzz”"),
    ],
)
def test_an_unknown_word_is_2_and_the_others_are_explained(word: str, says: str, run: Run) -> None:
    code, out, err = run("explain", word, "SF301")
    assert code == 2
    assert "SF301 target-unknown" in out
    assert says in err


def test_the_rules_are_listed(run: Run) -> None:
    lines = run("rules").out.splitlines()
    assert [line.split()[0] for line in lines] == list(MODULES)
    assert any(line.split()[:3] == ["SF201", "error", "enum-transition-mismatch"] for line in lines)


def test_the_rules_as_json(run: Run) -> None:
    told = json.loads(run("rules", "--json").out)
    assert [rule["code"] for rule in told["rules"]] == list(MODULES)
    rule = next(rule for rule in told["rules"] if rule["code"] == "SF206")
    assert rule["upstream"][:2] == ["SR-INTENT-001", "SR-VALID-001"]
    assert rule["formats"] == ["closing", "c3l"]
    assert all(rule["what"] and rule["why"] and rule["fix"] for rule in told["rules"])
