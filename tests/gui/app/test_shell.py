"""Several agents in one window: tabs, what was open last, what another start asks for, one look and language."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.source.assist.rename import RenameCheck, RenamePopup
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.popup import main_window_of
from stepflow_gui.gui.widgets.prompts import OnClose
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import TextEdit
from tests.gui.silent import Silent

AGENTS = 3


class Asked(Silent):
    """Answers the question about unsaved changes with the test's answer."""

    answer = OnClose.DISCARD
    several: ClassVar[list[list[Path]]] = []

    def unsaved(self, path: Path) -> OnClose:
        del path
        return Asked.answer

    def unsaved_several(self, paths: Sequence[Path]) -> OnClose:
        Asked.several.append(list(paths))
        return Asked.answer


@pytest.fixture
def agents(tmp_path: Path) -> list[Path]:
    """Registries of agents in folders of their own."""
    found: list[Path] = []
    for number in range(AGENTS):
        copied = copy_example(into=tmp_path / f"project{number}")
        found += copied.rglob("steps_registry.json")
    return found


Make = Callable[[], Shell]


@pytest.fixture
def make_shell(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    make_application()
    monkeypatch.setattr(Asked, "answer", OnClose.DISCARD)
    before = messages.language()
    made: list[Shell] = []

    def make() -> Shell:
        shell = Shell(Settings(tmp_path / "settings.ini"), None, Asked)
        qtbot.addWidget(shell)
        shell.show()
        qtbot.waitExposed(shell)
        made.append(shell)
        return shell

    yield make
    Asked.answer = OnClose.DISCARD
    for shell in made:
        shell.close()
    messages.use_language(before)


@pytest.fixture
def shell(make_shell: Make) -> Shell:
    return make_shell()


def opened(shell: Shell) -> list[Path]:
    return [window.document.path for window in shell.windows if window.document is not None]


def change(shell: Shell) -> None:
    document = shell.current.document
    assert document is not None
    document.apply({document.path: [TextEdit(0, 0, " ")]}, "change", "test")


def test_the_window_fits_on_the_screen_at_first(shell: Shell) -> None:
    room = shell.screen().availableSize()
    assert room.width() < 1280, "the test's screen is smaller than the window would like to be"
    assert shell.width() <= room.width()
    assert shell.height() <= room.height()


def test_the_first_agent_takes_the_empty_window_and_the_next_a_tab(shell: Shell, agents: list[Path]) -> None:
    assert shell.tabs.count() == 1
    assert shell.open(agents[0])
    assert shell.tabs.count() == 1
    assert shell.open(agents[1].parent)
    assert shell.tabs.count() == 2
    assert shell.tabs.isVisible()
    assert opened(shell) == agents[:2]
    assert shell.tabs.currentIndex() == 1
    assert shell.windowTitle() == shell.current.windowTitle()


class Dressed(QObject):
    """Counts how often existing widgets are notified of a changed style."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        del watched
        self.times += event.type() == QEvent.Type.StyleChange
        return False


def test_another_tab_leaves_the_look_of_those_that_are_open(shell: Shell, agents: list[Path]) -> None:
    """Else every tab would take longer to open than the one before."""
    shell.open(agents[0])
    counting = Dressed()
    shell.current.canvas.installEventFilter(counting)
    shell.open(agents[1])
    assert counting.times == 0


def test_an_agent_that_is_open_is_turned_to(shell: Shell, agents: list[Path]) -> None:
    for agent in agents[:2]:
        shell.open(agent)
    assert shell.open(agents[0].parent)
    assert len(shell.windows) == 2
    assert shell.tabs.currentIndex() == 0


def test_what_cant_be_opened_is_reported_where_one_was(shell: Shell, agents: list[Path], tmp_path: Path) -> None:
    shell.open(agents[0])
    assert not shell.open(tmp_path / "missing.json")
    assert len(shell.windows) == 1
    assert "missing.json" in shell.current.banner.text
    assert shell.current.banner.isVisible()


def test_what_is_open_is_known_without_closing_the_window(shell: Shell, agents: list[Path], tmp_path: Path) -> None:
    for agent in agents:
        assert shell.open(agent)
    assert Settings(tmp_path / "settings.ini").open_agents == opened(shell)
    assert shell.close_tab(0)
    assert Settings(tmp_path / "settings.ini").open_agents == opened(shell) != []


def test_tabs_show_unsaved_changes_and_keys_turn_them(shell: Shell, agents: list[Path], qtbot: QtBot) -> None:
    for agent in agents:
        shell.open(agent)
    change(shell)
    assert "•" in shell.tabs.tabText(2)
    assert "•" not in shell.tabs.tabText(1)
    assert shell.tabs.tabToolTip(2) == str(agents[2])
    shell.activateWindow()
    qtbot.waitUntil(shell.isActiveWindow)
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(shell, Qt.Key.Key_PageDown, keys)
    assert shell.tabs.currentIndex() == 0
    QTest.keyClick(shell, Qt.Key.Key_PageUp, keys)
    assert shell.tabs.currentIndex() == 2
    QTest.keyClick(shell, Qt.Key.Key_W, keys)
    assert opened(shell) == agents[:2]


def test_the_keyboard_is_where_it_was_in_each_tab(shell: Shell, agents: list[Path], qtbot: QtBot) -> None:
    shell.activateWindow()
    qtbot.waitUntil(shell.isActiveWindow)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert shell.current.welcome.isAncestorOf(focused)
    for agent in agents[:2]:
        shell.open(agent)
    assert QApplication.focusWidget() is shell.current.canvas
    shell.current.source.editor.setFocus()
    shell.turn(1)
    assert QApplication.focusWidget() is shell.current.canvas
    shell.turn(1)
    assert QApplication.focusWidget() is shell.current.source.editor


def test_two_agents_of_one_name_are_distinguished(shell: Shell, agents: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(agents[0].parent, other)
    shell.open(agents[0])
    shell.open(other)
    assert [shell.tabs.tabText(at) for at in range(2)] == [agents[0].parent.name, "other"]
    shell.open(agents[1])
    names = [shell.tabs.tabText(at) for at in range(3)]
    assert names[1] == "other"
    assert [names[0], names[2]] == [f"{agents[0].parent.name}  –  project{number}" for number in range(2)]


def test_keys_act_in_the_tab_in_front_only(shell: Shell, agents: list[Path], qtbot: QtBot) -> None:
    for agent in agents[:2]:
        shell.open(agent)
        change(shell)
    shell.activateWindow()
    qtbot.waitUntil(shell.isActiveWindow)
    QTest.keyClick(shell.current.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    dirty = [window.document is not None and window.document.dirty for window in shell.windows]
    assert dirty == [True, False]


def test_moved_tabs_keep_their_agents(shell: Shell, agents: list[Path]) -> None:
    for agent in agents:
        shell.open(agent)
    shell.tabs.moveTab(2, 0)
    assert opened(shell) == [agents[2], agents[0], agents[1]]
    shell.tabs.setCurrentIndex(1)
    assert shell.current.document is not None
    assert shell.current.document.path == agents[0]
    assert shell.current.isVisible()


def test_a_tab_is_kept_where_the_person_thinks_better_of_it(shell: Shell, agents: list[Path]) -> None:
    for agent in agents[:2]:
        shell.open(agent)
    change(shell)
    Asked.answer = OnClose.CANCEL
    assert not shell.close_tab(1)
    assert opened(shell) == agents[:2]
    Asked.answer = OnClose.DISCARD
    assert shell.close_tab(1)
    assert shell.tabs.count() == 1
    assert shell.close_tab(0)  # the last leaves the welcome page
    assert shell.current.document is None
    assert len(shell.windows) == 1


@pytest.mark.slow
def test_what_was_open_is_opened_again_as_far_as_it_is_there(make_shell: Make, agents: list[Path]) -> None:
    first = make_shell()
    for agent in agents:
        first.open(agent)
    first.open_example()
    assert first.close()
    shutil.rmtree(agents[1].parent)
    again = make_shell()
    again.restore()
    assert opened(again)[:2] == [agents[0], agents[2]]
    assert [window.is_example for window in again.windows] == [False, False, True]  # in a copy of its own
    assert again.tabs.currentIndex() == 0


def test_the_example_comes_back_as_it_was_saved(make_shell: Make) -> None:
    first = make_shell()
    first.open_example()
    document = first.current.document
    assert document is not None
    path = document.path
    assert first.close()  # unchanged: its copy goes
    assert not path.exists()
    second = make_shell()
    second.restore()
    assert second.current.is_example
    change(second)
    assert second.current.save()
    (path,) = opened(second)
    assert second.close()
    third = make_shell()
    third.restore()
    assert opened(third) == [path]
    shutil.rmtree(path.parents[3])


def test_a_window_that_stays_open_keeps_what_isnt_saved(make_shell: Make, agents: list[Path]) -> None:
    shell = make_shell()
    for agent in agents[:2]:
        shell.open(agent)
    change(shell)
    Asked.answer = OnClose.CANCEL
    assert not shell.close()
    assert shell.isVisible()
    assert opened(shell) == agents[:2]  # nothing is closed before everything may be
    assert shell.current.isVisible()


def changed_everywhere(shell: Shell, agents: list[Path]) -> None:
    for agent in agents:
        shell.open(agent)
        change(shell)


def test_closing_asks_once_about_all_that_isnt_saved(make_shell: Make, agents: list[Path]) -> None:
    shell = make_shell()
    changed_everywhere(shell, agents)
    asked: list[list[Path]] = []
    Asked.several = asked
    before = [agent.read_bytes() for agent in agents]
    assert shell.close()
    assert asked == [agents]
    assert [agent.read_bytes() for agent in agents] == before


def test_what_is_to_be_saved_is_before_the_window_closes(make_shell: Make, agents: list[Path]) -> None:
    shell = make_shell()
    changed_everywhere(shell, agents)
    Asked.answer = OnClose.SAVE
    assert shell.close()
    assert all(agent.read_text().startswith(" ") for agent in agents)


def test_everything_is_saved_at_once(shell: Shell, agents: list[Path], qtbot: QtBot) -> None:
    changed_everywhere(shell, agents)
    shell.activateWindow()
    qtbot.waitUntil(shell.isActiveWindow)
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    QTest.keyClick(shell.current.canvas, Qt.Key.Key_S, keys)
    assert all(agent.read_text().startswith(" ") for agent in agents)
    assert not any(window.document is not None and window.document.unsaved for window in shell.windows)


def test_what_couldnt_be_saved_is_reported_with_its_tab_in_front(shell: Shell, agents: list[Path]) -> None:
    changed_everywhere(shell, agents)
    target = agents[1]
    target.unlink()
    target.mkdir()  # nothing can be saved there
    assert not shell.current.save_all()
    assert agents[0].read_text().startswith(" ")
    assert agents[2].read_text().startswith(" ")
    assert shell.tabs.currentIndex() == 1
    assert target.parent.name in shell.current.banner.text
    assert target.name in shell.current.banner.text
    Asked.answer = OnClose.SAVE
    assert not shell.close()  # it stays, as its changes would be lost
    assert opened(shell) == agents


def test_an_agent_is_one_tab_by_whatever_link(shell: Shell, agents: list[Path], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(agents[0].parent)
    (tmp_path / "link.json").symlink_to(agents[0])
    shell.open(agents[0])
    shell.open(agents[1])
    for other in (tmp_path / "link", tmp_path / "link" / agents[0].name, tmp_path / "link.json"):
        assert shell.open(other)
        assert opened(shell) == agents[:2]
        assert shell.tabs.currentIndex() == 0
        shell.turn(1)
    assert shell.open(agents[0].parents[2])  # the project in which it is the only one
    assert opened(shell) == agents[:2]


def test_another_start_of_the_program_opens_here_and_comes_to_the_front(shell: Shell, agents: list[Path]) -> None:
    shell.showMinimized()
    shell.come_to_front(agents[:2])
    assert opened(shell) == agents[:2]
    assert not shell.isMinimized()


def test_what_was_opened_last_stands_in_menu_and_welcome_page(shell: Shell, agents: list[Path]) -> None:
    for agent in agents:
        shell.open(agent)
    menu = shell.current.file_actions.recent
    menu.aboutToShow.emit()
    assert [action.toolTip() for action in menu.actions()[:AGENTS]] == [str(agent) for agent in reversed(agents)]
    for _tab in range(AGENTS):
        shell.close_tab(0)
    welcome = shell.current.welcome
    assert [button.toolTip() for button in welcome.recent] == [str(agent) for agent in reversed(agents)]
    QTest.mouseClick(welcome.recent[1], Qt.MouseButton.LeftButton)
    assert opened(shell) == [agents[1]]
    menu = shell.current.file_actions.recent
    menu.aboutToShow.emit()
    assert menu.actions()[0].toolTip() == str(agents[1])
    menu.actions()[-1].trigger()
    assert shell.settings.recent == []


def test_the_example_isnt_among_what_was_opened_last(shell: Shell) -> None:
    shell.open_example()
    assert shell.settings.recent == []


def test_look_and_language_hold_for_every_tab(shell: Shell, agents: list[Path]) -> None:
    for agent in agents[:2]:
        shell.open(agent)
    shown, hidden = shell.current, shell.windows[0]
    shown.set_language("ja")
    shown.set_look("dark")
    sheet = shown.styleSheet()
    counting = Dressed()
    hidden.canvas.installEventFilter(counting)
    assert (counting.times, shell.tabs.styleSheet()) == (0, sheet)
    shell.turn_to(hidden)
    assert counting.times > 0
    assert (hidden.theme.dark, hidden.styleSheet()) == (True, sheet)
    assert hidden.side_dock.windowTitle() == shown.side_dock.windowTitle()
    assert hidden.file_actions.recent.title() == shown.file_actions.recent.title()
    hidden.set_language("en")
    shell.turn_to(shown)
    assert shown.side_dock.windowTitle() == hidden.side_dock.windowTitle() != ""


def test_a_tab_that_shows_the_look_already_is_not_dressed_again(shell: Shell, agents: list[Path]) -> None:
    for agent in agents[:2]:
        shell.open(agent)
    counting = Dressed()
    shell.windows[0].canvas.installEventFilter(counting)
    shell.turn_to(shell.windows[0])
    assert counting.times == 0


def test_popups_have_the_look_of_their_tab(shell: Shell, agents: list[Path]) -> None:
    shell.open(agents[0])
    shell.current.set_look("dark")
    panel = shell.current.source
    assert main_window_of(panel.editor) is shell.current
    popup = RenamePopup(main_window_of(panel.editor), "name", lambda _name: RenameCheck("", None))
    popup.ensurePolished()
    assert popup.palette().color(QPalette.ColorRole.WindowText) == shell.current.theme.color("text")
    popup.close()
