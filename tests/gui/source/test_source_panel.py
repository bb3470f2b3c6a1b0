"""Writing in the source panel with real keys: each change reaches the document, each of the document's the text."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QTextBlock
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.source.marks import bracket_pair
from stepflow_gui.gui.source.menu import source_menu
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span
from tests.gui.source.bench import CTRL, SMALL, Bench


def test_typing_reaches_the_session_as_one_entry(small: Bench) -> None:
    at = small.text.index('A"')
    small.put_caret(at)
    small.type("xyz")
    assert small.text == SMALL.replace('"A"', '"xyzA"')
    assert small.document.stack.count() == 1
    small.check()


def test_ctrl_z_is_the_windows_undo(small: Bench) -> None:
    small.put_caret(small.text.index('A"'))
    small.type("xy")
    small.put_caret(0)
    small.type(" ")
    assert small.document.stack.count() == 2
    small.press(Qt.Key.Key_Z, CTRL)
    assert small.text == SMALL.replace('"A"', '"xyA"')
    small.press(Qt.Key.Key_Z, CTRL)
    assert small.text == SMALL
    small.check()
    small.press(Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert small.text == SMALL.replace('"A"', '"xyA"')
    assert small.editor.caret == small.text.index('A"')
    small.check()


def test_an_action_of_the_window_gets_the_key(small: Bench) -> None:
    hits: list[str] = []
    action = QAction("undo", small.panel)
    action.setShortcut("Ctrl+Z")
    action.triggered.connect(lambda: hits.append("undo"))
    small.panel.addAction(action)
    small.put_caret(0)
    small.type(" ")
    small.press(Qt.Key.Key_Z, CTRL)
    assert hits == ["undo"]
    assert small.text == " " + SMALL  # it was the action's to undo


def test_a_caret_jump_ends_the_burst(small: Bench) -> None:
    small.put_caret(1)
    small.type("a")
    small.press(Qt.Key.Key_Right)
    small.press(Qt.Key.Key_Left)
    small.type("b")
    assert small.document.stack.count() == 2


def test_erasing_an_emoji_is_one_code_point(small: Bench) -> None:
    at = small.text.index("🙂")
    small.put_caret(at + 1)
    small.press(Qt.Key.Key_Backspace)
    assert small.text == SMALL.replace("🙂", "")
    small.check()
    small.document.undo()
    assert small.text == SMALL
    small.check()


def test_enter_keeps_the_indentation(small: Bench) -> None:
    small.put_caret(small.text.index("},\n") + 2)
    small.press(Qt.Key.Key_Return)
    small.type('"x": 1,')
    assert small.text.splitlines()[3] == '    "x": 1,'
    small.check()


def test_enter_between_brackets_opens_them(small: Bench) -> None:
    at = small.text.index('"語')
    small.put_caret(at, at + len('"語🙂"'))
    small.type("[]")
    small.press(Qt.Key.Key_Left)
    small.press(Qt.Key.Key_Return)
    small.type("1")
    assert '"name": [\n      1\n    ]}' in small.text
    small.check()


def test_tab_indents_and_backtab_takes_back(small: Bench) -> None:
    start = small.text.index('    "initial.a"')
    small.put_caret(start, small.text.index("  }\n}"))
    small.press(Qt.Key.Key_Tab)
    assert small.text.count('      "initial') == 2
    small.check()
    small.press(Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert small.text == SMALL
    assert small.document.stack.count() == 2
    small.check()


def test_a_crlf_file_stays_one(crlf: Bench) -> None:
    crlf.put_caret(crlf.text.index("},\r\n") + 2)
    crlf.press(Qt.Key.Key_Return)
    crlf.type('"c": {},')
    assert "\n" not in crlf.text.replace("\r\n", "")
    assert crlf.text.count("\r\n") == SMALL.count("\n") + 1
    crlf.check()
    crlf.put_caret(crlf.text.index('"c"'))
    for _time in range(5):
        crlf.press(Qt.Key.Key_Backspace)
    assert crlf.text.count("\r\n") == SMALL.count("\n")
    crlf.check()
    while crlf.document.stack.canUndo():
        crlf.document.undo()
    assert crlf.text == SMALL.replace("\n", "\r\n")
    crlf.check()


def test_pasted_lines_end_as_the_file_does(crlf: Bench) -> None:
    QGuiApplication.clipboard().setText('1,\n2,\r\n3\u2028"🙂"')
    crlf.put_caret(1, 1)
    crlf.press(Qt.Key.Key_V, CTRL)
    assert crlf.text.startswith('{1,\r\n2,\r\n3\r\n"🙂"\r\n')
    assert crlf.document.stack.count() == 1
    crlf.check()


def test_copying_gives_the_files_text(crlf: Bench) -> None:
    crlf.put_caret(0, len(crlf.text))
    crlf.press(Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == SMALL
    assert QGuiApplication.clipboard().mimeData().formats() == ["text/plain"]


def test_replacing_everything(small: Bench) -> None:
    small.press(Qt.Key.Key_A, CTRL)
    small.type("{")
    assert small.text == "{"
    small.check()
    small.document.undo()
    assert small.text == SMALL
    small.check()


def test_japanese_input_is_one_entry_a_commit(small: Bench) -> None:
    changes: list[str] = []
    small.document.text_changed.connect(lambda _path, _edits, _origin: changes.append(small.text))
    small.put_caret(small.text.index('A"'))
    for preedit in ("に", "にほ", "にほん", "日本"):
        small.compose(preedit)
        assert small.editor.composing
    assert changes == []
    small.compose("", "日本")
    small.compose("ご")
    small.compose("", "語")
    assert not small.editor.composing
    assert small.text == SMALL.replace('"A"', '"日本語A"')
    assert small.document.stack.count() == 2
    small.check()
    small.document.undo()
    assert small.text == SMALL.replace('"A"', '"日本A"')


def test_composing_over_a_selection_is_one_entry(small: Bench) -> None:
    at = small.text.index('A"')
    small.put_caret(at, at + 1)
    small.compose("あ")
    assert small.document.stack.count() == 0
    small.compose("", "亜")
    assert small.text == SMALL.replace('"A"', '"亜"')
    assert small.document.stack.count() == 1
    small.check()
    small.document.undo()
    assert small.text == SMALL
    small.check()


def test_findings_that_come_while_composing_leave_it_open(small: Bench, qtbot: QtBot) -> None:
    small.put_caret(small.text.index('A"'))
    small.compose("にほん")
    small.document.lint_again()
    qtbot.waitUntil(lambda: small.document.linted)
    small.compose("", "日本")
    assert small.text == SMALL.replace('"A"', '"日本A"')
    small.check()


def test_a_change_elsewhere_keeps_caret_and_view(iterator: Bench) -> None:
    at = iterator.text.index('"closure.issue": {')
    iterator.editor.reveal(Span(at, at))
    iterator.put_caret(at)
    first = iterator.editor.firstVisibleBlock().text()
    iterator.document.apply({iterator.document.path: [TextEdit(1, 1, "\n\n\n")]}, "Add", "canvas")
    assert iterator.editor.caret == at + 3
    assert iterator.editor.firstVisibleBlock().text() == first
    iterator.check()


def test_undo_shows_what_it_undid(iterator: Bench) -> None:
    iterator.put_caret(1)
    iterator.type("x")
    iterator.put_caret(len(iterator.text))
    iterator.document.undo()
    assert iterator.editor.caret == 1
    assert iterator.editor.firstVisibleBlock().blockNumber() == 0


def test_the_caret_selects_the_step(iterator: Bench, qtbot: QtBot) -> None:
    iterator.put_caret(iterator.text.index('"continuation.issue": {') + 40)
    qtbot.waitUntil(lambda: iterator.document.selected_step == "continuation.issue")
    iterator.put_caret(0)
    qtbot.waitUntil(lambda: iterator.document.selected_step is None)


def test_clicking_puts_the_caret_there(iterator: Bench, qtbot: QtBot) -> None:
    at = iterator.text.index('"initial.issue": {')
    iterator.editor.reveal(Span(at, at))
    point = iterator.editor.cursorRect().center() + QPoint(4, 0)
    iterator.put_caret(0)
    iterator.editor.reveal(Span(at, at))
    QTest.mouseClick(iterator.editor.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert abs(iterator.editor.caret - at) <= 1
    qtbot.waitUntil(lambda: iterator.document.selected_step == "initial.issue")


def test_revealing_selects_the_stretch_without_selecting_a_step(iterator: Bench) -> None:
    span = Span(iterator.text.index('"closure.issue": {'), iterator.text.index('"closure.issue": {') + 15)
    iterator.panel.editor.clearFocus()
    iterator.document.reveal(iterator.document.path, span)
    cursor = iterator.editor.textCursor()
    assert cursor.selectedText() == '"closure.issue"'
    line = cursor.blockNumber()
    lines = [block.blockNumber() for block, _top, _height in iterator.editor.visible_lines()]
    assert lines[2] < line < lines[-3]
    assert iterator.panel.head.place.text().startswith(f"{line + 1}:")


def test_findings_are_underlined_and_shown_under_the_mouse(small: Bench, qtbot: QtBot) -> None:
    small.put_caret(small.text.index('{"name"'))
    small.press(Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: small.document.linted)
    marks = [mark for mark in small.editor.marks if mark.code == "SF001"]
    assert marks
    small.editor.reveal(Span(marks[0].start, marks[0].end))  # seen under a selection too
    assert red_below(small, marks[0].start)
    assert small.editor.line_severities()[2] == "error"
    small.put_caret(marks[0].start)
    point = small.editor.cursorRect().center()
    help_at(small, point)
    assert "SF001" in small.panel.assist.card.label.text()
    at = marks[0].start
    small.document.undo()
    qtbot.waitUntil(lambda: small.document.linted)
    assert not red_below(small, at)
    assert not [mark for mark in small.editor.marks if mark.code == "SF001"]


def red_below(bench: Bench, offset: int) -> bool:
    """Whether something of the colour of errors is painted along the bottom of the character there."""
    bench.put_caret(offset)
    box = bench.editor.cursorRect()
    image = bench.editor.viewport().grab().toImage()
    red = bench.editor.theme.color("error")
    near = (
        image.pixelColor(x, y)
        for x in range(box.left(), box.left() + 6)
        for y in range(box.bottom() - 4, box.bottom() + 1)
    )
    return any(abs(color.hue() - red.hue()) < 12 and color.saturation() > 90 for color in near)


def help_at(bench: Bench, point: QPoint) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QHelpEvent

    view = bench.editor.viewport()
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, point, view.mapToGlobal(point)))


def test_only_what_is_in_view_is_coloured(iterator: Bench) -> None:
    qt_document = iterator.editor.document()
    assert qt_document.findBlockByNumber(1).layout().formats()
    assert not qt_document.findBlockByNumber(qt_document.blockCount() - 2).layout().formats()
    iterator.editor.verticalScrollBar().setValue(qt_document.blockCount())
    assert qt_document.findBlockByNumber(qt_document.blockCount() - 3).layout().formats()


def test_colours_follow_the_text(small: Bench) -> None:
    small.put_caret(small.text.index('"A"'))
    small.type("12, ")
    formats = small.editor.document().findBlockByNumber(2).layout().formats()
    line = small.editor.document().findBlockByNumber(2).text()
    starts = {found.start for found in formats}
    assert line.index("12") in starts
    assert line.index('"A"') in starts


def test_brackets_are_matched(small: Bench) -> None:
    small.put_caret(0)
    marked = [selection.cursor.selectedText() for selection in small.editor.extraSelections()]
    assert marked[1:3] == ["{", "}"]


def test_brackets_are_looked_for_once_a_place_and_text(small: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def counted(block: QTextBlock, column: int) -> tuple[int, int] | None:
        looked.append(column)
        return bracket_pair(block, column)

    monkeypatch.setattr("stepflow_gui.gui.source.marks.bracket_pair", counted)
    small.put_caret(1)
    looked.clear()
    for _time in range(5):
        small.editor.refresh()
    assert looked == []
    small.put_caret(0)
    small.document.apply({small.document.path: [TextEdit(len(SMALL) - 3, len(SMALL) - 3, "\n")]}, "Put", "canvas")
    assert looked
    marked = [each.cursor.selectionStart() for each in small.editor.extraSelections()]
    assert marked[1:3] == [0, small.editor.mapping.position(len(small.text) - 2)]


def test_the_menu_undoes_in_the_windows_history(small: Bench) -> None:
    small.put_caret(0)
    small.type(" ")
    menu = source_menu(small.editor)
    offered = {action.text(): action for action in menu.actions()}
    offered["&Undo"].trigger()
    assert small.text == SMALL
    offered["&Redo"].trigger()
    assert small.text == " " + SMALL
    menu.close()


def test_without_a_session_nothing_can_be_written(small: Bench) -> None:
    small.panel.set_document(None)
    small.type("x")
    assert small.editor.toPlainText() == ""
    assert small.text == SMALL
