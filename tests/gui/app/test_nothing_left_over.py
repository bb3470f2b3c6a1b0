"""What was opened once goes with what it belonged to: changes of language, tabs, the project panel."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.source.assist.card import SourceCard
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent


@pytest.fixture
def agents(tmp_path: Path) -> list[Path]:
    """Six agents in one repository."""
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    return [copy_example(into=tmp_path / "repository" / str(number)) for number in range(6)]


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    make_application()
    shell = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(shell)
    shell.show()
    qtbot.waitExposed(shell)
    yield shell
    shell.close()


def widgets() -> Counter[str]:
    """All that there are, by class, once what is given up is gone."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return Counter(type(widget).__name__ for widget in QApplication.allWidgets())


@pytest.mark.parametrize("tabs", [1, 6])
def test_changes_of_language_leave_no_widgets(shell: Shell, agents: list[Path], full: bool, tabs: int) -> None:
    tabs = tabs if full else min(2, tabs)
    for path in agents[:tabs]:
        shell.open(path)
        document = shell.current.document
        assert document is not None
        document.select(next(iter(document.last_valid.flow.steps)), "canvas")
    shell.current.set_language("ja")
    shell.current.set_language("en")
    before = widgets()
    for number in range(40 if full else 2):
        shell.current.set_language("en" if number % 2 else "ja")
    assert widgets() - before == Counter()


def test_the_menus_of_a_closed_tab_go_with_it(shell: Shell, agents: list[Path]) -> None:
    shell.open(agents[0])
    shell.open(agents[1])
    shell.close_tab(1)
    before = widgets()[QMenu.__name__]
    for path in agents[1:3]:
        shell.open(path)
    shell.close_tab(1)
    shell.close_tab(1)
    assert widgets()[QMenu.__name__] == before


def test_completions_of_a_closed_tab_go_with_it(shell: Shell, agents: list[Path], qtbot: QtBot) -> None:
    shell.open(agents[0])
    shell.open(agents[1])
    source = shell.current.source
    source.show_file(agents[1].joinpath(".agent/issue-flow/steps_registry.json"))
    source.assist.completing.list.show_beside(source.focus_widget.rect())
    assert [card for card in shell.children() if isinstance(card, SourceCard)]
    shell.close_tab(1)
    qtbot.waitUntil(lambda: not [card for card in shell.children() if isinstance(card, SourceCard)])


def test_the_project_can_be_shown_again_after_the_tab_that_showed_it_was_closed(
    shell: Shell, agents: list[Path], tmp_path: Path
) -> None:
    for path in agents[:2]:
        shell.open(path)
    shell.project.show(tmp_path / "repository")
    view = shell.project.view
    assert view is not None
    shell.project.close()
    shell.close_tab(1)
    widgets()  # the tab's are gone
    shell.current.set_look("dark")
    shell.current.set_language("ja")
    shell.project.show(tmp_path / "repository")
    assert view.panel.isVisible()
    assert view.panel.window() is shell
    shell.project.close()
    assert not view.panel.isVisible()


def test_all_that_a_window_makes_belongs_to_it(shell: Shell, agents: list[Path]) -> None:
    before = {id(widget) for widget in QApplication.allWidgets()}
    shell.open(agents[0])
    shell.open(agents[1])  # in a window that is made for it
    made = [widget for widget in QApplication.allWidgets() if id(widget) not in before]
    assert made
    alone = [type(widget).__name__ for widget in made if widget.parentWidget() is None]
    assert alone == []
