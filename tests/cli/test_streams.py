"""Colours by option, environment and terminal, and texts in encodings that lack some characters."""

import io
import sys

import pytest

from stepflow_gui.cli.streams import prepare_streams, print_error, show_difference, wants_color

from .conftest import Run, Write


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "wanted"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, False, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, True, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_whether_there_are_colours(
    choice: str, environment: dict[str, str], terminal: bool, wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Screen() if terminal else io.StringIO())
    assert wants_color(choice) is wanted


def test_reports_differences_and_tests_are_coloured(run: Run, write_agent: Write) -> None:
    agent = write_agent("a", {"/entryStep": "initial.isue"})
    other = write_agent("b", {"/version": "9.9.9"})
    for words in (["lint", agent], ["lint", agent, "--fix", "--diff", "--unsafe-fixes"], ["diff", agent, other]):
        assert "\x1b[" in run(*words, "--color", "always").out, words
        assert "\x1b[" not in run(*words).out, words


def test_colours_reach_a_file_only_if_asked_for(run: Run, write_agent: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = write_agent("a", {"/entryStep": "initial.isue"})
    report = agent.parent / "report"
    monkeypatch.setenv("FORCE_COLOR", "1")
    run("lint", agent, "-o", report)
    assert "\x1b[" not in report.read_text("utf-8")
    run("lint", agent, "-o", report, "--color", "always")
    assert "\x1b[" in report.read_text("utf-8")


def test_a_difference_in_colours_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    text = "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same\n"
    show_difference(text, "never")
    assert capsys.readouterr().out == text
    show_difference(text, "always")
    shown = capsys.readouterr().out.split("\n")
    assert shown[3:6] == ["\x1b[31m-old\x1b[0m", "\x1b[32m+new\x1b[0m", " same"]


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("utf-8", "“step” → ‘a’ – … ≥ 図"),
        ("ascii", "\"step\" -> 'a' - ... >= \\u56f3"),
        ("cp1252", "“step” -> ‘a’ – … >= \\u56f3"),
        ("cp932", "“step” → ‘a’ - … >= 図"),
    ],
)
def test_plain_characters_stand_for_what_an_encoding_lacks(
    encoding: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, encoding))
    prepare_streams()
    print_error("“step” → ‘a’ – … ≥ 図")
    assert raw.getvalue().decode(encoding) == expected + "\n"
