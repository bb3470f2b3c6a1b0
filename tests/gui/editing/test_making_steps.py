"""Steps made, removed, renamed and copied on the canvas: each one entry of the history and a change of the text."""

import json

from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from stepflow_gui.gui.editing.new_step_popup import NewStepPopup
from stepflow_gui.text.edit import difference
from tests.gui.canvas.hand import drag, node_point, pill_point, press_key
from tests.gui.editing.conftest import Desk


def empty_point(desk: Desk) -> QPoint:
    """A point of the canvas with nothing around it."""
    canvas = desk.canvas
    area = canvas.viewport().rect()
    for x in range(area.left() + 60, area.right() - 60, 20):
        for y in range(area.top() + 60, area.bottom() - 60, 20):
            around = area.adjusted(0, 0, 0, 0)
            around.setRect(x - 30, y - 30, 60, 60)
            if not canvas.items(around):
                return QPoint(x, y)
    raise AssertionError("the canvas is full")


def popup(desk: Desk) -> NewStepPopup:
    desk.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), NewStepPopup))
    found = QApplication.activePopupWidget()
    assert isinstance(found, NewStepPopup)
    return found


def banner_button(desk: Desk, text: str) -> QPushButton:
    return next(button for button in desk.window.banner.findChildren(QPushButton) if button.text() == text)


def roomy_point(desk: Desk) -> QPoint:
    """A point from which on a card has room."""
    boxes = [item.frame.adjusted(-40, -40, 40, 40) for item in desk.canvas.graph.nodes.values()]
    size = desk.canvas.viewport().size()
    for x in range(size.width() - 280, 20, -20):
        for y in range(40, size.height() - 140, 20):
            card = QRectF(desk.canvas.mapToScene(QPoint(x, y)), QSizeF(260, 80))
            if not any(card.intersects(box) for box in boxes):
                return QPoint(x, y)
    raise AssertionError("no room")


def test_a_port_dropped_on_empty_canvas_makes_a_step_there(desk: Desk) -> None:
    before = desk.texts()
    spot = roomy_point(desk)
    there = desk.canvas.mapToScene(spot)
    drag(desk.canvas, pill_point(desk.canvas, "continuation.issue", "next"), spot)
    form = popup(desk)
    assert set(form.buttons) == {"work", "verification"}  # “next” goes to no closure
    assert form.id_field.text() == "continuation.issue-2"
    form.id_field.setFocus()
    QTest.keyClicks(form.id_field, "continuation.more")
    assert form.id_field.text() == "continuation.more"
    QTest.keyClick(form.id_field, Qt.Key.Key_Return)
    desk.settle()
    steps = json.loads(desk.text())["steps"]
    assert steps["continuation.issue"]["transitions"]["next"]["target"] == "continuation.more"
    assert steps["continuation.more"]["stepId"] == "continuation.more"
    at = desk.canvas.positions()["continuation.more"]
    assert (QPointF(*at) - there).manhattanLength() <= 8  # on the grid
    assert list(json.loads(desk.text(desk.document.layout_path))["steps"]) == ["continuation.more"]
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.texts() == before
    desk.document.redo()
    assert desk.canvas.positions()["continuation.more"] == at


def test_an_id_that_is_taken_is_refused_while_it_is_typed(desk: Desk) -> None:
    drag(desk.canvas, pill_point(desk.canvas, "continuation.issue", "next"), empty_point(desk))
    form = popup(desk)
    form.id_field.setText("initial.issue")
    assert not form.create_button.isEnabled()
    assert "initial.issue" in form.reason.text()
    QTest.keyClick(form, Qt.Key.Key_Escape)
    assert desk.history == []


def test_a_handoff_makes_a_closure_step(desk: Desk) -> None:
    drag(desk.canvas, pill_point(desk.canvas, "continuation.issue", "handoff"), empty_point(desk))
    form = popup(desk)
    assert list(form.buttons) == ["closure"]
    QTest.keyClick(form, Qt.Key.Key_Escape)


def test_delete_takes_a_transition_out(desk: Desk) -> None:
    before = desk.text()
    steps = json.loads(before)["steps"]
    intent = next(intent for intent in steps["continuation.issue"]["transitions"] if intent != "repeat")
    from stepflow_gui.gui.canvas.marks import TransitionRef

    desk.canvas.choose_transition(TransitionRef("continuation.issue", intent))
    press_key(desk.canvas, Qt.Key.Key_Delete)
    desk.settle()
    assert intent not in json.loads(desk.text())["steps"]["continuation.issue"]["transitions"]
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.text() == before


def test_deleting_a_step_asks_what_becomes_of_the_transitions_to_it(desk: Desk) -> None:
    before = desk.texts()
    desk.canvas.choose_step("continuation.issue")
    press_key(desk.canvas, Qt.Key.Key_Delete)
    assert desk.history == []
    assert "continuation.issue" in desk.window.banner.text
    banner_button(desk, "Remove them too").click()
    desk.settle()
    text = desk.text()
    assert "continuation.issue" not in json.loads(text)["steps"]
    assert not any(
        rule.get("target") == "continuation.issue"
        for step in json.loads(text)["steps"].values()
        for rule in step.get("transitions", {}).values()
    )
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.texts() == before


def test_transitions_to_a_deleted_step_may_be_left_dangling(desk: Desk) -> None:
    desk.canvas.choose_step("continuation.issue")
    press_key(desk.canvas, Qt.Key.Key_Delete)
    banner_button(desk, "Leave without target").click()
    desk.settle()
    steps = json.loads(desk.text())["steps"]
    assert "continuation.issue" not in steps
    assert steps["initial.issue"]["transitions"]["next"]["target"] == "continuation.issue"


def test_an_id_is_renamed_everywhere_where_it_stands(desk: Desk) -> None:
    before = desk.texts()
    place = desk.canvas.positions()["continuation.issue"]
    desk.canvas.choose_step("continuation.issue")
    press_key(desk.canvas, Qt.Key.Key_F2)
    field = desk.canvas.viewport().findChild(QLineEdit, "inlineEdit")
    assert field is not None
    assert field.text() == "continuation.issue"
    QTest.keyClicks(field, "continuation.work")
    QTest.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    assert desk.canvas.positions()["continuation.work"] == place  # it stays where it was
    steps = json.loads(desk.text())["steps"]
    assert steps["initial.issue"]["transitions"]["next"]["target"] == "continuation.work"
    assert len(desk.history) == 1
    assert desk.canvas.graph.selected == "continuation.work"
    desk.undo_all()
    assert desk.texts() == before


def test_escape_leaves_a_name_as_it_was(desk: Desk) -> None:
    desk.canvas.choose_step("continuation.issue")
    desk.editing.command("rename-name")
    field = desk.canvas.viewport().findChild(QLineEdit, "inlineEdit")
    assert field is not None
    QTest.keyClicks(field, "Other")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert desk.history == []
    assert desk.canvas.hasFocus()


def test_a_name_is_edited_in_its_place(desk: Desk) -> None:
    desk.canvas.choose_step("continuation.issue")
    desk.editing.command("rename-name")
    field = desk.canvas.viewport().findChild(QLineEdit, "inlineEdit")
    assert field is not None
    QTest.keyClicks(field, "Carry on")
    QTest.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    assert json.loads(desk.text())["steps"]["continuation.issue"]["name"] == "Carry on"


def test_a_duplicate_stands_beside_its_original(desk: Desk) -> None:
    before = desk.texts()
    x, y = desk.canvas.positions()["continuation.issue"]
    desk.canvas.choose_step("continuation.issue")
    press_key(desk.canvas, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    assert desk.canvas.graph.selected == "continuation.issue-copy"
    left, top = desk.canvas.positions()["continuation.issue-copy"]
    assert abs(left - x) + abs(top - y) < 400
    frames = desk.canvas.graph.step_frames()
    copy = frames.pop("continuation.issue-copy").adjusted(-23, -23, 23, 23)
    assert not any(copy.intersects(frame) for frame in frames.values())
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.texts() == before


def test_steps_are_copied_as_the_files_own_json(desk: Desk) -> None:
    desk.canvas.choose_steps(["initial.issue", "closure.issue"], "initial.issue")
    press_key(desk.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    text = QGuiApplication.clipboard().text()
    steps = json.loads(desk.text())["steps"]
    assert json.loads(text) == {step: steps[step] for step in ("initial.issue", "closure.issue")}
    assert text.startswith('{\n  "initial.issue": {\n    "')


def test_pasted_steps_get_free_ids(desk: Desk) -> None:
    before = desk.texts()
    desk.canvas.choose_step("initial.issue")
    press_key(desk.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    press_key(desk.canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    steps = json.loads(desk.text())["steps"]
    assert steps["initial.issue-2"]["stepId"] == "initial.issue-2"
    assert desk.canvas.graph.selected == "initial.issue-2"
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.texts() == before


def test_steps_of_another_file_are_pasted_as_they_are(desk: Desk) -> None:
    step = {"stepId": "work.other", "stepKind": "work", "transitions": {"repeat": {"target": "work.other"}}}
    QGuiApplication.clipboard().setText(json.dumps({"agentId": "x", "steps": {"work.other": step}}))
    press_key(desk.canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    assert json.loads(desk.text())["steps"]["work.other"] == step


def test_json_of_another_kind_is_not_pasted(desk: Desk) -> None:
    before = desk.text()
    for text in ("no json", "[1, 2]", '{"dependencies": {"a": "1"}}', ""):
        QGuiApplication.clipboard().setText(text)
        press_key(desk.canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert "clipboard" in desk.window.banner.text, text
        assert desk.text() == before
        assert desk.history == []


def test_nothing_is_changed_while_the_text_is_broken(desk: Desk) -> None:
    broken = difference(desk.text(), desk.text().replace(":", "", 1))
    desk.document.apply({desk.document.path: broken}, "break", "test")
    before = desk.text()
    desk.canvas.choose_step("continuation.issue")
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_F2):
        press_key(desk.canvas, key)
    press_key(desk.canvas, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert desk.text() == before
    assert node_point(desk.canvas, "continuation.issue") is not None
