"""Steps with checks edited by hand: transitions dragged from ports, steps made by name, copied, renamed, removed."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from stepflow_gui.formats.checks.ids import is_hash_id
from stepflow_gui.gui.canvas.items.node_item import NodeItem
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.inspector.forms.choice_field import ChoiceField
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.editors import Segments
from tests.gui.canvas.hand import drag, drag_to, loop, node_point, pill_point, press, press_key
from tests.gui.editing.conftest import Desk
from tests.gui.editing.test_context_menu import entries, menu_of, pick, sub
from tests.gui.editing.test_making_steps import empty_point
from tests.gui.inspector.test_forms import row, typed
from tests.seeds.documents import CHECKS, CHECKS_AGENT

FIRST, SECOND, LAST = "s_a8f3", "s_b2c1", "s_c9d4"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The agent of the design document, its registry written as it is there."""
    folder = tmp_path / ".agent" / "code-improver"
    folder.mkdir(parents=True)
    seed = Path(__file__).parents[2] / "seeds" / "checks" / "steps_registry.json"
    (folder / "steps_registry.json").write_bytes(seed.read_bytes())
    (folder / "agent.json").write_text(json.dumps(CHECKS_AGENT), "utf-8")
    return folder / "steps_registry.json"


def steps(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.text())["steps"]
    return found


def check(desk: Desk, step: str) -> dict[str, Any]:
    found: dict[str, Any] = steps(desk)[step]["check"]
    return found


def offer(desk: Desk, text: str) -> QPushButton:
    """The button of the question that was asked last."""
    return [button for button in desk.window.banner.findChildren(QPushButton) if button.text() == text][-1]


def answer(desk: Desk, text: str) -> None:
    """Type into the small form that is open."""
    desk.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), AskPopup))
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, AskPopup)
    QTest.keyClicks(popup.field, text)
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    desk.settle()


def test_transitions_are_dragged_from_their_ports(desk: Desk) -> None:
    before, canvas = desk.text(), desk.canvas
    drag(canvas, pill_point(canvas, FIRST, "pass"), node_point(canvas, LAST))
    desk.settle()
    assert check(desk, FIRST)["onPass"] == {"next": LAST}
    drag(canvas, pill_point(canvas, FIRST, "fallback"), node_point(canvas, SECOND))
    desk.settle()
    assert check(desk, FIRST)["onFail"] == {"retry": True, "maxRetries": 2, "fallback": SECOND}
    drag(canvas, pill_point(canvas, SECOND, "fail"), node_point(canvas, LAST))
    desk.settle()
    assert check(desk, SECOND)["onFail"] == {"next": LAST}
    canvas.choose_transition(TransitionRef(FIRST, "retry", None))
    press_key(canvas, Qt.Key.Key_Delete)
    desk.settle()
    assert check(desk, FIRST)["onFail"] == {"fallback": SECOND}
    loop(canvas, LAST, "retry")
    desk.settle()
    assert check(desk, LAST)["onFail"] == {"fallback": SECOND, "retry": True}
    assert len(desk.history) == 5
    desk.undo_all()
    assert desk.text() == before


def test_legal_targets_are_lit_and_the_others_explain_why(desk: Desk) -> None:
    canvas = desk.canvas
    start = pill_point(canvas, SECOND, "retry")
    press(canvas, start)
    drag_to(canvas, start, node_point(canvas, LAST))
    assert "the same step again" in canvas.messages.pointer.text
    lit = {node.name: item.legal for node, item in canvas.graph.nodes.items() if isinstance(item, NodeItem)}
    assert lit == {FIRST: False, SECOND: True, LAST: False}
    press_key(canvas, Qt.Key.Key_Escape)
    assert desk.history == []


def test_a_step_is_made_by_its_name(desk: Desk) -> None:
    before = desk.texts()
    drag(desk.canvas, pill_point(desk.canvas, FIRST, "pass"), empty_point(desk))
    answer(desk, "Look around")
    (new,) = steps(desk).keys() - CHECKS["steps"].keys()
    assert is_hash_id(new)
    assert steps(desk)[new]["name"] == "Look around"
    assert check(desk, FIRST)["onPass"] == {"next": new}
    assert check(desk, new)["onPass"] == {"next": SECOND}
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.texts() == before
    drag(desk.canvas, pill_point(desk.canvas, SECOND, "retry"), empty_point(desk))
    assert not isinstance(QApplication.activePopupWidget(), AskPopup)
    assert "the same step again" in desk.window.banner.text


def test_copies_have_ids_of_their_own_and_names_change_alone(desk: Desk) -> None:
    before = desk.text()
    desk.canvas.choose_step(FIRST)
    press_key(desk.canvas, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    (copy,) = steps(desk).keys() - CHECKS["steps"].keys()
    assert is_hash_id(copy)
    assert (steps(desk)[copy]["id"], steps(desk)[copy]["name"]) == (copy, "Code Analysis 2")
    desk.canvas.choose_step(SECOND)
    desk.editing.command("copy")
    assert '"s_b2c1"' in QGuiApplication.clipboard().text()
    desk.editing.command("paste")
    desk.settle()
    (pasted,) = steps(desk).keys() - CHECKS["steps"].keys() - {copy}
    assert is_hash_id(pasted)
    desk.undo_all()
    desk.settle()
    desk.canvas.choose_step(FIRST)
    press_key(desk.canvas, Qt.Key.Key_F2)
    field = desk.canvas.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    assert field.text() == "Code Analysis"
    field.selectAll()
    QTest.keyClicks(field, "Study")
    QTest.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    assert desk.text() == before.replace('"Code Analysis"', '"Study"')


def test_a_step_is_removed_and_what_led_to_it_led_on(desk: Desk) -> None:
    before = desk.text()
    desk.canvas.choose_step(SECOND)
    press_key(desk.canvas, Qt.Key.Key_Delete)
    assert "2 transitions" in desk.window.banner.text
    offer(desk, "Connect them to Review (s_c9d4)").click()
    desk.settle()
    assert list(steps(desk)) == [FIRST, LAST]
    assert check(desk, FIRST)["onPass"] == {"next": LAST}
    assert len(desk.history) == 1
    desk.undo_all()
    desk.canvas.choose_step(FIRST)
    desk.editing.command("remove")
    offer(desk, "Remove them too").click()
    desk.settle()
    assert check(desk, SECOND)["onFail"] == {}
    desk.undo_all()
    assert desk.text() == before


def test_the_menu_connects_outcomes_and_names_steps(desk: Desk) -> None:
    desk.canvas.choose_step(SECOND)
    menu = menu_of(desk)
    assert "Add" not in entries(menu)
    lead = sub(menu, "Connect")
    assert entries(lead) == ["pass", "fail", "retry", "fallback"]
    assert entries(sub(lead, "retry")) == ["Implementation (s_b2c1)"]
    assert entries(sub(lead, "fail"))[0] == "The end"
    pick(sub(lead, "fail"), "The end")
    desk.settle()
    assert check(desk, SECOND)["onFail"] == {"complete": True}
    pick(menu_of(desk), "Make Initial")
    desk.settle()
    assert json.loads(desk.text())["entryStep"] == SECOND
    assert "Make Initial" not in entries(menu_of(desk))
    desk.canvas.choose_transition(TransitionRef(SECOND, "pass", None))
    assert not [entry for entry in entries(desk.menu.build(QPointF())) if "Conditional" in entry]


def test_the_form_replaces_one_transition_by_another(desk: Desk) -> None:
    before = desk.text()
    desk.document.select(LAST, "link")
    desk.settle()
    retry = row(desk.window, f"/steps/{LAST}/check/onFail/retry")
    assert isinstance(retry.editor, Segments)
    QTest.mouseClick(retry.editor.stops()[0], Qt.MouseButton.LeftButton)  # true is first
    desk.settle()
    assert check(desk, LAST)["onFail"] == {"fallback": SECOND, "retry": True}
    field = row(desk.window, f"/steps/{LAST}/check/onFail/fallback").editor
    assert isinstance(field, ChoiceField)
    field.setFocus()
    field.drop()
    completer = field.completer()
    model = completer.completionModel()
    shown = [str(model.index(at, 0).data()) for at in range(model.rowCount())]
    assert shown == ["Code Analysis (s_a8f3)", "Implementation (s_b2c1)", "Review (s_c9d4)"]
    popup = completer.popup()
    assert popup is not None
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(popup, key)
    desk.settle()
    assert check(desk, LAST)["onFail"] == {"fallback": FIRST, "retry": True}
    typed(desk.window, f"/steps/{LAST}/name", "Last look")
    desk.settle()
    assert len(desk.history) == 3
    desk.undo_all()
    assert desk.text() == before
