"""The closing card: its validators are put in order, and their failures led to patterns, by its menu."""

import json
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from stepflow_gui.gui.ask_popup import AskPopup
from stepflow_gui.gui.canvas.run_layer import ClosingCard
from stepflow_gui.text.edit import difference
from tests.gui.canvas.hand import click
from tests.gui.editing.conftest import Desk
from tests.gui.editing.test_context_menu import entries, pick, sub


@pytest.fixture
def card(desk: Desk) -> ClosingCard:
    desk.window.settings.validation_layer = True
    desk.canvas.choose_step("closure.issue")
    desk.canvas.fit()
    shown = desk.canvas.graph.layer.card
    assert shown is not None
    return shown


def registry(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.text())
    return found


def menu_at(desk: Desk, row: int) -> QMenu:
    card = desk.canvas.graph.layer.card
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
    assert "Lead Its Failure to" in entries(menu)
    assert desk.canvas.graph.selected == "closure.issue"
    menu.close()


def test_a_failure_is_led_to_another_pattern(desk: Desk, card: ClosingCard) -> None:
    before = desk.text()
    patterns = sub(menu_at(desk, 0), "Lead Its Failure to")
    assert [action.text() for action in patterns.actions() if action.isChecked()] == ["git-dirty"]
    pick(patterns, "type-error")
    desk.settle()
    assert registry(desk)["validators"]["git-clean"]["failurePattern"] == "type-error"
    assert len(desk.history) == 1
    assert "type-error" in card.sign.checks[0].leads_to
    desk.undo_all()
    assert desk.text() == before


def test_a_failure_gets_a_pattern_of_its_own(desk: Desk, card: ClosingCard) -> None:
    assert card.sign.step == "closure.issue"
    before = desk.text()
    pick(sub(menu_at(desk, 1), "Lead Its Failure to"), "New Failure Pattern")
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
    pick(menu_at(desk, 1), "Check It Earlier")
    assert conditions(desk) == ["type-check", "git-clean"]
    pick(menu_at(desk, 0), "Remove from These Checks")
    assert conditions(desk) == ["git-clean"]
    pick(sub(menu_at(desk, 0), "Add a Validator"), "type-check")
    assert conditions(desk) == ["git-clean", "type-check"]
    desk.undo_all()
    assert desk.text() == before


def test_a_closure_step_without_checks_gets_its_first(desk: Desk) -> None:
    value = registry(desk)["validationSteps"]
    text = desk.text()
    start = text.index('  "validationSteps"')
    end = text.index('  "steps"')
    assert value
    desk.session.apply({desk.session.path: difference(text, text[:start] + text[end:])}, "before", "test")
    desk.settle()
    desk.canvas.choose_step("closure.issue")
    pick(sub(desk.menu.build(QPointF(-9999, -9999)), "Check before It Closes"), "git-clean")
    desk.settle()
    assert "validationSteps" in registry(desk)
    assert "Check before It Closes" not in entries(desk.menu.build(QPointF(-9999, -9999)))
