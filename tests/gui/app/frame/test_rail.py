"""The rail: its icons open and close the pages of the side panel, and show which one is in front."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

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
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()


def icon(shell: Shell, name: str) -> QWidget:
    rail = shell.current.rail
    return rail.widgetForAction(next(action for action in rail.actions() if action.objectName() == name))


def click(shell: Shell, name: str) -> None:
    QTest.mouseClick(icon(shell, name), Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def checked(shell: Shell) -> list[str]:
    return [action.objectName() for action in shell.current.rail.actions() if action.isChecked()]


def test_an_icon_opens_its_page_and_closes_it(shell: Shell, tmp_path: Path) -> None:
    assert shell.open(copy_example(into=tmp_path / "one"))
    side = shell.current.side
    assert (side.shown, checked(shell)) == (None, [])
    click(shell, "outline")
    assert (side.shown, checked(shell)) == ("outline", ["outline"])
    assert QApplication.focusWidget() is shell.current.outline.list
    click(shell, "changes")
    assert (side.shown, checked(shell)) == ("changes", ["changes"])
    click(shell, "outline")
    click(shell, "outline")
    assert (side.shown, checked(shell)) == (None, [])
    shell.current.desk.actions["side-panel"].trigger()
    assert checked(shell) == ["outline"]


def test_the_project_has_its_page_also_where_nothing_is_open(shell: Shell, tmp_path: Path) -> None:
    assert not icon(shell, "outline").isEnabled()
    for name in ("one", "two"):
        copy_example(into=tmp_path / "repository" / name)
    assert shell.open(tmp_path / "repository")
    assert shell.current.document is None
    assert (shell.current.side.shown, checked(shell)) == ("project", ["project"])
    view = shell.project.view
    assert view is not None
    assert view.panel.isVisible()
    assert shell.open(next((tmp_path / "repository" / "one").rglob("steps_registry.json")))
    assert shell.current.side.shown == "project"  # it stays beside what was opened from it
    click(shell, "project")
    assert shell.current.side.shown is None
    shell.project.close()
    assert not shell.current.side.can_show("project")


def test_the_rail_speaks_both_languages(shell: Shell) -> None:
    assert icon(shell, "outline").toolTip() == "Outline"
    shell.current.set_language("ja")
    assert icon(shell, "outline").toolTip() == "アウトライン"
    assert icon(shell, "settings").toolTip() == "設定"
    shell.current.set_language("en")
