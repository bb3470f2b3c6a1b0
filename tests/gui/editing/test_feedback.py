"""What is shown to the user and what stays selected: after a change, a refusal, undo and redo."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from stepflow_gui.formats.changes import DuplicateStep, RemoveStep
from stepflow_gui.gui.canvas.hand.inline_edit import InlineEdit
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.text.edit import TextEdit
from tests.gui.canvas.hand import click, drag, loop, mouse_over, node_point, pill_point, press_key
from tests.gui.editing.conftest import Desk

STEP = "continuation.issue"


def field_of(desk: Desk) -> InlineEdit:
    field = desk.canvas.findChild(InlineEdit)
    assert field is not None
    return field


def offers(desk: Desk) -> list[QPushButton]:
    return [button for button in desk.window.banner.findChildren(QPushButton) if button.isVisible()]


def test_a_click_on_an_intent_that_slips_changes_nothing_and_selects_its_transition(desk: Desk) -> None:
    start = pill_point(desk.canvas, STEP, "handoff")
    drag(desk.canvas, start, start + QPoint(7, 2))
    assert desk.history == []
    assert desk.canvas.graph.selected_transition == TransitionRef(STEP, "handoff")


def test_a_transition_led_out_of_its_step_and_back_is_a_loop(desk: Desk) -> None:
    loop(desk.canvas, STEP, "handoff")
    assert desk.history == [f"Connect “handoff” of {STEP} to {STEP}"]


def test_escape_while_renaming_leaves_the_step_selected(desk: Desk) -> None:
    desk.canvas.choose_step(STEP)
    press_key(desk.canvas, Qt.Key.Key_F2)
    QTest.keyClick(field_of(desk), Qt.Key.Key_Escape)
    assert desk.canvas.graph.selected == STEP
    assert QApplication.focusWidget() is desk.canvas


def test_an_id_that_is_taken_is_reported_while_it_is_typed(desk: Desk) -> None:
    desk.canvas.choose_step(STEP)
    press_key(desk.canvas, Qt.Key.Key_F2)
    field = field_of(desk)
    QTest.keyClicks(field, "initial.issue")
    assert desk.canvas.messages.pointer.isVisible()
    assert "initial.issue" in desk.canvas.messages.pointer.text
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.isVisible()
    assert desk.history == []
    QTest.keyClicks(field, "2")
    assert not desk.canvas.messages.pointer.isVisible()
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.history == [f"Rename {STEP} to initial.issue2"]
    assert desk.canvas.graph.selected == "initial.issue2"


def test_after_a_transition_is_removed_its_step_is_selected_and_undo_selects_it_again(desk: Desk) -> None:
    click(desk.canvas, pill_point(desk.canvas, STEP, "handoff"))
    press_key(desk.canvas, Qt.Key.Key_Delete)
    assert (desk.canvas.graph.selected, desk.canvas.graph.selected_transition) == (STEP, None)
    assert desk.document.selected_step == STEP


@pytest.mark.parametrize("doing", ["rename", "remove", "duplicate"])
def test_undo_and_redo_select_what_they_bring_back(desk: Desk, doing: str) -> None:
    desk.canvas.choose_step(STEP)
    if doing == "rename":
        press_key(desk.canvas, Qt.Key.Key_F2)
        QTest.keyClicks(field_of(desk), "continuation.work")
        QTest.keyClick(field_of(desk), Qt.Key.Key_Return)
    elif doing == "remove":
        press_key(desk.canvas, Qt.Key.Key_Delete)
        offers(desk)[0].click()
    else:
        press_key(desk.canvas, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    after = desk.canvas.graph.selected
    assert after != STEP
    desk.document.undo()
    assert desk.canvas.graph.selected == STEP
    assert desk.document.selected_step == STEP
    desk.document.redo()
    assert desk.canvas.graph.selected == after


def test_undo_goes_back_through_moves_to_the_step_that_was_selected(desk: Desk) -> None:
    desk.canvas.choose_step(STEP)
    press_key(desk.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    press_key(desk.canvas, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    press_key(desk.canvas, Qt.Key.Key_Delete)
    selected = []
    for _time in range(2):
        desk.document.undo()
        selected.append(desk.canvas.graph.selected)
    assert selected == [f"{STEP}-copy", STEP]


def test_what_was_done_can_be_read_though_the_pointer_goes_on_over_the_canvas(desk: Desk) -> None:
    loop(desk.canvas, STEP, "next")
    drag(desk.canvas, pill_point(desk.canvas, STEP, "handoff"), node_point(desk.canvas, "initial.issue"))
    done = f"Connect “handoff” of {STEP} to initial.issue"
    assert desk.history[-1:] == [done]
    for by in range(5):
        mouse_over(desk.canvas, node_point(desk.canvas, "closure.issue") + QPoint(by, 0))
    assert desk.window.status.text == done
    desk.qtbot.waitUntil(lambda: desk.window.status.text.startswith("closure.issue"))


def test_undo_and_redo_name_what_they_did_and_what_is_next(desk: Desk) -> None:
    drag(desk.canvas, pill_point(desk.canvas, STEP, "handoff"), node_point(desk.canvas, "initial.issue"))
    done = f"Connect “handoff” of {STEP} to initial.issue"
    undo, redo = desk.window.desk.actions["undo"], desk.window.desk.actions["redo"]
    assert undo.text() == f"&Undo: {done}"
    undo.trigger()
    assert desk.window.status.text == f"Undid: {done}"
    assert (undo.text(), redo.text()) == ("&Undo", f"&Redo: {done}")
    redo.trigger()
    assert desk.window.status.text == f"Redone: {done}"
    desk.window.set_language("ja")
    assert undo.text().endswith(f": {done}")


def test_why_something_is_refused_goes_with_the_next_change(desk: Desk) -> None:
    desk.editing.make(RemoveStep(STEP))
    assert desk.window.banner.isVisible()
    desk.editing.make(DuplicateStep(STEP, "continuation.more"))
    assert not desk.window.banner.isVisible()


def test_a_refusal_is_replaced_by_the_message_before_it(desk: Desk) -> None:
    desk.window.banner.show_message("warning", "changed on disk", [("Keep My Version", lambda: None)])
    desk.editing.make(RemoveStep(STEP))
    assert "changed on disk" not in desk.window.banner.text
    press_key(desk.canvas, Qt.Key.Key_Escape)
    assert desk.window.banner.text == "changed on disk"
    assert [button.text() for button in offers(desk)] == ["Keep My Version"]


def test_a_question_in_a_small_window_keeps_its_text_and_the_window_its_size(own_desk: Desk) -> None:
    desk = own_desk
    desk.window.resize(800, 600)
    desk.qtbot.wait(50)
    desk.canvas.choose_step(STEP)
    press_key(desk.canvas, Qt.Key.Key_Delete)
    desk.qtbot.wait(50)
    banner = desk.window.banner
    assert desk.window.width() == 800
    spots = [banner.mapFromGlobal(button.mapToGlobal(button.rect().bottomRight())) for button in offers(desk)]
    assert all(banner.rect().contains(spot) for spot in spots)
    assert banner.findChildren(QLabel)[-1].width() > 200


def test_a_banner_without_a_question_can_be_closed(desk: Desk) -> None:
    desk.window.banner.show_message("error", "no registry found")
    (close,) = offers(desk)
    assert close.accessibleName() == "Close"
    close.click()
    assert not desk.window.banner.isVisible()


def test_removing_asks_for_the_keyboard_and_gives_it_back(desk: Desk) -> None:
    before = desk.text()
    desk.canvas.setFocus()
    desk.canvas.choose_step(STEP)
    press_key(desk.canvas, Qt.Key.Key_Delete)
    first = offers(desk)[0]
    assert QApplication.focusWidget() is first
    QTest.keyClick(first, Qt.Key.Key_Escape)
    assert not desk.window.banner.isVisible()
    assert QApplication.focusWidget() is desk.canvas
    assert (desk.text(), desk.canvas.graph.selected) == (before, STEP)
    press_key(desk.canvas, Qt.Key.Key_Delete)
    QTest.keyClick(offers(desk)[0], Qt.Key.Key_Return)
    assert STEP not in desk.document.last_valid.flow.steps
    assert QApplication.focusWidget() is desk.canvas


def test_what_is_refused_halfway_leaves_nothing_to_do_again(desk: Desk) -> None:
    before = desk.text()
    assert not desk.editing.make_all([DuplicateStep(STEP, "a.b"), DuplicateStep("no.such", "c.d")], "Two")
    assert (desk.text(), desk.document.stack.count()) == (before, 0)
    assert not desk.window.desk.actions["redo"].isEnabled()


def test_typing_that_takes_the_selected_transition_out_leaves_its_step_selected(desk: Desk) -> None:
    click(desk.canvas, pill_point(desk.canvas, STEP, "handoff"))
    rule = desk.document.last_valid.flow.steps[STEP].transition("handoff")
    assert rule is not None
    start = desk.text().rfind(",", 0, rule.key_span[0])
    desk.document.apply({desk.document.path: [TextEdit(start, rule.node.end, "")]}, "Typing", "source")
    desk.settle()
    assert desk.canvas.graph.selected_transition is None
    assert desk.canvas.graph.selected == STEP
