"""Findings about TAKT files name the release that they speak of: releases differ."""

import re
from pathlib import Path

import pytest

import catalogue
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.examples.piece import whole_piece
from tests.lint.conftest import Lint

RULES = "stepflow_gui/lint/rules/takt"
OTHERS = {  # these speak of the format, of no runner
    "“{{{name}}}” is of another version of TAKT: {runner} leaves it as it is",
}


@pytest.mark.parametrize(
    ("text", "release"),
    [
        (
            "name: x\nmax_iterations: 5\nmovements:\n  - name: a\n    rules:\n      - {condition: ok, next: gone}\n",
            "0.4–0.11",
        ),
        ("name: x\nmax_steps: 5\nsteps:\n  - name: a\n    rules:\n      - {condition: ok, next: gone}\n", "0.34+"),
    ],
)
def test_the_release_of_the_file(text: str, release: str, lint_example: Lint) -> None:
    (found,) = [each for each in lint_example(whole_piece(text)) if each.code == "T004"]
    assert f"TAKT {release} refuses to load the file" in found.message


def test_a_dropped_key_names_the_releases_that_read_it(lint_example: Lint) -> None:
    text = "name: x\nmax_movements: 5\nmovements:\n  - name: a\n    rules:\n      - {condition: ok, next: COMPLETE}\n"
    of_era = lint_example(whole_piece(text), LintSettings("takt-2026-02-07"))
    (found,) = [each for each in of_era if each.code == "T025"]
    assert "TAKT 0.12–0.35 reads it" in found.message
    assert not any(fix.safe for fix in found.fixes)  # the other word is right in other releases


@pytest.mark.parametrize("limit", ["max_movements", "max_iterations"])
def test_keys_that_the_releases_of_the_file_read_are_right(limit: str, lint_example: Lint) -> None:
    head = f"name: x\n{limit}: 5\ninitial_movement: a\n"
    text = f"{head}movements:\n  - name: a\n    rules:\n      - {{condition: ok, next: COMPLETE}}\n"
    assert not {"T001", "T025"} & {each.code for each in lint_example(whole_piece(text))}


def _of(text: str, lint_example: Lint, runtime: str | None) -> list[str]:
    found = lint_example(whole_piece(text), LintSettings(runtime))
    return [each.message for each in found if each.code in {"T001", "T025"}]


STEP = "movements:\n  - name: a\n    rules:\n      - {condition: ok, next: COMPLETE}\n"


@pytest.mark.parametrize(
    ("limit", "runtime", "said"),
    [
        ("max_movements", "climpt-2026-03-14", []),
        ("max_movements", "guide", []),
        ("max_steps", "takt-0.27", ["“max_steps” is called “max_movements” here"]),
        ("max_movements", "takt-latest", ["“max_movements” is called “max_steps” here", "“max_steps” isn't given"]),
    ],
)
def test_a_key_is_named_as_the_releases_that_are_wanted_name_it(
    limit: str, runtime: str, said: list[str], lint_example: Lint
) -> None:
    messages = _of(f"name: x\n{limit}: 5\ninitial_movement: a\n{STEP}", lint_example, runtime)
    assert all(any(words in message for message in messages) for words in said)
    assert bool(messages) == bool(said)


def test_a_misspelt_key_is_unknown_to_the_releases_of_the_file(lint_example: Lint) -> None:
    text = f"name: x\nmax_movements: 5\nx_limit: 3\ninitial_movement: a\n{STEP}"
    (message,) = _of(text, lint_example, None)
    assert message.startswith("TAKT 0.12–0.35 doesn't know “x_limit” here")


@pytest.mark.slow
def test_no_text_names_takt_without_a_release() -> None:
    texts = {use.id for use in catalogue.uses() if RULES in use.file.as_posix()}
    assert texts
    speaking = {text for text in texts if "TAKT" in text and "TAKT {releases}" not in text}
    assert speaking <= OTHERS


@pytest.mark.parametrize("folder", ["docs/rules", "docs/ja/rules"])
def test_no_rule_page_names_takt_without_a_release(folder: str, checkout: Path) -> None:
    pages = sorted((checkout / folder).glob("T*.md"))
    assert len(pages) > 25
    bare = re.compile(r"\bTAKT\b(?! 0\.\d)|[Nn]ewer versions (?:of|refuse|abort|don)|新しいバージョンは")
    no_prose = re.compile(r"```.*?```|^\[[^\n]+\)$", re.DOTALL | re.MULTILINE)  # examples, and the links at the end
    prose = {page.name: no_prose.sub("", page.read_text("utf-8")) for page in pages}
    assert {name: bare.findall(text) for name, text in prose.items() if bare.search(text)} == {}


MOVED = "name: x\nmax_steps: 5\nsteps:\n  - name: a\n    persona: x\n    {keys}\n    instruction: Do it.\n"
MOVED += "    rules:\n      - {{condition: ok, next: COMPLETE}}\n"


@pytest.mark.parametrize(
    ("keys", "runtime", "codes"),
    [
        ("provider: claude", "takt-latest", ["T025"]),
        ("provider: claude\n    allowed_tools: [Read]", "takt-latest", ["T025", "T025"]),
        ("provider: claude", "takt-0.53..0.60", ["T030"]),
        ("provider: claude", "takt-0.59", []),
    ],
)
def test_what_stands_elsewhere_today_is_one_finding(
    keys: str, runtime: str, codes: list[str], lint_example: Lint
) -> None:
    found = lint_example(whole_piece(MOVED.format(keys=keys)), LintSettings(runtime))
    assert [each.code for each in found if each.code in {"T025", "T030"}] == codes
