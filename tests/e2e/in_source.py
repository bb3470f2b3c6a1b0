"""The source panel in a real window: the pointer rests, Ctrl makes links, keys complete and rename.

`test_real_window.py` runs this file in a process of its own on the display; it isn't collected otherwise.
"""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.source.assist.rename import RenamePopup
from stepflow_gui.text.source import Span
from tests.e2e.in_window import Hands, desk, example, hands, own_desk, steps
from tests.gui.editing.conftest import Desk

__all__ = ["desk", "example", "hands", "own_desk"]


@pytest.fixture(autouse=True)
def source_beside_the_flow(desk: Desk) -> None:
    desk.window.middle.show_view("split")
    desk.qtbot.waitUntil(desk.window.source.editor.isVisible)


def reveal(at: Desk, before: str, inside: str) -> QPoint:
    """Bring a text into view; gives the place of its second sign in the viewport."""
    text = at.text()
    offset = text.index(inside, text.index(before))
    editor = at.window.source.editor
    editor.reveal(Span(offset, offset))
    at.qtbot.wait(50)
    cursor = editor.textCursor()
    cursor.setPosition(editor.mapping.position(offset + 1))
    return editor.cursorRect(cursor).center() + QPoint(3, 0)


def test_what_the_pointer_rests_on_is_reported_until_it_leaves(hands: Hands, desk: Desk) -> None:
    source = desk.window.source
    view = source.editor.viewport()
    point = reveal(desk, '"handoff": {', '"closure.issue"')
    hands.point(view, point - QPoint(0, 30))
    hands.point(view, point)
    desk.qtbot.waitUntil(source.assist.card.isVisible)
    assert "Check and close" in source.assist.card.label.text()
    hands.point(source.assist.card, source.assist.card.rect().center())  # to the card, as to follow a link
    desk.qtbot.wait(500)
    assert source.assist.card.isVisible()
    hands.point(desk.window, QPoint(20, 20))
    desk.qtbot.waitUntil(lambda: not source.assist.card.isVisible())


def test_ctrl_and_a_click_follow_a_name(hands: Hands, desk: Desk) -> None:
    editor = desk.window.source.editor
    hands.click(editor.viewport(), QPoint(80, 10))
    point = reveal(desk, '"handoff": {', '"closure.issue"')
    hands.point(editor.viewport(), point)
    hands.tool("keydown", "ctrl")
    desk.qtbot.waitUntil(lambda: editor.link is not None)
    hands.tool("click", "1")
    hands.tool("keyup", "ctrl")
    desk.qtbot.waitUntil(lambda: editor.textCursor().selectedText() == '"closure.issue"')
    assert desk.text()[editor.caret :].startswith('"closure.issue": {')
    assert editor.link is None


def test_a_key_is_completed_while_it_is_typed(hands: Hands, desk: Desk) -> None:
    source = desk.window.source
    point = reveal(desk, '"initial.issue": {', '"stepKind"')
    hands.click(source.editor.viewport(), point)
    hands.keys("Home")
    hands.type('"mod')
    desk.qtbot.waitUntil(lambda: source.assist.completing.labels()[:1] == ["model"])
    hands.keys("Tab")
    hands.type("opus")
    desk.settle()
    assert steps(desk)["initial.issue"]["model"] == "opus"
    for _ in range(4):
        hands.keys("ctrl+z")
    assert "model" not in steps(desk)["initial.issue"]


def test_f2_renames_a_step_in_all_files(hands: Hands, desk: Desk) -> None:
    source = desk.window.source
    before = desk.text()
    point = reveal(desk, '"handoff": {', '"closure.issue"')
    hands.click(source.editor.viewport(), point)
    hands.keys("F2")
    desk.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), RenamePopup))
    hands.type("closure.done")
    hands.keys("Return")
    desk.qtbot.waitUntil(lambda: "closure.done" in steps(desk))
    assert desk.history == ["Rename closure.issue to closure.done"]
    hands.keys("ctrl+z")
    assert desk.text() == before
