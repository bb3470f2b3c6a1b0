"""The context menu: all that dragging does, for those who use the keyboard."""

import json

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from tests.gui.canvas.hand import node_point
from tests.gui.editing.conftest import Desk


def entries(menu: QMenu) -> list[str]:
    return [action.text().partition("\t")[0].replace("&", "") for action in menu.actions() if not action.isSeparator()]


def sub(menu: QMenu, title: str) -> QMenu:
    found = next(action for action in menu.actions() if action.text().replace("&", "").startswith(title)).menu()
    assert isinstance(found, QMenu)
    return found


def pick(menu: QMenu, title: str) -> None:
    next(action for action in menu.actions() if action.text().replace("&", "").startswith(title)).trigger()


def menu_of(desk: Desk) -> QMenu:
    return desk.menu.build(QPointF())


def test_an_intent_is_led_to_a_step_by_the_menu(desk: Desk) -> None:
    desk.canvas.choose_step("continuation.issue")
    lead = sub(menu_of(desk), "Connect")
    assert "closure.issue" not in entries(sub(lead, "next"))  # which may not be its target
    pick(sub(lead, "next"), "initial.issue")
    desk.settle()
    rule = json.loads(desk.text())["steps"]["continuation.issue"]["transitions"]["next"]
    assert rule["target"] == "initial.issue"


def test_an_intent_that_the_gate_lacks_is_added_with_its_transition(desk: Desk) -> None:
    before = desk.text()
    desk.canvas.choose_step("initial.issue")
    add = sub(sub(menu_of(desk), "Add"), "Intent")
    assert "closing" not in entries(add)
    pick(sub(add, "handoff"), "closure.issue")
    desk.settle()
    step = json.loads(desk.text())["steps"]["initial.issue"]
    assert "handoff" in step["structuredGate"]["allowedIntents"]
    assert step["transitions"]["handoff"]["target"] == "closure.issue"
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.text() == before


def test_what_cannot_be_conditional_is_off_and_explains_why(desk: Desk) -> None:
    for intent, on in (("next", True), ("handoff", False)):
        desk.canvas.choose_transition(TransitionRef("continuation.issue", intent))
        (action,) = (each for each in menu_of(desk).actions() if each.text().startswith("&Make Conditional"))
        assert action.isEnabled() == on
    assert "only next and jump" in action.toolTip()


def test_a_transition_is_made_conditional_and_gets_values(desk: Desk) -> None:
    before = desk.text()
    ref = TransitionRef("continuation.issue", "next")
    desk.canvas.choose_transition(ref)
    pick(menu_of(desk), "Make Conditional")
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, AskPopup)
    QTest.keyClicks(popup.field, "size")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    desk.settle()
    rule = json.loads(desk.text())["steps"]["continuation.issue"]["transitions"]["next"]
    assert rule["condition"] == "size"
    desk.canvas.choose_transition(TransitionRef("continuation.issue", "next", "default"))
    pick(menu_of(desk), "Add Value")
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, AskPopup)
    QTest.keyClicks(popup.field, "large")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    desk.settle()
    rule = json.loads(desk.text())["steps"]["continuation.issue"]["transitions"]["next"]
    assert rule["targets"]["large"] == "continuation.issue"
    desk.canvas.choose_transition(TransitionRef("continuation.issue", "next", "large"))
    assert "Always Connect There" in entries(menu_of(desk))
    desk.undo_all()
    assert desk.text() == before


def test_the_menu_is_about_what_is_under_the_pointer(desk: Desk) -> None:
    opened: list[tuple[QPoint, QPointF]] = []
    desk.canvas.menu_requested.disconnect(desk.menu.open)
    desk.canvas.menu_requested.connect(lambda at, spot: opened.append((at, spot)))
    at = node_point(desk.canvas, "closure.issue")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, desk.canvas.viewport().mapToGlobal(at))
    QApplication.sendEvent(desk.canvas.viewport(), event)
    assert desk.document.selected_step == "closure.issue"
    assert len(opened) == 1
    desk.canvas.menu_requested.connect(desk.menu.open)


def test_the_keyboards_menu_is_about_the_selection(desk: Desk) -> None:
    desk.canvas.choose_step("closure.issue")
    spots: list[QPointF] = []
    desk.canvas.menu_requested.disconnect(desk.menu.open)
    desk.canvas.menu_requested.connect(lambda _at, spot: spots.append(spot))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(desk.canvas.viewport(), event)
    assert desk.canvas.graph.step_frames()["closure.issue"].contains(spots[0])
    desk.canvas.menu_requested.connect(desk.menu.open)


def test_over_empty_canvas_steps_are_made_and_pasted(desk: Desk) -> None:
    desk.canvas.choose_step(None)
    assert entries(menu_of(desk)) == ["New Step…", "Paste", "Select All", "Auto-layout", "Zoom to Fit"]


def test_a_step_without_anything_leading_to_it_can_be_made(desk: Desk) -> None:
    desk.canvas.choose_step(None)
    desk.editing.command("new-step")
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup.findChild(type(popup)) or popup, Qt.Key.Key_Escape)


def test_while_the_text_is_broken_the_menu_offers_nothing(desk: Desk) -> None:
    from stepflow_gui.text.edit import difference

    broken = difference(desk.text(), desk.text().replace(":", "", 1))
    desk.document.apply({desk.document.path: broken}, "break", "test")
    desk.canvas.choose_step("closure.issue")
    assert not any(action.isEnabled() for action in menu_of(desk).actions() if not action.isSeparator())
