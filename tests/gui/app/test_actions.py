"""Actions are rows: each is in its menu, in the palette and named in both languages."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.widgets.actions import MENUS, Actions, ActionSpec, MenuPlace, plain_title
from stepflow_gui.gui.widgets.theme import Theme
from tests.gui.shown import shown_window
from tests.gui.silent import Silent

ENTRIES = "entries to fill in: .venv/bin/python packaging/catalogue.py missing; then: make catalogue"
IN_NO_MENU: frozenset[str] = frozenset()  # actions that only keys or buttons reach


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with shown_window(qtbot, tmp_path, Silent()) as shown:
        yield shown


def menu_actions(window: MainWindow) -> list[list[QAction]]:
    menus = [action.menu() for action in window.menuBar().actions()]
    return [menu.actions() for menu in menus if isinstance(menu, QMenu)]


def test_each_action_is_in_one_menu_in_the_order_of_its_place(window: MainWindow) -> None:
    specs = window.desk.actions.specs
    listed = [action.objectName() for actions in menu_actions(window) for action in actions if action.objectName()]
    left = {spec.id for spec in specs} - set(listed) - IN_NO_MENU
    assert not left, f"no menu has {left}: give their rows a MenuPlace, or name them in IN_NO_MENU of this file"
    assert [name for name in listed if name in {spec.id for spec in specs}] == [
        spec.id for spec in specs if spec.place is not None
    ]
    for spec, following in pairwise(spec for spec in specs if spec.place is not None):
        assert spec.place is not None
        assert following.place is not None
        assert spec.place != following.place, f"{spec.id} and {following.id} have one place"


def test_a_line_parts_one_hundred_from_the_next(window: MainWindow) -> None:
    places = {spec.id: spec.place for spec in window.desk.actions.specs}
    for actions in menu_actions(window):
        before: int | None = None
        parted = False
        for action in actions:
            place = places.get(action.objectName())
            if action.isSeparator():
                parted = True
            elif place is not None:
                group = place.position // 100
                assert before is None or (group != before) == parted
                before, parted = group, False


def test_each_action_is_in_the_palette(window: MainWindow) -> None:
    titles = [entry.title for entry in window.palette_entries() if entry.kind == "action"]
    wanted = [plain_title(spec.title()) for spec in window.desk.actions.specs if spec.id != "palette"]
    assert [title for title in titles if title in wanted] == wanted


def test_titles_follow_the_language(window: MainWindow) -> None:
    english = {spec.id: spec.title() for spec in window.desk.actions.specs}
    window.set_language("ja")
    same = {spec.id for spec in window.desk.actions.specs if plain_title(spec.title()) == plain_title(english[spec.id])}
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
