"""How much room the panels get by default: by the size of the window, in a tab as in a window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.menus import ROOMY
from stepflow_gui.gui.app.shell import Shell
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


INSPECTOR = 320


@pytest.mark.parametrize(("size", "share"), [((1440, 900), 0.65), ((1280, 800), 0.6), ((960, 540), 0.7)])
def test_every_tab_gets_the_same_first_sizes(
    qtbot: QtBot, shell: Shell, tmp_path: Path, size: tuple[int, int], share: float
) -> None:
    shell.resize(*size)
    shell.show()
    qtbot.waitExposed(shell)
    for name in ("one", "two"):
        assert shell.open(copy_example(into=tmp_path / name))
        assert shell.width() == size[0]
        window = shell.current
        if size[0] >= ROOMY:
            qtbot.waitUntil(lambda: abs(shell.current.inspector_dock.width() - INSPECTOR) <= 8)
        else:
            qtbot.waitUntil(window.inspector_dock.isHidden)
        assert window.side_dock.isHidden()
        assert window.bottom_dock.isHidden()
        qtbot.wait(20)
        assert window.canvas.width() * window.canvas.height() >= share * size[0] * size[1]
