"""Flows with the intent `complete` edited by hand: its intents, its last step, its entries by completion type."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from stepflow_gui.gui.canvas.items.node_item import NodeItem
from tests.gui.canvas.hand import drag, drag_to, node_point, pill_point, press, press_key
from tests.gui.editing.conftest import Desk
from tests.gui.editing.test_connecting import pick as pick_shown
from tests.gui.editing.test_connecting import titles
from tests.gui.editing.test_context_menu import entries, menu_of, pick, sub
from tests.gui.editing.test_making_steps import empty_point, popup
from tests.seeds.documents import COMPLETE, COMPLETE_AGENT
from tests.seeds.schemas import schema_file

FIRST, SECOND, LAST = "initial.issue", "continuation.issue", "complete.issue"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The design document's flow, made whole."""
    folder = tmp_path / ".agent" / "iterator"
    (folder / "schemas").mkdir(parents=True)
    (folder / "steps_registry.json").write_text(json.dumps(COMPLETE, indent=2), "utf-8")
    (folder / "agent.json").write_text(json.dumps(COMPLETE_AGENT, indent=2), "utf-8")
    (folder / "schemas" / "issue.schema.json").write_text(json.dumps(schema_file(COMPLETE), indent=2), "utf-8")
    return folder / "steps_registry.json"


def step(desk: Desk, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.text())["steps"][name]
    return found


def test_complete_goes_to_the_last_step_and_ends_there(desk: Desk) -> None:
    canvas, before = desk.canvas, desk.text()
    assert desk.document.last_valid.flow.format == "complete"
    start = pill_point(canvas, FIRST, "complete")
    press(canvas, start)
    drag_to(canvas, start, node_point(canvas, SECOND))
    assert "and that one ends the flow" in canvas.messages.pointer.text
    lit = {node.name: item.legal for node, item in canvas.graph.nodes.items() if isinstance(item, NodeItem)}
    assert lit == {FIRST: None, SECOND: False, LAST: False}  # it goes there already
    press_key(canvas, Qt.Key.Key_Escape)
    drag(canvas, pill_point(canvas, FIRST, "next"), node_point(canvas, LAST))
    desk.settle()
    assert step(desk, FIRST)["transitions"]["next"] == {"target": LAST}
    assert desk.window.canvas.can_connect is not None
    why_not = desk.window.canvas.can_connect
    assert why_not(LAST, "complete", None) is None
    assert why_not(LAST, "complete", FIRST) is not None
    assert why_not(SECOND, "next", None) is not None
    assert why_not(SECOND, "repeat", FIRST) is None
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.text() == before


def test_complete_dropped_on_empty_canvas_makes_a_last_step(desk: Desk) -> None:
    before = desk.texts()
    drag(desk.canvas, pill_point(desk.canvas, FIRST, "complete"), empty_point(desk))
    form = popup(desk)
    assert list(form.buttons) == ["closure"]
    assert form.id_field.text() == "complete.issue-2"
    QTest.keyClick(form.id_field, Qt.Key.Key_Return)
    desk.settle()
    assert step(desk, FIRST)["transitions"]["complete"] == {"target": "complete.issue-2"}
    assert "complete" in step(desk, "complete.issue-2")["structuredGate"]["allowedIntents"]
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.texts() == before


def test_the_intents_that_are_missing_are_offered_by_port_and_menu(desk: Desk) -> None:
    desk.canvas.choose_step(FIRST)
    item = desk.canvas.graph.step_item(FIRST)
    assert item is not None
    assert item.offers_new
    plus = desk.canvas.mapFromScene(item.pos() + item.measured.plus.center())
    drag(desk.canvas, plus, node_point(desk.canvas, SECOND))
    assert titles() == ["jump"]
    pick_shown("jump")
    desk.settle()
    assert step(desk, FIRST)["transitions"]["jump"] == {"target": SECOND}
    assert "jump" in step(desk, FIRST)["structuredGate"]["allowedIntents"]
    desk.canvas.choose_step(FIRST)
    add = sub(sub(menu_of(desk), "Add"), "Intent")
    assert entries(add) == ["abort"]
    pick(add, "abort")
    desk.settle()
    assert step(desk, FIRST)["structuredGate"]["allowedIntents"][-1] == "abort"
    assert len(desk.history) == 2


def test_intents_of_the_last_step_are_added_where_they_may_go(desk: Desk) -> None:
    desk.canvas.choose_step(LAST)
    add = sub(sub(menu_of(desk), "Add"), "Intent")
    assert entries(add) == ["next", "jump", "abort"]
    assert FIRST in entries(sub(add, "next"))


def test_the_form_has_the_entry_by_completion_type(desk: Desk) -> None:
    desk.canvas.choose_step(None)
    assert desk.menu.build(QPointF()).actions()
    (entry,) = desk.canvas.graph.entries.values()
    assert entry.mark.label == "issue"
