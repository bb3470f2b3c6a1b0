"""The pages on menus and keys say what the actions' rows say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

import key_docs
from stepflow_gui.gui.app.window import MainWindow
from tests.gui.shown import shown_window
from tests.gui.silent import Silent


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with shown_window(qtbot, tmp_path, Silent()) as shown:
        yield shown


def test_the_pages_are_up_to_date(window: MainWindow) -> None:
    for name, text in key_docs.pages(window).items():
        file = key_docs.DOCS / name
        assert file.read_text("utf-8") == text, f"{file} is out of date: run .venv/bin/python packaging/key_docs.py"
