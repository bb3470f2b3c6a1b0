"""How much a window consists of: what was never shown isn't built, whatever the language and the theme become."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.fonts import mono_font
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.project.creating.example import copy_example
from tests.gui.shown import run_pages
from tests.gui.silent import Silent

MOST = 430  # widgets of a tab with an agent, with the menus and the form of the registry
MOST_EMPTY = 295  # of one without
MOST_HIDDEN = 0.65  # of the widgets of a tab, that can't be seen: the other tabs of its panels, menus


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    make_application()
    shell = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(shell)
    shell.resize(1280, 800)
    shell.show()
    qtbot.waitExposed(shell)
    yield shell
    shell.current.set_language("en")
    shell.close()


def opened(shell: Shell, qtbot: QtBot, folder: Path) -> MainWindow:
    assert shell.open(copy_example(into=folder))
    window = shell.current
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and not window.canvas.is_building)
    return window


def unbuilt(window: MainWindow) -> Counter[int]:
    return Counter(id(place) for place in window.findChildren(LazyWidget) if place.built is None)


def test_a_tab_has_few_widgets(shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    assert len(shell.current.findChildren(QWidget)) <= MOST_EMPTY
    window = opened(shell, qtbot, tmp_path / "first")
    all_of_it = window.findChildren(QWidget)
    assert len(all_of_it) <= MOST
    hidden = [each for each in all_of_it if not each.isVisible()]
    assert len(hidden) <= MOST_HIDDEN * len(all_of_it)


def test_a_tab_that_comes_later_has_no_more(shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    first = len(opened(shell, qtbot, tmp_path / "first").findChildren(QWidget))
    second = len(opened(shell, qtbot, tmp_path / "second").findChildren(QWidget))
    assert second <= 1.02 * first  # but for what appears above the canvas


def test_only_what_is_shown_is_built(shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(shell, qtbot, tmp_path / "first")
    for place in window.findChildren(LazyWidget):
        assert (place.built is not None) == place.isVisible()


def test_language_and_theme_build_nothing(shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(shell, qtbot, tmp_path / "first")
    before = unbuilt(window)
    assert len(before) >= 10
    window.set_language("ja")
    window.set_look("dark")
    window.set_look("light")
    QApplication.processEvents()
    assert unbuilt(window) == before


def test_what_is_built_later_has_the_language_and_theme_in_use(shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(shell, qtbot, tmp_path / "first")
    window.set_language("ja")
    window.set_look("dark")
    window.layouts.turn_to("debug")
    for _tabs in run_pages(window.run_panel):
        pass
    panel = window.run_panel
    assert panel.now.widget.title.whole == "フローを一歩ずつ進める"
    assert panel.trace.widget.table.accessibleName() == "実行のトレース"
    assert panel.setup_form.widget.choose.text() == "選択…"
    assert panel.data.widget.path.font().family() == mono_font(12).family()
    for rows in (panel.trace.widget.rows, panel.checks.widget.rows, panel.data.widget.context):
        assert rows._theme.dark
