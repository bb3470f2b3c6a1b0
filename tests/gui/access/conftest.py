"""The program's window, as a person opens it, for tests of access."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.access.reader import settle
from tests.gui.silent import Silent

MakeShell = Callable[..., Shell]


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The registry of the bundled example."""
    (found,) = copy_example(into=tmp_path / "project").rglob("steps_registry.json")
    return found


@pytest.fixture
def make_shell(qtbot: QtBot, tmp_path: Path) -> Iterator[MakeShell]:
    """Opens the window: `make(language, look, registry=None)`."""
    make_application()
    made: list[Shell] = []

    def make(language: str = "en", look: str = "light", registry: Path | None = None) -> Shell:
        settings = Settings(tmp_path / "settings.ini")
        settings.language, settings.look = language, look
        messages.use_language(language)
        shell = Shell(settings, None, Silent)
        qtbot.addWidget(shell)
        shell.resize(1280, 800)
        shell.show()
        qtbot.waitExposed(shell)
        shell.activateWindow()
        qtbot.waitUntil(shell.isActiveWindow)
        made.append(shell)
        if registry is not None:
            assert shell.open(registry)
            settle(qtbot, shell)
        return shell

    yield make
    for shell in made:
        shell.close()
    messages.use_language("en")
