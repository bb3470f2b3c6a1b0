"""What some releases refuse for what is, or isn't, beside it: `session`, `provider`, `max_steps`, names of reports."""

import pytest

from stepflow_gui.formats.takt.migrating.migration import Migration, migrated
from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.text.source import Source
from tests.lint.conftest import Open

RULES = "    rules: [{condition: done, next: COMPLETE}]\n"
WORKS = "    persona: You are it.\n    instruction: Go on.\n    edit: false\n"
SUBS = "    parallel: [{name: s, persona: You., instruction: Go., edit: false, rules: [{condition: done}]}]\n"
ALWAYS = RULES.replace("done", "when(true)")
OF_SUBS = "    rules: [{condition: 'all(\"done\")', next: COMPLETE}, {condition: 'any(\"error\")', next: ABORT}]\n"


def _text(step: str, *, rules: str = RULES, top: str = "") -> str:
    return f"name: x\nmax_steps: 5\ninitial_step: it\n{top}steps:\n  - name: it\n{step}{rules}"


def _found(open_example: Open, text: str, release: str) -> list[Diagnostic]:
    found = lint(open_example(whole_piece(text)), LintSettings(f"takt-{release}"))
    return [each for each in found if each.severity == "error"]


SESSIONS = [
    (_text(WORKS + "    session: refresh\n    team_leader: {max_parts: 2}\n"), "be combined with “team_leader”"),
    (_text("    session: refresh\n" + SUBS, rules=OF_SUBS), "be combined with “parallel”"),
    (
        _text("    kind: system\n    session: refresh\n    effects: [{type: merge_pr, pr: 1}]\n", rules=ALWAYS),
        "is for steps that an agent works on",
    ),
]


@pytest.mark.parametrize(("text", "said"), SESSIONS)
def test_a_session_of_such_a_step_is_refused_since_051(text: str, said: str, open_example: Open) -> None:
    assert _found(open_example, text, "0.50") == []
    for release in ("0.51", "0.53"):
        (found,) = _found(open_example, text, release)
        assert (found.code, found.pointer) == ("T028", "/steps/0/session")
        assert said in found.message


def _made(text: str, to: str) -> Migration:
    release = releases_of_runtime(f"takt-{to}")
    assert release
    found = migrated(Source(text), release)
    assert isinstance(found, Migration)
    return found


@pytest.mark.parametrize(("text", "said"), SESSIONS)
def test_such_a_session_is_taken_out_in_a_conversion_and_reported(text: str, said: str) -> None:
    assert said
    found = _made(text, "0.53")
    assert "session" not in found.text
    assert [left.message for left in found.left if left.pointer == "/steps/0/session"]
    assert "/steps/0/session" not in {left.pointer for left in found.refused}


def test_a_configuration_keeps_its_word_where_no_release_would_read_the_other_one() -> None:
    text = _text(WORKS, top="piece_config: {runtime: {prepare: [node]}}\n")
    for now, before in (("movements", "steps"), ("initial_movement", "initial_step"), ("max_movements", "max_steps")):
        text = text.replace(f"{before}:", f"{now}:")
    found = _made(text, "0.12")
    assert "piece_config" in found.text
    assert "workflow_config" not in found.text
    assert any(left.pointer.startswith("/piece_config") for left in found.left)
    assert "workflow_config: {runtime" in _made(text, "0.36").text


@pytest.mark.parametrize(
    ("provider", "release", "said"),
    [
        ("opencode", "0.46", None),
        ("opencode", "0.50", "has a provider that needs a “model”"),
        ("auto", "0.51", "has the provider “auto”, which needs “auto_routing”"),
    ],
)
def test_a_known_provider_is_refused_for_what_is_missing(
    provider: str, release: str, said: str | None, open_example: Open
) -> None:
    found = _found(open_example, _text(WORKS + f"    provider: {provider}\n"), release)
    assert [each.code for each in found] == (["T028"] if said else [])
    assert all(said and said in each.message and not each.fixes for each in found)


def test_a_provider_of_other_releases_is_a_wrong_value_still(open_example: Open) -> None:
    (found,) = _found(open_example, _text(WORKS + "    provider: auto\n"), "0.50")
    assert found.code == "SF004"


def test_a_callable_workflow_with_a_limit_is_refused_by_055_alone(open_example: Open) -> None:
    text = _text(WORKS, top="subworkflow: {callable: true}\n")
    for release, codes in (("0.54", []), ("0.55.0", ["T030"]), ("0.55.1", ["T030"]), ("0.56", [])):
        assert [each.code for each in _found(open_example, text, release)] == codes


def test_two_spellings_of_one_report_are_refused_since_053(open_example: Open) -> None:
    reports = "    output_contracts: {report: [{name: x.md, format: A text}, {name: ./x.md, format: B text}]}\n"
    assert _found(open_example, _text(WORKS + reports), "0.52") == []
    (found,) = _found(open_example, _text(WORKS + reports), "0.53")
    assert (found.code, "are one file" in found.message) == ("T021", True)
