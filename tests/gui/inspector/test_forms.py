"""The inspector's forms by mouse and key: each edit one undo entry and only the lines that had to change."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.forms import choices
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.forms.text_edit import FormTextEdit
from stepflow_gui.gui.inspector.forms.view import FormView
from stepflow_gui.gui.widgets.editors import Segments
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.gui.inspector.test_contract import opened

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagateSizeHints)")
STEP = "/steps/continuation.issue"


def form(window: MainWindow) -> FormView:
    page = window.inspector.widget()
    assert page is not None
    found = page.findChild(FormView)
    assert isinstance(found, FormView)
    return found


def row(window: MainWindow, pointer: str) -> FormRow:
    found = form(window).row(pointer)
    assert found is not None, [each.line.pointer for each in form(window).rows]
    return found


def text(document: Document) -> str:
    source = document.source()
    assert isinstance(source, Source)
    return source.text


def value(document: Document, pointer: str) -> Any:
    node = document.folder.registry.tree.at(pointer)
    return node.value if node else None


def typed(window: MainWindow, pointer: str, new: str, key: Qt.Key = Qt.Key.Key_Return) -> FormRow:
    found = row(window, pointer)
    editor = found.editor
    assert isinstance(editor, FormLineEdit | FormTextEdit)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, new)
    QTest.keyClick(editor, key)
    return found


def test_free_keys_are_shown_whole_and_their_values_below_each_other(
    qtbot: QtBot, window: MainWindow, example: Path
) -> None:
    registry = next(example.rglob("steps_registry.json"))
    more = '"poll:state": "initial.issue", "count:iteration": "initial.issue"'
    registry.write_text(registry.read_text("utf-8").replace('"poll:state": "initial.issue"', more), "utf-8")
    opened(qtbot, window, example).select(None, "test")
    qtbot.wait(50)
    lefts = set()
    for key in ("poll:state", "count:iteration"):
        found = row(window, f"/entryStepMapping/{key}")
        assert found.key_editor is not None
        needed = found.key_editor.fontMetrics().horizontalAdvance(key)
        assert found.key_editor.width() >= needed + 8
        lefts.add(found.editor.mapTo(window, QPoint(0, 0)).x())
    assert len(lefts) == 1


def changed_lines(before: str, after: str) -> int:
    lines, others = before.split("\n"), after.split("\n")
    return sum(line not in lines for line in others) + sum(line not in others for line in lines)


def entries(window: MainWindow, found: FormRow, adding: bool = False) -> list[QAction]:
    button = found.add_button if adding else found.menu_button
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    menus = [each for each in form(window).findChildren(QMenu) if each.isVisible()]
    return menus[-1].actions() if menus else []


def pick(window: MainWindow, found: FormRow, label: str, adding: bool = False) -> None:
    action = next(each for each in entries(window, found, adding) if label in each.text())
    action.trigger()
    for menu in form(window).findChildren(QMenu):
        menu.close()


def test_a_name_typed_is_one_line_and_one_undo(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    before = text(document)
    typed(window, f"{STEP}/name", "Another name")
    assert value(document, f"{STEP}/name") == "Another name"
    assert changed_lines(before, text(document)) == 2
    assert document.stack.count() == 1
    document.undo()
    assert text(document) == before
    editor = row(window, f"{STEP}/name").editor
    assert isinstance(editor, FormLineEdit)
    assert editor.text() == value(document, f"{STEP}/name")


def test_escape_returns_to_the_old_value(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    before = text(document)
    found = typed(window, f"{STEP}/name", "Not this", Qt.Key.Key_Escape)
    assert isinstance(found.editor, FormLineEdit)
    assert found.editor.text() == value(document, f"{STEP}/name")
    QTest.keyClick(found.editor, Qt.Key.Key_Return)
    assert text(document) == before
    assert document.stack.count() == 0


def test_a_refused_value_is_reported_at_the_field_and_changes_nothing(
    qtbot: QtBot, window: MainWindow, example: Path
) -> None:
    document = opened(qtbot, window, example)
    before = text(document)
    found = typed(window, f"{STEP}/c3", "Not This")
    assert any("c3" in text for text in found.shown_texts)
    assert text(document) == before
    assert isinstance(found.editor, FormLineEdit)
    assert found.editor.text() == "Not This"
    document.select("initial.issue", "test")
    assert not row(window, "/steps/initial.issue/c3").shown_texts
    assert text(document) == before


def test_a_boolean_is_a_click(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    segments = row(window, f"{STEP}/usesStdin").editor
    assert isinstance(segments, Segments)
    old = value(document, f"{STEP}/usesStdin")
    QTest.mouseClick(segments.stops()[int(old)], Qt.MouseButton.LeftButton)  # true is first
    assert value(document, f"{STEP}/usesStdin") is not old
    assert document.stack.count() == 1


def test_an_illegal_target_is_refused_with_its_reason(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    form(window).focus_line(f"{STEP}/transitions/handoff/target")
    before = text(document)
    found = typed(window, f"{STEP}/transitions/handoff/target", "section.conventions")
    assert found.shown_texts
    assert text(document) == before


def test_an_absent_field_is_added_with_its_meaning_and_gets_the_cursor(
    qtbot: QtBot, window: MainWindow, example: Path
) -> None:
    document = opened(qtbot, window, example)
    head = next(each for each in form(window).rows if each.shown.title == "Identity")
    labels = [each.text() for each in entries(window, head, adding=True)]
    assert any("What the step is for" in label for label in labels)
    pick(window, head, "description", adding=True)
    assert value(document, f"{STEP}/description") == ""
    editor = row(window, f"{STEP}/description").editor
    assert QApplication.focusWidget() is editor
    QTest.keyClicks(editor, "To do it")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert value(document, f"{STEP}/description") == "To do it"


def test_a_field_is_removed_by_its_menu(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    before = text(document)
    pick(window, row(window, f"{STEP}/fallbackKey"), "Remove")
    assert "fallbackKey" not in value(document, STEP)
    document.undo()
    assert text(document) == before


def test_removing_what_runners_need_asks_first(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    before = text(document)
    pick(window, row(window, f"{STEP}/structuredGate/intentField"), "Remove")
    assert text(document) == before
    assert row(window, f"{STEP}/structuredGate/intentField").shown_texts


def test_lists_are_edited_element_by_element(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    where = f"{STEP}/structuredGate/handoffFields"
    before, listed = text(document), list(value(document, where))
    assert len(listed) == 2
    assert not entries(window, row(window, where), adding=True)
    assert value(document, where) == [*listed, ""]
    assert QApplication.focusWidget() is row(window, f"{where}/2").editor
    typed(window, f"{where}/2", "a.b")
    pick(window, row(window, f"{where}/2"), "Move Up")
    assert value(document, where) == [listed[0], "a.b", listed[1]]
    pick(window, row(window, f"{where}/0"), "Remove")
    assert value(document, where) == ["a.b", listed[1]]
    while document.stack.canUndo():
        document.undo()
    assert text(document) == before


def test_a_renamed_validator_is_followed(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    document.select(None, "test")
    before = text(document)
    editor = row(window, "/validators/git-clean").key_editor
    assert editor is not None
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "tree-clean")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert "tree-clean" in value(document, "/validators")
    assert '"git-clean"' not in text(document)
    assert document.stack.count() == 1
    document.undo()
    assert text(document) == before


def test_a_check_is_added_and_filled_in(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    document.select(None, "test")
    for holder in ("failurePatterns", "validators"):
        head = row(window, f"/{holder}")
        assert head.add_button is not None
        QTest.mouseClick(head.add_button, Qt.MouseButton.LeftButton)
        field = head.new_key
        assert field is not None
        QTest.keyClicks(field, "own-one")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert "own-one" in value(document, f"/{holder}")
        assert head.new_key is None
    typed(window, "/validators/own-one/failurePattern", "own-one")
    assert value(document, "/validators/own-one")["failurePattern"] == "own-one"


def test_a_transition_becomes_conditional_and_gets_cases(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    before = text(document)
    where = f"{STEP}/transitions/next"
    pick(window, row(window, where), "“condition”")
    assert value(document, where)["targets"] == {"default": "continuation.issue"}
    form(window).focus_line(f"{where}/targets")
    head = row(window, f"{where}/targets")
    assert head.add_button is not None
    QTest.mouseClick(head.add_button, Qt.MouseButton.LeftButton)
    field = head.new_key
    assert field is not None
    QTest.keyClicks(field, "big")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert list(value(document, where)["targets"]) == ["big", "default"]
    typed(window, f"{where}/targets/big", "initial.issue")
    assert value(document, where)["targets"]["big"] == "initial.issue"
    while document.stack.canUndo():
        document.undo()
    assert text(document) == before


def test_what_is_typed_stays_when_the_text_changes_elsewhere(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    editor = row(window, f"{STEP}/name").editor
    assert isinstance(editor, FormLineEdit)
    editor.setFocus()
    editor.setText("half ty")
    editor.setModified(True)
    editor.setCursorPosition(3)
    place = text(document).index('"1.0.0"')
    document.apply({document.path: [TextEdit(place + 1, place + 6, "1.0.1")]}, "elsewhere", "source")
    assert value(document, "/version") == "1.0.1"
    assert row(window, f"{STEP}/name").editor is editor
    assert (editor.text(), editor.cursorPosition()) == ("half ty", 3)
    assert QApplication.focusWidget() is editor
    QTest.keyClick(editor, Qt.Key.Key_Escape)


def test_an_unknown_field_is_kept_and_edited_as_json(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    registry = next(example.rglob("steps_registry.json"))
    registry.write_text(
        registry.read_text("utf-8").replace(
            '"stepId": "continuation.issue",', '"stepId": "continuation.issue", "own": [1],'
        ),
        "utf-8",
    )
    document = opened(qtbot, window, example)
    typed(window, f"{STEP}/own", "[1, {")
    assert value(document, f"{STEP}/own") == [1]
    assert any("JSON" in text for text in row(window, f"{STEP}/own").shown_texts)
    typed(window, f"{STEP}/own", '{"a": 2}')
    assert value(document, f"{STEP}/own") == {"a": 2}
    assert not any("JSON" in text for text in row(window, f"{STEP}/own").shown_texts)


def test_a_value_of_the_wrong_type_is_shown_and_replaced(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    registry = next(example.rglob("steps_registry.json"))
    content = registry.read_text("utf-8").replace('"name": "Work on the issue"', '"name": 7')
    registry.write_text(content, "utf-8")
    document = opened(qtbot, window, example)
    qtbot.waitUntil(lambda: any("SF" in text for text in row(window, f"{STEP}/name").shown_texts))
    typed(window, f"{STEP}/name", "A text")
    assert value(document, f"{STEP}/name") == "A text"


def test_problems_stand_at_their_field(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    assert not [each.shown_texts for each in form(window).rows if each.shown_texts]
    typed(window, f"{STEP}/outputSchemaRef/file", "nowhere.json")
    qtbot.waitUntil(lambda: document.linted)
    pointers = [each.line.pointer for each in form(window).rows if each.shown_texts]
    assert any(pointer.startswith(f"{STEP}/outputSchemaRef") for pointer in pointers)


def test_a_default_is_shown_where_the_field_is_absent(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    opened(qtbot, window, example)
    pick(window, row(window, f"{STEP}/usesStdin"), "Remove")
    found = row(window, f"{STEP}/usesStdin")
    assert found.line.absent
    assert found.menu_button.isHidden()
    assert isinstance(found.editor, Segments)
    QTest.mouseClick(found.editor.stops()[0], Qt.MouseButton.LeftButton)
    assert not row(window, f"{STEP}/usesStdin").line.absent


def test_choosers_know_the_project(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)

    def offered(pointer: str) -> list[str]:
        form(window).focus_line(pointer)
        return choices.choices(document.folder, row(window, pointer).line)

    assert "issue.schema.json" in offered(f"{STEP}/outputSchemaRef/file")
    assert "closure.issue" in offered(f"{STEP}/outputSchemaRef/schema")
    assert choices.the_end() in offered(f"{STEP}/transitions/next/target")
    assert "section.conventions" not in offered(f"{STEP}/transitions/next/target")
    assert {"issue"} <= set(offered(f"{STEP}/c3"))
    assert "default" in offered(f"{STEP}/edition")
    assert offered(f"{STEP}/stepKind") == ["work", "verification", "closure"]
    document.select(None, "test")
    assert "git-dirty" in offered("/validators/git-clean/failurePattern")
    assert "initial.issue" in offered("/entryStepMapping/poll:state")


def test_going_to_another_step_makes_no_new_rows(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    document.select("initial.issue", "test")
    document.select("continuation.issue", "test")
    known = set(form(window).findChildren(FormRow))
    document.select("initial.issue", "test")
    document.select("continuation.issue", "test")
    assert set(form(window).findChildren(FormRow)) == known


def test_tab_goes_down_the_form_and_every_stop_has_a_name(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    opened(qtbot, window, example)
    stops = [stop for each in form(window).rows for stop in each.stops if stop.isVisible()]
    assert all(stop.accessibleName() for stop in stops)
    editor = row(window, f"{STEP}/name").editor
    editor.setFocus()
    seen = []
    for _stop in range(4):
        here = QApplication.focusWidget()
        assert here is not None
        QTest.keyClick(here, Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget())
    at = stops.index(editor)
    assert seen == stops[at + 1 : at + 5]


def test_the_form_follows_the_language(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    opened(qtbot, window, example)
    english = row(window, f"{STEP}/c3").editor.accessibleDescription()
    window.set_language("ja")
    japanese = row(window, f"{STEP}/c3").editor.accessibleDescription()
    assert english
    assert japanese
    assert english != japanese


def test_while_the_text_is_broken_nothing_can_be_edited(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    document.apply({document.path: [TextEdit(0, 0, "{{")]}, "broken", "source")
    assert document.text_broken
    editor = row(window, f"{STEP}/name").editor
    assert isinstance(editor, FormLineEdit)
    assert editor.isReadOnly()
    assert all(each.menu_button.isHidden() for each in form(window).rows)
    document.undo()
    assert not editor.isReadOnly()


def test_what_a_step_has_is_all_in_its_form(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    shown = {each.line.pointer for each in form(window).rows}
    assert {f"{STEP}/{key}" for key in json.loads(text(document))["steps"]["continuation.issue"]} <= shown
