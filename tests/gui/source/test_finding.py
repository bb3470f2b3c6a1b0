"""Finding and replacing in the source panel, with real keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.source.finding.find_bar import FindBar
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.gui.source.bench import CTRL, SMALL, Bench

SHIFT = Qt.KeyboardModifier.ShiftModifier


def find(bench: Bench, text: str, replacing: bool = False) -> FindBar:
    bench.press(Qt.Key.Key_H if replacing else Qt.Key.Key_F, CTRL)
    bar = bench.panel.find_bar.widget
    bar.field.clear()
    QTest.keyClicks(bar.field, text)
    return bar


def toggle(bar: FindBar, name: str) -> None:
    button = next(each for each in bar.findChildren(QToolButton) if each.accessibleName().startswith(name))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def selected(bench: Bench) -> str:
    return bench.editor.textCursor().selectedText()


def test_finding_goes_round(iterator: Bench) -> None:
    iterator.put_caret(0)
    bar = find(iterator, "closure.ISSUE")
    assert bar.isVisible()
    first = iterator.editor.textCursor().selectionStart()
    assert selected(iterator) == "closure.issue"
    count = iterator.text.lower().count("closure.issue")
    assert bar._count.text() == f"1 of {count}"
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert iterator.editor.textCursor().selectionStart() > first
    assert bar._count.text() == f"2 of {count}"
    QTest.keyClick(bar.field, Qt.Key.Key_Return, SHIFT)
    assert iterator.editor.textCursor().selectionStart() == first
    QTest.keyClick(bar.field, Qt.Key.Key_Return, SHIFT)
    assert iterator.editor.textCursor().selectionStart() > first
    assert bar._count.text() == f"{count} of {count}"
    QTest.keyClicks(bar.field, "nowhere")
    assert bar._count.text() == "no match"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert iterator.editor.hasFocus()


def test_f3_goes_on_from_the_text_and_from_the_field(iterator: Bench) -> None:
    iterator.put_caret(0)
    find(iterator, "closure.issue")
    first = iterator.editor.textCursor().selectionStart()
    iterator.editor.setFocus()
    iterator.press(Qt.Key.Key_F3)
    second = iterator.editor.textCursor().selectionStart()
    assert second > first
    iterator.press(Qt.Key.Key_F3, SHIFT)
    assert iterator.editor.textCursor().selectionStart() == first
    iterator.put_caret(second - 3)  # somewhere else: from there
    iterator.press(Qt.Key.Key_F3)
    assert iterator.editor.textCursor().selectionStart() == second
    QTest.keyClick(iterator.panel.find_bar.widget.field, Qt.Key.Key_F3)
    assert iterator.editor.textCursor().selectionStart() > second


def test_f3_without_anything_to_find_asks(small: Bench) -> None:
    small.press(Qt.Key.Key_F3)
    assert small.panel.find_bar.isVisible()
    assert small.panel.find_bar.widget.field.hasFocus()


def test_what_is_selected_is_looked_for(iterator: Bench) -> None:
    at = iterator.text.index('"closure.issue"')
    iterator.put_caret(at, at + 15)
    iterator.press(Qt.Key.Key_F, CTRL)
    assert iterator.panel.find_bar.widget.field.text() == '"closure.issue"'
    assert iterator.editor.textCursor().selectionStart() == at


def test_case_words_and_patterns(small: Bench) -> None:
    small.put_caret(0)
    bar = find(small, "a")
    assert bar._count.text() == f"1 of {SMALL.lower().count('a')}"
    toggle(bar, "Match case")
    assert bar._count.text() == f"1 of {SMALL.count('a')}"
    toggle(bar, "Whole words only")
    assert bar._count.text() == "1 of 1"
    toggle(bar, "Whole words only")
    toggle(bar, "Regular expression")
    bar.field.setText(r"initial\.[ab]")
    assert bar._count.text() == "2 of 2"  # from what was found last on
    assert selected(small) == "initial.b"


def test_a_bad_pattern_is_reported_in_place_and_breaks_nothing(small: Bench) -> None:
    bar = find(small, "(")
    toggle(bar, "Regular expression")
    assert bar.field.property("wrong") is True
    assert bar.note.isVisible()
    assert "Not a regular expression" in bar.note.text()
    assert bar._count.text() == ""
    for key in (Qt.Key.Key_Return, Qt.Key.Key_F3):
        QTest.keyClick(bar.field, key)
    bar.replace_all()
    assert small.text == SMALL
    QTest.keyClicks(bar.field, "a)")
    assert bar.field.property("wrong") is False
    assert not bar.note.isVisible()


def test_a_pattern_that_is_too_hard_is_reported_and_replaces_nothing(small: Bench, qtbot: QtBot) -> None:
    hard = "a" * 3000 + "!\n"
    small.put_caret(0)
    small.editor.asked.emit([TextEdit(0, 0, hard)], "Paste")
    bar = find(small, "(a|aa)+[bc]", replacing=True)
    toggle(bar, "Regular expression")
    qtbot.waitUntil(lambda: "takes too long" in bar.note.text())
    bar.by.setText("x")
    before = small.text
    bar.replace_all()
    assert small.text == before


def test_replacing_one_after_the_other(small: Bench) -> None:
    small.put_caret(0)
    bar = find(small, "initial", replacing=True)
    bar.by.setFocus()
    QTest.keyClicks(bar.by, "first")
    QTest.keyClick(bar.by, Qt.Key.Key_Return)
    assert small.text == SMALL.replace("initial", "first", 1)
    assert selected(small) == "initial"
    assert bar._count.text() == "1 of 1"
    QTest.keyClick(bar.by, Qt.Key.Key_Return)
    assert small.text == SMALL.replace("initial", "first")
    assert bar._count.text() == "no match"
    assert small.document.stack.count() == 2
    small.check()
    small.document.undo()
    small.document.undo()
    assert small.text == SMALL
    small.check()


def test_a_replacement_that_holds_what_is_replaced_is_not_replaced_again(small: Bench) -> None:
    small.put_caret(0)
    bar = find(small, "initial", replacing=True)
    bar.by.setFocus()
    QTest.keyClicks(bar.by, "initial.initial")
    for _time in range(2):
        QTest.keyClick(bar.by, Qt.Key.Key_Return)
    assert small.text == SMALL.replace("initial", "initial.initial")


def test_replacing_all_is_one_entry(iterator: Bench) -> None:
    before = iterator.text
    bar = find(iterator, "closure.issue", replacing=True)
    bar.by.setText("closure.done")
    QTest.mouseClick(bar._all, Qt.MouseButton.LeftButton)
    assert iterator.text == before.replace("closure.issue", "closure.done")
    assert iterator.document.stack.count() == 1
    assert iterator.document.stack.undoText() == "Replace all"
    count = before.count("closure.issue")
    assert bar.note.text() == f"{count} matches replaced"
    iterator.check()
    iterator.press(Qt.Key.Key_Z, CTRL)
    assert iterator.text == before
    iterator.check()


def test_groups_of_a_pattern_in_the_replacement(small: Bench) -> None:
    bar = find(small, r'"(\w+)\.(\w)"', replacing=True)
    toggle(bar, "Regular expression")
    bar.by.setText('"$2.$1"')
    bar.replace_all()
    assert small.text == SMALL.replace("initial.a", "a.initial").replace("initial.b", "b.initial")
    small.check()


def test_only_in_the_selected_lines(small: Bench) -> None:
    start = small.text.index('    "initial.b"')
    small.put_caret(start, len(small.text))
    bar = find(small, "initial", replacing=True)
    assert bar._count.text() == "1 of 1"
    assert bar.scope is not None
    bar.by.setText("first")
    bar.replace_all()
    assert small.text == SMALL.replace("initial.b", "first.b")
    toggle(bar, "Only in what was selected")
    assert bar.scope is None
    assert bar._count.text() == "1 of 1"
    assert selected(small) == "initial"


def test_the_scope_moves_with_the_text(small: Bench, qtbot: QtBot) -> None:
    start = small.text.index('    "initial.b"')
    small.put_caret(start, len(small.text))
    bar = find(small, "initial", replacing=True)
    small.document.apply({small.document.path: [TextEdit(0, 0, '"initial"\n')]}, "Put", "canvas")
    qtbot.waitUntil(lambda: bar._count.text().endswith("1"))
    assert bar.scope is not None
    assert small.text[bar.scope.start :].startswith('    "initial.b"')
    bar.by.setText("first")
    bar.replace_all()
    assert small.text == '"initial"\n' + SMALL.replace("initial.b", "first.b")


def test_typing_in_the_text_keeps_the_count_right(small: Bench, qtbot: QtBot) -> None:
    bar = find(small, "initial")
    small.editor.setFocus()
    small.put_caret(len(small.text))
    small.type("initial ")
    qtbot.waitUntil(lambda: len(bar.hits) == 3)
    assert small.editor.caret == len(small.text)  # looking again takes the caret nowhere
    small.check()


def test_all_hits_in_view_are_marked(small: Bench) -> None:
    small.put_caret(0)
    find(small, "initial")
    marked = [each.cursor.selectedText() for each in small.editor.extraSelections()]
    assert marked.count("initial") == 2
    QTest.keyClick(small.panel.find_bar.widget.field, Qt.Key.Key_Escape)
    assert "initial" not in [each.cursor.selectedText() for each in small.editor.extraSelections()]


def test_another_tab_is_searched_when_it_comes_to_the_front(iterator: Bench, qtbot: QtBot) -> None:
    schema = iterator.document.path.parent / "schemas" / "issue.schema.json"
    bar = find(iterator, "continuation")
    iterator.panel.show_file(schema)
    count = schema.read_text().lower().count("continuation")
    qtbot.waitUntil(lambda: len(bar.hits) == count)
    bar.by.setText("x")
    bar.replace_all()
    source = iterator.document.source(schema)
    assert isinstance(source, Source)
    assert "continuation" not in source.text.lower()
    assert "continuation" in iterator.text


def test_a_crlf_file_is_replaced_in_place(crlf: Bench) -> None:
    bar = find(crlf, r"\{$", replacing=True)
    toggle(bar, "Regular expression")
    bar.by.setText(r"{\n")
    bar.replace_all()
    assert "\n" not in crlf.text.replace("\r\n", "")
    crlf.check()


@pytest.mark.parametrize("field", ["field", "by"])
def test_escape_gives_the_text_the_keyboard_back(small: Bench, field: str) -> None:
    bar = find(small, "initial", replacing=True)
    getattr(bar, field).setFocus()
    QTest.keyClick(getattr(bar, field), Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert small.editor.hasFocus()
    assert selected(small) == "initial"


def test_tab_goes_through_the_bar(small: Bench) -> None:
    bar = find(small, "initial", replacing=True)
    bar.field.setFocus()
    seen = []
    for _time in range(9):
        seen.append(small.panel.focusWidget())
        QTest.keyClick(small.panel.focusWidget(), Qt.Key.Key_Tab)
    assert bar.by in seen
    assert len({id(each) for each in seen}) == 9


def test_many_hits_are_found_and_replaced(small: Bench, qtbot: QtBot) -> None:
    small.editor.asked.emit([TextEdit(0, 0, "word " * 20_000)], "Paste")
    bar = find(small, "word", replacing=True)
    qtbot.waitUntil(lambda: bar._count.text().endswith("of 20000"))
    bar.by.setText("w")
    bar.replace_all()
    assert small.text == "w " * 20_000 + SMALL
    small.check()
