"""A window with the bundled example, the schema of which lacks an intent where a test asks for that."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app import make_application
from stepflow_gui.gui.settings import Settings
from stepflow_gui.gui.window import MainWindow
from stepflow_gui.project.example import copy_example
from tests.gui.test_window import Answers


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return copy_example(into=tmp_path / "project")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    application = make_application()
    answers = Answers()
    made = MainWindow(Settings(tmp_path / "settings.ini"), answers)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    yield made
    made.close()
    application.setStyleSheet("")
    messages.use_language("en")
