"""Drops of a transition that could mean more than one thing: asked for at the pointer, then one history entry."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.menu_text import HEADING
from stepflow_gui.text.edit import difference
from tests.gui.canvas.hand import click, drag, drag_to, loop, node_point, pill_point, press, press_key, release
from tests.gui.editing.conftest import Desk


def write(desk: Desk, old: str, new: str, file: Path | None = None) -> None:
    """Change a text, as another part of the window would."""
    text = desk.text(file)
    assert old in text
    desk.document.apply({file or desk.document.path: difference(text, text.replace(old, new, 1))}, "before", "test")
    desk.settle()
    desk.document.stack.clear()
    desk.canvas.fit()


def steps(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.text())["steps"]
    return found


def enum_of(desk: Desk, step: str) -> list[str]:
    schema = json.loads(desk.text(schema_file(desk)))[step]
    enum: list[str] = schema["properties"]["next_action"]["properties"]["action"]["enum"]
    return enum


def schema_file(desk: Desk) -> Path:
    return next(desk.document.path.parent.rglob("issue.schema.json"))


def menu() -> QMenu:
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    return popup


def titles() -> list[str]:
    found = [each for each in menu().actions() if not each.isSeparator() and each.objectName() != HEADING]
    return [each.text().replace("&", "") for each in found]


def heading() -> str:
    first = menu().actions()[0]
    assert first.objectName() == HEADING
    return first.text()


def pick(title: str) -> None:
    shown = menu()
    action = next(each for each in shown.actions() if each.text().replace("&", "").startswith(title))
    shown.close()
    action.trigger()


@pytest.fixture
def conditional(desk: Desk) -> Desk:
    """“next” of continuation.issue depends on a value."""
    write(
        desk,
        '"next": { "target": "continuation.issue" },\n        "repeat": { "target": "continuation.issue" }',
        '"next": { "condition": "size", "targets": { "small": "continuation.issue", "large": "initial.issue" } },\n'
        '        "repeat": { "target": "continuation.issue" }',
    )
    return desk


def lead(desk: Desk, target: str) -> None:
    drag(desk.canvas, pill_point(desk.canvas, "continuation.issue", "next"), node_point(desk.canvas, target))


def test_a_conditional_intent_gets_a_value_that_goes_there(conditional: Desk) -> None:
    desk, before = conditional, conditional.text()
    lead(desk, "initial.issue")
    assert "depends on" in heading()
    assert titles() == [
        "Add a Value That Goes to initial.issue…",
        "Connect “small” to initial.issue",
        "Always Connect to initial.issue",
    ]
    pick("Add a Value")
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, AskPopup)
    QTest.keyClicks(popup.field, "huge")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    desk.settle()
    rule = steps(desk)["continuation.issue"]["transitions"]["next"]
    assert rule["targets"] == {"small": "continuation.issue", "large": "initial.issue", "huge": "initial.issue"}
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.text() == before


def test_one_value_is_led_there(conditional: Desk) -> None:
    lead(conditional, "initial.issue")
    pick("Connect “small”")
    rule = steps(conditional)["continuation.issue"]["transitions"]["next"]
    assert rule["targets"] == {"small": "initial.issue", "large": "initial.issue"}


def test_a_conditional_intent_is_made_to_go_there_always(conditional: Desk) -> None:
    desk, before = conditional, conditional.text()
    lead(desk, "initial.issue")
    pick("Always")
    desk.settle()
    assert steps(desk)["continuation.issue"]["transitions"]["next"] == {"target": "initial.issue"}
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.text() == before


def test_escape_at_the_menu_changes_nothing(conditional: Desk) -> None:
    before = conditional.text()
    lead(conditional, "initial.issue")
    QTest.keyClick(menu(), Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    assert conditional.text() == before


def test_the_end_of_one_values_edge_is_dragged(conditional: Desk) -> None:
    desk = conditional
    ref = TransitionRef("continuation.issue", "next", "large")
    edge = desk.canvas.graph.edge_item(ref)
    assert edge is not None
    last = edge.route.bends[-1]
    tip = desk.canvas.mapFromScene(last.x - last.dx * 6, last.y - last.dy * 6)
    drag(desk.canvas, tip, node_point(desk.canvas, "continuation.issue"))
    desk.settle()
    rule = steps(desk)["continuation.issue"]["transitions"]["next"]
    assert rule["targets"] == {"small": "continuation.issue", "large": "continuation.issue"}
    assert len(desk.history) == 1


def plus_point(desk: Desk, step: str) -> QPoint:
    item = desk.canvas.graph.step_item(step)
    assert item is not None
    return desk.canvas.mapFromScene(item.pos() + item.measured.plus.center())


def test_a_new_intent_is_drawn_from_the_plus_over_both_files(desk: Desk) -> None:
    click(desk.canvas, node_point(desk.canvas, "initial.issue"))
    files = (desk.document.path, schema_file(desk))
    before = [desk.text(file) for file in files]
    assert "handoff" not in enum_of(desk, "initial.issue")
    drag(desk.canvas, plus_point(desk, "initial.issue"), node_point(desk.canvas, "closure.issue"))
    assert heading() == "Which intent goes to closure.issue?"
    assert titles() == ["handoff"]  # no other intent of a work step goes to a closure step
    pick("handoff")
    desk.settle()
    step = steps(desk)["initial.issue"]
    assert step["transitions"]["handoff"] == {"target": "closure.issue"}
    assert "handoff" in step["structuredGate"]["allowedIntents"]
    assert "handoff" in enum_of(desk, "initial.issue")
    assert len(desk.history) == 1
    desk.undo_all()
    assert [desk.text(file) for file in files] == before


def test_the_plus_shows_only_where_someone_is_at_the_step(own_desk: Desk) -> None:
    desk = own_desk
    desk.canvas.choose_step(None)
    at = plus_point(desk, "initial.issue")
    item = desk.canvas.graph.step_item("initial.issue")
    assert item is not None
    assert not item.plus_at(desk.canvas.mapToScene(at))
    desk.canvas.choose_step("initial.issue")
    assert item.plus_at(desk.canvas.mapToScene(at))
    section = desk.canvas.graph.step_item("section.conventions")
    assert section is not None
    desk.canvas.choose_step("section.conventions")
    assert not section.offers_new


def test_escape_gives_the_drag_of_a_new_intent_up(desk: Desk) -> None:
    before = desk.text()
    desk.canvas.choose_step("initial.issue")
    start, end = plus_point(desk, "initial.issue"), node_point(desk.canvas, "closure.issue")
    press(desk.canvas, start)
    drag_to(desk.canvas, start, end)
    press_key(desk.canvas, Qt.Key.Key_Escape)
    release(desk.canvas, end)
    assert QApplication.activePopupWidget() is None
    assert desk.text() == before


def test_an_intent_that_the_enum_lacks_is_added_there_too(desk: Desk) -> None:
    schema = schema_file(desk)
    enum = json.dumps(enum_of(desk, "initial.issue"))
    write(desk, enum, enum.replace('"next", ', ""), schema)
    assert "next" not in enum_of(desk, "initial.issue")
    before = desk.text(), desk.text(schema)
    loop(desk.canvas, "initial.issue", "next")
    assert heading() == "“next” is missing in the schema’s enum"
    assert titles() == ["Connect, and Add It There", "Connect Only"]
    pick("Connect, and")
    desk.settle()
    assert steps(desk)["initial.issue"]["transitions"]["next"]["target"] == "initial.issue"
    assert "next" in enum_of(desk, "initial.issue")
    assert len(desk.history) == 1
    desk.undo_all()
    assert (desk.text(), desk.text(schema)) == before


def test_closing_is_led_to_the_end(desk: Desk) -> None:
    write(desk, '        "closing": { "target": null },\n', "")
    drag(
        desk.canvas,
        pill_point(desk.canvas, "closure.issue", "closing"),
        pill_point(desk.canvas, "closure.issue", "closing"),
    )
    start = pill_point(desk.canvas, "closure.issue", "closing")
    press(desk.canvas, start)
    drag_to(desk.canvas, start, start + QPoint(6, 30))
    end = next(item for node, item in desk.canvas.graph.nodes.items() if node.kind == "end")
    at = desk.canvas.mapFromScene(end.frame.center())
    drag_to(desk.canvas, start, at)
    release(desk.canvas, at)
    desk.settle()
    assert steps(desk)["closure.issue"]["transitions"]["closing"] == {"target": None}
