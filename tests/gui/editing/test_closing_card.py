"""The closing card: its validators are put in order, and their failures connected to patterns, by its menu."""

import json
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from stepflow_gui.gui.canvas.check_gesture import CheckGesture, RouteFailure
from stepflow_gui.gui.canvas.hand.check_drag import PatternList
from stepflow_gui.gui.canvas.items.closing_card import ClosingCard
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.text.edit import difference
from tests.gui.canvas.hand import click, drag, drag_to, mouse_over, press, press_key, release
from tests.gui.editing.conftest import Desk
from tests.gui.editing.test_context_menu import entries, pick, sub


@pytest.fixture
def card(desk: Desk) -> ClosingCard:
    desk.window.settings.validation_layer = True
    desk.canvas.choose_step("closure.issue")
    desk.canvas.fit()
    shown = desk.canvas.graph.run_layer.card
    assert shown is not None
    return shown


def registry(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.text())
    return found


def menu_at(desk: Desk, row: int) -> QMenu:
    card = desk.canvas.graph.run_layer.card
    assert card is not None
    return desk.menu.build(card.pos() + QPointF(40, 26 + 22 * row + 11))


def conditions(desk: Desk) -> list[str]:
    listed = registry(desk)["validationSteps"]["closure.polling"]["validationConditions"]
    return [each["validator"] for each in listed]


def test_a_click_on_the_card_opens_its_menu_and_leaves_the_selection(desk: Desk, card: ClosingCard) -> None:
    at = desk.canvas.mapFromScene(card.pos() + QPointF(40, 37))
    click(desk.canvas, at)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "Connect Its Failure to" in entries(menu)
    assert desk.canvas.graph.selected == "closure.issue"
    menu.close()


def test_a_failure_is_led_to_another_pattern(desk: Desk, card: ClosingCard) -> None:
    before = desk.text()
    patterns = sub(menu_at(desk, 0), "Connect Its Failure to")
    assert [action.text() for action in patterns.actions() if action.isChecked()] == ["git-dirty"]
    pick(patterns, "type-error")
    desk.settle()
    assert registry(desk)["validators"]["git-clean"]["failurePattern"] == "type-error"
    assert len(desk.history) == 1
    assert "type-error" in card.sign.checks[0].target
    desk.undo_all()
    assert desk.text() == before


def rows(desk: Desk, card: ClosingCard, *numbers: int) -> list[QPoint]:
    return [desk.canvas.mapFromScene(card.pos() + QPointF(40, 26 + 22 * row + 11)) for row in numbers]


def listed(desk: Desk) -> PatternList:
    return next(item for item in desk.canvas.graph.items() if isinstance(item, PatternList))


def test_a_validator_is_dragged_to_a_pattern(desk: Desk, card: ClosingCard) -> None:
    before = desk.text()
    (start,) = rows(desk, card, 0)
    press(desk.canvas, start)
    drag_to(desk.canvas, start, start + QPoint(30, 6))
    patterns = listed(desk)
    assert list(patterns.patterns) == list(registry(desk)["failurePatterns"])
    old = registry(desk)["validators"][conditions(desk)[0]]["failurePattern"]
    new = next(name for name in patterns.patterns if name != old)
    for name, legal in ((old, False), (new, True)):
        end = desk.canvas.mapFromScene(patterns.pos() + QPointF(20, 4 + 22 * list(patterns.patterns).index(name) + 11))
        drag_to(desk.canvas, start, end)
        assert (patterns.lit == name) == legal
    release(desk.canvas, end)
    assert registry(desk)["validators"][conditions(desk)[0]]["failurePattern"] == new
    assert desk.history == [f"Connect the failure of {conditions(desk)[0]} to {new}"]
    assert not [item for item in desk.canvas.graph.items() if isinstance(item, PatternList)]
    desk.undo_all()
    assert desk.text() == before


def test_validators_are_dragged_into_another_order(desk: Desk, card: ClosingCard) -> None:
    first, second = conditions(desk)
    start, end = rows(desk, card, 1, 0)
    drag(desk.canvas, start, end)
    assert conditions(desk) == [second, first]
    assert len(desk.history) == 1


def test_the_card_shows_what_can_be_done_with_it(desk: Desk, card: ClosingCard) -> None:
    mouse_over(desk.canvas, QPoint(1, 1))
    mouse_over(desk.canvas, *rows(desk, card, 0))
    desk.qtbot.waitUntil(lambda: "drag a validator" in desk.window.status.text)


def test_escape_gives_the_drag_of_a_validator_up(desk: Desk, card: ClosingCard) -> None:
    before = desk.text()
    start, end = rows(desk, card, 1, 0)
    press(desk.canvas, start)
    drag_to(desk.canvas, start, end)
    press_key(desk.canvas, Qt.Key.Key_Escape)
    release(desk.canvas, end)
    assert (desk.text(), desk.history) == (before, [])
    assert not [item for item in desk.canvas.graph.items() if isinstance(item, PatternList)]


def test_what_a_drop_of_a_validator_means_is_known_without_a_mouse() -> None:
    gesture = CheckGesture(0, ("lint", "tests"), ("red", "dirty"), "red")
    assert gesture.hover(None).legal is None
    assert gesture.hover("red").legal is False
    assert gesture.hover("dirty").text == "The failure of lint goes to dirty"
    assert gesture.hover(1).text == "lint is checked after tests"
    assert gesture.drop("red") is None
    assert gesture.drop("dirty") == RouteFailure(0, "dirty")
    assert gesture.drop("dirty") is None  # it is over


def test_a_failure_gets_a_pattern_of_its_own(desk: Desk, card: ClosingCard) -> None:
    assert card.sign.step == "closure.issue"
    before = desk.text()
    pick(sub(menu_at(desk, 1), "Connect Its Failure to"), "New Failure Pattern")
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, AskPopup)
    QTest.keyClicks(popup.field, "wrong-type")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    desk.settle()
    assert "wrong-type" in registry(desk)["failurePatterns"]
    assert registry(desk)["validators"]["type-check"]["failurePattern"] == "wrong-type"
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.text() == before


def test_validators_are_put_in_order_taken_out_and_added(desk: Desk, card: ClosingCard) -> None:
    assert len(card.sign.checks) == 2
    before = desk.text()
    pick(menu_at(desk, 1), "Check Earlier")
    assert conditions(desk) == ["type-check", "git-clean"]
    pick(menu_at(desk, 0), "Remove from These Checks")
    assert conditions(desk) == ["git-clean"]
    pick(sub(menu_at(desk, 0), "Add Validator"), "type-check")
    assert conditions(desk) == ["git-clean", "type-check"]
    desk.undo_all()
    assert desk.text() == before


def test_a_closure_step_without_checks_gets_its_first(desk: Desk) -> None:
    value = registry(desk)["validationSteps"]
    text = desk.text()
    start = text.index('  "validationSteps"')
    end = text.index('  "steps"')
    assert value
    desk.document.apply({desk.document.path: difference(text, text[:start] + text[end:])}, "before", "test")
    desk.settle()
    desk.canvas.choose_step("closure.issue")
    pick(sub(desk.menu.build(QPointF(-9999, -9999)), "Check before It Closes"), "git-clean")
    desk.settle()
    assert "validationSteps" in registry(desk)
    assert "Check before It Closes" not in entries(desk.menu.build(QPointF(-9999, -9999)))


@pytest.mark.parametrize("by", [(0.0, 0.0), (500.0, 40.0), (-600.0, 200.0)])
def test_its_line_begins_at_the_border_of_the_step(desk: Desk, card: ClosingCard, by: tuple[float, float]) -> None:
    x, y = desk.canvas.positions()["closure.issue"]
    desk.canvas.set_layout_positions({"closure.issue": (x + by[0], y + by[1])})
    item = desk.canvas.graph.step_item("closure.issue")
    assert item is not None
    first, last = card.link.first() + card.pos(), card.link.last() + card.pos()
    assert item.frame.adjusted(-1, -1, 1, 1).contains(first)
    assert not item.frame.adjusted(1, 1, -1, -1).contains(first)
    assert last.x() in {card.pos().x(), card.pos().x() + card.size[0]}
