"""A window with the bundled example, the schema of which lacks an intent where a test asks for that."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.project.creating.example import copy_example
from tests.gui.app.test_window import Answers
from tests.gui.shown import emptied


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return copy_example(into=tmp_path / "project")


@pytest.fixture
def window(qtbot: QtBot, kept: MainWindow) -> Iterator[MainWindow]:
    with emptied(kept, Answers()) as made:
        yield made
