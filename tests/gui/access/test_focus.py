"""Where the keyboard is can be seen: every widget that it reaches looks otherwise while it has it."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from stepflow_gui.gui.app.shell import Shell
from tests.gui.access.conftest import MakeShell
from tests.gui.access.reader import settle
from tests.gui.shown import run_pages

LOOKS = ("light", "dark")


def reached(root: QWidget) -> list[QWidget]:
    """What Tab goes to."""
    return [
        widget
        for widget in root.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not (isinstance(widget, QTabBar) and not widget.isTabVisible(widget.currentIndex()))
    ]


def judge(root: QWidget) -> None:
    QApplication.processEvents()
    alike: list[tuple[str, str, str]] = []
    widgets = reached(root)
    assert widgets
    for widget in widgets:
        if not isValid(widget):
            continue  # a panel was built again
        focused = QApplication.focusWidget()
        if focused is not None:
            focused.clearFocus()
        QApplication.processEvents()
        without = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.processEvents()
        if isValid(widget) and widget.hasFocus() and widget.grab().toImage() == without:
            alike.append((type(widget).__name__, widget.objectName(), widget.accessibleName()))
    assert alike == []


def _window(shell: Shell) -> QWidget:
    return shell


def _step(shell: Shell) -> QWidget:
    shell.current.canvas.choose_step("continuation.issue")
    return shell.current.inspector


def _output(name: str) -> Callable[[Shell], QWidget]:
    def show(shell: Shell) -> QWidget:
        window = shell.current
        if name == "log":
            window.desk.actions["log"].trigger()
        else:
            window.desk.show_output(window.navigation.history)
        return window.output

    return show


def _versions(shell: Shell) -> QWidget:
    shell.current.desk.actions["versions"].trigger()
    return shell


def _agent(shell: Shell) -> QWidget:
    shell.current.desk.actions["focus-agent"].trigger()
    return shell


VIEWS: dict[str, Callable[[Shell], QWidget]] = {
    "window": _window,
    "step": _step,
    "history": _output("history"),
    "log": _output("log"),
    "versions": _versions,
    "agent": _agent,
}


@pytest.mark.parametrize("look", LOOKS)
def test_the_welcome_page(make_shell: MakeShell, look: str) -> None:
    judge(make_shell(look=look))


@pytest.mark.takes_turns("look")
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("view", VIEWS)
def test_the_window(make_shell: MakeShell, example: object, qtbot: QtBot, look: str, view: str) -> None:
    shell = make_shell(look=look, registry=example)
    root = VIEWS[view](shell)
    settle(qtbot, shell)
    judge(root)


@pytest.mark.parametrize("look", LOOKS)
def test_the_pages_of_a_run(make_shell: MakeShell, example: object, look: str) -> None:
    shell = make_shell(look=look, registry=example)
    window = shell.current
    window.desk.show_output(window.run_panel)
    window.canvas.choose_step("initial.issue")
    window.desk.actions["run-breakpoint"].trigger()
    window.desk.actions["run-start"].trigger()
    for tabs in run_pages(window.run_panel):
        judge(tabs)


@pytest.mark.parametrize("look", LOOKS)
def test_the_shortcuts(make_shell: MakeShell, qtbot: QtBot, look: str) -> None:
    shell = make_shell(look=look)
    shell.current.desk.actions["shortcuts"].trigger()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    page = QApplication.activeModalWidget()
    assert page is not None
    judge(page)
    page.close()
