"""Help while the text is edited: completion by keys, going to definitions, all places of a name."""

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from stepflow_gui.text.edit import TextEdit
from tests.gui.editing.conftest import Desk


def put_caret(desk: Desk, before: str, after: str = "") -> None:
    """Put the caret between two texts of the file."""
    source = desk.window.source
    source.editor.setFocus()
    at = desk.text(source.path).index(before + after) + len(before)
    cursor = source.editor.textCursor()
    cursor.setPosition(source.editor.mapping.position(at))
    source.editor.setTextCursor(cursor)


def select(desk: Desk, text: str) -> None:
    editor = desk.window.source.editor
    editor.setFocus()
    at = desk.text().index(text)
    cursor = editor.textCursor()
    cursor.setPosition(editor.mapping.position(at))
    cursor.setPosition(editor.mapping.position(at + len(text)), QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def test_a_target_is_completed_while_it_is_typed(desk: Desk) -> None:
    editor, assist = desk.window.source.editor, desk.window.source.assist
    before = desk.text()
    select(desk, '"continuation.issue"')  # the first is a target
    QTest.keyClicks(editor, '"ini')
    desk.qtbot.waitUntil(lambda: assist.completing.is_open)
    assert assist.completing.labels() == ["initial.issue"]
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert not assist.completing.is_open
    json.loads(desk.text())
    assert desk.text() == before.replace('"continuation.issue"', '"initial.issue"', 1)
    desk.undo_all()
    assert desk.text() == before


def test_asked_for_by_a_key_the_arrows_choose_and_escape_closes(desk: Desk) -> None:
    editor, assist = desk.window.source.editor, desk.window.source.assist
    put_caret(desk, '"stepKind": "work",')
    QTest.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert assist.completing.is_open
    labels = assist.completing.labels()
    assert "model" in labels
    QTest.keyClick(editor, Qt.Key.Key_Down)
    assert assist.completing.list.row == 1
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert not assist.completing.is_open
    assert desk.history == []


def test_a_completed_key_leaves_the_caret_where_its_value_goes(desk: Desk) -> None:
    editor = desk.window.source.editor
    put_caret(desk, '"stepKind": "work",')
    QTest.keyClicks(editor, ' "mod')
    QTest.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert desk.window.source.assist.completing.labels() == ["model", "permissionMode"]
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert '"model": ""' in desk.text()
    at = editor.caret
    assert desk.text()[at - 1 : at + 1] == '""'


def test_nothing_is_listed_while_an_input_method_composes(desk: Desk) -> None:
    editor, assist = desk.window.source.editor, desk.window.source.assist
    put_caret(desk, '"name": "', "Work on")
    QApplication.sendEvent(editor, QInputMethodEvent("かな", []))
    desk.qtbot.wait(150)
    assert not assist.completing.is_open
    event = QInputMethodEvent("", [])
    event.setCommitString("仮名")
    QApplication.sendEvent(editor, event)
    assert "仮名Work on" in desk.text()


def test_a_name_goes_to_its_definition(desk: Desk) -> None:
    source = desk.window.source
    put_caret(desk, '"handoff": { "target": "clo')
    QTest.keyClick(source.editor, Qt.Key.Key_F12)
    assert source.editor.textCursor().selectedText() == '"closure.issue"'
    assert desk.text()[source.editor.caret + len('"closure.issue"')] == ":"  # its key
    put_caret(desk, '"schema": "initial.is')
    QTest.keyClick(source.editor, Qt.Key.Key_F12)
    assert source.path is not None
    assert source.path.name == "issue.schema.json"


def test_all_places_of_a_step_are_listed_and_gone_to(desk: Desk) -> None:
    source = desk.window.source
    put_caret(desk, '"target": "continu')
    QTest.keyClick(source.editor, Qt.Key.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, PalettePopup)
    assert popup.titles()[0] == '"continuation.issue": {'
    assert any('"stepId": "continuation.issue"' in title for title in popup.titles())
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert source.editor.textCursor().selectedText() == '"continuation.issue"'


def test_what_a_field_means_is_reported_where_the_pointer_rests(desk: Desk) -> None:
    hover = desk.window.source.assist.hover_at(desk.text().index('"failFast"') + 3)
    assert hover is not None
    assert hover.name == "failFast"
    assert desk.window.source.assist.hover_at(desk.text().index("{")) is None


def test_a_long_text_is_completed_only_when_asked(desk: Desk) -> None:
    editor, assist = desk.window.source.editor, desk.window.source.assist
    lines = ",\n".join(f'    "{"x" * 1_000}"' for _line in range(320))
    filler = f',\n  "x-filler": [\n{lines}\n  ]\n}}'
    end = desk.text().rstrip().rindex("}")
    desk.document.apply({desk.document.path: [TextEdit(end, end + 1, filler)]}, "long", "test")
    desk.settle()
    before = desk.text().count('"initial.issue"')
    select(desk, '"continuation.issue"')
    QTest.keyClicks(editor, '"ini')
    desk.qtbot.wait(200)
    assert not assist.completing.is_open
    QTest.keyClick(editor, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert desk.text().count('"initial.issue"') > before
