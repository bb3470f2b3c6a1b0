"""A fix that is wrong for a release of TAKT that the file is for isn't offered, nor applied with others."""

from pathlib import Path

import pytest

from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.configured_lint import fix_all_as_configured, lint_as_configured
from stepflow_gui.lint.examples.piece import whole_piece
from stepflow_gui.lint.fixing import Fixed, any_fixes
from tests.lint.conftest import Lint, Open

from .generations import FILES

STEPS = (
    "movements:\n  - name: a\n    persona: p\n    instruction: do\n"
    "    rules:\n      - {condition: ok, next: COMPLETE}\n"
)


def with_key(key: str) -> str:
    return "name: x\n" + STEPS.replace("instruction: do", f"instruction: do\n    {key}")


def titles(found: list[Diagnostic], code: str) -> list[str]:
    return [fix.title for each in found if each.code == code for fix in each.fixes]


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (f"name: x\nmax_movements: 5\n{STEPS}", []),  # 0.12.0 to 0.35.4 read it
        (f"name: x\n{STEPS.replace('persona: p', 'agent: p')}", []),  # 0.4.0 to 0.7.1
        (with_key("required_permission_mode: edit"), []),
        (f"name: x\nmax_iteration: 5\n{STEPS}", ["Write “max_iterations”", "Remove “max_iteration”"]),
        (f"name: x\nmax_iterations: 5\n{STEPS.replace('persona', 'persnoa')}", ["Write “persona”", "Remove “persnoa”"]),
    ],
)
def test_a_key_that_a_release_of_the_file_reads_stays(text: str, offered: list[str], lint_example: Lint) -> None:
    assert titles(lint_example(whole_piece(text)), "T025") == offered


def test_a_key_of_another_release_is_no_misspelling(lint_example: Lint) -> None:
    (found,) = [each for each in lint_example(whole_piece(with_key("session_key: a"))) if each.code == "T025"]
    assert "reads it" in found.message
    assert "Did you mean" not in found.message


HARMED = f"name: x\nmax_iteration: 0\n{STEPS}"  # 0.4 to 0.11 load it, and wouldn't with the word that is meant


def test_the_window_offers_no_fix_that_harms_a_release(open_example: Open) -> None:
    path: Path = open_example(whole_piece(HARMED)).registry.path
    found = lint_as_configured(path)
    assert isinstance(found, list)
    assert titles(found, "T025") == ["Remove “max_iteration”"]
    fixed = fix_all_as_configured(path, lambda each: [fix for fix in any_fixes(each) if fix.title.startswith("Write")])
    assert isinstance(fixed, Fixed)
    assert fixed.changes == []


@pytest.mark.parametrize("generation", FILES)
@pytest.mark.parametrize("runtime", [None, "takt-0.11", "takt-0.16", "takt-0.35", "takt-latest"])
def test_no_rename_is_safe_that_is_right_in_one_release_only(
    generation: str, runtime: str | None, lint_example: Lint
) -> None:
    text = FILES[generation].replace("name: flow\n", "name: flow\nagents: {}\npiece_config: {}\n")
    found = lint_example(whole_piece(text), LintSettings(runtime))
    safe = [fix.title for each in found for fix in each.fixes if fix.safe and each.code.startswith("T")]
    assert set(safe) <= {"Write “personas”"}  # no release ever read “agents”
