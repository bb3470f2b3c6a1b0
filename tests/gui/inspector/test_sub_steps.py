"""A sub-step of a parallel movement is selected itself: by click and key, in the inspector and the source."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas.items.card_rows import row_frame, row_of_sub
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.forms.view import FormView
from stepflow_gui.gui.inspector.inspector_head import InspectorHead
from stepflow_gui.gui.runs.piece.control import PieceControl
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.text.source import Source
from tests.gui.canvas.hand import drag, drag_to, release
from tests.gui.canvas.hand import press as press_mouse

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagateSizeHints)")
PIECE = """\
name: demo
max_movements: 9
initial_movement: reviewers
movements:
  - name: reviewers
    parallel:
      - name: first
        persona: one
        instruction: Look at the first.
        rules:
          - condition: approved
      - name: second
        persona: two
        instruction: Look at the second.
        rules:
          - condition: approved
    rules:
      - condition: all("approved")
        next: COMPLETE
"""
FIRST, SECOND = "/movements/0/parallel/0", "/movements/0/parallel/1"


@pytest.fixture
def document(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Iterator[Document]:
    file = tmp_path / ".takt" / "pieces" / "demo.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(PIECE, "utf-8")
    assert window.open(file)
    opened = window.document
    assert opened is not None
    qtbot.waitUntil(lambda: opened.linted and opened.parsed and not window.canvas.is_building)
    yield opened
    while opened.stack.canUndo():
        opened.undo()


def text(document: Document) -> str:
    source = document.source()
    assert isinstance(source, Source)
    return source.text


def row_at(window: MainWindow, name: str) -> QPoint:
    canvas = window.canvas
    canvas.zoom_to(1.0)
    item = canvas.graph.step_item("reviewers")
    assert item is not None
    row = row_of_sub(item.step, item.measured, name)
    assert row is not None
    canvas.centerOn(item.frame.center())
    return canvas.mapFromScene(row_frame(item.measured, row).center() + item.pos())


def click(window: MainWindow, name: str) -> None:
    QTest.mouseClick(window.canvas.viewport(), Qt.MouseButton.LeftButton, pos=row_at(window, name))


def press(window: MainWindow, key: Qt.Key) -> None:
    QTest.keyClick(window.canvas, key)


def head_names(window: MainWindow) -> list[str]:
    head = window.inspector.findChild(InspectorHead)
    assert isinstance(head, InspectorHead)
    return [label.accessibleName() for label in head.findChildren(ElidedLabel) if label.isVisible()]


def test_a_click_on_its_row_selects_it_and_shows_its_fields(window: MainWindow, document: Document) -> None:
    click(window, "second")
    assert (document.selected_step, document.selection.part) == ("reviewers", SECOND)
    assert "demo › reviewers › second" in head_names(window)
    assert window.canvas.graph.accessible_name("reviewers") == "demo › reviewers › second"
    form = window.inspector.findChild(FormView)
    assert isinstance(form, FormView)
    assert form.row(f"{SECOND}/persona") is not None
    line = text(document)[: window.source.editor.caret].count("\n")
    assert PIECE.splitlines()[line].strip() == "- name: second"


def test_a_click_beside_the_rows_selects_the_movement(window: MainWindow, document: Document) -> None:
    click(window, "first")
    assert document.selection.part == FIRST
    item = window.canvas.graph.step_item("reviewers")
    assert item is not None
    above = window.canvas.mapFromScene(item.frame.topLeft()) + QPoint(40, 12)
    QTest.mouseClick(window.canvas.viewport(), Qt.MouseButton.LeftButton, pos=above)
    assert (document.selected_step, document.selection.part) == ("reviewers", "")
    assert "demo › reviewers › first" not in head_names(window)


def test_the_keyboard_goes_in_through_siblings_and_out(window: MainWindow, document: Document) -> None:
    window.canvas.choose_step("reviewers")
    found = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Escape):
        press(window, key)
        found.append(document.selection.part)
    assert found == [FIRST, SECOND, SECOND, FIRST, ""]
    assert document.selected_step == "reviewers"
    press(window, Qt.Key.Key_Escape)
    assert document.selected_step is None


def test_f2_renames_the_sub_step_itself(qtbot: QtBot, window: MainWindow, document: Document) -> None:
    click(window, "second")
    press(window, Qt.Key.Key_F2)
    field = window.canvas.viewport().findChild(QLineEdit, "inlineEdit")
    assert isinstance(field, QLineEdit)
    assert (field.text(), field.accessibleName()) == ("second", "Id of second")
    QTest.keyClicks(field, "other")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert text(document) == PIECE.replace("name: second", "name: other")
    assert document.selection.part == SECOND
    assert "demo › reviewers › other" in head_names(window)
    document.undo()
    assert text(document) == PIECE


def test_delete_removes_the_sub_step_and_not_what_it_is_in(window: MainWindow, document: Document) -> None:
    click(window, "second")
    press(window, Qt.Key.Key_Delete)
    flow = document.folder.flow
    assert [sub.id for sub in flow.steps["reviewers"].subs] == ["first"]
    assert document.selection.part == ""
    document.undo()
    assert text(document) == PIECE
    assert (document.selected_step, document.selection.part) == ("reviewers", SECOND)  # as before the edit
    assert "demo › reviewers › second" in head_names(window)
    document.redo()
    assert document.selection.part == ""


def test_a_dragged_row_goes_to_another_place_with_one_undo(window: MainWindow, document: Document) -> None:
    canvas = window.canvas
    positions = canvas.positions()
    start, above = row_at(window, "second"), row_at(window, "first") - QPoint(0, 6)
    drag(canvas, start, above)
    subs = document.last_valid.flow.steps["reviewers"].subs
    assert [sub.id for sub in subs] == ["second", "first"]
    assert document.selection.part == FIRST  # it is selected where it is now
    assert "demo › reviewers › second" in head_names(window)
    assert canvas.positions() == positions  # the card stays
    document.undo()
    assert text(document) == PIECE
    assert document.selection.part == SECOND
    count = document.stack.count()
    drag(canvas, row_at(window, "second"), row_at(window, "second") + QPoint(0, 7))
    drag(canvas, row_at(window, "second"), QPoint(3, 3))  # outside the card
    press_mouse(canvas, row_at(window, "second"))
    drag_to(canvas, row_at(window, "second"), above)
    press(window, Qt.Key.Key_Escape)
    release(canvas, above)
    assert document.stack.count() == count
    assert text(document) == PIECE


def test_it_is_not_copied_as_its_movement(window: MainWindow, document: Document) -> None:
    click(window, "second")
    QTest.keyClick(window.canvas, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert text(document) == PIECE


def test_a_breakpoint_is_set_at_the_sub_step(window: MainWindow, document: Document) -> None:
    click(window, "second")
    window.desk.actions["run-breakpoint"].trigger()
    control = window.runs.control
    assert isinstance(control, PieceControl)
    assert [*control.debugger.breakpoints.steps()] == ["second"]
    window.desk.actions["run-breakpoint"].trigger()


def test_the_lines_marked_in_the_source_are_its_own(window: MainWindow, document: Document) -> None:
    click(window, "first")
    assert window.source.editor.step_lines is not None
    first, last = window.source.editor.step_lines
    assert PIECE.splitlines()[first].strip() == "- name: first"
    assert "second" not in "".join(PIECE.splitlines()[first:last])
