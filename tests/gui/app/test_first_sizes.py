"""How much room the panels get by default: by the size of the window, in a tab as in a window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    make_application()
    made = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(made)
    yield made
    made.close()


def widths(window: MainWindow) -> tuple[int, int, int]:
    return window.docks[0].width(), window.canvas.width(), window.docks[1].width()


@pytest.mark.parametrize(("size", "side", "canvas"), [((1280, 800), 400, 640), ((800, 600), 270, 360)])
def test_every_tab_gets_the_same_first_sizes(
    qtbot: QtBot, shell: Shell, tmp_path: Path, size: tuple[int, int], side: int, canvas: int
) -> None:
    shell.resize(*size)
    shell.show()
    qtbot.waitExposed(shell)
    for name in ("one", "two"):
        assert shell.open(copy_example(into=tmp_path / name))
        assert shell.width() == size[0]
        qtbot.waitUntil(lambda: abs(widths(shell.current)[2] - side) <= 8)
        assert widths(shell.current)[1] >= canvas
