"""The outline: a step's menu, and its name where it is."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.widgets.actions import plain_title
from tests.gui.access.conftest import MakeShell, example, make_shell
from tests.gui.access.reader import settle

__all__ = ["example", "make_shell"]
OFFSCREEN = pytest.mark.qt_log_ignore(r"This plugin does not support")


@pytest.fixture
def shell(make_shell: MakeShell, example: Path) -> Shell:
    return make_shell(registry=example)


def pick(shell: Shell, name: str) -> QPoint:
    shell.current.side.show_page("outline")
    steps = shell.current.outline.list
    steps.setFocus()
    (item,) = steps.findItems(name, Qt.MatchFlag.MatchExactly)
    steps.setCurrentItem(item)
    return steps.visualItemRect(item).center()


@OFFSCREEN
def test_the_menu_key_opens_the_steps_menu(shell: Shell) -> None:
    at = pick(shell, "closure.issue")
    steps = shell.current.outline.list
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, steps.viewport().mapToGlobal(at))
    QApplication.sendEvent(steps.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    titles = [plain_title(action.text().partition("\t")[0]) for action in menu.actions()]
    assert {"Rename Step", "Connect", "Run from Here", "Toggle Breakpoint", "Delete"} <= set(titles)
    assert shell.current.canvas.graph.selected == "closure.issue"
    menu.close()


def test_f2_renames_where_the_name_stands(shell: Shell, qtbot: QtBot) -> None:
    document = shell.current.document
    assert document is not None
    pick(shell, "closure.issue")
    QTest.keyClick(shell.current.outline.list, Qt.Key.Key_F2)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.text() == "closure.issue"
    assert shell.current.outline.isAncestorOf(field)
    QTest.keyClicks(field, "closure.done")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(qtbot, shell)
    assert "closure.done" in document.last_valid.flow.steps
    assert document.selected_step == "closure.done"
    assert QApplication.focusWidget() is shell.current.outline.list
    document.undo()
    settle(qtbot, shell)
    assert "closure.issue" in document.last_valid.flow.steps


def test_a_name_that_cannot_be_is_refused_with_a_word(shell: Shell, qtbot: QtBot) -> None:
    pick(shell, "closure.issue")
    QTest.keyClick(shell.current.outline.list, Qt.Key.Key_F2)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "initial.issue")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(qtbot, shell)
    assert shell.current.banner.text
    assert shell.current.document is not None
    assert "closure.issue" in shell.current.document.last_valid.flow.steps
