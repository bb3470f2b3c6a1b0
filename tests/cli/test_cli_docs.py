"""The pages and man pages on the command line say what its parsers say."""

import re

import cli_docs
from stepflow_gui.cli.main import COMMANDS


def test_the_pages_are_up_to_date() -> None:
    for name, text in cli_docs.pages().items():
        file = cli_docs.DOCS / name
        assert file.read_text("utf-8") == text, f"{file} is out of date: run .venv/bin/python packaging/cli_docs.py"


def test_every_option_is_on_every_page() -> None:
    pages = cli_docs.pages()
    for command in COMMANDS.values():
        parser = command.parser()
        for section in parser.sections:
            for option in (name for action in section.actions for name in action.option_strings):
                escaped = option.replace("-", "\\-")
                for name, text in pages.items():
                    assert (option if name.endswith(".md") else escaped) in text, (name, option)


def test_lines_of_the_man_pages_are_text_or_known_requests() -> None:
    for name, text in cli_docs.pages().items():
        if name.endswith(".1"):
            requests = {line.split()[0] for line in text.splitlines() if re.match("[.']", line)}
            assert requests <= {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".BR", ".ad", ".nh"}, name


def test_a_text_that_looks_like_a_request_is_text() -> None:
    assert cli_docs._roff(".TH is a -x \\ word") == r"\&.TH is a \-x \e word"
