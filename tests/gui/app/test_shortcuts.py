"""The shortcuts page: every action is there, keys can be given, taken and given back, and last until the next start."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.help.shortcuts import ShortcutsPage
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.actions import ActionSpec
from stepflow_gui.gui.widgets.application import make_application
from tests.gui.silent import Silent

PLACES = ("canvas", "outline", "source", "")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def shell(qtbot: QtBot, settings: Settings) -> Iterator[Shell]:
    make_application()
    made = Shell(settings, None, Silent)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()


@pytest.fixture
def page(shell: Shell) -> ShortcutsPage:
    shell.current.desk.actions["shortcuts"].trigger()
    (found,) = shell.current.findChildren(ShortcutsPage)
    return found


def give(page: ShortcutsPage, action: str, keys: str) -> None:
    page.list.setCurrentItem(page.row(action))
    page.keys.setKeySequence(QKeySequence(keys))
    QTest.mouseClick(page.assign, Qt.MouseButton.LeftButton)


def places_of(action: ActionSpec) -> Iterator[tuple[str, QKeySequence]]:
    """The places in which each key of an action is heard."""
    for key in action.keys:
        for place in action.where or PLACES:
            yield place, QKeySequence(key)
    for place, also in action.also:
        yield place, QKeySequence(also)


def test_no_key_is_there_twice_in_one_place(shell: Shell) -> None:
    seen: dict[tuple[str, str], str] = {}
    for action in shell.current.desk.actions.specs:
        for place, key in places_of(action):
            text = key.toString()
            first = seen.setdefault((place, text), action.id)
            assert first == action.id or not text, f"{text} is a key of {first} and of {action.id}: choose another"


def test_a_key_of_two_presses_begins_with_the_palettes(shell: Shell) -> None:
    actions = shell.current.desk.actions
    firsts = {
        keys.toString().partition(", ")[0]
        for spec in actions.specs
        for keys in actions.default_keys(spec.id)
        if keys.count() > 1
    }
    assert firsts == {"Ctrl+K"}
    assert "Ctrl+K" in {keys.toString() for keys in actions.default_keys("palette")}


def test_every_action_is_listed_with_its_keys(shell: Shell, page: ShortcutsPage) -> None:
    for action in shell.current.desk.actions.specs:
        assert page.row(action.id).text(0)
    assert page.row("undo").text(1) == "Ctrl+Z"
    assert page.row("palette").text(1) == "Ctrl+K, Ctrl+Shift+P"


def test_keys_given_work_at_once_and_last(page: ShortcutsPage, shell: Shell, settings: Settings) -> None:
    give(page, "tidy", "Ctrl+Alt+T")
    assert page.row("tidy").text(1) == "Ctrl+Alt+T"
    assert shell.current.desk.actions["tidy"].shortcut() == QKeySequence("Ctrl+Alt+T")
    assert "Ctrl+Alt+T" in shell.current.desk.actions["tidy"].toolTip()
    assert settings.keys == {"tidy": ["Ctrl+Alt+T"]}
    shell.open_example()
    assert shell.open_example()  # another tab
    assert [window.desk.actions["tidy"].shortcut().toString() for window in shell.windows] == ["Ctrl+Alt+T"] * 2


def test_keys_of_another_action_are_taken_from_it_with_a_word(page: ShortcutsPage, settings: Settings) -> None:
    page.list.setCurrentItem(page.row("tidy"))
    page.keys.setKeySequence(QKeySequence("Ctrl+K"))
    assert "Command Palette" in page.note.text()
    QTest.mouseClick(page.assign, Qt.MouseButton.LeftButton)
    assert page.row("tidy").text(1) == "Ctrl+K"
    assert page.row("palette").text(1) == "Ctrl+Shift+P"
    assert page.note.text() == ""
    QTest.mouseClick(page.default, Qt.MouseButton.LeftButton)
    assert page.row("tidy").text(1) == "Alt+Shift+F"
    QTest.mouseClick(page.default_all, Qt.MouseButton.LeftButton)
    assert page.row("palette").text(1) == "Ctrl+K, Ctrl+Shift+P"
    assert settings.keys == {}


def test_an_action_can_have_none(page: ShortcutsPage, shell: Shell, settings: Settings) -> None:
    give(page, "fit", "")
    assert page.row("fit").text(1) == ""
    assert settings.keys == {"fit": []}
    assert shell.current.desk.actions["fit"].shortcuts() == []


def test_the_other_tabs_take_them_too(page: ShortcutsPage, shell: Shell) -> None:
    shell.open_example()
    shell.open_example()
    shell.windows[0].desk.actions["shortcuts"].trigger()
    give(shell.windows[0].findChildren(ShortcutsPage)[-1], "tidy", "Ctrl+Alt+T")
    assert shell.windows[1].desk.actions["tidy"].shortcut() == QKeySequence("Ctrl+Alt+T")


def test_the_list_is_searched_by_name_and_key(page: ShortcutsPage) -> None:
    page.search.setText("ctrl+z")
    assert not page.row("undo").isHidden()
    assert page.row("tidy").isHidden()
    page.search.setText("AUTO-L")
    assert not page.row("tidy").isHidden()
    assert page.row("undo").isHidden()


def test_keys_of_two_presses_are_shown_apart(page: ShortcutsPage) -> None:
    assert page.row("open-folder").text(1) == "Ctrl+K Ctrl+O"
    assert page.row("open-file").text(1) == "Ctrl+O"


def test_keys_of_the_canvas_can_be_given_too(page: ShortcutsPage, shell: Shell) -> None:
    give(page, "duplicate", "Ctrl+Alt+D")
    assert shell.open_example()
    assert shell.current.desk.actions["duplicate"].shortcut() == QKeySequence("Ctrl+Alt+D")
