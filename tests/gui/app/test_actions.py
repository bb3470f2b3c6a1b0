"""Actions are rows: each is in its menu, in the palette and named in both languages."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.widgets.actions import MENUS, SETTINGS, Actions, ActionSpec, MenuPlace, plain_title
from stepflow_gui.gui.widgets.theme import Theme
from tests.gui.shown import shown_window
from tests.gui.silent import Silent

ENTRIES = "entries to fill in: .venv/bin/python packaging/catalogue.py missing; then: make catalogue"


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with shown_window(qtbot, tmp_path, Silent()) as shown:
        yield shown


def below(menu: QMenu, found: list[list[QAction]]) -> list[list[QAction]]:
    """What a menu and those below it list, a list for each."""
    found.append(menu.actions())
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            below(inner, found)
    return found


def menu_actions(window: MainWindow) -> list[list[QAction]]:
    found: list[list[QAction]] = []
    for top in window.menuBar().actions():
        menu = top.menu()
        assert isinstance(menu, QMenu)
        below(menu, found)
    return found


def test_each_action_is_in_exactly_one_menu_or_in_the_settings(window: MainWindow) -> None:
    specs = window.desk.actions.specs
    listed = Counter(action.objectName() for actions in menu_actions(window) for action in actions)
    for spec in specs:
        assert spec.place is not None, f"no menu has {spec.id}: give its row a MenuPlace"
        wanted = 0 if spec.place.menu == SETTINGS else 1
        assert listed[spec.id] == wanted, f"{spec.id} is in {listed[spec.id]} menus"
    for spec, following in pairwise(specs):
        assert spec.place != following.place, f"{spec.id} and {following.id} have one place"


def test_menus_have_the_order_of_the_places(window: MainWindow) -> None:
    places = {spec.id: spec.place for spec in window.desk.actions.specs}
    for actions in menu_actions(window):
        positions = [place.position for action in actions if (place := places.get(action.objectName())) is not None]
        assert positions == sorted(positions)


def test_a_line_parts_one_hundred_from_the_next(window: MainWindow) -> None:
    places = {spec.id: spec.place for spec in window.desk.actions.specs}
    for actions in menu_actions(window):
        before: int | None = None
        parted = False
        for action in actions:
            place = places.get(action.objectName())
            if action.isSeparator():
                parted = True
            elif action.menu() is not None and place is None:
                before = None  # it has a place of its own, which isn't an action's
            elif place is not None:
                group = place.position // 100
                assert before is None or (group != before) == parted
                before, parted = group, False


def test_the_menus_are_those_of_the_design(window: MainWindow) -> None:
    titles = [plain_title(action.text()) for action in window.menuBar().actions()]
    assert titles == ["File", "Edit", "View", "Flow", "Run", "Problems", "Help"]


def test_each_action_is_in_the_palette(window: MainWindow) -> None:
    titles = [entry.title for entry in window.palette_entries() if entry.kind == "action"]
    wanted = [plain_title(spec.title()) for spec in window.desk.actions.specs if spec.id != "palette"]
    assert [title for title in titles if title in wanted] == wanted


def test_titles_follow_the_language(window: MainWindow) -> None:
    english = {spec.id: spec.title() for spec in window.desk.actions.specs}
    window.set_language("ja")
    same = {spec.id for spec in window.desk.actions.specs if plain_title(spec.title()) == plain_title(english[spec.id])}
    same -= {"zoom-reset"}  # 100 % is so much everywhere
    assert not same, f"their titles aren't translated: {same}. {ENTRIES}"


def test_an_id_stands_for_one_action(window: MainWindow) -> None:
    actions = Actions(window, Theme(dark=False))
    ran: list[str] = []
    row = ActionSpec("twice", lambda: "Twice", lambda: ran.append("once"), MenuPlace(MENUS[0][0], 1), starts_off=True)
    actions.add([row])
    assert not actions["twice"].isEnabled()
    actions.enable(["twice"], True)
    actions["twice"].trigger()
    assert ran == ["once"]
    with pytest.raises(AssertionError, match="twice"):
        actions.add([row])
