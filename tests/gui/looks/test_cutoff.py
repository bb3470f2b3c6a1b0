"""No word of the window is cut off, in either language, and the window stays as small as the person made it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from tests.gui.looks.cutoff import cut_off
from tests.gui.silent import Silent
from window_views import VIEWS, opened_over, settle, show

LARGE, SMALL = (1280, 800), (800, 600)
WIDE = (1600, 1000)  # from which on pages of a run are beside what is asked


@pytest.fixture(params=messages.LANGUAGES)
def shell(qtbot: QtBot, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shell]:
    make_application()
    settings = Settings(tmp_path / "settings.ini")
    settings.language = request.param
    messages.use_language(request.param)
    made = Shell(settings, None, Silent)
    qtbot.addWidget(made)
    made.resize(*LARGE)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.takes_turns("shell")
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_cut_off(shell: Shell, tmp_path: Path, view: str) -> None:
    show(shell, view, tmp_path)
    sizes = (LARGE, WIDE, SMALL) if view.startswith("run") else (LARGE, SMALL)
    found = {}
    for size in sizes:
        shell.resize(*size)
        settle(shell)
        assert shell.size().toTuple() == size
        tops = [shell, *opened_over(shell)]
        found[size] = [each for top in tops for each in cut_off(top, elided_ok=size != LARGE)]
    for top in opened_over(shell):
        top.close()
    assert found == {size: [] for size in sizes}


def test_nothing_is_cut_off_in_a_tab_of_the_output(shell: Shell, tmp_path: Path) -> None:
    show(shell, "editor", tmp_path)
    for row in shell.current.tab_rows:
        shell.current.desk.show_output(row.panel)
        for size in (LARGE, SMALL):
            shell.resize(*size)
            settle(shell)
            assert cut_off(row.panel, elided_ok=size != LARGE) == [], row.title()


@pytest.mark.parametrize("kind", [QLabel, QPushButton])
def test_what_is_cut_off_is_found(qtbot: QtBot, kind: type[QLabel] | type[QPushButton]) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    part = kind("Words that are too long", page)
    page.resize(400, 100)
    page.show()
    assert cut_off(page, elided_ok=True) == []
    part.resize(40, part.height())
    assert len(cut_off(page, elided_ok=True)) == 1
    part.resize(part.sizeHint())
    part.move(390, 0)
    assert len(cut_off(page, elided_ok=True)) == 1


def test_parts_without_room_for_their_height_are_found(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    for part in (QLineEdit(), QPushButton("Watch")):
        part.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        column.addWidget(part)
    page.resize(200, 140)
    page.show()
    assert cut_off(page, elided_ok=True) == []
    page.resize(200, 50)
    assert len(cut_off(page, elided_ok=True)) == 2
